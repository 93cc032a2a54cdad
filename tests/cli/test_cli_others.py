"""The commands `deal`, `rules` and `verify`, and the program itself."""

import itertools
import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from amazons_solver import PRESETS, Certificate, Deal, Rules, State, UndecidedError, certify, solve, verify
from amazons_solver.cli.commands import deal as deal_command
from amazons_solver.solving.game import Game
from amazons_solver.strategies.difficulty import BOUNDS, Level, difficulty
from support.command_line import SMALL, SMALL_DEALS, assert_refused, run
from support.known import FIXTURES, load_verdicts

NUMBERED = [
    line.split("\t") for line in (FIXTURES / "numbered-deals.txt").read_text().splitlines() if not line.startswith("#")
]
COMMANDS = ["solve", "hint", "annotate", "play", "graph", "show", "verify", "rules", "deal", "strategy"]
DECKS = {"4x7": [], "4x6": ["--rules", "ultimate"], "2x3": SMALL}


class TestDeal:
    """`deal`."""

    @pytest.mark.slow
    @pytest.mark.parametrize(("number", "deck", "cards"), NUMBERED)
    def test_numbered(self, number: str, deck: str, cards: str) -> None:
        result = run("deal", "--number", number, *DECKS[deck])
        assert (result.exit_code, result.stdout, result.stderr) == (0, cards + "\n", "")

    @pytest.mark.parametrize("notation", ["letters", "symbols", "characters"])
    def test_every_notation_is_read_back(self, notation: str) -> None:
        result = run("deal", "--number", "0", "--count", "5", "--notation", notation)
        deals = [Deal.parse(line) for line in result.stdout.splitlines()]
        assert deals == [Deal.numbered(number) for number in range(5)]

    def test_notations(self) -> None:
        deal = ["deal", "9D TS AH 7C", "--set", "suits=C", "--set", "ranks=A"]
        assert_refused(run(*deal), "expected a card of the deck")
        small = ["deal", SMALL_DEALS[1], *SMALL, "--notation"]
        assert run(*small, "letters").stdout == "8C AC 7C 7D 8D AD\n"
        assert run(*small, "symbols").stdout == "8♣ A♣ 7♣ 7♦ 8♦ A♦\n"
        assert run(*small, "characters").stdout == "🃘 🃑 🃗 🃇 🃈 🃁\n"
        ten = ["deal", "TH", "--set", "suits=H", "--set", "ranks=T", "--notation"]
        assert [run(*ten, kind).stdout for kind in ("letters", "symbols", "characters")] == ["TH\n", "10♥\n", "🂺\n"]

    def test_successive_numbers(self) -> None:
        assert run("deal", "--number", "0", "--count", "2", *SMALL).stdout.splitlines() == SMALL_DEALS
        across = run("deal", "--pysolfc", "31999", "--count", "2").stdout.splitlines()
        assert across == [run("deal", "--pysolfc", number).stdout.strip() for number in ("31999", "32000")]
        assert run("deal", "--pysolfc", "ms616", "--count", "2").stdout.splitlines()[1].startswith("8S JH TH 7D JD")

    def test_json(self) -> None:
        result = run("deal", "--number", "0", "--count", "2", *SMALL, "--json")
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert answers == [{"deal": number, "cards": SMALL_DEALS[number]} for number in (0, 1)]
        assert json.loads(run("deal", "--pysolfc", "1", "--json").stdout)["deal"] == "pysolfc:1"

    def test_random(self) -> None:
        first, second = run("deal", "--json"), run("deal", "--json")
        assert first.stdout != second.stdout
        named = json.loads(first.stdout)
        assert named["cards"] == str(Deal.numbered(named["deal"]))

    def test_a_random_deal_can_be_had_again(self) -> None:
        result = run("deal")
        name = result.stderr.strip()
        assert name.startswith("numbered:")
        assert run("deal", name).stdout == result.stdout
        assert run("deal", "--quiet").stderr == ""

    @pytest.mark.slow
    def test_seed(self) -> None:
        outputs = {run("deal", "--seed", seed).stdout for seed in ("0", "0", "1", "7")}
        assert len(outputs) == 3
        assert run("deal", "--seed", "7").stdout == f"{Deal.random(seed=7)}\n"
        assert len(run("deal", "--seed", "7", "--count", "3").stdout.splitlines()) == 3

    @pytest.mark.parametrize("preset", ["ultimate", "patiencen"])
    def test_winnable(self, preset: str) -> None:
        known = [row for row in load_verdicts() if row["preset"] == preset and row["set"] == {}]
        winnable = [row["deal"] for row in known if row["verdict"] == "winnable"]
        assert len(winnable) < len(known)  # so that there is something to leave out
        result = run("deal", "--winnable", "--number", "0", "--count", str(len(winnable)), "--rules", preset, "--json")
        assert [json.loads(line)["deal"] for line in result.stdout.splitlines()] == winnable
        assert (result.exit_code, result.stderr) == (0, "")
        told = run("deal", "--winnable", "--number", "0", "--rules", preset)
        assert told.stderr == f"numbered:{winnable[0]} by {preset} rules\n"
        assert told.stdout == f"{Deal.numbered(winnable[0], Rules.preset(preset))}\n"

    @pytest.mark.slow
    @pytest.mark.parametrize("count", [3, 20, 21, 45])  # from 20 on they are decided in batches
    @pytest.mark.parametrize("option", ["--winnable", "--unwinnable"])
    def test_numbers_of_deals(self, option: str, count: int) -> None:
        verdict = option.removeprefix("--")
        known = [row for row in load_verdicts() if row["preset"] == "patiencen" and row["set"] == {}]
        numbers = [number for number, row in enumerate(known) if row["deal"] == number and row["verdict"] == verdict]
        expected = numbers[:count]
        ask = ["deal", option, "--number", "0", "--rules", "patiencen", "--notation", "number", "--count"]
        result = run(*ask, str(len(expected)))
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines() == [f"numbered:{number}" for number in expected]

    @pytest.mark.slow
    @pytest.mark.compiled
    def test_a_search_for_what_there_is_not_soon_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        alone = []
        monkeypatch.setattr(deal_command, "solve", lambda *args, **options: alone.append(1) or solve(*args, **options))
        result = run("deal", "--unwinnable", "--number", "0", "--set", "suits=C", "--set", "ranks=7")
        assert (result.exit_code, result.stdout) == (3, "")
        told = [line for line in result.stderr.splitlines() if not line.startswith("compiling")]
        assert told == ["error: expected unwinnable deals, got none among 1,000,000 in a row"]
        assert len(alone) == deal_command.BATCH_FROM

    @pytest.mark.slow
    @pytest.mark.compiled
    def test_batches_and_one_by_one_are_the_same(self) -> None:
        ask = ["deal", "--winnable", "--seed", "5", "--rules", "ultimate", "--set", "ranks=789TJ", "--json", "--count"]
        batch, single = run(*ask, "20"), run(*ask, "19")
        assert batch.stdout.splitlines()[:19] == single.stdout.splitlines()
        assert len(batch.stdout.splitlines()) == 20
        assert run(*ask, "20").stdout == batch.stdout

    def test_notation_number_of_other_deals(self, tmp_path: Path) -> None:
        (tmp_path / "deals.txt").write_text("\n".join(SMALL_DEALS))
        result = run("deal", "--file", tmp_path / "deals.txt", "--notation", "number", *SMALL)
        assert result.stdout == "line 1\nline 2\n"
        assert run("deal", "--pysolfc", "7", "--count", "2", "--notation", "number").stdout == "pysolfc:7\npysolfc:8\n"

    @pytest.mark.compiled
    def test_batches_leave_out_the_undecided(self) -> None:
        ask = [
            "deal",
            "--winnable",
            "--number",
            "0",
            "--count",
            "20",
            "--rules",
            "wikipedia",
            "--max-memory",
            "1000000",
        ]
        result = run(*ask, "--notation", "number")
        left_out = [int(re.findall(r"[0-9]+", line)[0]) for line in result.stderr.splitlines()]
        found = [int(line.removeprefix("numbered:")) for line in result.stdout.splitlines()]
        assert len(found) == 20
        assert result.exit_code == (3 if left_out else 0)
        assert sorted(left_out + found) == list(range(found[-1] + 1))  # no deal of these is unwinnable: fixtures

    @pytest.mark.compiled
    @pytest.mark.parametrize(
        "ask", [["--count", "20", "--max-memory", "700000"], ["--max-states", "1"]], ids=["batches", "one by one"]
    )
    def test_a_search_within_which_nothing_is_decided_ends(self, ask: list[str]) -> None:
        result = run("deal", "--winnable", "--number", "7", "--rules", "wikipedia", *ask)
        *left_out, error = result.stderr.splitlines()
        assert (result.exit_code, result.stdout) == (3, "")
        assert left_out == [f"numbered:{number} is undecided and left out" for number in range(7, 1_007)]
        assert error == "error: expected limits within which deals are decided, got 1,000 undecided in a row"

    @pytest.mark.compiled
    def test_beyond_the_last_number(self) -> None:
        ask = ["deal", "--winnable", "--number", str(2**64 - 5), "--count", "20", "--rules", "pysolfc", "--quiet"]
        result = run(*ask, "--notation", "number")
        assert result.exit_code == 2
        assert result.stdout.splitlines() == [f"numbered:{2**64 - 5 + i}" for i in range(5)]
        assert result.stderr == "error: expected a deal number from 0 to 2^64 - 1, got a number of more than 64 bits\n"

    @pytest.mark.compiled
    @pytest.mark.parametrize("level", ["easy", "medium", "hard"])
    def test_difficulty(self, level: Level, tmp_path: Path) -> None:
        rules = Rules.preset("ultimate")
        ask = [
            "deal",
            "--difficulty",
            level,
            "--number",
            "0",
            "--rules",
            "ultimate",
            "--certificates",
            tmp_path / "new",
        ]
        found = json.loads(run(*ask, "--json").stdout)
        least, below = BOUNDS[level]
        assert least <= found["difficulty"] < below
        measured = difficulty(Deal.numbered(found["deal"], rules), rules)
        assert measured is not None
        assert (measured.level, round(measured.number, 3)) == (level, found["difficulty"])
        told = run(*ask)
        assert told.stdout == f"{found['cards']}\n"
        assert (
            told.stderr
            == f"numbered:{found['deal']} by ultimate rules: {level}, difficulty {measured.number:.0f} of 100\n"
        )
        assert [path.name for path in (tmp_path / "new").iterdir()] == [f"numbered-{found['deal']}.json.gz"]
        assert run("verify", tmp_path / "new" / f"numbered-{found['deal']}.json.gz").stdout.startswith("valid: ")

    @pytest.mark.compiled
    def test_difficulty_of_given_deals(self, tmp_path: Path) -> None:
        known = [row for row in load_verdicts() if row["preset"] == "patiencen" and row["set"] == {}]
        (tmp_path / "deals.txt").write_text("\n".join(row["cards"] for row in known))
        ask = ["deal", "--file", tmp_path / "deals.txt", "--rules", "patiencen", "--json", "--difficulty"]
        answers = []
        for level in BOUNDS:
            answers += [json.loads(line)["deal"] for line in run(*ask, level).stdout.splitlines()]
        expected = [f"line {line}" for line, row in enumerate(known, start=1) if row["verdict"] == "winnable"]
        assert sorted(answers) == sorted(expected)

    @pytest.mark.parametrize(("option", "verdict"), [("--winnable", "winnable"), ("--unwinnable", "unwinnable")])
    def test_proofs(self, option: str, verdict: str, tmp_path: Path) -> None:
        ask = ["deal", option, "--number", "0", "--count", "3", "--rules", "patiencen", "--certificates", tmp_path]
        numbers = [json.loads(line)["deal"] for line in run(*ask, "--json").stdout.splitlines()]
        assert {path.name for path in tmp_path.iterdir()} == {f"numbered-{number}.json.gz" for number in numbers}
        for number in numbers:
            certificate = Certificate.read(tmp_path / f"numbered-{number}.json.gz")
            verify(certificate)
            assert (certificate.verdict, certificate.deal) == (verdict, str(Deal.numbered(number)))

    def test_a_deal_that_takes_too_much(self, tmp_path: Path) -> None:
        # 58 states decide it (README).
        cards = str(Deal.pysolfc("24680"))
        ask = ["deal", cards, "--unwinnable", "--rules", "patiencen", "--certificates", tmp_path]
        refused = run(*ask, "--max-states", "57")
        assert (refused.exit_code, refused.stdout, list(tmp_path.iterdir())) == (3, "", [])
        assert refused.stderr == "this deal is undecided and left out\n"
        assert run(*ask, "--max-states", "58").exit_code == 0
        assert [path.name for path in tmp_path.iterdir()] == ["deal.json.gz"]

    def test_a_proof_that_takes_too_much(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def gives_up(*_: object, **__: object) -> Certificate:
            raise UndecidedError("expected to see all states, got 3: stopped by memory")

        monkeypatch.setattr(deal_command, "certificate_of", gives_up)
        ask = ["deal", "--unwinnable", "--number", "0", "--rules", "patiencen", "--certificates", tmp_path]
        result = run(*ask)
        assert (result.exit_code, result.stdout, list(tmp_path.iterdir())) == (3, f"{Deal.numbered(0)}\n", [])
        assert "numbered:0 is not proved: expected to see all states" in result.stderr

    def test_winnable_of_a_file(self, tmp_path: Path) -> None:
        rules = Rules.preset("patiencen")
        deals = [Deal.numbered(number, rules) for number in range(3)]
        (tmp_path / "deals.txt").write_text("\n".join(map(str, deals)))
        result = run("deal", "--file", tmp_path / "deals.txt", "--winnable", "--rules", "patiencen", "--json")
        assert [json.loads(line)["deal"] for line in result.stdout.splitlines()] == ["line 3"]  # fixtures: deal 2

    @pytest.mark.slow
    def test_winnable_leaves_out_the_undecided_and_says_so(self) -> None:
        result = run("deal", "--winnable", "--number", "0", "--rules", "pysolfc", "--max-states", "100")
        # Of the deals from 0 on, the first that is decided within 100 states is the one that `solve` decides so.
        numbers = [int(re.findall(r"[0-9]+", line)[0]) for line in result.stderr.splitlines()]
        assert result.exit_code == 3
        assert result.stderr.splitlines()[0] == "numbered:0 is undecided and left out"
        for number in numbers:
            code = run("solve", "--number", str(number), "--rules", "pysolfc", "--max-states", "100").exit_code
            assert code == (0 if number == numbers[-1] else 3)

    def test_an_interrupted_search_is_not_an_undecided_deal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        key, calls = Game.key, itertools.count(1)

        def interrupted_once(game: Game, state: State) -> bytes:
            if next(calls) == 10:
                raise KeyboardInterrupt
            return key(game, state)

        monkeypatch.setattr(Game, "key", interrupted_once)
        result = run("deal", "--winnable", "--number", "0", "--rules", "pysolfc")
        assert (result.exit_code, result.stdout, result.stderr) == (130, "", "error: interrupted\n")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("arguments", "fragment"),
        [
            (["--count", "0", "--number", "1"], "at least 1 for --count, got '0'"),
            (["--count", "x"], "--count, got 'x'"),
            (["--count", ""], "--count, got ''"),
            (["--count", "2", "--number", str(2**64 - 1)], "from 0 to 2^64 - 1"),
            (["--count", "2", "--pysolfc", str(10**20)], "from 1 to 10^20"),
            (["--count", "2", "--file", "-"], "for --count, got deals without a number"),
            (["--count", "2", "AS"], "for --count, got deals without a number"),
            (["--seed", "1", "--number", "1"], "expected --seed alone"),
            (["--seed", "x"], "for --seed, got 'x'"),
            (["--number", "1", "--pysolfc", "1"], "got --number and --pysolfc"),
            (["--notation", "words"], "'words' is not one of"),
            (["--rules", "ultimat"], "(did you mean ultimate?)"),
            (["--winnable", "--unwinnable"], "got --winnable and --unwinnable"),
            (["--unwinnable", "--difficulty", "easy"], "got --unwinnable and --difficulty"),
            (["--difficulty", "trivial"], "'trivial' is not one of"),
            (["--certificates", "proofs"], "expected one of --winnable, --unwinnable, --difficulty for --certificates"),
            (["--winnable", "--certificates", "/no/such/place"], "expected a file to write, got /no/such/place"),
            (["AS", "--notation", "number"], "for --notation number, got cards"),
        ],
    )
    def test_bad_input(self, arguments: list[str], fragment: str) -> None:
        assert_refused(run("deal", *arguments), fragment)

    def test_one_bad_line(self) -> None:
        result = run("deal", "--file", "-", *SMALL, "--json", stdin=f"{SMALL_DEALS[0]}\nAC\n{SMALL_DEALS[1]}\n")
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert [list(answer) for answer in answers] == [["deal", "cards"], ["deal", "error"], ["deal", "cards"]]
        assert result.exit_code == 2


