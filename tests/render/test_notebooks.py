"""How objects show themselves in notebooks."""

import pytest

from amazons_solver import Deal, Limits, Rules, State, decision_graph, parse_move, solve
from amazons_solver.render.html import scrolled, table_html
from amazons_solver.render.svg import deal_svg, line_svg, state_svg
from support.pictures import SVG, marked, parse
from support.small_games import CIRCLE_DEAL, CIRCLE_RULES, STUCK_DEAL, STUCK_RULES, TRAP_DEAL, TRAP_RULES


def rows(html: str) -> dict[str, str]:
    """The first table of a page, cells by the names of their rows."""
    table = parse(html.partition("</table>")[0] + "</table>")
    return {row[0].text or "": row[1].text or "" for row in table.iter("tr")}


def test_deals_and_states_show_their_pictures() -> None:
    deal = Deal.numbered(7)
    state = State.initial(deal)
    assert deal._repr_svg_() == deal_svg(deal)
    assert state._repr_svg_() == state_svg(state)


def test_a_winning_line_is_shown_in_full() -> None:
    solution = solve(Deal.parse(CIRCLE_DEAL, CIRCLE_RULES), CIRCLE_RULES)
    html = solution._repr_html_()
    assert rows(html) == {"ended by": "goal", "stored states": "5", "moves": "4", "redeals": "0"}
    assert solution.line is not None
    assert html.endswith(scrolled(line_svg(solution.start, solution.line)))


def test_a_lost_deal_has_no_line() -> None:
    # Seven states, see test_graph.py; without a line there is nothing but the table.
    solution = solve(Deal.parse(STUCK_DEAL, STUCK_RULES), STUCK_RULES)
    html = solution._repr_html_()
    assert html.startswith("<table><caption>unwinnable</caption>")
    assert rows(html)["ended by"] == "exhausted"
    assert "<svg" not in html


@pytest.mark.compiled
def test_what_is_shown_does_not_depend_on_the_clock() -> None:
    deal = Deal.numbered(3)
    assert solve(deal)._repr_html_() == solve(deal)._repr_html_()


def test_a_graph_shows_where_the_win_can_first_be_thrown_away() -> None:
    # After d, AC>1 wins and d buries the ace for good (see test_graph.py).
    decisions = decision_graph(Deal.parse(TRAP_DEAL, TRAP_RULES), TRAP_RULES)
    html = decisions._repr_html_()
    table = rows(html)
    assert table["states"] == "6 (1 won, 4 winnable, 1 blocked)"
    assert table["moves"] == "5"
    assert table["moves that throw the win away"] == "1"
    assert table["states with a choice that matters"] == "1"
    assert table["shortest win"] == "4 moves"
    assert table["extent"] == "complete"
    state = State.parse("7C | AC | - | redeals=0", TRAP_RULES)
    assert html.endswith(state_svg(state, marks={parse_move("AC>1"): True, parse_move("d"): False}))


def test_a_graph_without_choices_shows_its_counts() -> None:
    decisions = decision_graph(Deal.parse(STUCK_DEAL, STUCK_RULES), STUCK_RULES)
    html = decisions._repr_html_()
    assert html.startswith("<table><caption>unwinnable</caption>")
    assert rows(html)["shortest win"] == "none"
    assert "<svg" not in html


def test_a_graph_that_is_cut_short_says_so_and_marks_nothing() -> None:
    rules = Rules(suits="CD", ranks="A78", withhold="any")
    html = decision_graph(Deal.numbered(0, rules), rules, limits=Limits(states=50))._repr_html_()
    assert rows(html)["extent"] == "cut short (states)"
    assert "<svg" not in html


@pytest.mark.parametrize("merge_suits", [False, True])
def test_marks_are_those_of_the_graph(merge_suits: bool) -> None:
    rules = Rules(suits="CD", ranks="A78", withhold="any", max_redeals=2)
    decisions = decision_graph(Deal.numbered(7, rules), rules, merge_suits=merge_suits)
    assert decisions.fatal_edges()
    picture = parse("<svg" + decisions._repr_html_().partition("<svg")[2])
    kinds = [len([name for name in marked(picture, kind) if name == "amz-badge"]) for kind in ("keeps", "loses")]
    assert all(kinds)
    description = picture.findtext(f"{SVG}desc") or ""
    assert description.count("the game can still be won") == kinds[0]
    assert description.count("the game is lost") == kinds[1]


def test_tables_show_text_and_run_nothing() -> None:
    html = table_html([("<b>", 1, "x & y"), ("c", 2, "<script>")], caption='"a" < b', header=("", "n", "what"))
    table = parse(html)
    assert [cell.text for cell in table.iter("td")] == ["1", "x & y", "2", "<script>"]
    assert [(cell.text, cell.get("scope")) for cell in table.iter("th")] == [
        (None, "col"),
        ("n", "col"),
        ("what", "col"),
        ("<b>", "row"),
        ("c", "row"),
    ]
    assert table.findtext("caption") == '"a" < b'
