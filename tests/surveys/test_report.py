"""The report: what ledgers say, beside what is published."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest

from amazons_solver import LedgerError, Rules, survey
from amazons_solver.model.rules import described
from amazons_solver.surveys.ledgers.ledger import Entry
from amazons_solver.surveys.plan import Question
from amazons_solver.surveys.reports import report
from amazons_solver.surveys.statistics import wilson
from amazons_solver.surveys.tally import Tally
from support.command_line import assert_refused, program, run
from support.surveys import FORCED, one_by_one

pytestmark = pytest.mark.compiled

ANY = FORCED.evolve(withhold="any", idle_passes=None)


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two ledgers: of forced play, with and without a limit, and of free play, in two parts."""
    folder = tmp_path_factory.mktemp("ledgers")
    first, second = folder / "first.db", folder / "second.db"
    survey(range(400), FORCED, ledger=first, on="threads")
    survey(range(50), ANY, ledger=first, on="threads", add=True)
    survey(range(70, 90), ANY, ledger=first, on="threads")
    survey(range(300), FORCED, ledger=second, on="threads", max_states=4)
    return [first, second]


def row(
    won: int,
    lost: int,
    undecided: int = 0,
    *,
    rules: Rules | None = None,
    player: str = "solver",
    redeals: dict[int, int] | None = None,
) -> report.Row:
    entry = Entry(1, Question(rules or Rules(), player=player), "boundary states")
    counts = Tally(won, lost, undecided, redeals=Counter(redeals or {}))
    return report.Row(entry, (range(counts.deals),), counts, None, ())


