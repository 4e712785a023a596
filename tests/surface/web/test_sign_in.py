"""Members of a team sign in to the pages: by single sign-on at a provider, or by a token of theirs."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import subprocess
import sys
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from tests.surface.http.conftest import Said, Server

from bowerbird import Bowerbird
from bowerbird.core.who import Who
from bowerbird.daemon.links import Links
from bowerbird.daemon.tokens import Token
from bowerbird.surfaces.web.visits import MOST_OF_ONE, Visit, Visits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.forked import Forks

PROJECT = "shop"


class Browser:
    """What a browser does with cookies and redirections, at one of the server's names."""

    def __init__(self, server: Server, host: str = "", scheme: str = "http") -> None:
        self.server = server
        self.host = host or f"127.0.0.1:{server.port}"
        self.origin = f"{scheme}://{self.host}"
        self.cookies: SimpleCookie = SimpleCookie()
        self.set: list[str] = []

    def ask(
        self, method: str, path: str, body: str | None = None, site: str = "same-origin"
    ) -> Said:
        """One request; of `site` it depends whether a strict cookie is sent."""
        sent = {"Host": self.host, "Sec-Fetch-Site": site}
        cookies = [
            f"{one.key}={one.value}"
            for one in self.cookies.values()
            if site != "cross-site" or one["samesite"] == "Lax"
        ]
        if cookies:
            sent["Cookie"] = "; ".join(cookies)
        if body is not None:
            sent |= {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        with contextlib.closing(self.server.connect()) as connection:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            reported = {name.lower(): value for name, value in answer.getheaders()}
            self.set = [value for name, value in answer.getheaders() if name == "set-cookie"]
            for value in self.set:
                self.cookies.load(value)
            return Said(answer.status, reported, answer.read())

    def leave(self, wanted: str = "/ui/memories") -> str:
        """The provider's page, to which it is sent."""
        left = self.ask("GET", f"/ui/sign-in?to={quote(wanted)}")
        assert left.status == 303, left.body
        return left.headers["location"]

    def sign_in(self, login: str, wanted: str = "/ui/memories") -> Said:
        """The page that greets somebody who signed in at the provider."""
        return self.come_back(authorised(self.leave(wanted), login))

    def come_back(self, address: str) -> Said:
        """The provider's redirection, which carries no strict cookie."""
        parts = urlsplit(address)
        return self.ask("GET", f"{parts.path}?{parts.query}", site="cross-site")

    def page(self, path: str) -> str:
        said = self.ask("GET", path)
        assert said.status == 200, (path, said.status, said.body[-300:])
        return said.body.decode()

    def do(self, action: str, **fields: str) -> Said:
        """A form of the Team page."""
        token = re.search(r'name="token" value="([^"]+)"', self.page(f"/ui/teach?p={PROJECT}"))
        assert token is not None
        return self.ask("POST", f"/ui/do/{action}", urlencode({"token": token[1], **fields}))


def authorised(address: str, login: str) -> str:
    """Where the provider sends somebody who says yes on its page, or no."""
    parts = urlsplit(address)
    with contextlib.closing(http.client.HTTPConnection(parts.netloc, timeout=60)) as connection:
        form = urlencode({"sub": login} if login else {"action": "deny"})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{parts.path}?{parts.query}", form, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 302, answer.status
        return str(answer.getheader("location"))


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """A provider of OpenID Connect with the people whom it knows: a process of its own."""
    known = [
        {"sub": f"id-{name}", "email": f"{name}@example.org", "email_verified": verified}
        for name, verified in (("mia", True), ("ben", True), ("eve", True), ("joe", False))
    ]
    claims = [word for one in known for word in ("--user-claims", json.dumps(one))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "-p", "0", "-n", "true"]
    with subprocess.Popen([*command, *claims], stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        said = ""
        for line in running.stderr:
            said += line
            if found := re.search(r"http://[\w.]+:\d+", line):
                yield found[0]
                break
        else:
            pytest.fail(f"the provider did not start: {said}")
        running.terminate()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, forks: Forks, provider: str
) -> Iterator[Server]:
    """A server of a store that mia and ben share."""
    folder = tmp_path_factory.mktemp("team")
    settings = folder / "config" / "bowerbird" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[sso]\nissuer = "{provider}"\nclient = "bower"\nsecret = "sesame"\n')
    with Bowerbird.open(folder / "memory.db", project=PROJECT) as bird:
        bird.remember("The till opens at nine", audience="team")
        bird.admin.add_member("mia", role="steward", login="Mia@example.org")
        bird.admin.add_member("ben", login="ben@example.org")
        bird.admin.add_member("joe", login="joe@example.org")
        ben = Who(
            "member:ben", "member", person="ben", role="member", most="normal",
            local=False, wide=False, may_share=False,
        )  # fmt: skip
        bird.acting(ben).remember("My locker is number 88")
    running = Server(folder, forks, "--allow-host", "memory.example.org", "--behind-proxy")
    yield running
    running.end()
    assert [line for line in running.lines if '"fault"' in line] == []


def test_who_signs_in_at_the_provider_works_as_the_member_they_are(server: Server) -> None:
    browser = Browser(server)
    assert "Sign in as a member" in browser.ask("GET", "/ui/memories").body.decode()
    greeted = browser.sign_in("id-mia", f"/ui/memories?p={PROJECT}")
    assert greeted.status == 200
    assert f'content="0; url=/ui/memories?p={PROJECT}"' in greeted.body.decode()
    page = browser.page(f"/ui/memories?p={PROJECT}")
    assert "The till opens at nine" in page
    assert "number 88" not in page + browser.page(f"/ui/ask?q=locker+number&p={PROJECT}")
    for owners in ("settings", "sessions", "review", "experiment"):
        assert browser.ask("GET", f"/ui/{owners}").status == 403
        assert f'href="/ui/{owners}' not in page
    assert browser.ask("GET", "/ui/").headers["location"] == "/ui/memories"
    kept = browser.do("remember", text="The van is washed on Mondays", p=PROJECT)
    assert 'by <span translate="no">mia</span>' in browser.page(kept.headers["location"])
    assert browser.do("level", level="4").status == 303
    assert "Only a session that a person opened" in browser.page("/ui/team")


def test_a_member_makes_a_token_which_is_shown_once_and_leaves_with_them(server: Server) -> None:
    browser = Browser(server)
    browser.sign_in("id-ben")
    assert browser.do("token", label="laptop").status == 303
    found = re.search(
        r'shown only this once: <code translate="no">([^<]+)', browser.page("/ui/team")
    )
    assert found is not None
    token = found[1]
    assert token not in browser.page("/ui/team")
    assert server.post("query", token, query="locker", project=PROJECT).status == 200
    other = Browser(server)
    entered = other.ask("POST", "/ui/enter", urlencode({"key": token, "to": "/ui/team"}))
    assert (entered.status, entered.headers["location"]) == (303, "/ui/team")
    assert "locker" in other.page(f"/ui/memories?p={PROJECT}")
    # A token shows only whose words come: an agent may hold it.
    assert "Make a token" not in other.page("/ui/team")
    other.do("token", label="more")
    server.bower("team", "revoke", "ben")
    assert other.ask("GET", "/ui/team").status == 401
    assert browser.ask("GET", "/ui/team").status == 200
    server.bower("team", "leave", "ben", "--erase")
    assert browser.ask("GET", "/ui/team").status == 401
    assert "nobody in this team" in browser.sign_in("id-ben").body.decode()


def test_who_is_no_member_or_unverified_or_refuses_stays_outside(server: Server) -> None:
    for login, said in (
        ("id-eve", "nobody in this team has the login eve@example.org"),
        ("id-joe", "did not verify the e-mail address"),
        ("", "the provider refused the sign-in"),
    ):
        browser = Browser(server)
        refused = browser.sign_in(login)
        assert (refused.status, said in refused.body.decode()) == (403, True), refused.body
        assert browser.ask("GET", "/ui/memories").status == 401


def test_a_sign_in_is_of_the_browser_that_began_it_and_works_once(server: Server) -> None:
    mia, other = Browser(server), Browser(server)
    back = authorised(mia.leave(), "id-mia")
    other.leave()
    assert other.come_back(back).status == 403
    assert mia.come_back(back).status == 403
    back = authorised(mia.leave(), "id-mia")
    assert mia.come_back(back).status == 200
    assert mia.come_back(back).status == 403
    wanted = parse_qs(urlsplit(mia.leave("https://evil.example/")).query)
    assert wanted["code_challenge_method"] == ["S256"]
    assert 'url=/ui/"' in mia.sign_in("id-mia", "//evil.example/").body.decode()


def test_who_signs_in_again_and_again_ends_their_own_sessions_alone() -> None:
    visits, owner = Visits(), Visit("here", person=True)
    cookie = visits.begin(owner)
    mia = Token("mia", "", role="member", trust="normal")
    first = visits.begin(Visit("here", member=mia))
    cookies = [visits.begin(Visit("here", member=mia)) for _ in range(MOST_OF_ONE)]
    assert visits.of(first, "here") is None
    assert all(visits.of(one, "here") for one in cookies)
    assert visits.of(cookie, "here") is owner


def test_where_others_reach_the_server_members_sign_in_by_https_and_the_owner_does_not(
    server: Server,
) -> None:
    browser = Browser(server, "memory.example.org", "https")
    address = browser.leave()
    assert parse_qs(urlsplit(address).query)["redirect_uri"] == [
        "https://memory.example.org/ui/signed-in"
    ]
    assert all("; Secure" in one for one in browser.set)
    assert browser.come_back(authorised(address, "id-mia")).status == 200
    assert all("; Secure" in one for one in browser.set)
    assert "The till opens" in browser.page(f"/ui/memories?p={PROJECT}")
    assert browser.do("keys", keys="no").status == 303
    key = Links(server.store).mint(person=True, project="")
    assert browser.ask("POST", "/ui/enter", urlencode({"key": key})).status == 403


def test_an_unreachable_provider_is_said_with_the_remedy(
    tmp_path_factory: pytest.TempPathFactory, forks: Forks
) -> None:
    folder = tmp_path_factory.mktemp("alone")
    settings = folder / "config" / "bowerbird" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[sso]\nissuer = "http://127.0.0.1:9/"\nclient = "bower"\n')
    running = Server(folder, forks)
    browser = Browser(running)
    said = browser.ask("GET", "/ui/sign-in")
    assert said.status == 403
    assert "gave no answer that can be read" in said.body.decode()
    running.end()
    assert json.loads(running.lines[-1])["event"] == "stopped"
