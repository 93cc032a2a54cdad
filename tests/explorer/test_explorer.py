"""What the explorer page knows, held against the naive reference and against what the library says state by state."""

import base64
import hashlib
import json
import re
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import (
    Deal,
    Knowledge,
    Limits,
    NotationError,
    OptionError,
    Rules,
    State,
    Verdict,
    decision_graph,
    solve_state,
    why_lost,
)
from amazons_solver.explorer import Space, explorer_page, space_around, space_of_graph, space_of_lines
from amazons_solver.explorer.codes import LONGEST_CODE, code_of, pack, packing, parse_code
from amazons_solver.explorer.page import fragment
from amazons_solver.export import export_graph
from support import arbitrary as strategies
from support import reference

WEB = Path(__file__).parent.parent.parent / "web"
SMALL = Rules(suits="CD", ranks="A78", withhold="any")
START = State.initial(Deal.numbered(0, SMALL), SMALL)
LIMITED = Rules(suits="CD", ranks="A78", withhold="bases", max_redeals=2, idle_passes=2)
COMPULSORY = Rules(suits="CD", ranks="A78", withhold="nothing", gather="right-over-left")
SEVERAL = [(rules, number) for rules in (SMALL, LIMITED, COMPULSORY) for number in range(6)]

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = Deal.parse("AC 7C", TRAP_RULES)


def assert_all_within(part: Space, start: State) -> None:
    """Assert that the moves of all states nearer than `depth` are there, and not of all so far away."""
    followed = dict(zip(part.states, part.edges, strict=True))
    row = {start}
    for _ in range(part.depth):
        assert all(followed[state.text()] is not None for state in row)
        row = {after for state in row for _, after in state.successors()}
    assert any(followed[state.text()] is None for state in row)


def whole(deal: Deal, rules: Rules) -> Space:
    return space_of_graph(decision_graph(deal, rules))


class TestCodes:
    @pytest.mark.slow
    @settings(max_examples=200)
    @given(st.data())
    def test_every_state_has_a_code_that_is_read_back(self, data: st.DataObject) -> None:
        state = data.draw(strategies.states(data.draw(strategies.rules())))
        code = code_of(state)
        assert parse_code(code, state.rules) == state
        assert re.fullmatch(r"[A-Za-z0-9._-]+", code)  # what a link holds without an escape
        assert len(code) <= LONGEST_CODE

    @pytest.mark.slow
    @settings(max_examples=200)
    @given(st.data())
    def test_packed_states_of_one_space_are_different(self, data: st.DataObject) -> None:
        rules = data.draw(strategies.rules())
        one, other = data.draw(strategies.states(rules)), data.draw(strategies.states(rules))
        tokens = packing(rules)
        assert (pack(one.text(), tokens) == pack(other.text(), tokens)) == (one == other)

    def test_a_code_by_hand(self) -> None:
        rules = Rules(suits="CD", ranks="A7T", max_redeals=3, idle_passes=3)
        state = State.parse("TD TC | 7C AC ; - | - ; 7D | redeals=2 idle=1 played=0", rules)
        assert code_of(state) == "TDTC_7CAC.-_-.7D_2.1.0"
        # The deck is AC 7C TC AD 7D TD: the letters A to F.
        assert pack(state.text(), packing(rules)) == "FC|BA;|;E|2,1,0"
        for other in ("TDTC_7CAC.-_-.7D", "TDTC_7CAC.-_-.7D_2", "TDTC_7CAC.-_-.7D_2.1.2", "TDTC_7CAC.-_-.7D_4.1.0"):
            with pytest.raises(NotationError):
                parse_code(other, rules)

    @pytest.mark.parametrize(
        "code",
        [
            "",
            "_",
            "__",
            "7C",
            "7C_AC.-_-.-_",
            "7C7DAD_AC.-_-.-_1",  # a counter that these rules have not
            "7C7D_AC.-_-.-",  # a card is missing
            "7C7DADAD_AC.-_-.-",
            "7C7DAD_AC._-.-",
            "7C7DAD_AC.-.-_-.-",
            "7C7DA_AC.-_-.-",
            "../../etc/passwd",
            "7C7DAD_AC.-_-.-\n",
            "7c7dad_ac.-_-.-",
            "A" * 10_000,
            "\0",
        ],
    )
    def test_what_is_no_code_is_refused(self, code: str) -> None:
        with pytest.raises(NotationError):
            parse_code(code, Rules(suits="CD", ranks="A7"))


