"""Certificates: proofs of a verdict that stand alone, and the files they are kept in.

A certificate holds the rules, the deal, the verdict and what proves it: for *winnable* a line, for *unwinnable* a
closed set of states (an inductive invariant). Only states that begin a pass are listed, and not those that a lemma
proves lost, in canonical form and sorted; `amazons_solver.proofs.checker` walks the passes between them and says why
that is a proof. The set is the same whichever engine gathers it. The file is JSON in ASCII, compressed when its name
ends in ``.gz``::

    {"format": "amazons-solver certificate", "version": 1, "rules": {every field}, "deal": "…",
     "verdict": "winnable", "line": "…"}        or        "verdict": "unwinnable", "states": ["…", …]}

Whatever else a file holds is refused, before it can take more time or memory than a large certificate would.
"""

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import attrs

from amazons_solver.errors import CertificateError, OptionError, UndecidedError, shorten
from amazons_solver.files import write_whole
from amazons_solver.model.arguments import checked, checked_fields, distinct, no_truth
from amazons_solver.model.deals import Deal
from amazons_solver.model.lemmas import is_lost
from amazons_solver.model.moves import REDEAL, Move, format_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.explore import Edge, explore
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solving.game import Game
from amazons_solver.solving.solve import Solution, Verdict, solve

__all__ = ["Certificate", "certificate_of", "certify"]

FORMAT = "amazons-solver certificate"
VERSION = 1
# Bounds on what is read. Bytes are those of the file, compressed or not.
MOST_BYTES = 64 * 2**20
MOST_ENTRIES = 1_000_000  # the kernel gathers no larger closed set, which could take long
MOST_CHARACTERS = 1_000  # of the deal, and of a state; 52 cards need about 250
MOST_DIGITS = 100

_PROOF_KEYS = {"winnable": "line", "unwinnable": "states"}


