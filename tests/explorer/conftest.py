"""A real Chromium, if there is one, and pages that are closed with a look at what went wrong in them."""

import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from amazons_solver import Deal, Knowledge, Rules, State, decision_graph
from amazons_solver.explorer import explorer_page, space_of_graph, space_of_lines
from amazons_solver.explorer.server import ExplorerServer
from support.explorer_pages import DEAL_0, RULES, START, STATES

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="module")  # no longer: while it is there, no other test can run an event loop
def chromium() -> Iterator[Browser]:
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no Chromium is installed (looked for {', '.join(NAMES)})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages; when the test is over, none may have said anything on its console or asked for anything.

    But for what the browser itself says of an answer, where a test expects such an answer.
    """
    contexts, said, expected = [], list[str](), set[str]()

    def opened(address: str, may_say: str = "", **options: Any) -> Page:
        expected.update(filter(None, [may_say]))
        options = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **options}
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        origin = address.partition("#")[0]
        page.on("request", lambda request: None if request.url.startswith(origin) else said.append(request.url))
        page.goto(address)
        page.wait_for_selector("#banner strong")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [words for words in said if not words.startswith(("blob:", *expected))] == []


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Addresses of page files."""
    folder = tmp_path_factory.mktemp("pages")
    whole = space_of_graph(decision_graph(DEAL_0, RULES))
    part = space_of_lines([START], knowledge=Knowledge(), most=60, alone=True)
    full_start = State.initial(Deal.numbered(3), Rules())
    full = space_of_lines([full_start], knowledge=Knowledge(engine="kernel"), most=600, alone=True)
    large_rules = Rules(suits="CD", ranks="A789T")
    large_deal = Deal.numbered(2, large_rules)
    large = space_of_graph(decision_graph(large_deal, large_rules))
    assert len(large.states) >= 2_000
    written = {
        "whole": explorer_page(whole, START, title="Deal 0"),
        "game": explorer_page(whole, START, title="A lost game", game=STATES),
        "part": explorer_page(part, START),
        "part of a full deal": explorer_page(full, full_start),
        "large": explorer_page(large, State.initial(large_deal, large_rules)),
    }
    for name, page in written.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in written}


@pytest.fixture
def served() -> Iterator[str]:
    knowledge = Knowledge()
    space = space_of_lines([START], knowledge=knowledge, most=20)
    with ExplorerServer(explorer_page(space, START, served=True), RULES, knowledge=knowledge) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()
