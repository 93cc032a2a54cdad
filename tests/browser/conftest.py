"""A real Chromium, if there is one, and pages that are closed with a look at what went wrong in them."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="session")
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