class TestRows:
    def test_they_are_those_of_the_surveys(self, ledgers: list[Path]) -> None:
        first, free, limited = report.rows_of(ledgers)
        expected = one_by_one(range(400), FORCED)
        assert (first.counts.won, first.counts.lost, first.counts.undecided) == (expected["won"], expected["lost"], 0)
        assert (first.counts.redeals, first.counts.hardest) == (expected["redeals"], expected["hardest"])
        assert first.ranges == (range(400),)
        assert first.interval == wilson(first.counts.won, first.counts.lost, 0)
        assert free.ranges == (range(50), range(70, 90))
        assert free.counts.deals == 70
        again = survey(range(300), FORCED, on="threads", max_states=4)
        assert (limited.counts.undecided, limited.counts.undecided_deals) == (again.undecided, again.undecided_deals)

    def test_rare_deals_are_named(self, ledgers: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
        assert report.rows_of(ledgers)[0].rare is None
        monkeypatch.setattr(report, "_RARE_SHARE", 0.5)
        first = report.rows_of(ledgers)[0]
        rare = "won" if first.counts.won < first.counts.lost else "lost"
        assert first.rare == rare
        numbers = [n for n in range(400) if one_by_one(range(n, n + 1), FORCED)[rare]]
        assert list(first.rare_deals) == numbers
        word = {"won": "winnable", "lost": "unwinnable"}[rare]
        (line,) = (line for line in report.remarks_of([first]) if "these are" in line)
        assert line.endswith(f"of deals 0 - 399 these are {word}: {', '.join(map(str, numbers))}")

    def test_a_damaged_ledger(self, tmp_path: Path) -> None:
        (tmp_path / "odds.db").write_bytes(b"x" * 4096)
        with pytest.raises(LedgerError, match="got another kind of file, or a damaged one"):
            report.rows_of([tmp_path / "odds.db"])


class TestWords:
    def test_published_odds_and_what_fits_them(self) -> None:
        # Within a quarter of 1 in 5 are 16 to 25 %. Of 10,000 deals the interval reaches 0.7 to 0.9 % to either side:
        # all of it is within for 24 and 17 %, not for 26, 24.8, 16.1 and 15 %.
        rows = [row(won, 10_000 - won) for won in (1_500, 1_610, 1_700, 2_400, 2_480, 2_600)]
        fifth = report.PUBLISHED[0]
        assert [one.counts.won for one in report.fitting(fifth, rows)] == [1_700, 2_400]
        greedy = row(1_000, 9_000, player="greedy", rules=Rules.preset("morehead"))
        lines = report.claims_of([greedy])
        assert lines[0].endswith("fits nothing here")
        assert lines[1] == (
            f"1 in 10 (encyclopedia, info box): morehead rules as greedy play has it ({greedy.interval.pretty})"
        )

    def test_nothing_fits_of_which_too_little_is_known(self) -> None:
        for rows in ([row(0, 0, 1_000_000)], [row(1, 4)], [row(100_000, 400_000, 500_000)]):
            assert [report.fitting(claim, rows) for claim in report.PUBLISHED] == [[], [], []]

    def test_odds_of_one_ace_at_a_time_are_those_of_that_strategy(self) -> None:
        rows = [row(5_000, 5_000, player=name) for name in ("solver", "greedy", "one-ace", "one-ace:2", "random:2")]
        assert [one.player for one in report.fitting(report.PUBLISHED[2], rows)] == ["one-ace", "one-ace:2"]
        rows = [row(2_000, 8_000, player=name) for name in ("solver", "greedy", "one-ace")]
        assert report.fitting(report.PUBLISHED[0], rows) == rows

    def test_all_won_is_not_said_to_be_all_there_is(self) -> None:
        (line,) = report.remarks_of([row(1_000_000, 0)])
        assert line == (
            "wikipedia rules: none of the deals 0 - 999999 is unwinnable; "
            "the sample says 99.99981 ± 0.00019 % can be won"
        )
        (line,) = report.remarks_of([row(9_731, 0, 269)])
        assert line.endswith("is unwinnable, and 269 are undecided; the sample says 98.487 ± 1.513 % can be won")

    def test_a_strategy_says_nothing_of_what_can_be_won(self) -> None:
        assert report.remarks_of([row(0, 100, player="greedy")]) == []

    def test_markdown(self, ledgers: list[Path]) -> None:
        rows = report.rows_of(ledgers)
        lines = report.markdown_of(rows).splitlines()
        table = [line for line in lines if line.startswith("|")]
        assert len(table) == 2 + len(rows)
        assert {line.count("|") for line in table} == {len(report.COLUMNS) + 1}
        assert f"| {rows[0].counts.won} | {rows[0].counts.lost} | 0 |" in table[2]

    @pytest.mark.parametrize(
        ("histogram", "expected"),
        [({5: 1}, [5, 5, 5, 5, 5]), ({1: 2, 8: 2}, [1, 1, 1, 8, 8]), ({8: 2, 1: 1}, [1, 1, 8, 8, 8])],
    )
    def test_quartiles(self, histogram: dict[int, int], expected: list[int]) -> None:
        assert report.quartiles(histogram) == expected


class TestPlots:
    @pytest.mark.slow
    def test_they_are_drawn_and_the_same_again(self, ledgers: list[Path], tmp_path: Path) -> None:
        plots = pytest.importorskip("amazons_solver.surveys.reports.plots")
        pytest.importorskip("matplotlib")
        rows = report.rows_of(ledgers)
        question = attrs.evolve(rows[0].entry.question, player="greedy")
        rows.append(attrs.evolve(rows[0], entry=attrs.evolve(rows[0].entry, question=question)))
        contents = []
        for folder in (tmp_path / "a", tmp_path / "b"):
            folder.mkdir()
            paths = plots.write_plots(rows, folder)
            assert [path.name for path in paths] == ["winnability.svg", "players.svg", "redeals.svg"]
            contents.append([path.read_bytes() for path in paths])
        assert contents[0] == contents[1]

    @pytest.mark.slow
    def test_every_survey_stands_beside_its_name_and_is_told_in_words(self, tmp_path: Path) -> None:
        plots = pytest.importorskip("amazons_solver.surveys.reports.plots")
        pytest.importorskip("matplotlib")
        variants = [Rules().evolve(max_redeals=most) for most in range(40)]
        # Of four lines one has 1 redeal, one 2, two 3: a quarter of them 1 at most, half 2, three quarters and all 3.
        rows = [row(4, 96, rules=rules, redeals={1: 1, 2: 1, 3: 2}) for rules in variants]
        rows += [row(1, 99, rules=variants[7], player=player) for player in ("greedy", "one-ace")]
        best, played, redeals = (Picture(path) for path in plots.write_plots(rows, tmp_path))
        for picture in (best, redeals):
            heights = [picture.height(described(rules)) for rules in variants]
            assert min(below - above for above, below in pairwise(heights)) > 12, "rows overlap"
        name = described(variants[7])
        heights = [played.height(label) for label in (name, "best play", "greedy", "one-ace")]
        assert heights == sorted(heights)
        assert f"{name}: {wilson(4, 96)}." in best.description
        assert played.description.endswith(
            f"{name}: best play: {wilson(4, 96)}. greedy: {wilson(1, 99)}. one-ace: {wilson(1, 99)}."
        )
        assert f"{name}: 1, 1, 2, 3, 3." in redeals.description
        for picture in (best, played, redeals):
            assert len({text for text in picture.texts if text.isdecimal()}) >= 5, "an axis has several ticks"
            assert picture.title in picture.texts

    @pytest.mark.slow
    def test_names_of_any_length_and_redeals_of_any_number(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plots = pytest.importorskip("amazons_solver.surveys.reports.plots")
        pytest.importorskip("matplotlib")
        monkeypatch.setattr(plots, "described", lambda _rules: "<long> & " * 40)
        for most in (0, 1, 10, 12, 100_000):
            rows = [row(2, 0, redeals={0: 1, most: 1}), row(2, 0, redeals={most: 2})]
            picture = Picture(plots.write_plots(rows, tmp_path)[1])
            assert f"0, 0, 0, {most}, {most}." in picture.description
            assert len({text for text in picture.texts if text.isdecimal()}) >= 5

    def test_settings_of_the_process_are_neither_used_nor_changed(self, tmp_path: Path) -> None:
        plots = pytest.importorskip("amazons_solver.surveys.reports.plots")
        matplotlib = pytest.importorskip("matplotlib")
        (path,) = plots.write_plots([row(1, 1)], tmp_path)
        expected = path.read_bytes()
        with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "mine"}):
            before = dict(matplotlib.rcParams)
            plots.write_plots([row(1, 1)], tmp_path)
            assert dict(matplotlib.rcParams) == before
        assert path.read_bytes() == expected

    @pytest.mark.parametrize("name", ["winnability", "players", "redeals"])
    def test_those_of_the_page_of_results(self, name: str) -> None:
        root = Path(__file__).parent.parent.parent / "docs"
        page, picture = (root / "results.md").read_text(encoding="utf-8"), Picture(root / "plots" / f"{name}.svg")
        block = page.partition(f"<!-- begin: {'players' if name == 'players' else 'odds'} -->")[2].partition(
            "<!-- end"
        )[0]
        for line in block.splitlines()[3:]:
            rules, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            heading = f"{rules.partition(' ')[0]} rules{rules.removeprefix(rules.partition(' ')[0])}: "
            if name == "redeals":
                _, _, middle, _, most = picture.after(heading).split(", ")
                assert f"{middle}, {most}" == cells[5]
            elif name == "winnability":
                assert picture.after(heading) == f"{cells[4]} %"
            else:
                assert heading in picture.description
                assert f" {cells[0]}: {cells[4]} %." in picture.description.partition(heading)[2]


