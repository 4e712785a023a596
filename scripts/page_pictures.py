"""Takes pictures of the dashboard over the shop of its tests, with what a team adds in its third month.

    python scripts/page_pictures.py FOLDER [--looks empty wide narrow dark french print] [--only PAGE ...]
    python scripts/page_pictures.py docs --documented

The second form takes those that docs/dashboard.md shows. Needs Chromium, chromedriver
and the extra `dev`.
"""

import argparse
import base64
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.wait import WebDriverWait
from tests.forked import Forks
from tests.surface.http.conftest import Server
from tests.surface.web.browser import NARROW, WIDE, Browser
from tests.surface.web.conftest import Pages, opened_by
from tests.surface.web.shop import DAY, Shop
from tests.surface.web.test_pages import addresses

from bowerbird import Bowerbird
from bowerbird.core.who import AGENT, USER, Who

# Pages longer than this are cut off.
_LONGEST = 2_400
# Size, whether dark, language.
LOOKS = {
    "wide": (WIDE, False, "en"),
    "narrow": (NARROW, False, "en"),
    "dark": (WIDE, True, "en"),
    "french": (NARROW, False, "fr"),
}
# What somebody opens before there is anything, and an address that leads nowhere.
FIRST = (
    "health", "welcome", "memories", "review", "sessions", "modules", "graph", "fading", "activity",
    "nowhere",
)  # fmt: skip
PRINTED = ("health", "memory", "contradiction", "session")
# What docs/dashboard.md shows, and how high: what stands below says no more.
DOCUMENTED = {"health": 900, "answer": 560, "contradiction": 640, "memory": 900, "session": 800}
AREAS = ("auth", "billing", "cart", "search", "mail", "stock", "reports")
SAID = (
    ("The {area} tests need a database of their own: they drop its tables", "gotcha"),
    ("Errors of {area} are logged once, where they are handled", "pattern"),
    ("{area} reads its settings from the environment, never from a file", "decision"),
    ("Reset {area} with make reset-{area}; it keeps the accounts", "procedure"),
    ("The nightly job of {area} takes about 11 minutes and holds a lock meanwhile", "fact"),
    ("A retry in {area} waits 2, 4, then 8 seconds", "fact"),
    ("Dead end: caching {area} by user made the cache larger than the tables", "dead_end"),
    ("Reviews of {area} go to two people, one of whom has been on call for it", "preference"),
    ("{area} must answer within 200 ms at the 95th percentile", "requirement"),
    (("The staging copy of {area} has been behind by a week since its disk was replaced, so figures "
     "of it say nothing about production"), "gotcha"),
    ("{area} sends its events to the queue named shop-{area}, which keeps them for 4 days", "fact"),
    ("The first import of {area} failed on names with an apostrophe", "error_pattern"),
    ("Dates in {area} are UTC; only the pages show local time", "decision"),
    ("Run the linter on {area} before the tests: it is the quicker of the two", "workflow_recipe"),
    ("{area}/views.py is generated; edit {area}/views.yml", "gotcha"),
    ("The old API of {area} is called by the app of the stores until summer", "context"),
    ("{area} shares its connection pool with the admin pages, 20 connections in all", "fact"),
    ("Keep the public names of {area} in one file, so that a rename shows up in review", "preference"),
    ("Opening {area} for the first time after a deploy takes 3 seconds", "fact"),
    ("Money in {area} is a pair of whole cents and a currency", "pattern"),
    ("Feature flags of {area} live in the table flags, and are read once a minute", "fact"),
    ("Never delete a row of {area}: mark it as gone, the accountant asks for it", "requirement"),
)  # fmt: skip
CONTRADICTED = (
    ("auth", "A retry in auth waits 3, 6, then 12 seconds"),
    ("cart", "The nightly job of cart takes about 25 minutes and holds a lock meanwhile"),
    ("mail", "mail sends its events to the queue named shop-mail, which keeps them for 7 days"),
)
ASKED = tuple(
    f"The {area} service restarts by itself after {minutes} minutes without a request"
    for area, minutes in product(AREAS, (5, 30))
)


def grow(shop: Shop, now: int) -> None:
    """What a team of three adds to the shop: more memories, what waits, disputes, a second project."""
    moment = [now]
    opened = Bowerbird.open(shop.store, clock=lambda: moment[0])
    with contextlib.chdir(shop.project), opened as bird:
        person, agent = bird.acting(Who(USER, USER)), bird.acting(Who(AGENT, AGENT))
        known: dict[str, str] = {}
        for number, ((text, kind), area) in enumerate(product(SAID, AREAS)):
            moment[0] = now - (160 - number) * 80 * DAY // 160
            said, author = text.format(area=area), person if number % 3 else agent
            known[said] = author.remember(said, kind=kind, modules=[area]).id
        moment[0] = now - 5 * DAY // 24
        for area, text in CONTRADICTED:
            agent.remember(text, modules=[area])
        for text in ASKED:
            agent.remember(text, review="an agent was not sure")
        for name, role in (("mia", "steward"), ("jonas", "member"), ("aicha", "member")):
            bird.admin.add_member(name, role=role)
            bird.admin.new_member_token(name, label="laptop")
        jonas = bird.acting(
            Who("member:jonas", "member", person="jonas", role="member", most="normal",
                local=False, wide=False, may_share=False)
        )  # fmt: skip
        for said, why in (
            ("Dates in stock are UTC; only the pages show local time",
             "the counters of the stores are local"),
            ("Opening mail for the first time after a deploy takes 3 seconds",
             "under one since we preload it"),
        ):  # fmt: skip
            person.edit(known[said], audience="team", origin="user")
            jonas.dispute(known[said], why)
    other = shop.folder / "newsletter"
    (other / ".git").mkdir(parents=True)
    with contextlib.chdir(other), Bowerbird.open(shop.store) as bird:
        bird.acting(Who(USER, USER)).remember("Newsletters go out on Tuesdays at ten")