@attrs.frozen(repr=False, field_transformer=checked_fields)
class Certificate:
    """A verdict with its proof, as plain data: just what the file says, and trusted no more.

    >>> rules = Rules(suits="C", ranks="A7")
    >>> certificate = certify(Deal.parse("7C AC", rules), rules)
    >>> certificate.line
    'd d AC>1 7C>1'
    >>> Certificate.from_json(certificate.to_json()) == certificate
    True
    """

    rules: Mapping[str, object] = attrs.field(hash=False)
    """Every field of the rules by name."""
    deal: str
    verdict: str
    """``winnable`` or ``unwinnable``."""
    line: str | None = None
    """The moves to a won state; there if winnable."""
    states: tuple[str, ...] | None = None
    """The closed set of states; there if unwinnable."""

    __bool__ = no_truth("a certificate", "look at its verdict; verify raises unless it is a proof")

    def __repr__(self) -> str:
        proof = f"{len(self.states)} states" if self.states is not None else f"{len((self.line or '').split())} moves"
        return f"<Certificate {self.verdict}, {proof}>"

    def to_json(self) -> str:
        """The certificate as the text of its file."""
        key = _PROOF_KEYS[self.verdict]
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "rules": dict(self.rules),
            "deal": self.deal,
            "verdict": self.verdict,
            key: getattr(self, key),
        }
        return json.dumps(fields, indent=1) + "\n"

    @classmethod
    @checked
    def from_json(cls, text: str) -> "Certificate":
        """Read what `to_json` writes; whether it proves anything is for `verify` to say.

        Raises:
            CertificateError: the text is no certificate of this version, or larger than any should be.
        """
        fields = _parse(text)
        for key, expected in (("format", FORMAT), ("version", VERSION)):
            value = fields.get(key)
            if value != expected or isinstance(value, bool):
                raise CertificateError(f"expected a file with {key} {expected}, got {shorten(value)}")
        verdict = _text(fields.get("verdict"), "verdict")
        if verdict not in _PROOF_KEYS:
            raise CertificateError(f"expected the verdict winnable or unwinnable, got {shorten(verdict)}")
        keys = ["format", "version", "rules", "deal", "verdict", _PROOF_KEYS[verdict]]
        if sorted(fields) != sorted(keys):
            faults = [f"{key} is missing" for key in keys if key not in fields]
            faults += [f"{shorten(key)} is not one of them" for key in fields if key not in keys]
            raise CertificateError(f"expected the keys {', '.join(keys)}: {faults[0]}")
        rules, line, states = fields["rules"], fields.get("line"), fields.get("states")
        if not isinstance(rules, dict):
            raise CertificateError(f"expected rules as a JSON object, got {shorten(rules)}")
        deal = _text(fields["deal"], "deal")
        if verdict == "winnable":
            return cls(rules, deal, verdict, line=_text(line, "line", most=MOST_BYTES))
        if not isinstance(states, list):
            raise CertificateError(f"expected states as a JSON array, got {shorten(states)}")
        return cls(
            rules, deal, verdict, states=tuple([_text(state, f"state {i}") for i, state in enumerate(states, 1)])
        )

    @checked
    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, compressed when its name ends in ``.gz``, whole or not at all.

        Raises:
            CertificateError: the certificate is not one that `read` takes, such as a larger one.
            OSError: the file cannot be written.
        """
        text = self.to_json()
        Certificate.from_json(text)  # what could not be read again is not written
        data = text.encode("ascii")
        path = Path(path)
        if path.name.endswith(".gz"):
            packed = io.BytesIO()
            with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as file:  # no name, no time: the same bytes again
                file.write(data)
            data = packed.getvalue()
        write_whole(path, data)

    @classmethod
    @checked
    def read(cls, path: str | os.PathLike[str]) -> "Certificate":
        """Read what `write` writes; whether it proves anything is for `verify` to say.

        Raises:
            CertificateError: the file is no certificate of this version, or larger than any should be.
            OSError: the file cannot be read.
        """
        path = Path(path)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        _check_size(data)
        if path.name.endswith(".gz"):
            data = _unpack(data)
        try:
            text = data.decode("ascii")
        except UnicodeDecodeError as error:
            raise CertificateError(f"expected a certificate in ASCII: {error}") from None
        return cls.from_json(text)


@checked
def certify(
    deal: Deal,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Certificate:
    """Decide a deal and prove the verdict.

    Args:
        deal: the deal.
        rules: the rules; the default rules when absent.
        limits: when to give up; the default limits when absent. They hold for each of the two searches that an
            unwinnable deal needs: to decide it, and to gather the states that begin a pass.
        progress: called with the counts so far a few times a second.

    Raises:
        NotationError: the deal is not of the rules' deck.
        UndecidedError: a limit was hit.

    >>> certify(Deal.pysolfc("24680"), Rules.preset("patiencen"))
    <Certificate unwinnable, 7 states>
    """
    return certificate_of(solve(deal, rules, limits=limits, progress=progress), limits=limits, progress=progress)


@checked
def certificate_of(
    solution: Solution, *, limits: Limits | None = None, progress: Callable[[Progress], None] | None = None
) -> Certificate:
    """The proof of a verdict that is known: the solution's line, or the states gathered by another search.

    The engine that decided gathers them too (the model, where limits on redeals or idle passes are too large for it).

    Args:
        solution: the answer for a deal.
        limits: when that search should give up; the default limits when absent.
        progress: called with the search's counts so far a few times a second.

    Raises:
        OptionError: the solution is for a state from the middle of a game.
        UndecidedError: the solution is undecided, or a limit was hit.
        CertificateError: the solution says unwinnable, and the search found a win.
    """
    start = solution.start
    if not start.is_initial:
        raise OptionError(f"expected the solution of a deal, got that of {start.text()}")
    if solution.verdict is Verdict.UNDECIDED:
        raise UndecidedError(f"expected a verdict to prove, got undecided: stopped by {solution.stop_reason.value}")
    deal, verdict, rules = str(Deal(start.talon)), solution.verdict.value, start.rules.to_dict()
    if solution.line is not None:
        return Certificate(rules, deal, verdict, line=format_line(solution.line))
    return Certificate(rules, deal, verdict, states=_pass_starts(solution, limits, progress))


def _pass_starts(
    solution: Solution, limits: Limits | None, progress: Callable[[Progress], None] | None
) -> tuple[str, ...]:
    """The canonical forms of all states in which a pass begins, sorted, except those that a lemma proves lost."""
    found = _gather(solution, limits or Limits(), progress)
    if found.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if found.stop_reason is StopReason.GOAL:
        raise CertificateError(f"expected no win of an unwinnable deal, got {found.win}")
    if found.stop_reason.is_limit:
        raise UndecidedError(f"expected to see all states, got {found.count}: stopped by {found.stop_reason.value}")
    return found.states


@attrs.frozen
class _Gathered:
    """The closed set, or why there is none."""

    stop_reason: StopReason
    count: int
    """States in which a pass begins, as far as they were found."""
    states: tuple[str, ...]
    win: str = ""
    """What shows that there is no such set, if that is why."""


def _gather(solution: Solution, limits: Limits, progress: Callable[[Progress], None] | None) -> _Gathered:
    if solution.engine == "kernel":
        from amazons_solver.kernel import fits  # noqa: PLC0415 (numba takes half a second to load)
        from amazons_solver.kernel.exact import closure  # noqa: PLC0415 (numba takes half a second to load)

        if fits.explores(solution.start.rules):
            most = min(limits.states or MOST_ENTRIES, MOST_ENTRIES)
            found = closure.closed_set(solution.start, attrs.evolve(limits, states=most), progress)
            if found.stop_reason is StopReason.STATES and most != limits.states:
                raise UndecidedError(f"expected a closed set of at most {most} states for a certificate, got more")
            win = f"one in the pass of {found.states[0]}" if found.stop_reason is StopReason.GOAL else ""
            return _Gathered(found.stop_reason, found.stats.states, found.states, win)
    return _gather_by_model(solution.start, limits, progress)


@attrs.frozen
class _Hopeful(Game):
    """The game without the redeals to states that a lemma proves lost."""

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The moves, except such redeals."""
        return [(move, after) for move, after in state.successors() if move != REDEAL or not is_lost(after)]


