"""Deals as people write them: every odd but good form, and every bad one, one by one."""

import errno
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import PROGRAM, SMALL, SMALL_DEALS, assert_refused, environment, run, small

# Deal 0 of the full deck, from fixtures/numbered-deals.txt.
FULL = "QD TS 9D AS 7C JS JH QH 9H 8S AH JC QC 8D 7H 7D JD 7S TH TC 8H 9C AD 8C QS AC TD 9S"
PYSOLFC = ["--rules", "pysolfc"]
SUITS = dict(zip("CDHS", "♣♦♥♠", strict=True))
OUTLINES = dict(zip("CDHS", "♧♢♡♤", strict=True))


def with_suits(symbols: dict[str, str], suffix: str = "") -> str:
    return " ".join(card[0] + symbols[card[1]] + suffix for card in FULL.split())


def characters() -> str:
    """The full deal in Unicode's card block: spades, hearts, diamonds, clubs; A 2 … 10 J, the knight, Q K."""
    ranks = "A23456789TJ-QK"
    return " ".join(chr(0x1F0A1 + 16 * "SHDC".index(card[1]) + ranks.index(card[0])) for card in FULL.split())


GOOD_FORMS = {
    "plain": FULL,
    "10 for T": FULL.replace("T", "10"),
    "lower case": FULL.lower(),
    "mixed case": FULL.replace("QS", "qS").replace("TH", "tH"),
    "symbols": with_suits(SUITS),
    "symbols with 10": with_suits(SUITS).replace("T", "10"),
    "outlined symbols": with_suits(OUTLINES),
    "text variation selector": with_suits(SUITS, "\ufe0e"),
    "emoji variation selector": with_suits(SUITS, "\ufe0f"),
    "card characters": characters(),
    "BOM": "\ufeff" + FULL,
    "commas": FULL.replace(" ", ","),
    "commas and spaces": FULL.replace(" ", ", "),
    "extra commas": ",," + FULL.replace(" ", " ,, ") + ",",
    "several spaces": "  " + FULL.replace(" ", "   ") + "  ",
    "tabs": FULL.replace(" ", "\t"),
    "no-break spaces": FULL.replace(" ", "\u00a0"),
    "comment at the end": FULL + " # my deal of 7H",
    "comment without a space": FULL + "#QS",
}
GOOD_ARGUMENTS = GOOD_FORMS | {
    "four lines": FULL.replace("QH", "QH\n").replace("QC", "QC\n").replace("TH", "TH\n"),
    "CRLF between lines": FULL.replace("QH ", "QH\r\n"),
    "comments between lines": "# mine\n" + FULL.replace("QH ", "QH # first\n# second\n\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", GOOD_ARGUMENTS)
def test_good_deal_as_an_argument(form: str) -> None:
    result = run("solve", GOOD_ARGUMENTS[form], *PYSOLFC, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    assert (answer["cards"], answer["verdict"], answer["deal"]) == (FULL, "winnable", None)


def test_a_deal_needs_no_quotes() -> None:
    result = run("solve", *FULL.split(), *PYSOLFC, "--json")
    assert json.loads(result.stdout)["cards"] == FULL


@pytest.mark.slow
@pytest.mark.parametrize("form", GOOD_FORMS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", ""], ids=["LF", "CRLF", "CR", "no line end"])
def test_good_deal_in_a_file(form: str, line_end: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_bytes((GOOD_FORMS[form] + line_end).encode())
    result = run("deal", "--file", file)
    assert (result.exit_code, result.stdout, result.stderr) == (0, FULL + "\n", "")


def test_lines_are_counted_with_the_blank_and_comment_lines(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_bytes(f"\ufeff# six cards\r\n\r\n{SMALL_DEALS[0]}\r\n , ,\r\n{SMALL_DEALS[1]}".encode())
    result = run("solve", "--file", file, *SMALL, "--json")
    assert [(answer["deal"], answer["cards"]) for answer in map(json.loads, result.stdout.splitlines())] == [
        ("line 3", SMALL_DEALS[0]),
        ("line 5", SMALL_DEALS[1]),
    ]


def test_standard_input(tmp_path: Path) -> None:
    result = run("solve", "--file", "-", *SMALL, "--json", stdin="\ufeff" + "\r\n".join(SMALL_DEALS))
    assert [json.loads(line)["cards"] for line in result.stdout.splitlines()] == SMALL_DEALS


BAD_DEALS = {
    "27 cards": (FULL.replace("QS ", ""), ["expected 28 cards, got 27", "QS is missing"]),
    "29 cards": (FULL + " QS", ["expected 28 cards, got 29", "QS is repeated"]),
    "a duplicate": (FULL.replace("QS", "AS"), ["AS is repeated", "QS is missing"]),
    "a king": (FULL.replace("QS", "KS"), ["card of the deck", "got KS (card 25)"]),
    "a six": (FULL.replace("QS", "6S"), ["card of the deck", "got 6S (card 25)"]),
    "a word": (FULL.replace("QS", "queen"), ["expected a card such as 7H", "'queen' (card 25)"]),
    "no suit": (FULL.replace("QS", "Q"), ["expected a card", "'Q' (card 25)"]),
    "a joker": (FULL.replace("QS", "\U0001f0cf"), ["expected a card", "(card 25)"]),
    "a card's back": (FULL.replace("QS", "\U0001f0a0"), ["expected a card", "(card 25)"]),
    "two cards without a space": (FULL.replace("AC TD", "ACTD"), ["expected a card", "'ACTD'"]),
    "a terminal's escape": (FULL.replace("QS", "\x1b[31mQS"), ["expected a card", r"\x1b"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD_DEALS)
def test_bad_deal_as_an_argument(fault: str) -> None:
    text, fragments = BAD_DEALS[fault]
    for output in ([], ["--json"]):
        assert_refused(run("solve", text, *output), *fragments)


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD_DEALS)
def test_bad_line_among_good_ones(fault: str, tmp_path: Path) -> None:
    text, fragments = BAD_DEALS[fault]
    file = tmp_path / "deals.txt"
    file.write_text(f"{FULL}\n# next\n{text}\n{FULL}\n", encoding="utf-8")
    result = run("solve", "--file", file, *PYSOLFC, "--json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, [answer["deal"] for answer in answers]) == (2, ["line 1", "line 3", "line 4"])
    assert [answer.get("verdict") for answer in answers] == ["winnable", None, "winnable"]
    assert list(answers[1]) == ["deal", "error"]
    assert answers[1]["error"].endswith("(deal on line 3)")
    for fragment in fragments:
        assert fragment in answers[1]["error"]
    assert [line for line in result.stderr.splitlines() if not line.startswith("error: ")] == []
    assert result.stderr.count("(deal on line 3)") == 1


@pytest.mark.parametrize("arguments", [["--json"], []])
def test_a_file_with_one_bad_deal_has_no_verdict(arguments: list[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(FULL.replace("QS ", ""))
    message = "expected 28 cards, got 27: QS is missing (deal on line 1)"
    stdout = json.dumps({"deal": "line 1", "error": message}) + "\n" if arguments else ""
    assert_refused(run("solve", "--file", file, *arguments), message, stdout=stdout)


NO_DEALS: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n\r\n  \n",
    "comments": b"# one\n#two\n",
    "commas": b",,,\n",
    "only a BOM": b"\xef\xbb\xbf",
    "BOM and comment": b"\xef\xbb\xbf# deals\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("content", NO_DEALS)
@pytest.mark.parametrize("command", [["solve"], ["solve", "--json"], ["graph"], ["deal"], ["solve", "--certificate"]])
def test_file_without_a_deal(content: str, command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_bytes(NO_DEALS[content])
    target = [str(tmp_path / "new")] if command[-1] == "--certificate" else []
    assert_refused(run(*command, *target, "--file", file), f"expected a deal in {file}, got none")


def test_standard_input_without_a_deal() -> None:
    assert_refused(run("solve", "--file", "-", stdin=b""), "expected a deal in standard input, got none")


@pytest.mark.parametrize("text", ["", " ", "# nothing", "\n"])
def test_argument_without_a_card(text: str) -> None:
    assert_refused(run("solve", text), "expected 28 cards, got none")


NOT_TEXT: dict[str, tuple[bytes, str]] = {
    "latin-1": (b"# Pl\xe4tze\n" + FULL.replace("QS", "Q\xa7").encode("latin-1"), "byte 0xa7 (deal on line 2)"),
    "cp1252 line": (FULL.encode() + b" \x80", "byte 0x80 (deal on line 1)"),
    "UTF-16 without a mark": (FULL.encode("utf-16-le"), "expected text with a deal a line"),
    "half a character of UTF-16": (FULL.encode("utf-16") + b"A", "(deal on line 1)"),
    "UTF-32": (FULL.encode("utf-32"), "expected text with a deal a line"),
    "NUL bytes": (b"\0" * 100, "expected text with a deal a line"),
    "one endless line": (b"AS " * 40_000, "expected text with a deal a line"),
}


@pytest.mark.parametrize("content", NOT_TEXT)
def test_file_that_is_no_utf8_text(content: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    data, fragment = NOT_TEXT[content]
    file.write_bytes(data)
    assert_refused(run("solve", "--file", file), fragment)


UTF16 = {"as PowerShell": "utf-16-le", "the other way round": "utf-16-be"}


@pytest.mark.parametrize("encoding", UTF16)
def test_utf16_is_read_in_files_and_standard_input(encoding: str, tmp_path: Path) -> None:
    def encoded(text: str) -> bytes:
        return f"\ufeff{text}".replace("\n", "\r\n").encode(UTF16[encoding])

    with_symbols = SMALL_DEALS[1].replace("C", "\u2663")
    deals = f"# Pl\u00e4tze\n{SMALL_DEALS[0]}\n\n{with_symbols}\n"
    file, rules, game = tmp_path / "deals.txt", tmp_path / "mine.toml", tmp_path / "game.txt"
    file.write_bytes(encoded(deals))
    rules.write_bytes(encoded('suits = "CD"\nranks = "A78"\n'))
    game.write_bytes(encoded(f"rules wikipedia suits=CD ranks=A78\n{SMALL_DEALS[0]}\nd\n"))
    for result in (
        run("deal", "--file", file, "--rules", rules),
        run("deal", "--file", "-", "--rules", rules, stdin=encoded(deals)),
    ):
        assert (result.exit_code, result.stdout) == (0, "\n".join(SMALL_DEALS) + "\n"), result.stderr
    for result in (run("hint", "--file", game), run("hint", "--file", "-", stdin=game.read_bytes())):
        assert (result.exit_code, "after 1 move" in result.stdout) == (0, True), result.stderr


@pytest.mark.slow
def test_the_lines_of_standard_input_are_answered_as_they_come() -> None:
    """Also the first one, whose encoding is looked at."""
    command = [*PROGRAM, *map(str, small("deal", "--file", "-"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for deal in SMALL_DEALS:
            process.stdin.write(f"{deal}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline().decode() == f"{deal}\n"
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_byte_that_is_not_utf8_spoils_its_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_bytes(FULL.encode() + b"\n" + FULL.encode() + b" \xff\n" + FULL.encode() + b"\n")
    result = run("deal", "--file", file)
    assert (result.exit_code, result.stdout) == (2, f"{FULL}\n{FULL}\n")
    assert result.stderr == "error: expected UTF-8 text, got byte 0xff (deal on line 2)\n"


def test_missing_file(tmp_path: Path) -> None:
    assert_refused(run("solve", "--file", tmp_path / "no"), f"{tmp_path / 'no'}: No such file or directory")


def test_a_file_name_that_would_upset_a_terminal(tmp_path: Path) -> None:
    assert_refused(run("solve", "--file", tmp_path / "\x1b[31m\nno"), r"/\x1b[31m no: No such file or directory")


def test_directory_as_a_file(tmp_path: Path) -> None:
    assert_refused(run("solve", "--file", tmp_path), f"expected a file to read, got {tmp_path}: Is a directory")


@pytest.mark.parametrize("arguments", [["solve", "--file"], ["verify"]])
def test_file_that_may_not_be_read(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    file = tmp_path / "deals.txt"
    file.write_text(FULL)
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("os.access", lambda *_: False)  # in the words of our own messages, not those of typer
    assert_refused(run(*arguments, file), f"error: expected a file to read, got {file}: Permission denied")


def test_a_card_of_another_deck() -> None:
    assert_refused(run("solve", FULL, "--rules", "ultimate"), "ranks 789TJQ", "got AS (card 4)")


BAD_NUMBERS: dict[str, tuple[list[str], str]] = {
    "number too large": (["--number", str(2**64)], "from 0 to 2^64 - 1"),
    "number far too large": (["--number", "9" * 5000], "from 0 to 2^64 - 1"),
    "number below 0": (["--number", "-1"], "from 0 to 2^64 - 1, got '-1'"),
    "number in words": (["--number", "abc"], "from 0 to 2^64 - 1, got 'abc'"),
    "number with a point": (["--number", "1.5"], "got '1.5'"),
    "number with a sign": (["--number", "+1"], "got '+1'"),
    "number with underscores": (["--number", "1_0"], "got '1_0'"),
    "other digits": (["--number", "٣"], "got '٣'"),
    "empty number": (["--number", ""], "got ''"),
    "PySolFC 0": (["--pysolfc", "0"], "expected a PySolFC game number from 1 to 10^20"),
    "PySolFC below 0": (["--pysolfc", "-5"], "got '-5'"),
    "PySolFC too large": (["--pysolfc", str(10**20 + 1)], "from 1 to 10^20"),
    "PySolFC ms0": (["--pysolfc", "ms0"], "got 'ms0'"),
    "PySolFC ms too large": (["--pysolfc", f"ms{2**33}"], "ms1 to ms8589934591"),
    "PySolFC in words": (["--pysolfc", "first"], "got 'first'"),
    "PySolFC of another deck": (["--pysolfc", "1", "--rules", "ultimate"], "expected the 28-card deck"),
    "PySolFC of a small deck": (["--pysolfc", "1", *SMALL], "expected the 28-card deck"),
    "a number as a deal": (["24680"], "name (pysolfc:24680 or numbered:24680), got the number 24680 alone"),
    "a PySolFC number as a deal": (["ms617"], "expected cards or a deal's name (pysolfc:ms617), got the number ms617"),
    "a name of no deal of ours": (["numbered:18446744073709551616"], "from 0 to 2^64 - 1, got '18446744073709551616'"),
    "a name of no deal of PySolFC's": (["pysolfc:0"], "expected a PySolFC game number from 1 to 10^20"),
    "a name without a number": (["pysolfc:"], "expected a PySolFC game number from 1 to 10^20"),
    "a name of another source": (["fc:1"], "expected a card such as 7H"),
    "two names": (["numbered:1", "numbered:2"], "expected a card such as 7H, 10H or QS, got 'numbered:2' (card 1)"),
    "a name beside another deal's cards": (["numbered:1", *FULL.split()], "expected the cards of numbered:1 beside"),
    "a name beside too few cards": (["numbered:0", "QD"], "expected 28 cards, got 1"),
    "a number that PySolFC deals": (["--pysolfc", str(10**20 + 1)], "larger numbers, too, but this library does not"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD_NUMBERS)
@pytest.mark.parametrize("command", ["solve", "graph", "deal"])
def test_bad_number(fault: str, command: str) -> None:
    arguments, fragment = BAD_NUMBERS[fault]
    assert_refused(run(command, *arguments), fragment)


SEVERAL: dict[str, list[str]] = {
    "DEAL and --file": [FULL, "--file", "-"],
    "DEAL and --number": [FULL, "--number", "1"],
    "--file and --pysolfc": ["--file", "-", "--pysolfc", "1"],
    "--number and --pysolfc": ["--number", "0", "--pysolfc", "1"],
    "none": [],
}


@pytest.mark.slow
@pytest.mark.parametrize("given", SEVERAL)
@pytest.mark.parametrize("command", ["solve", "graph"])
def test_one_source_of_deals(given: str, command: str) -> None:
    assert_refused(run(command, *SEVERAL[given]), f"expected one of DEAL, --file, --number, --pysolfc; got {given}")


@pytest.mark.parametrize(
    ("arguments", "write"),
    [(["graph"], None), (["solve", "--certificate", "proof.json"], "proof.json")],
    ids=["graph", "certificate"],
)
def test_one_deal_only(
    arguments: list[str], write: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deals.txt").write_text("\n".join(SMALL_DEALS))
    assert_refused(run(*arguments, "--file", "deals.txt", *SMALL), "expected one deal", "got another on line 2")
    assert write is None or not Path(write).exists()
    Path("deals.txt").write_text(SMALL_DEALS[0])
    assert run(*arguments, "--file", "deals.txt", *SMALL).exit_code == 0


def test_the_check_of_this_file_can_fail() -> None:
    check: Callable[[], None] = lambda: assert_refused(run("solve", FULL, *PYSOLFC))  # noqa: E731
    with pytest.raises(AssertionError):
        check()
