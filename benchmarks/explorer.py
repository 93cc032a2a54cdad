"""The explorer page: how soon a click is answered, how large a file is, how soon a server answers.

Run it with ``python benchmarks/explorer.py [clicks]`` on a machine that does nothing else; it needs Chromium. A click
is answered when the frame with the new table has been painted. The page has 2,000 states drawn in its graph.
"""

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from amazons_solver import Deal, Rules, State, decision_graph
from amazons_solver.explorer import explorer_page, space_of_graph
from amazons_solver.explorer.codes import code_of
from amazons_solver.explorer.server import ExplorerServer
from amazons_solver.explorer.space import new_knowledge, space_of_lines

CLICK = """async () => {
  let button = document.querySelector('#moves button');
  if (!button) { button = document.getElementById('back'); }
  const start = performance.now();
  button.click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const answered = performance.now() - start;
  await new Promise((done) => setTimeout(done, 150));
  return answered;
}"""


def clicks(many: int) -> None:
    rules = Rules(suits="CD", ranks="A789T")
    deal = Deal.numbered(2, rules)
    started = time.perf_counter()
    space = space_of_graph(decision_graph(deal, rules))
    page_text = explorer_page(space, State.initial(deal, rules))
    seconds = time.perf_counter() - started
    print(f"{len(space.states):,} states: {len(page_text.encode()):,} bytes, made in {seconds:.2f} s")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "page.html"
        file.write_text(page_text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(file.as_uri())
        page.locator("#size").select_option("2000")
        page.wait_for_timeout(5_000)
        times = sorted(page.evaluate(CLICK) for _ in range(many))
        browser.close()
    print(f"a click: {statistics.median(times):.0f} ms median, {times[-1]:.0f} ms at most, of {many}")


def answers(many: int) -> None:
    rules = Rules.preset("pysolfc")
    start = State.initial(Deal.pysolfc("24680", rules), rules)
    knowledge = new_knowledge(rules)
    started = time.perf_counter()
    space = space_of_lines([start], knowledge=knowledge)
    page = explorer_page(space, start)
    seconds = time.perf_counter() - started
    print(f"{len(space.states):,} states of 28 cards: {len(page.encode()):,} bytes, made in {seconds:.2f} s")
    state, times = start, []
    with ExplorerServer(page, rules) as server:
        server.around(code_of(start), 1)
        for _ in range(many):
            state = state.play(state.legal_moves()[-1])
            started = time.perf_counter()
            server.around(code_of(state), 80)
            times.append(1_000 * (time.perf_counter() - started))
    print(f"an answer of 80 states: {statistics.median(times):.0f} ms median, {max(times):.0f} ms at most, of {many}")


if __name__ == "__main__":
    number = int(sys.argv[1]) if sys.argv[1:] else 20
    clicks(number)
    answers(number)