class TestWholeSpaces:
    @pytest.mark.slow
    @pytest.mark.parametrize(("rules", "number"), SEVERAL)
    def test_states_moves_and_verdicts_are_the_reference_s(self, rules: Rules, number: int) -> None:
        deal = Deal.numbered(number, rules)
        space = whole(deal, rules)
        plain = reference.Rules(**rules.to_dict())  # type: ignore[typeddict-item]
        expected = reference.explore(plain, str(deal))
        winnable = reference.winnable(expected)
        texts = {key: reference.text(plain, state) for key, state in expected.states.items()}
        assert sorted(space.states) == sorted(texts.values())
        statuses = dict(zip(space.states, space.statuses, strict=True))
        edges = dict(zip(space.states, space.edges, strict=True))
        for key, text in texts.items():
            assert (statuses[text] in ("won", "winnable")) == (key in winnable)
            moves = edges[text]
            assert moves is not None
            assert sorted((move, space.states[to]) for move, to in moves) == sorted(
                (move, texts[target]) for move, target in expected.edges[key]
            )
        assert space.complete
        to_go = space.to_go[0]
        assert (None if to_go is None else to_go[0]) == reference.fewest_redeals(expected)

    @pytest.mark.parametrize(("rules", "number"), SEVERAL)
    def test_following_what_is_to_go_wins_in_so_many_moves(self, rules: Rules, number: int) -> None:
        space = whole(Deal.numbered(number, rules), rules)
        for first in range(len(space.states)):
            at, to_go = first, space.to_go[first]
            assert (to_go is not None) == (space.statuses[first] in ("won", "winnable"))
            while to_go is not None and to_go[1]:
                redeals, moves = to_go
                nexts = [
                    to for move, to in space.edges[at] or () if space.to_go[to] == (redeals - (move == "r"), moves - 1)
                ]
                assert nexts
                at, to_go = nexts[0], space.to_go[nexts[0]]
            assert to_go is None or space.statuses[at] == "won"

    @pytest.mark.slow
    @pytest.mark.parametrize(("rules", "number"), SEVERAL)
    def test_the_reasons_are_those_of_each_state_on_its_own(self, rules: Rules, number: int) -> None:
        space = whole(Deal.numbered(number, rules), rules)
        for text, status, reason in zip(space.states, space.statuses, space.reasons, strict=True):
            lost = status in ("blocked", "unwinnable")
            assert reason == (str(why_lost(State.parse(text, rules))) if lost else "")

    def test_the_reasons_cover_all_that_there_are(self) -> None:
        reasons = " ".join(
            reason for rules, number in SEVERAL for reason in whole(Deal.numbered(number, rules), rules).reasons
        )
        assert "blocked: " in reasons
        assert "every play that is left" in reasons
        assert "the same table comes back" in reasons


class TestAround:
    @pytest.mark.slow
    @pytest.mark.parametrize("most", [1, 7, 50, 10_000])
    @pytest.mark.parametrize(("rules", "number"), SEVERAL[::3])
    def test_what_is_there_is_what_the_whole_space_has(self, rules: Rules, number: int, most: int) -> None:
        deal = Deal.numbered(number, rules)
        complete = whole(deal, rules)
        statuses = dict(zip(complete.states, complete.statuses, strict=True))
        edges = dict(zip(complete.states, complete.edges, strict=True))
        reasons = dict(zip(complete.states, complete.reasons, strict=True))
        part = space_around([State.initial(deal, rules)], knowledge=Knowledge(), most=most)
        assert len(part.states) <= most
        assert part.complete == (most >= len(complete.states))
        for number_, text in enumerate(part.states):
            moves = part.edges[number_]
            # What is blocked is known to have no move, also where moves are not followed.
            assert part.statuses[number_] == statuses[text]
            assert part.reasons[number_] == reasons[text]
            expected = [(move, complete.states[to]) for move, to in edges[text] or ()]
            assert moves is None or [(move, part.states[to]) for move, to in moves] == expected
        if part.complete:
            assert None not in part.edges

    def test_it_says_how_far_all_moves_are_there(self) -> None:
        part = space_around([START], knowledge=Knowledge(), most=60)
        assert part.depth > 0
        assert_all_within(part, START)

    def test_no_time_decides_nothing_and_says_so(self) -> None:
        part = space_around([State.initial(Deal.numbered(0, SMALL), SMALL)], knowledge=Knowledge(), most=60, seconds=-1)
        assert (part.statuses, part.edges, part.complete) == (["undecided"], [None], False)

    def test_the_lines_are_all_there(self) -> None:
        # d buries the ace: the game played, and both ways to win from before.
        space = space_of_lines(State.initial(TRAP, TRAP_RULES).states_along("d d"), knowledge=Knowledge(), most=1)
        assert {state.rpartition(" | ")[0] for state in space.states} == {
            "AC 7C | - | -",
            "7C | AC | -",
            "- | AC 7C | -",
            "7C | - | AC",
            "- | 7C | AC",
            "- | - | 7C",
        }

    @pytest.mark.slow
    @settings(max_examples=30)
    @given(st.data())
    def test_verdicts_are_those_of_solve(self, data: st.DataObject) -> None:
        rules = data.draw(strategies.rules(max_suits=2, max_ranks=3))
        state = data.draw(strategies.states(rules))
        part = space_around([state], knowledge=Knowledge(), most=15)
        for text, status in zip(part.states, part.statuses, strict=True):
            verdict = solve_state(State.parse(text, rules)).verdict
            assert (verdict is Verdict.WINNABLE) == (status in ("won", "winnable"))