def grown(folder: Path, forks: Forks) -> Shop:
    """The shop with all of it."""
    shop = Shop(folder, forks)
    os.environ.update(shop.environment)
    now = time.time_ns() // 1_000_000
    shop.fill(now)
    grow(shop, now)
    return shop


@contextlib.contextmanager
def served(shop: Shop, forks: Forks) -> Iterator[Pages]:
    """A server of the shop's store."""
    server = Server(shop.folder, forks)
    try:
        yield Pages.of(shop, server)
    finally:
        server.end()


class Camera:
    """A browser that somebody has signed in with, and the folder for its pictures."""

    def __init__(self, browser: Browser, pages: Pages, into: Path) -> None:
        self.browser, self.pages, self.into = browser, pages, into

    def enter(self, size: tuple[int, int], language: str, *, dark: bool) -> None:
        """Signs in, at this size, in this language."""
        self.browser.look(size, dark=dark)
        opened_by(self.browser, self.pages, "/ui/settings")
        self.browser.run(
            f"const field = document.querySelector('#language'); field.value = '{language}'"
        )
        button = self.browser.driver.find_element("css selector", "form.row button")
        button.click()
        # The page that the form leads to would come after the one that is asked for next.
        WebDriverWait(self.browser.driver, 20, 0.05).until(staleness_of(button))

    def take(self, name: str, where: str, size: tuple[int, int], *, dark: bool, high: int) -> None:
        """A picture of a page, as high as it is, or as told."""
        self._go(where)
        all_of_it = int(self.browser.run("return document.documentElement.scrollHeight"))
        shown = high or min(max(size[1], all_of_it), _LONGEST)
        self.browser.look((size[0], shown), dark=dark)
        (self.into / f"{name}.png").write_bytes(self.browser.picture())
        self.browser.look(size, dark=dark)

    def printed(self, name: str, where: str) -> None:
        """A page as a printer gets it."""
        self._go(where)
        said = self.browser.driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27})
        (self.into / f"{name}.pdf").write_bytes(base64.b64decode(said["data"]))

    def _go(self, where: str) -> None:
        self.browser.driver.get(f"http://{self.pages.host}{where}")
        until = time.monotonic() + 20
        while self.browser.run("return 'later' in document.body.dataset"):
            if time.monotonic() > until:
                raise TimeoutError(f"{where} is being counted still")
            time.sleep(0.2)


def shoot(camera: Camera, looks: list[str], only: list[str]) -> None:
    """A picture of each page for each look."""
    pages = {
        name: where for name, where in addresses(camera.pages).items() if not only or name in only
    }
    for look in looks:
        if look == "print":
            camera.enter(WIDE, "en", dark=False)
            for name in PRINTED:
                camera.printed(name, pages[name])
        elif look in LOOKS:
            size, dark, language = LOOKS[look]
            camera.enter(size, language, dark=dark)
            for name, where in pages.items():
                camera.take(f"{name}-{look}", where, size, dark=dark, high=0)


def document(camera: Camera) -> None:
    """The pictures of docs/dashboard.md."""
    camera.enter(WIDE, "en", dark=False)
    pages = addresses(camera.pages)
    for name, high in DOCUMENTED.items():
        shown = {"answer": "ask", "contradiction": "review"}.get(name, name)
        camera.take(f"dashboard-{shown}", pages[name], WIDE, dark=False, high=high)


def shoot_empty(camera: Camera) -> None:
    """The pages that somebody meets first, wide and narrow."""
    for look, size in (("empty", WIDE), ("empty-narrow", NARROW)):
        camera.enter(size, "en", dark=False)
        for name in FIRST:
            where = "/ui/" if name == "health" else f"/ui/{name}"
            camera.take(f"{name}-{look}", where, size, dark=False, high=0)


def main() -> None:
    """Sets up the shop and its server, and takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--looks", nargs="+", default=["empty", *LOOKS, "print"])
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--documented", action="store_true")
    asked = parser.parse_args()
    into: Path = asked.folder.resolve()
    into.mkdir(parents=True, exist_ok=True)
    forks = Forks()
    browser = Browser()
    try:
        if "empty" in asked.looks and not asked.documented:
            with tempfile.TemporaryDirectory() as folder:
                empty = Shop(Path(folder), forks)
                (empty.project / ".git").mkdir(parents=True)
                with served(empty, forks) as pages:
                    shoot_empty(Camera(browser, pages, into))
        with (
            tempfile.TemporaryDirectory() as folder,
            served(grown(Path(folder), forks), forks) as pages,
        ):
            camera = Camera(browser, pages, into)
            document(camera) if asked.documented else shoot(camera, asked.looks, asked.only)
    finally:
        browser.end()
        forks.close()


if __name__ == "__main__":
    main()