class Picture:
    """An SVG as programs that read aloud see it."""

    def __init__(self, path: Path) -> None:
        svg = "{http://www.w3.org/2000/svg}"
        root = ET.fromstring(path.read_bytes())  # noqa: S314 (our own)
        assert (root.tag, root.get("role")) == (f"{svg}svg", "img")
        assert [child.tag for child in root][:2] == [f"{svg}title", f"{svg}desc"]
        self.title, self.description = (child.text or "" for child in list(root)[:2])
        self.texts = {element.text or "": element for element in root.iter(f"{svg}text")}

    def height(self, label: str) -> float:
        """How far from the top a label stands, in points."""
        element = self.texts[label]
        found = re.search(r"translate\([-\d.]+ ([-\d.]+)\)", element.get("transform", ""))
        return float(found[1] if found else element.get("y", ""))

    def after(self, words: str) -> str:
        """What the description says of it."""
        return self.description.partition(f" {words}")[2].partition(". ")[0].removesuffix(".")


class TestCommand:
    def test_for_people(self, ledgers: list[Path]) -> None:
        result = run("report", *ledgers)
        lines = result.stdout.splitlines()
        assert (result.exit_code, result.stderr) == (0, "")
        assert lines[0].split()[:3] == ["rules", "player", "deals"]
        assert len([line for line in lines if " solver " in line]) == 3
        assert "published odds, and what is within a quarter of them" in lines

    def test_json(self, ledgers: list[Path]) -> None:
        found = json.loads(run("report", *ledgers, "--json").stdout)
        assert [one["deals"] for one in found["surveys"]] == [400, 70, 300]
        assert found["surveys"][1]["ranges"] == [[0, 50], [70, 90]]
        assert Rules.from_dict(found["surveys"][0]["rules"]) == FORCED
        assert [one["share"] for one in found["published"]] == [0.2, 0.1, 0.5]

    def test_files(self, ledgers: list[Path], tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        result = run("report", *ledgers, "--markdown", tmp_path / "odds.md", "--plots", tmp_path)
        assert result.exit_code == 0
        assert (tmp_path / "odds.md").read_text(encoding="utf-8").startswith("# Odds\n")
        assert {path.name for path in tmp_path.iterdir()} == {"odds.md", "winnability.svg", "redeals.svg"}
        assert len(result.stderr.splitlines()) == 3
        assert run("report", *ledgers, "--markdown", tmp_path / "odds.md", "--quiet").stderr == ""

    def test_the_ledgers_are_left_as_they_are(self, ledgers: list[Path]) -> None:
        before = {path.name: path.read_bytes() for path in ledgers[0].parent.iterdir()}
        run("report", *ledgers)
        assert {path.name: path.read_bytes() for path in ledgers[0].parent.iterdir()} == before

    def test_refused(self, ledgers: list[Path], tmp_path: Path) -> None:
        assert_refused(run("report", tmp_path / "odds.db"), "expected a ledger, got no file")
        assert_refused(run("report"), "LEDGER")
        assert_refused(run("report", ledgers[0], ledgers[1], ledgers[0]), "expected every ledger once, got", "first.db")
        assert_refused(run("report", ""), "expected the name of a ledger, got none")
        assert_refused(run("report", ledgers[0], "--plots", tmp_path / "none"), "expected a folder for --plots")
        assert_refused(run("report", ledgers[0], "--markdown", tmp_path / "none" / "x.md"), "there is no directory")

    def test_the_report_in_the_place_of_a_ledger(self, ledgers: list[Path]) -> None:
        before = ledgers[1].read_bytes()
        result = run("report", *ledgers, "--markdown", ledgers[1])
        assert_refused(result, "expected another file for --markdown than the ledgers")
        assert ledgers[1].read_bytes() == before

    @pytest.mark.slow
    def test_an_output_without_the_sign(self, ledgers: list[Path]) -> None:
        result = program("report", ledgers[0], env={"PYTHONIOENCODING": "ascii"})
        assert (result.returncode, result.stderr) == (0, b"")
        assert b"+-" in result.stdout

    def test_help_is_ascii_of_80_columns(self) -> None:
        result = run("report", "--help")
        assert "Examples:\n" in result.stdout
        assert result.stdout.isascii()
        assert max(map(len, result.stdout.splitlines())) <= 80
