"""Takes pictures of the dashboard, wide and narrow, dark, and in French, of the shop that its tests use.

Needs Chromium, chromedriver and the extra `dev`: python scripts/page_pictures.py FOLDER
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.forked import Forks
from tests.surface.http.conftest import Server
from tests.surface.web.browser import NARROW, WIDE, Browser
from tests.surface.web.conftest import Pages, opened_by
from tests.surface.web.shop import Shop
from tests.surface.web.test_pages import addresses

# Pages longer than this are cut off.
_LONGEST = 2_400


def shoot(pages: Pages, into: Path) -> None:
    """A picture of each page for each look."""
    browser = Browser()
    for look, size, dark, language in (
        ("wide", WIDE, False, "en"), ("narrow", NARROW, False, "en"), ("dark", WIDE, True, "en"),
        ("french", NARROW, False, "fr"),
    ):  # fmt: skip
        browser.look(size, dark=dark)
        opened_by(browser, pages, "/ui/settings")
        browser.run(
            f"const field = document.querySelector('#language'); field.value = '{language}'"
        )
        browser.driver.find_element("css selector", "form.row button").click()
        for name, where in addresses(pages).items():
            browser.driver.get(f"http://{pages.host}{where}")
            high = int(browser.run("return document.documentElement.scrollHeight"))
            browser.look((size[0], max(size[1], min(high, _LONGEST))), dark=dark)
            (into / f"{name}-{look}.png").write_bytes(browser.picture())
            browser.look(size, dark=dark)
    browser.end()


def main(into: Path) -> None:
    """Sets up the shop and its server, and takes the pictures."""
    into.mkdir(parents=True, exist_ok=True)
    forks = Forks()
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(Path(folder), forks)
        os.environ.update(shop.environment)
        shop.fill(time.time_ns() // 1_000_000)
        server = Server(Path(folder), forks)
        try:
            shoot(Pages.of(shop, server), into)
        finally:
            server.end()
            forks.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