def test_the_program_is_built_from_the_sources_that_are_here() -> None:
    names = ["build.mjs", "package-lock.json", *(f"src/{path.name}" for path in (WEB / "src").iterdir())]
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + (WEB / name).read_bytes())
    built = (resources.files("amazons_solver.explorer") / "static" / "explorer.js").read_text("utf-8")
    assert built.startswith(f"// Built from web/, sha256 {digest.hexdigest()}\n"), "run npm run build in web/"


def test_the_licence_of_what_is_bundled_is_beside_it() -> None:
    text = (resources.files("amazons_solver.explorer") / "static" / "LICENSES.txt").read_text("utf-8")
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    bundled = {name: package for name, package in locked.items() if name and not package.get("dev")}
    assert list(bundled) == ["node_modules/cytoscape"]
    assert f"cytoscape {bundled['node_modules/cytoscape']['version']}" in text
    assert "Permission is hereby granted, free of charge" in text


class TestPage:
    def page(self, **more: object) -> str:
        deal = Deal.numbered(0, SMALL)
        return explorer_page(whole(deal, SMALL), State.initial(deal, SMALL), **more)  # type: ignore[arg-type]

    def test_it_loads_nothing_from_anywhere(self) -> None:
        page = re.sub(r"<script>.*</script>", "", self.page(), flags=re.DOTALL)  # a library's texts name addresses
        assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?!#|data:)[^\s"'>]+""", page) == []
        assert "@import" not in page

    def test_its_policy_lets_its_own_program_run_and_no_other(self) -> None:
        page = self.page()
        program = page.rpartition("<script>")[2].partition("</script>")[0]
        digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
        assert f"script-src 'sha256-{digest}';" in page
        assert "default-src 'none'" in page
        assert page.count("<script") == 2

    def test_texts_from_outside_stay_texts(self) -> None:
        page = self.page(title="</script><script>alert(1)</script>{{data}}")
        assert "<script>alert" not in page
        assert page.count("</script>") == 2
        assert "{{data}}" in page  # a text, not filled in

    def test_the_same_call_gives_the_same_bytes(self) -> None:
        assert self.page() == self.page()

    def test_the_data_say_what_the_space_says(self) -> None:
        deal = Deal.numbered(0, SMALL)
        space = whole(deal, SMALL)
        data = json.loads(self.page().partition('type="application/json">')[2].partition("</script>")[0])
        assert data["space"] == json.loads(json.dumps(fragment(space)))
        assert data["deck"] == [str(card) for card in SMALL.deck]
        # Deal 0 is 7C AD 7D AC 8C 8D, of the deck AC 7C 8C AD 7D 8D, A to F.
        assert data["root"] == data["space"]["states"][0] == "BDEACF|;|;"
        assert data["rules"]["changes"] == ["suits=CD", "ranks=A78", "withhold=any"]
        assert len(data["space"]["statuses"]) == len(space.states)

    def test_a_graph_is_exported_as_a_page_unless_it_is_merged(self) -> None:
        deal = Deal.numbered(0, SMALL)
        page = export_graph(decision_graph(deal, SMALL), "html").decode()
        assert page == self.page()
        with pytest.raises(OptionError, match="merged"):
            export_graph(decision_graph(deal, SMALL, merge_suits=True), "html")

    def test_a_graph_that_is_cut_short_is_shown_so_far(self) -> None:
        deal = Deal.numbered(0, SMALL)
        space = space_of_graph(decision_graph(deal, SMALL, limits=Limits(states=30)))
        assert not space.complete
        assert None in space.edges
        assert "undecided" in space.statuses
        assert_all_within(space, START)
