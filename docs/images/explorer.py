"""Takes the two pictures of the explorer page, with Chromium: ``python docs/images/explorer.py``."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
GAME = "d d AS>1 d d d d d r d AC>2 7C>2 d AD>3 d d d 7D>3 d d r d d d d d d 8D>3 r d d AH>4 d d d d"


def main() -> None:
    """Write explorer-light.png, the page as it opens, and explorer-dark.png, after the move that lost the game."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "game.html"
        explore = ["explore", "--pysolfc", "24680", "--line", GAME, "--quiet", "-o", str(page_file)]
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
