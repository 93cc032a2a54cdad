"""Takes the two pictures of the explorer page, with Chromium: ``python docs/images/explorer.py``.

The game is that of the command on the page explorer.md, which is README's, too (a test says so).
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PAGE = Path(__file__).parent.parent / "explorer.md"
COMMAND = re.compile(r"^\$ amazons-solver (explore .+) -o game\.html$", re.MULTILINE)


def main() -> None:
    """Write explorer-light.png, the page as it opens, and explorer-dark.png, after the move that lost the game."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "game.html"
        command = COMMAND.search(PAGE.read_text(encoding="utf-8"))
        if command is None:
            raise SystemExit(f"expected a command that writes game.html in {PAGE}")
        explore = [*shlex.split(command[1]), "--quiet", "-o", str(page_file)]
        subprocess.run([sys.executable, "-m", "amazons_solver", *explore], check=True)  # noqa: S603 (our own words)
        browser = playwright.chromium.launch(executable_path=chromium)
        for scheme, keys in (("light", ""), ("dark", "2")):
            page = browser.new_page(
                viewport={"width": 1300, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(page_file.as_uri())
            page.wait_for_timeout(500)
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / f"explorer-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
