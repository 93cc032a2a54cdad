"""Files that pass for certificates and would take all time or memory if they were read without care.

Run as a script, with a folder to write in, it has itself little memory, and prints what is said of each file.
"""

import gzip
import json
import os
import resource
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from amazons_solver.errors import AmazonsError
from amazons_solver.proofs.certificate import Certificate
from amazons_solver.proofs.checker import verify

WON_TEXT = """\
{
 "format": "amazons-solver certificate",
 "version": 1,
 "rules": {
  "suits": "C",
  "ranks": "A7",
  "base_placement": "leftmost",
  "build": "suit",
  "top_anywhere": false,
  "gather": "left-over-right",
  "skip_complete": false,
  "withhold": "bases",
  "max_redeals": null,
  "idle_passes": null
 },
 "deal": "7C AC",
 "verdict": "winnable",
 "line": "d d AC>1 7C>1"
}
"""
"""A true certificate, as its file says it."""

MEBI = 2**20


def changed(**changes: Any) -> str:
    """The true certificate's text with some fields changed; ``...`` takes one out."""
    fields = {**json.loads(WON_TEXT), **changes}
    return json.dumps({key: value for key, value in fields.items() if value is not ...})


def with_rule(name: str, value: Any) -> str:
    return changed(rules={**json.loads(WON_TEXT)["rules"], name: value})


def with_states(item: str, count: int) -> str:
    return changed(verdict="unwinnable", line=..., states=["@"]).replace('"@"', ",".join([item] * count))


def bomb() -> bytes:
    packer = zlib.compressobj(1, wbits=31)
    return b"".join([packer.compress(bytes(MEBI)) for _ in range(640)] + [packer.flush()])


FILES: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "bomb.gz": (bomb, "at most 67108864 bytes"),
    "empty-members.gz": (lambda: gzip.compress(b"") * 4 * MEBI, "at most 67108864 bytes"),
    "nested-lists": (lambda: "[" * 60 * MEBI, "at most 1 times ["),
    "nested-objects": (lambda: '{"a":' * 12 * MEBI, "at most 2 times {"),
    "lists": (lambda: with_states("[]", 20 * MEBI), "at most 1 times ["),
    "texts": (lambda: with_states('"ab"', 12 * MEBI), "at most 1000000 times ,"),
    "keys": (lambda: '{"a":"b"' + '"ab""cd"' * 7 * MEBI, 'at most 2000000 times "'),
    "numbers": (lambda: with_states("1234567", 7 * MEBI), "at most 1000000 times ,"),
    "digits": (lambda: WON_TEXT.replace(": 1", ": 1" + "0" * 60 * MEBI), "at most 100 digits"),
    "fraction": (lambda: WON_TEXT.replace(": 1", ": 0." + "1" * 60 * MEBI), "expected whole numbers"),
    "members": (lambda: with_states('"7C AC | - | -"', 900_000), "(state 2)"),
    "members-of-bars": (lambda: with_states(f'"{"|" * 1000}"', 60_000), "(state 1)"),
    "deal": (lambda: changed(deal="7C " * 20 * MEBI), "expected deal of at most 1000 characters"),
    "state": (lambda: with_states(f'"{"|" * 60 * MEBI}"', 1), "expected state 1 of at most 1000 characters"),
    "suits": (lambda: with_rule("suits", "C" * 60 * MEBI), "expected suits to be"),
    "words": (lambda: changed(line="ab " * 20 * MEBI), "(move 1)"),
    "one-word": (lambda: changed(line="7C>1" * 15 * MEBI), "(move 1)"),
    "long-verdict": (lambda: changed(verdict="x" * 60 * MEBI), "expected verdict of at most 1000 characters"),
    "long-key": (lambda: changed(**{"x" * 60 * MEBI: 1}), "is not one of them"),
    "endless": (lambda: b"", "at most 67108864 bytes"),
}
"""By name: what makes the file's content, and what must be said of it."""


def main(folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (640 * MEBI, 640 * MEBI))
    for name, (make, _) in FILES.items():
        content = make()
        path = folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        del content
        if name == "endless":
            os.truncate(path, 2**40)  # a hole that takes no place
        started = time.process_time()
        try:
            verify(Certificate.read(path))
            answer = "accepted"
        except (AmazonsError, MemoryError) as error:
            answer = f"{type(error).__name__}: {error}"
        seconds = time.process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps({"name": name, "answer": answer, "seconds": seconds, "peak": peak}))  # noqa: T201
        path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
