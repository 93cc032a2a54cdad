"""Playing in the explorer page, in a real browser, as a person does."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

from amazons_solver import DEAL, Deal, Rules, State, decision_graph, format_line, parse_line, solve
from amazons_solver.explorer import explorer_page, space_of_graph
from amazons_solver.explorer.codes import code_of
from support.explorer_pages import (
    DEAL_0,
    FATAL,
    GAME,
    RULES,
    START,
    STATES,
    WINNABLE,
    Open,
    assert_at,
    click_in_list,
    click_on_table,
    state_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_winning_line_is_played_to_the_end_by_clicks(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["whole"])
    line = solve(DEAL_0, RULES, order="bfs").line
    assert line is not None
    state = START
    assert_at(page, START)
    for move in line:
        expect(page.locator("#banner")).to_contain_text("This can be won.")
        click_on_table(page, move)
        state = state.play(move)
        assert_at(page, state)
    expect(page.locator("#banner")).to_contain_text(f"Won. {len(line)} moves")
    expect(page.locator("#moves")).to_contain_text("No move is left.")
    expect(page.locator("#table .act")).to_have_count(0)


def test_every_legal_move_says_what_it_does_before_it_is_made(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["whole"])
    for state in STATES:
        page.goto(f"{pages['whole']}#{code_of(state)}")
        assert_at(page, state)
        buttons = page.locator("#moves button")
        said = {button.get_attribute("data-move"): button.inner_text() for button in buttons.all()}
        assert set(said) == {str(move) for move in state.legal_moves()}
        for move, after in state.successors():
            here, there = state.text() in WINNABLE, after.text() in WINNABLE
            expected = "keeps the win" if there else "throws the win away" if here else "already lost"
            assert expected in said[str(move)]
            # Not by colour alone: the badge differs, too.
            sign = page.locator(f'#moves button[data-move="{move}"] use').get_attribute("href")
            assert sign == ("#amz-mark-keeps" if there else "#amz-mark-loses")


WALKED = {
    "a choice of foundations": Rules(
        suits="CD", ranks="A78", base_placement="any", build="rank", top_anywhere=True, withhold="any"
    ),
    "counters": Rules(suits="CDH", ranks="A7", base_placement="any", max_redeals=3, idle_passes=2),
    "one suit": Rules(suits="C", ranks="A7TJQ", withhold="any"),
}


@pytest.mark.parametrize("rules", WALKED.values(), ids=WALKED)
def test_on_a_walk_by_clicks_the_page_says_what_the_model_says(open_page: Open, tmp_path: Path, rules: Rules) -> None:
    deal = Deal.numbered(1, rules)
    decisions = decision_graph(deal, rules)
    start = State.initial(deal, rules)
    statuses = {str(labels["state"]): str(labels["status"]) for labels in decisions.graph.nodes.values()}
    file = tmp_path / "walk.html"
    file.write_text(explorer_page(space_of_graph(decisions), start), encoding="utf-8")
    page = open_page(file.as_uri())
    choose = random.Random(1)
    state = start
    for _ in range(25):
        moves = state.legal_moves()
        shown = page.eval_on_selector_all("#moves button", "(all) => all.map((one) => one.dataset.move)")
        assert sorted(shown) == sorted(map(str, moves))
        said = page.locator("#banner strong").inner_text()
        status = statuses[state.text()]
        assert ("can be won." in said, said == "Won.") == (status == "winnable", status == "won")
        if not moves:
            state = start
            page.goto(f"{file.as_uri()}#{code_of(start)}")
        else:
            move = choose.choice(moves)
            click_on_table(page, move)
            state = state.play(move)
        page.wait_for_url(f"**#{code_of(state)}")


@pytest.mark.parametrize("name", ["whole", "part", "part of a full deal"])
def test_the_winning_line_one_click_at_a_time(open_page: Open, pages: dict[str, str], name: str) -> None:
    page = open_page(pages[name])
    for _ in range(400):
        if page.locator("#best").is_disabled():
            break
        page.locator("#best").click()
    assert page.locator("#banner strong").inner_text().startswith("Won")


def test_a_fatal_move_is_said_and_can_be_taken_back(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["whole"])
    for move in GAME[: FATAL - 1]:
        click_in_list(page, move)
    before = page.url
    fatal = page.locator(f'#moves button[data-move="{GAME[FATAL - 1]}"]')
    expect(fatal).to_contain_text("throws the win away")
    fatal.click()
    assert_at(page, STATES[FATAL])
    expect(page.locator("#banner")).to_contain_text("That move threw the win away.")
    expect(page.locator("#best")).to_be_disabled()
    expect(page.locator("#line .chip.fatal")).to_have_count(1)
    if STATES[FATAL].legal_moves():
        click_in_list(page, STATES[FATAL].legal_moves()[-1])
        expect(page.locator("#banner")).to_contain_text(f"Move {FATAL}, ")
    page.get_by_role("button", name="Back to where it could be won").click()
    page.wait_for_url(before)
    expect(page.locator("#banner")).to_contain_text("This can be won.")


def test_of_a_game_that_was_stopped_too_early_the_page_says_so(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "stopped.html"
    whole = space_of_graph(decision_graph(DEAL_0, RULES))
    path.write_text(explorer_page(whole, START, game=STATES[:FATAL]), encoding="utf-8")
    page = open_page(path.as_uri())
    assert_at(page, STATES[FATAL - 1])
    expect(page.locator("#banner")).to_contain_text("No move threw it away: here the game can still be won.")
    expect(page.get_by_text("It could still be won where it stops.")).to_be_visible()
    page.locator("#back").click()
    expect(page.locator("#banner")).to_contain_text("This can be won.")


def test_back_and_forward_are_the_browser_s(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["whole"])
    for move in GAME[:3]:
        click_in_list(page, move)
    page.go_back()
    assert_at(page, STATES[2])
    expect(page.locator("#line .chip")).to_have_count(3)
    page.locator("#back").click()
    assert_at(page, STATES[1])
    page.go_forward()
    assert_at(page, STATES[2])
    page.locator("#forward").click()
    assert_at(page, STATES[3])
    expect(page.locator("#forward")).to_be_disabled()
    page.reload()
    assert_at(page, STATES[3])
    expect(page.locator("#line .chip")).to_have_count(4)


def test_every_state_has_a_link(open_page: Open, pages: dict[str, str]) -> None:
    for state in (STATES[FATAL], STATES[-1]):
        page = open_page(f"{pages['whole']}#{code_of(state)}")
        assert_at(page, state)
        expect(page.locator("#table svg desc")).to_contain_text("Foundations: ")
        # The way there is found: its chips end in this state.
        assert page.locator("#line .chip").count() > 1
        expect(page.locator('#line .chip[aria-current="step"]')).to_have_count(1)


@pytest.mark.parametrize(
    "link", ["nonsense", "7C_AC.-_-.-", "%", "%3Cimg%20src=x%20onerror=alert(1)%3E", "__", "constructor"]
)
def test_a_link_to_nothing_is_said(open_page: Open, pages: dict[str, str], link: str) -> None:
    page = open_page(f"{pages['whole']}#{link}")
    assert_at(page, START)
    expect(page.locator("#banner")).to_contain_text("The state of this link is not in this file.")


def test_a_lost_game_opens_where_it_was_thrown_away(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["game"])
    assert_at(page, STATES[FATAL - 1])
    expect(page.locator("#line-summary")).to_contain_text(f"Move {FATAL} of {len(GAME)}")
    expect(page.locator("#banner")).to_contain_text("The next move threw the win away.")
    expect(page.locator(f'#moves button[data-move="{GAME[FATAL - 1]}"]')).to_contain_text("played")
    chips = page.locator("#line .chip")
    expect(chips).to_have_count(len(GAME) + 1)
    chips.nth(FATAL).click()
    assert_at(page, STATES[FATAL])
    for number, kind in ((FATAL - 1, "kept"), (FATAL, "fatal"), (FATAL + 1, "lost")):
        expect(chips.nth(number)).to_have_class(f"chip {kind}")
    # Another move than the one that was played is tried beside it.
    page.locator("#back").click()
    page.locator("#best").click()
    expect(page.locator("#tried .chip")).to_have_count(1)


def test_by_keyboard_only(open_page: Open, pages: dict[str, str]) -> None:
    page = open_page(pages["whole"])
    # The first place that Tab reaches is the talon, the only thing to be moved.
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("deal a row (6 in the talon): keeps the win")
    outline = page.evaluate("getComputedStyle(document.activeElement.querySelector('.focus')).stroke")
    assert outline != "none"
    page.keyboard.press("Enter")
    assert_at(page, STATES[0].play(DEAL))
    page.keyboard.press("1")
    assert state_of(page).cards_left <= START.cards_left
    page.keyboard.press("ArrowLeft")
    assert_at(page, STATES[0].play(DEAL))
    page.keyboard.press("ArrowRight")
    for _ in range(100):
        if state_of(page).is_won:
            break
        page.keyboard.press("w")
        page.wait_for_timeout(5)
    assert state_of(page).is_won
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("fatal")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert state_of(page).text() in WINNABLE
    assert any(after.text() not in WINNABLE for _, after in state_of(page).successors())
    # In the graph, arrows point and Enter goes.
    page.locator("#graph").focus()
    page.wait_for_timeout(100)
    before = state_of(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#pointed")).not_to_be_empty()
    page.keyboard.press("Enter")
    page.wait_for_function(f"location.hash !== '#{code_of(before)}'")


def test_the_game_is_the_one_that_was_meant() -> None:
    assert State.initial(DEAL_0, RULES).play_line(parse_line(format_line(GAME))) == STATES[-1]
    assert STATES[FATAL - 1].text() in WINNABLE
    assert STATES[FATAL].text() not in WINNABLE