class TestRules:
    """`rules`."""

    @pytest.mark.slow
    @pytest.mark.parametrize("preset", PRESETS)
    @pytest.mark.parametrize("options", [[], ["--json"]], ids=["TOML", "JSON"])
    def test_a_preset_is_a_file_of_rules(self, preset: str, options: list[str], tmp_path: Path) -> None:
        printed = run("rules", preset, *options)
        assert (printed.exit_code, printed.stderr) == (0, "")
        read = Rules.from_json if options else Rules.from_toml
        assert read(printed.stdout) == PRESETS[preset].rules
        file = tmp_path / ("mine.json" if options else "mine.toml")
        file.write_text(printed.stdout)
        answer = json.loads(run("solve", "--number", "0", "--rules", file, "--json", "--max-states", "1").stdout)
        assert answer["rules"] == PRESETS[preset].rules.to_dict()
        assert run("rules", file, "--json").stdout == run("rules", preset, "--json").stdout

    @pytest.mark.parametrize(("name", "read"), [("mine.toml", Rules.from_toml), ("MINE.JSON", Rules.from_json)])
    def test_a_file_is_written(self, name: str, read: Callable[[str], Rules], tmp_path: Path) -> None:
        file = tmp_path / name
        file.write_text("old")
        result = run("rules", "patiencen", "-o", file)
        assert (result.exit_code, result.output) == (0, "")
        assert read(file.read_text("utf-8")) == PRESETS["patiencen"].rules
        run("rules", file, "-o", tmp_path / "again.json", "--json")
        assert Rules.from_json((tmp_path / "again.json").read_text()) == PRESETS["patiencen"].rules
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "again.json"])

    @pytest.mark.parametrize(
        ("arguments", "fragment"),
        [
            (["-o", "mine.toml"], "expected NAME with -o FILE"),
            (["patiencen", "-o", "mine"], "expected a file that ends in .toml or .json for -o, got 'mine'"),
            (["patiencen", "-o", "mine.toml", "--json"], "expected a file that ends in .json for -o, got 'mine.toml'"),
            (["patiencen", "-o", "no/mine.toml"], "expected a file to write, got no/mine.toml: there is no directory"),
            (["patience", "-o", "mine.toml"], "(did you mean patiencen?)"),
        ],
    )
    def test_a_file_that_cannot_be_written(
        self, arguments: list[str], fragment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert_refused(run("rules", *arguments), fragment)
        assert list(tmp_path.iterdir()) == []

    def test_toml_says_what_fields_mean_and_what_else_they_can_be(self) -> None:
        text = run("rules", "wikipedia").stdout
        meaning = "which empty foundations a base card may go to (suit: the one of its own suit)"
        assert f"# {meaning}: leftmost, any, above, suit\nbase_placement = " in text
        assert text.startswith("# wikipedia: English, Spanish and Russian encyclopedia text; Dick 1898, Parlett\n")
        for field in Rules().to_dict():
            assert f"\n{field} = " in text or f"\n# {field} = 1\n" in text
        # With its comment signs removed, a limit is on.
        limited = text.replace("# max_redeals", "max_redeals").replace("# idle_passes", "idle_passes")
        assert Rules.from_toml(limited) == Rules(max_redeals=1, idle_passes=1)

    def test_table(self) -> None:
        result = run("rules")
        words = " ".join(result.stdout.split())
        for name, preset in PRESETS.items():
            assert name in words
            assert preset.source.split(";")[0].split()[-1] in words
        assert "base_placement=above" in words
        assert max(map(len, result.stdout.splitlines())) <= 80

    def test_json_list(self) -> None:
        answers = [json.loads(line) for line in run("rules", "--json").stdout.splitlines()]
        assert [list(answer) for answer in answers] == [["name", "source", "rules"]] * len(PRESETS)
        assert {answer["name"]: Rules.from_dict(answer["rules"]) for answer in answers} == {
            name: preset.rules for name, preset in PRESETS.items()
        }

    def test_no_such_preset(self) -> None:
        assert_refused(run("rules", "pysol"), "expected a preset", "(did you mean pysolfc?)")
        assert_refused(run("rules", "wikipedia", "morehead"), "unexpected extra argument")


class TestVerify:
    """`verify`."""

    @pytest.fixture
    def proof(self, tmp_path: Path) -> Path:
        rules = Rules.preset("patiencen")
        certify(Deal.pysolfc("24680"), rules).write(tmp_path / "proof.json")
        return tmp_path / "proof.json"

    def test_valid(self, proof: Path) -> None:
        members = len(json.loads(proof.read_text())["states"])
        result = run("verify", proof)
        heading, deal, reason = result.stdout.splitlines()
        assert heading == "valid: this deal by patiencen rules: unwinnable"
        assert Deal.parse(deal.removeprefix("deal")) == Deal.pysolfc("24680")
        assert reason == f"proof  no way out of {members} states in which passes begin, and no win"
        assert (result.exit_code, result.stderr) == (0, "")

    @pytest.mark.slow
    def test_a_line(self, tmp_path: Path) -> None:
        solution = solve(Deal.pysolfc("24680"), Rules.preset("pysolfc"))
        certify(Deal.pysolfc("24680"), Rules.preset("pysolfc")).write(tmp_path / "proof.json.gz")
        result = run("verify", tmp_path / "proof.json.gz", "--quiet")
        assert result.stdout.startswith("valid: this deal by pysolfc rules: winnable\n")
        assert result.stdout.endswith(f"proof  a line of {solution.moves} moves\n")

    @pytest.mark.parametrize(
        ("old", "new", "fragment"),
        [
            ('"unwinnable"', '"winnable"', "line is missing"),
            ('"version": 1', '"version": 2', "expected a file with version 1, got 2"),
            ("JC TH", "TH JC", "the initial state, among the states"),
            ('"idle_passes": 2', '"idle_passes": 1000', "expected "),
            ("{", "", "expected a certificate in JSON"),
        ],
    )
    def test_tampered_with(self, proof: Path, old: str, new: str, fragment: str) -> None:
        text = proof.read_text()
        assert old in text
        proof.write_text(text.replace(old, new, 1))
        result = run("verify", proof)
        assert (result.exit_code, result.stderr, len(result.stdout.splitlines())) == (1, "", 1)
        assert result.stdout.startswith("invalid: ")
        assert fragment in result.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("content", [b"", b"\0" * 50, b"\xff\xfe", b"[]", b"JC TH 8C", b"{}"])
    def test_something_else_than_a_certificate(self, content: bytes, tmp_path: Path) -> None:
        for name in ("proof.json", "proof.json.gz"):
            (tmp_path / name).write_bytes(content)
            result = run("verify", tmp_path / name)
            assert (result.exit_code, result.stderr, len(result.stdout.splitlines())) == (1, "", 1)
            assert result.stdout.startswith("invalid: expected ")

    def test_unreadable(self, tmp_path: Path) -> None:
        assert_refused(run("verify", tmp_path / "no.json"), "expected a file to read", "No such file or directory")
        assert_refused(run("verify", tmp_path), "Is a directory")
        assert_refused(run("verify"), "Missing argument 'FILE'")

    def test_too_much_for_the_checker_is_undecided(self, proof: Path) -> None:
        result = run("verify", proof, "--max-states", "5")
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith("error: expected at most 5 states")
        assert_refused(run("verify", proof, "--max-states", "0"), "--max-states")


class TestProgram:
    """The program without a command, and its help."""

    def test_no_command(self) -> None:
        result = run()
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == run("--help").stdout

    def test_help_lists_commands_and_exit_codes(self) -> None:
        text = run("--help").stdout
        for command in COMMANDS:
            assert f"\n  {command} " in text
        for code in (0, 1, 2, 3, 130):
            assert f"\n    {code} " in text

    @pytest.mark.slow
    @pytest.mark.parametrize("command", COMMANDS)
    def test_short_help_option(self, command: str) -> None:
        assert run(command, "-h").stdout == run(command, "--help").stdout

    @pytest.mark.slow
    @pytest.mark.compiled
    def test_examples_in_the_help_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("deals.txt").write_text("\n".join(str(Deal.numbered(number)) for number in (2, 3)))
        Path("mine.txt").write_text(str(Deal.numbered(2)))
        Path("game.txt").write_text("rules wikipedia suits=C ranks=A78\n8C 7C AC\nd d d\n")
        # What `play` shows needs a terminal; tests/cli/test_play.py has it.
        helps = [run(*command, "--help").stdout for command in ([], *([name] for name in COMMANDS if name != "play"))]
        examples = re.findall(r"^    amazons-solver (.+)$", "\n".join(helps), flags=re.MULTILINE)
        assert len(examples) > 15
        for example in examples:
            words, target = example.split(" > ") if " > " in example else (example, None)
            words, source = words.split(" < ") if " < " in words else (words, None)
            stdin = Path(source).read_text() if source else None
            if ".svg" in words and shutil.which("dot") is None:
                continue
            result = run(*shlex.split(words), stdin=stdin)
            assert (result.exit_code, "error" in result.stderr) == (0, False), (example, result.stderr)
            assert result.stdout or "picture written" in result.stderr or Path(words.split(" -o ")[1]).stat().st_size
            if target:
                Path(target).write_text(result.stdout)