def _gather_by_model(start: State, limits: Limits, progress: Callable[[Progress], None] | None) -> _Gathered:
    found = {0: start.canonical().text()}

    def gather(_number: int, _state: State, edges: Sequence[Edge[Move, State]]) -> None:
        for move, target, successor in edges:
            if move == REDEAL and target not in found:
                found[target] = successor.canonical().text()

    result = explore(_Hopeful(start), order="dfs", limits=limits, progress=progress, on_expand=gather)
    return _Gathered(result.stop_reason, len(found), tuple(sorted(found.values())), win=format_line(result.line or ()))


def _check_size(data: bytes | str) -> None:
    if len(data) > MOST_BYTES:
        raise CertificateError(f"expected a certificate of at most {MOST_BYTES} bytes, got more")


def _unpack(packed: bytes) -> bytes:
    """Decompress one gzip member, never beyond the bound."""
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        data = unpacker.decompress(packed, MOST_BYTES + 1)
    except zlib.error as error:
        raise CertificateError(f"expected a file packed by gzip, as its name ends in .gz: {error}") from None
    _check_size(data)
    if not unpacker.eof or unpacker.unused_data:
        problem = "it goes on after its end" if unpacker.eof else "it is cut short"
        raise CertificateError(f"expected a whole file packed by gzip: {problem}")
    return data


def _parse(text: str) -> dict[str, object]:
    """The JSON object of a certificate, its keys distinct, with no number but whole ones of a few digits."""
    # All this before the parser sees the text, since it would recurse, or make an object of every other character.
    _check_size(text)
    for character, most in {"{": 2, "[": 1, ",": MOST_ENTRIES, '"': 2 * MOST_ENTRIES}.items():
        if text.count(character) > most:
            raise CertificateError(f"expected at most {most} times {character} in a certificate, got more")
    try:
        fields = json.loads(
            text,
            object_pairs_hook=distinct("key", CertificateError),
            parse_int=_integer,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
    except json.JSONDecodeError as error:
        raise CertificateError(f"expected a certificate in JSON: {error}") from None
    if not isinstance(fields, dict):
        raise CertificateError(f"expected a certificate as a JSON object, got {shorten(fields)}")
    return fields


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise CertificateError(f"expected numbers of at most {MOST_DIGITS} digits, got one of {len(digits)}")
    return int(digits)


def _refuse(number: str) -> NoReturn:
    raise CertificateError(f"expected whole numbers, got {shorten(number)}")


def _text(value: object, what: str, *, most: int = MOST_CHARACTERS) -> str:
    if not isinstance(value, str):
        raise CertificateError(f"expected {what} as a text, got {shorten(value)}")
    if len(value) > most:
        raise CertificateError(f"expected {what} of at most {most} characters, got {len(value)}")
    return value
