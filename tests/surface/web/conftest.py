"""The dashboard as a person meets it: a server, visits over HTTP, and a browser where there is one."""

from __future__ import annotations

import http.client
import json
import os
import time
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import quote, urlencode

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait
from tests.surface.http.conftest import Said, Server
from tests.surface.web.browser import BINARY, DRIVER, WHY_NONE, Browser
from tests.surface.web.shop import Shop

from bowerbird.daemon.links import Links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.forked import Forks

# Seconds after which what was awaited has failed.
_PATIENCE = 30


class Pages:
    """A server of the shop's store, and what opens its pages."""

    def __init__(self, shop: Shop, server: Server, name: str) -> None:
        self.shop = shop
        self.server = server
        self.name = name
        self.host = f"{name}:{server.port}"

    @classmethod
    def of(cls, shop: Shop, server: Server) -> Pages:
        """Those of a running server."""
        record = next((shop.folder / "state").glob("bowerbird/serve-*/address.json")).read_text()
        return cls(shop, server, json.loads(record)["dashboard"].partition(":")[0])

    def key(self, *, person: bool = True, project: Path | None = None) -> str:
        """A new link's key, as `bower dashboard` mints it in the shop or another project."""
        with patch.dict(os.environ, self.shop.environment):
            links = Links(self.shop.store)
        return links.mint(person=person, project=f"path:{project or self.shop.project}")

    def visit(self, *, person: bool = True, project: Path | None = None) -> Visit:
        """Somebody who has signed in, without a browser."""
        visit = Visit(self)
        said = visit.post("/ui/enter", key=self.key(person=person, project=project))
        assert said.status == 303
        return visit


class Visit:
    """Requests with the cookies and the form token of one session."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.cookies: SimpleCookie = SimpleCookie()
        self.token = ""

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Said:
        """One request; headers replace the usual ones, an empty one is left out."""
        sent = {"Host": self._pages.host, "Sec-Fetch-Site": "same-origin"}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{one.key}={one.value}" for one in self.cookies.values())
        if body is not None:
            sent["Origin"] = f"http://{self._pages.host}"
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self._pages.server.port, timeout=60)
        try:
            connection.request(method, path, body, {k: v for k, v in sent.items() if v})
            answer = connection.getresponse()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    self.cookies.load(value)
            reported = {name.lower(): value for name, value in answer.getheaders()}
            return Said(answer.status, reported, answer.read())
        finally:
            connection.close()

    def page(self, path: str, **headers: str) -> str:
        """The text of a page that is there, with all that comes later."""
        until = time.monotonic() + _PATIENCE
        while True:
            said = self.ask("GET", path, **headers)
            assert said.status == 200, (path, said.status, said.body[-400:])
            if b" data-later" not in said.body.partition(b"<header")[0]:
                return said.body.decode()
            assert time.monotonic() < until, path

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: str) -> Said:
        """A form that is sent; its token is that of the last page unless given."""
        return self.ask("POST", path, urlencode(fields), **(headers or {}))

    def do(self, action: str, **fields: str) -> Said:
        """A form of a page."""
        if not self.token:
            text = self.page("/ui/settings")
            self.token = text.partition('name="token" value="')[2].partition('"')[0]
        return self.post(f"/ui/do/{action}", None, token=self.token, **fields)


def opened_by(browser: Browser, pages: Pages, to: str = "/ui/") -> None:
    """Signs a browser in, and waits until it is at the page asked for."""
    browser.driver.delete_all_cookies()
    browser.driver.get(f"http://{pages.host}/ui/enter?to={quote(to)}#{pages.key()}")
    wait = WebDriverWait(browser.driver, 30, 0.05)
    wait.until(lambda driver: str(driver.current_url).endswith(pages.host + to))


@pytest.fixture(scope="package")
def pages(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Iterator[Pages]:
    """One shop and one server for all tests of the pages."""
    folder = tmp_path_factory.mktemp("shop")
    shop = Shop(folder, forks).fill(time.time_ns() // 1_000_000)
    server = Server(folder, forks)
    yield Pages.of(shop, server)
    server.end()
    assert [line for line in server.lines if '"fault"' in line] == []


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of the pages."""
    if BINARY is None or DRIVER is None:
        pytest.skip(WHY_NONE)
    opened = Browser()
    yield opened
    opened.end()


class Journey:
    """A browser that a person has signed in with."""

    def __init__(self, browser: Browser, pages: Pages) -> None:
        self.browser = browser
        self.driver = browser.driver
        self.pages = pages

    def enter(self, to: str = "/ui/") -> None:
        opened_by(self.browser, self.pages, to)

    def go(self, path: str) -> None:
        """Opens a page, with all that is counted beside it: it reloads itself for that."""
        self.driver.get(f"http://{self.pages.host}{path}")
        self.until(lambda: self.browser.run("return !('later' in document.body.dataset)"))

    def path(self) -> str:
        return str(self.driver.current_url).partition(self.pages.host)[2]

    def until(self, so: Callable[[], Any]) -> Any:
        """What something gives as soon as that is true."""
        try:
            return WebDriverWait(self.driver, _PATIENCE, 0.05, (Exception,)).until(lambda _: so())
        except TimeoutException:
            raise AssertionError(f"at {self.path()}:\n{self.text('body')}") from None

    def press(self, *keys: str) -> None:
        """Keys, one after the other, wherever the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def press_on(self, what: str) -> None:
        """A click on the first thing that a selector finds."""

        def pressed() -> bool:
            self.driver.find_element(By.CSS_SELECTOR, what).click()
            return True

        self.until(pressed)

    def text(self, what: str = "main") -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, what).text)

    def rows(self) -> list[str]:
        """The ids of the rows, all of one moment."""
        found = "[...document.querySelectorAll('[data-row]')].map((row) => row.dataset.row)"
        return [str(one) for one in self.browser.run(f"return {found}")]

    def focused(self) -> str:
        return str(self.browser.run("return document.activeElement.textContent")).strip()


@pytest.fixture(scope="package")
def journey(chromium: Browser, pages: Pages) -> Iterator[Journey]:
    found = Journey(chromium, pages)
    chromium.look()
    found.enter()
    yield found
    # What the policy refuses, or a script does wrong, says the browser itself.
    assert [one for one in chromium.complaints() if "status of 4" not in one] == []
