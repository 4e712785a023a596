"""The pages and their gate over HTTP: who may see what, and that nothing stored is more than text."""

from __future__ import annotations

import ast
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.surface.web.shop import DEAD_END, KEPT, NEW, SESSIONS

import bowerbird
from bowerbird import Bowerbird
from bowerbird.core.events import PROMPTED
from bowerbird.core.origins import ON_ASKING
from bowerbird.core.sessions import Session
from bowerbird.core.types import beside
from bowerbird.core.who import AGENT, USER, Who
from bowerbird.lifecycle.conclusions import _OTHERWISE
from bowerbird.surfaces import web
from bowerbird.surfaces.web.language import Language, available, preferred
from bowerbird.surfaces.web.pages.review import _apart
from bowerbird.surfaces.web.pages.sessions import told
from bowerbird.surfaces.web.rendering import marked, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.surface.web.conftest import Pages, Visit

HERE = Path(web.__file__).parent
# What stands in the places of a reason, by what is asked for there; elsewhere an id.
SAID = "it rests on the same lines"
FILLED = {
    **dict.fromkeys(("reason", "because", "until_then", "why"), SAID),
    "_OTHERWISE": _OTHERWISE,
    **dict.fromkeys(("_differing_words", "unread"), ""),
    "quoted": "“hot” and “cold”", "trust": "low", "day(": "3 March 2026", "days": "7",
}  # fmt: skip
# Bytes that a page may take as it is, and compressed; and the style and the script, compressed.
LARGEST, LARGEST_SENT, LARGEST_STATIC = 40_000, 8_000, 6_000


class Read(HTMLParser):
    """What a browser makes of a page: its text, and what could do harm."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.harm: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        if tag in {"img", "style", "iframe", "object"} or (tag == "script" and "src" not in own):
            self.harm.append(tag)
        for name, value in own.items():
            outside = not re.match(r"(/ui/|#|$)", value or "")
            if name == "style" or name.startswith("on"):
                self.harm.append(f"{tag} {name}")
            if name in {"src", "href", "action", "formaction"} and outside:
                self.harm.append(f"{tag} {name} {value}")

    def handle_data(self, data: str) -> None:
        self.text += data


def read(text: str) -> Read:
    found = Read()
    found.feed(text)
    return found


def addresses(pages: Pages) -> dict[str, str]:
    """An address of each page."""
    kept = pages.shop.ids[KEPT]
    names = ("ask", "memories", "modules", "review", "sessions", "teach", "graph", "fading")
    listed = {
        name: f"/ui/{name}"
        for name in (*names, "experiment", "activity", "team", "settings", "welcome")
    }
    return listed | {
        "health": "/ui/",
        "answer": "/ui/ask?q=why+do+the+checkout+tests+time+out",
        "memory": f"/ui/m/{kept}",
        "edit": f"/ui/m/{kept}/edit",
        "wrong": f"/ui/m/{kept}/wrong",
        "erase": f"/ui/m/{kept}/erase",
        "contradiction": f"/ui/review/{pages.shop.ids[NEW]}",
        "bulk": "/ui/review/all",
        "session": f"/ui/s/{SESSIONS[0][0]}",
        "around": f"/ui/graph?around={kept}&depth=2",
        "found": "/ui/memories?q=kind%3Agotcha+redis",
        "nothing": "/ui/memories?q=redsi",
    }


@pytest.fixture(scope="module")
def visit(pages: Pages) -> Visit:
    return pages.visit()


def test_a_session_that_no_hook_recorded_was_told_nothing() -> None:
    assert told(Session("a")) == []


def test_what_was_asked_and_no_hook_saw_stands_in_its_place() -> None:
    said = ("Fix the rounding of prices. It is off by a cent.", "Now write a test for it, please")
    seen = [{"what": PROMPTED, "at": at, "text": text} for at, text in enumerate(said, 1)]
    digested = (
        "“Fix the rounding of prices”",
        "“Prices are cents”",
        "“Now write a test for it”",
        "“Commit”",
    )
    found = told(Session("a", recorded=(*seen,)), digested)
    assert [(one["at"], one["text"]) for one in found] == [
        (1, said[0]),
        (0, "Prices are cents"),
        (2, said[1]),
        (0, "Commit"),
    ]


def test_a_link_opens_once(pages: Pages) -> None:
    key = pages.key()
    first, second = pages.visit(), pages.visit()
    first.cookies.clear()
    assert first.ask("GET", "/ui/").status == 401
    assert first.post("/ui/enter", key=key, to="/ui/memories?q=redis").headers["location"] == (
        "/ui/memories?q=redis"
    )
    assert first.ask("GET", "/ui/").status == 200
    second.cookies.clear()
    assert second.post("/ui/enter", key=key).status == 403
    assert second.post("/ui/enter", key="").status == 403
    assert second.ask("GET", "/ui/").status == 401


def test_whoever_signs_in_again_comes_back_to_where_they_were(pages: Pages) -> None:
    visit = pages.visit()
    del visit.cookies["bower"]
    assert visit.ask("GET", "/ui/fading?p=shop").status == 401
    assert visit.post("/ui/enter", key=pages.key()).headers["location"] == "/ui/fading?p=shop"
    for elsewhere in ("https://evil.example/", "//evil.example", "/api/v1/status", "/ui/\\evil"):
        again = visit.post("/ui/enter", key=pages.key(), to=elsewhere)
        assert again.headers["location"] == "/ui/"


def test_only_pages_of_our_own_reach_a_session(pages: Pages, visit: Visit) -> None:
    port = pages.server.port
    assert visit.ask("GET", "/ui/", Host=f"evil.localhost:{port}").status == 403
    assert visit.ask("GET", "/ui/", Host=f"localhost:{port}").status == 403
    # The cookie of one name is none at another, as all servers of 127.0.0.1 get it.
    assert visit.ask("GET", "/ui/", Host=f"127.0.0.1:{port}").status == 401
    foreign = visit.ask("GET", "/ui/", Sec_Fetch_Site="cross-site")
    assert (foreign.status, b"<form" in foreign.body, b"Health" in foreign.body) == (
        200,
        False,
        False,
    )
    token = visit.do("language", language="en").status == 303 and visit.token
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": ""},
        {"Origin": f"http://127.0.0.1:{port}"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        said = visit.post("/ui/do/language", headers, token=str(token), language="fr")
        assert said.status == 403
    assert visit.post("/ui/do/language", token="wrong", language="fr").status == 403
    assert visit.post("/ui/do/language", language="fr").status == 403
    assert "Settings" in visit.page("/ui/settings")


def test_cookies_and_tokens_do_not_mix(pages: Pages, visit: Visit) -> None:
    cookie = "; ".join(f"{one.key}={one.value}" for one in visit.cookies.values())
    by_cookie = pages.server.ask("GET", "/api/v1/status", token=None, headers={"Cookie": cookie})
    assert by_cookie.status == 401
    bare = visit.ask("GET", "/ui/", Cookie="", Authorization=f"Bearer {pages.server.token}")
    assert bare.status == 401


def test_every_page_is_there_small_and_without_anything_inline(pages: Pages, visit: Visit) -> None:
    for name, where in addresses(pages).items():
        said = visit.ask("GET", where)
        text = said.body.decode()
        assert said.status == 200, (name, text[-600:])
        assert "default-src 'none'" in said.headers["content-security-policy"]
        assert said.headers["cache-control"] == "no-store"
        assert not read(text).harm, name
        # Settings are as many as there are; no other page grows with them.
        assert len(said.body) < LARGEST or name == "settings", (name, len(said.body))
        assert len(gzip.compress(said.body)) < LARGEST_SENT, name
        assert text.count("<h1") == 1, name


def test_what_pages_load_is_small_and_kept(pages: Pages, visit: Visit) -> None:
    found = set(re.findall(r'"(/ui/static/[^"]+)"', visit.page("/ui/")))
    assert {one.rpartition(".")[2] for one in found} == {"css", "js", "svg"}
    for one in found:
        said = visit.ask("GET", one, Cookie="")
        assert "immutable" in said.headers["cache-control"]
        assert len(gzip.compress(said.body)) < LARGEST_STATIC
    assert visit.ask("GET", "/ui/static/app.css").status == 404


def test_who_is_no_person_may_look_and_flag_but_not_decide(pages: Pages) -> None:
    # A project of its own: whoever read text from elsewhere in the shop may change less there.
    project = pages.shop.folder / "quay"
    (project / ".git").mkdir(parents=True)
    agent = pages.visit(person=False, project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as bird:
        id = bird.remember("Crates are stacked by size", review="a look").id
        flagged = bird.acting(Who(AGENT, AGENT)).remember("Crates are counted in spring").id
    agent.do("flag", id=flagged, what="over", why="we have a fake now")
    assert "fake now" in pages.server.bower("get", flagged)["review"]
    assert "you may look, and flag" in agent.page("/ui/")
    assert 'data-key="c"' not in agent.page(f"/ui/review/{id}")
    said = agent.do("review", verdict="confirm", id=id, back=f"/ui/review/{id}")
    assert said.headers["location"] == f"/ui/review/{id}"
    assert "Only a session that a person opened" in agent.page(f"/ui/review/{id}")
    assert pages.server.bower("get", id)["review"]


def test_what_a_later_statement_settled_is_told_and_taken_back(pages: Pages) -> None:
    project = pages.shop.folder / "pier"
    (project / ".git").mkdir(parents=True)
    person, agent = (pages.visit(person=one, project=project) for one in (True, False))
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as bird:
        both = [bird.remember(f"Redis runs on port {port}").id for port in (6379, 6380)]
        last = bird.remember("Since May Redis runs on port 7000").id
        page = person.page("/ui/review")
        assert "Nothing waits." in page
        assert page.count(f'<input type="hidden" name="id" value="{last}">') == 2
        assert all(f"/ui/m/{id}" in page for id in both)
        looked = agent.page("/ui/review")
        assert "Settled by a later statement" in looked
        assert "/ui/do/revert" not in looked
        assert person.do("revert", id=last).status == 303
        assert all(bird.get(id).review for id in both)
    assert "Settled by a later statement" not in person.page("/ui/review")


def test_forms_do_what_verbs_do_and_are_undone(pages: Pages, visit: Visit) -> None:
    done = visit.do("remember", text="The till is counted at nine", kind="fact", modules="till")
    where = done.headers["location"]
    assert "Remembered:" in visit.page(where)
    id = where.rpartition("/")[2]
    changed = "The till is counted at ten"
    visit.do("edit", id=id, text=changed, kind="fact", modules="till", tags="", files="")
    page = visit.page(where)
    assert "<del>nine</del>" in page
    assert "<ins>ten</ins>" in page
    assert '<q dir="auto" translate="no">The till is counted at ten</q>' in page
    before = visit.page("/ui/memories?q=till+nine")
    assert "No memory says" in before
    assert f'<tr data-row="{id}"' in before.partition("said so before")[2]
    then = visit.page("/ui/activity")
    assert "The till is counted at nine" in then
    assert pages.server.bower("get", id)["verified"]
    visit.do("undo")
    assert not pages.server.bower("get", id)["verified"]
    assert pages.server.bower("get", id)["text"].endswith("nine")
    refused = visit.do("edit", id=id, text="  ", back=f"/ui/m/{id}/edit")
    assert refused.headers["location"] == f"/ui/m/{id}/edit"
    assert 'class="notice bad"' in visit.page(f"/ui/m/{id}/edit")
    visit.do("pin", id=id, pinned="yes")
    assert pages.server.bower("get", id)["pinned"]
    assert "Another project" in visit.page(f"/ui/m/{id}/edit")
    moved = visit.do("move", id=id, project="global")
    page = read(visit.page(moved.headers["location"])).text
    assert "Moved; it holds in all projects:" in page
    # Where it went stands on the memory, and in the list of each project.
    assert "fact · all projects" in page
    assert "all projects" in read(visit.page("/ui/memories?q=till+ten&p=shop")).text
    # Where other tests have added members, what is of no project is the person's own.
    assert beside(pages.server.bower("get", id)["project"]) == ""
    visit.do("undo")
    assert pages.server.bower("get", id)["project"]
    visit.do("flag", id=id, what="forget", back=where)
    assert pages.server.bower("get", id)["state"] == "deleted"
    assert 'value="forget"' not in visit.page(f"/ui/m/{id}/wrong")
    visit.do("undo")
    # One way to say that something is wrong leads to all others.
    assert 'do/forget"' not in visit.page(where)
    assert all(f'value="{one}"' in visit.page(f"/ui/m/{id}/wrong") for one in ("forget", "erase"))
    visit.do("erase", id=id, count="2", back=f"/ui/m/{id}/erase")
    assert visit.ask("GET", f"/ui/m/{id}").status == 200
    visit.do("erase", id=id, count="1")
    assert visit.ask("GET", f"/ui/m/{id}").status == 404


def test_each_undo_goes_a_step_further_back_and_what_others_changed_stays(pages: Pages) -> None:
    visit = pages.visit()
    where = visit.do("remember", text="The safe is opened at six").headers["location"]
    id = where.rpartition("/")[2]
    visit.do("pin", id=id, pinned="yes")
    visit.do("forget", id=id)
    assert pages.server.bower("get", id)["state"] == "deleted"
    # Each undo goes a step further back, until nothing is left.
    visit.do("undo")
    assert "Undo that, too" in visit.page(where)
    visit.do("undo")
    found = pages.server.bower("get", id)
    assert (found["state"], found["pinned"]) == ("active", False)
    assert "Before that · Remembered:" in visit.page(where)
    visit.do("undo")
    assert pages.server.bower("get", id)["state"] == "deleted"
    assert "There is nothing more to take back" in visit.page(where).partition('id="undone"')[0]
    visit.do("undo")
    assert "there is nothing to take back" in visit.page(where)
    visit.do("revert", id=id, back="/ui/m/" + id)
    assert pages.server.bower("get", id)["state"] == "active"
    visit.do("undo")
    assert pages.server.bower("get", id)["state"] == "deleted"
    visit.do("revert", id=id)
    # What somebody changed since is not taken back; a closed banner stays closed.
    visit.do("pin", id=id, pinned="yes", back="/ui/m/" + id)
    assert 'class="notice"' in visit.page(where)
    assert 'class="last"' in visit.page(where)
    assert 'class="last"' not in visit.page(f"/ui/m/{pages.shop.ids[KEPT]}")
    visit.do("close")
    assert 'class="last"' not in visit.page(where)
    pages.visit().do("edit", id=id, text="The safe is opened at seven")
    visit.do("undo")
    assert "has been changed since" in visit.page(where)
    assert pages.server.bower("get", id)["pinned"]


def test_two_that_seem_to_contradict_may_both_hold(pages: Pages) -> None:
    visit = pages.visit(project=pages.shop.folder / "wharf")
    (pages.shop.folder / "wharf" / ".git").mkdir(parents=True)
    with Bowerbird.open(pages.shop.store, project=f"path:{pages.shop.folder / 'wharf'}") as opened:
        bird = opened.acting(Who(USER, USER))
        kept = bird.remember(KEPT, kind="gotcha", verified=True).id
        agent = opened.acting(Who(AGENT, AGENT))
        new = agent.remember(NEW, kind="gotcha")
        assert bird.waiting(new.id).cases[0].code == "contradicts"
        card = visit.page(f"/ui/review/{new.id}")
        assert "Keep both" in card
        # One that stays beside the other is no confirmation: nothing is decided by `c` where two stand.
        assert "Replace the other" in card
        assert 'data-key="c"' not in card
        assert "replaces the kept one" in card
        assert "Why they seem to contradict each other:" in card
        # Against what a person has seen nothing is offered first, though the new one may take its place.
        assert 'class="main" data-key' not in card
        assert "<del>30</del>" in card
        listed = visit.page("/ui/memories?q=checkout")
        assert listed.count("in conflict") == 2  # it, and the one that it contradicts
        agent.edit(new.id, NEW.replace("45", "50"))
        edited = read(visit.page(f"/ui/review/{new.id}")).text
        # Beside the names of projects, which are paths and may have the number.
        cards = edited.partition("Waits because")[2].partition("The same answer")[0]
        assert not re.search(r"\b45\b", cards)
        assert "the words marked above" in edited
        visit.do("review", verdict="both", id=new.id, other=kept)
        both = [bird.get(id) for id in (new.id, kept)]
        assert [(one.state, one.review) for one in both] == [("active", "")] * 2
        assert "and both hold:" in read(visit.page(f"/ui/m/{kept}")).text
        assert "both hold" in read(visit.page(f"/ui/graph?around={kept}")).text
        # The way back stays, on each page, until something else is done.
        visit.page("/ui/memories")
        assert "Both hold:" in visit.page("/ui/sessions")
        assert "Both hold:" not in visit.page("/ui/teach")
        visit.do("undo")
        assert bird.get(new.id).review
        assert bird.get(kept).state == "active"
        asked = read(visit.page("/ui/ask?q=when+do+the+checkout+tests+time+out")).text
        assert "Contradicted by another answer:" in asked
        visit.do("review", verdict="replace", id=new.id, other=kept)
        assert [bird.get(id).state for id in (new.id, kept)] == ["active", "superseded"]
        assert not bird.get(new.id).review
        visit.do("undo")
        assert [bird.get(id).state for id in (new.id, kept)] == ["active", "active"]
        assert bird.get(new.id).review
        visit.do("review", verdict="reject", id=new.id)
        assert f"{NEW.replace('45', '50')} rejected" in read(visit.page(f"/ui/m/{kept}")).text


def test_what_else_a_replaced_memory_said_is_told_and_may_be_kept(pages: Pages) -> None:
    project = pages.shop.folder / "slip"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))
        rest = "The runners are in Frankfurt."
        old = bird.remember(f"We use Jenkins for CI. {rest}").id
        new = bird.remember("We no longer use Jenkins for CI, since May it is GitHub Actions").id
        visit.do("review", verdict="replace", id=new, other=old)
        page = visit.page("/ui/review")
        assert "What ended said besides:" in read(page).text
        assert f'name="text" value="{rest}"' in page
        visit.do("remember", text=rest)
        assert bird.list(memories_only=True)[0].text == rest


def test_nobody_decides_on_or_writes_over_what_they_have_not_seen(pages: Pages) -> None:
    project = pages.shop.folder / "lagoon"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird, agent = (opened.acting(Who(one, one)) for one in (USER, AGENT))
        waits = agent.remember("The lagoon opens at seven", review="asked").id

        def seen(page: str) -> str:
            return page.partition('name="seen" value="')[2].partition('"')[0]

        card = seen(visit.page(f"/ui/review/{waits}"))
        assert int(card) > 0
        bird.remember("The quay is swept at noon")
        agent.edit(waits, "The lagoon opens at eight")
        said = {"id": waits, "back": f"/ui/review/{waits}"}
        several = {f"pick-{waits}": "confirm", "back": f"/ui/review/{waits}"}
        for action, fields in (
            ("review", {"verdict": "confirm", **said}),
            ("bulk", several),
            ("learned", {f"verdict-{waits}": "confirm", **said}),
            ("flag", {"what": "over", **said}),
            ("edit", {"text": "The lagoon opens at nine", **said}),
        ):
            visit.do(action, seen=card, **fields)
            page = visit.page(f"/ui/review/{waits}")
            assert "it was changed meanwhile, and says now: The lagoon opens at eight" in page, (
                action
            )
        assert bird.get(waits).text == "The lagoon opens at eight"
        assert bird.get(waits).review
        visit.do("review", verdict="confirm", seen=seen(page), **said)
        assert not bird.get(waits).review


def test_another_number_of_a_related_memory_is_told_where_one_decides(pages: Pages) -> None:
    project = pages.shop.folder / "raft"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird, agent = (opened.acting(Who(one, one)) for one in (USER, AGENT))
        kept = bird.remember("The shipping label service accepts at most 20 labels a minute").id
        new = agent.remember(
            "The label service accepts at most 30 labels a minute", review="asked"
        ).id
        plain = agent.remember("The raft is tarred in spring", review="asked").id
        assert bird.waiting(new).cases[0].code == "asked"
        card = visit.page(f"/ui/review/{new}")
        assert "another number: most 30 / most 20" in read(card).text
        assert "you said it" in read(card).text.partition("another number")[2]
        assert 'class="main" data-key' not in card
        assert f"pick-{new}" not in visit.page(f"/ui/review/{plain}")
        several = visit.page("/ui/review/all")
        assert f"pick-{plain}" in several
        assert f"pick-{new}" not in several
        assert "Agents do not get it unasked meanwhile." in card
        visit.do("review", verdict="confirm", id=new)
        assert "an agent learned it, you confirmed it" in visit.page(f"/ui/m/{new}")
        assert "you said it" in visit.page(f"/ui/m/{kept}")


def test_a_kind_is_searched_as_pages_write_it_and_an_unknown_one_is_said_beside_it(
    visit: Visit,
) -> None:
    assert DEAD_END in visit.page("/ui/memories?q=kind%3Adead-end")
    assert DEAD_END in visit.page("/ui/memories?q=kind%3A%22dead+end%22")
    page = visit.page("/ui/memories?q=kind%3Adeadline")
    assert "unknown kind: deadline" in page
    assert 'value="kind:deadline"' in page


def test_only_what_a_change_replaces_is_struck_through(pages: Pages, visit: Visit) -> None:
    assert "<del>30</del>" in visit.page(f"/ui/review/{pages.shop.ids[NEW]}")
    with Bowerbird.open(pages.shop.store, project=f"path:{pages.shop.project}") as opened:
        bird = opened.acting(Who(USER, USER))
        case = bird.waiting(pages.shop.ids[NEW]).cases[0]
        assert case.other is not None
        # Two sentences that differ in most of their words: neither is the other with a change.
        all_of_it = ((0, len(case.entry.text)),)
        assert _apart(case.replace(differs=all_of_it, other_differs=((3, len(case.other.text)),)))
        assert not _apart(case.replace(differs=all_of_it))
        assert not _apart(case)


def test_many_are_decided_on_at_once_but_for_those_in_doubt(pages: Pages) -> None:
    project = pages.shop.folder / "dock"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))
        agent = opened.acting(Who(AGENT, AGENT))
        ids = [agent.remember(f"Gate {n} opens at {n + 6}", review="asked").id for n in range(3)]
        disputed = agent.remember("Boats moor on the left", review="asked").id
        visit.do("review", verdict="hold", id=disputed)
        text = visit.page("/ui/review/all")
        assert all(f"pick-{id}" in text for id in ids)
        assert f"pick-{disputed}" not in text
        assert "1 needs a look of its own" in text
        # Nothing is decided on that was not chosen; the button says how many are.
        assert text.count('value="" checked>') == text.count(" checked>") == 3
        ticked = visit.page("/ui/review/all?all=confirm")
        assert ticked.count('value="confirm" checked>') == 3
        assert '✓ <b data-ticked="confirm">3</b> ✗ <b data-ticked="reject">0</b>' in ticked
        assert text.count("asked</span>") == 1  # what is said of all is said once
        odd = agent.remember("The crane is greased in May", kind="gotcha", review="asked").id
        narrowed = visit.page("/ui/review/all?kind=gotcha")
        assert f"pick-{odd}" in narrowed
        assert not any(f"pick-{id}" in narrowed for id in ids)
        assert re.search(r'kind=gotcha">.*?<b>1</b>', visit.page("/ui/review/all"))
        bird.forget(odd)
        # With none ticked, one stays where they are.
        back = "/ui/review/all?kind=gotcha"
        nothing = {f"pick-{id}": "" for id in ids}
        said = visit.do("bulk", back=back, then="/ui/review", **nothing)
        assert said.headers["location"] == back
        assert "none was chosen" in visit.page(back)
        # What rests on text from elsewhere is on the list, and ticked with all if nothing else is.
        tool = opened.acting(Who(AGENT, "tool_external"))
        outside = tool.remember("The sluice opens at noon").id
        every, alone = (
            visit.page(f"/ui/review/all?all=confirm{why}") for why in ("", "&why=unverified")
        )
        assert f'pick-{outside}" value="confirm">' in every
        assert f'pick-{outside}" value="confirm" checked>' in alone
        rejected = visit.page("/ui/review/all?all=reject")
        assert f'pick-{outside}" value="reject" checked>' in rejected
        bird.forget(outside)
        chosen = {f"pick-{id}": "yes" for id in (*ids[:2], disputed)}
        visit.do("bulk", verdict="confirm", **chosen)
        told = [visit.page("/ui/review"), visit.page("/ui/review")]
        assert all("2 memories confirmed." in one for one in told)
        assert "The last decision ·" in told[1]
        assert [bool(bird.get(id).review) for id in (*ids, disputed)] == [False, False, True, True]
        visit.do("undo")
        assert "Undone: 2 memories confirmed." in " ".join(
            read(visit.page("/ui/review")).text.split()
        )
        assert all(bird.get(id).review for id in ids)


def test_a_list_takes_a_verdict_for_each(pages: Pages) -> None:
    project = pages.shop.folder / "jetty"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        agent = opened.acting(Who(AGENT, AGENT))
        things = ("winch", "sluice", "bridge")
        ids = [agent.remember(f"The {one} is oiled in May", review="asked").id for one in things]
        verdicts = ("confirm", "reject", "")
        visit.do("bulk", **{f"pick-{id}": one for id, one in zip(ids, verdicts, strict=True)})
        assert "2 verdicts saved." in visit.page("/ui/review")
        assert [opened.get(id).state for id in ids] == ["active", "deleted", "active"]
        assert [bool(opened.get(id).review) for id in ids] == [False, True, True]
        visit.do("undo")
        assert all(opened.get(id).review for id in ids)


def test_activity_tells_decisions_of_one_sort_in_one_row(pages: Pages) -> None:
    project = pages.shop.folder / "bollard"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    things = ("gate", "winch", "crank", "sluice", "bridge")
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        agent = opened.acting(Who(AGENT, AGENT))
        ids = [agent.remember(f"The {one} is oiled in May", review="asked").id for one in things]
        one, other = (
            agent.remember(f"The lock closes for {n} minutes each hour", review="asked").id
            for n in (5, 20)
        )
    visit.do("bulk", **{f"pick-{id}": "reject" for id in ids})
    visit.do("review", verdict="both", id=other, other=one)
    rows = visit.page("/ui/activity").split("</tr>")
    (both,) = (row for row in rows if "both kept" in row)
    assert both.count("The lock closes for") == 2
    (rejected,) = (row for row in rows if "rejected · <b>5</b>" in row)
    assert all(f"The {one} is oiled" in rejected for one in things)


@pytest.mark.parametrize(
    "right",
    [
        "Boats of the mill go back to the north bank in the evening",
        "The mill lends its boats for 45 minutes",
        "Whoever rents a boat brings it back by six",
    ],
)
def test_a_correction_is_taken_back_whole(pages: Pages, right: str) -> None:
    project = pages.shop.folder / f"ferry{len(right)}"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))
        known = bird.remember("Whoever rents a boat brings it back by six", kind="requirement").id
        wrong = bird.remember("The mill lends its boats for 30 minutes", kind="fact").id
        done = visit.do("flag", id=wrong, what="right", right=right)
        new = done.headers["location"].rpartition("/")[2]
        assert (bird.get(new).state, bird.get(wrong).state) == ("active", "superseded")
        assert bird.get(known).kind == "requirement"
        visit.do("undo")
        assert bird.get(wrong).state == "active"
        assert bird.get(known).state == "active"
        assert bird.get(new).state == ("active" if new == known else "deleted")
        assert bird.admin.queue() == []


def test_what_waits_next_says_why_and_is_ticked_there(pages: Pages) -> None:
    project = pages.shop.folder / "winch"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird, tool = (opened.acting(Who(one, one)) for one in (USER, "tool_external"))
        opposed = [
            bird.remember(
                f"The hoist rests for {n} minutes each hour", review="nobody was asked"
            ).id
            for n in (5, 20)
        ][1]
        asked, flagged, _, first = (
            bird.remember(f"The {one} is oiled in May", review="nobody was asked").id
            for one in ("winch", "gate", "crank", "sluice")
        )
        tool.remember("The forum says that eels block the turbine")
        bird.flag(flagged, "the gate is new")
        assert bird.admin.queue()[0] == first
        page = visit.page("/ui/review")
        rows = dict(re.findall(r'<tr data-row="([^"]+)">(.*?)</tr>', page, re.DOTALL))
        assert "nobody was asked" in rows[asked]
        assert "the gate is new" in rows[flagged]
        assert "rests on text from elsewhere" in page
        assert "contradicts another" in rows[opposed]
        # What was called wrong takes a look of its own, and so do two of which one may hold.
        assert f"pick-{asked}" in rows[asked]
        assert "pick-" not in rows[flagged] + rows[opposed]
        visit.do("bulk", verdict="reject", **{f"pick-{asked}": "yes"})
        assert bird.get(asked).state == "deleted"
        visit.do("undo")
        assert bird.get(asked).review
        assert "pick-" not in pages.visit(person=False, project=project).page("/ui/review")


def test_two_that_say_the_same_are_joined_and_parted_again(pages: Pages) -> None:
    project = pages.shop.folder / "dam"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird, agent = (opened.acting(Who(one, one)) for one in (USER, AGENT))
        kept = bird.remember(
            "The pumps overheat after 30 seconds when the weir is dry", tags=["water"]
        ).id
        new = agent.remember(
            "The pumps overheat after 45 seconds when the weir is dry", modules=["weir"]
        ).id
        assert bird.waiting(new).cases[0].other is not None
        assert 'value="join"' in visit.page(f"/ui/review/{new}")
        visit.do("review", verdict="join", id=new, other=kept)
        page = visit.page("/ui/review")
        assert "Joined, as they say the same: The pumps overheat after 30" in read(page).text
        assert (bird.get(new).state, bird.get(kept).state) == ("merged", "active")
        details = bird.get(kept).details
        assert details is not None
        assert (details.fields.modules, details.fields.tags) == (("weir",), ("water",))
        assert bird.admin.queue() == []
        visit.do("undo")
        assert (bird.get(new).state, bird.get(new).review != "") == ("active", True)
        details = bird.get(kept).details
        assert details is not None
        assert details.fields.modules == ()
        # Whichever side is named first, what is trusted more stays.
        visit.do("review", verdict="join", id=kept, other=new)
        assert (bird.get(new).state, bird.get(kept).state) == ("merged", "active")
        visit.do("undo")
        near = bird.remember("Fishing at the weir is allowed from May to October").id
        far = bird.remember("At the weir one may fish between May and October").id
        linked = {one.kind for one in bird.history(far).relations}
        assert linked == {"related_to"}
        assert 'value="join"' in visit.page(f"/ui/m/{near}")
        visit.do("review", verdict="join", id=far, other=near, back=f"/ui/m/{near}")
        assert bird.get(far).state == "merged"
        visit.do("undo")
        assert bird.get(far).state == "active"


def test_a_contradiction_is_decided_on_alone_by_either_verdict(pages: Pages) -> None:
    new = pages.shop.ids[NEW]
    visit = pages.visit()
    for verdict in ("confirm", "reject"):
        text = visit.page(f"/ui/review/all?all={verdict}")
        assert f'value="{verdict}" checked>' in text
        assert f"pick-{new}" not in text, verdict
        assert re.search(r"needs? a look of (its|their) own", text)
        visit.do("bulk", back="/ui/review", **{f"pick-{new}": verdict})
        assert "none was chosen" in visit.page("/ui/review")


def test_what_was_rejected_says_so_and_activity_says_to_what_it_was_linked(pages: Pages) -> None:
    project = pages.shop.folder / "mole"
    (project / "src" / "billing").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / "src" / "billing" / "tax.py").write_text(
        "RATE = 20\n\n\ndef tax():\n    return RATE\n"
    )
    (project / "src" / "billing" / "sum.py").write_text("def total():\n    return 1\n")
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))
        bird.index(project)
        first = bird.remember("Invoices of the mole are numbered", modules=["billing"]).id
        second = bird.remember("Tax is twenty", files=["src/billing/tax.py"]).id
        bird.link(first, second, "causes")
        about = [row for row in visit.page("/ui/activity").split("<tr ") if f"/ui/m/{first}" in row]
        linked = [row for row in about if "linked" in row]
        assert len(linked) == 1
        assert "Tax is twenty" in linked[0]
        # A module leads to what it counts, however those name it.
        modules = visit.page("/ui/modules?open=src/billing")
        assert re.search(r'id="src%2Fbilling"[^>]* open>', modules)
        inside = modules.partition('id="src%2Fbilling"')[2].partition("</details>")[0]
        assert "fact 2<" in inside
        link = re.search(r'href="(/ui/memories[^"]*)"', inside)
        assert link is not None
        listed = visit.page(link.group(1).replace("&amp;", "&"))
        assert all(f'data-row="{id}"' in listed for id in (first, second))
        # One name everywhere, whatever a memory calls it.
        for page in (listed, visit.page("/ui/memories"), visit.page(f"/ui/m/{first}")):
            assert '<span translate="no">src/billing</span>' in page
            assert '<span translate="no">billing</span>' not in page
        bird.edit(first, review="asked")
        visit.do("review", verdict="reject", id=first)
        page = visit.page(f"/ui/m/{first}")
        assert "Rejected in review" in page
        assert "Waits because" not in page
        told = [row for row in visit.page("/ui/activity").split("<tr ") if f"/ui/m/{first}" in row]
        assert read(told[0]).text.count("rejected") == 1
        assert "forgotten" not in told[0]
        searched = visit.page("/ui/memories?q=invoices+of+the+mole")
        assert "1 said so before" in searched
        assert 'title="rejected"' in searched
        assert "waits for review" not in searched
        assert "what changed: review" in page or "what changed: state" in page, page


def test_a_preview_tells_what_is_removed_and_near_and_keeps_nothing(
    pages: Pages, visit: Visit
) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    before = pages.server.bower("status")["total_memories"]
    visit.do("language", language="en")
    said = visit.do("preview", text=f"{KEPT.replace('30', '90')}, says the bot with {token}")
    text = said.body.decode()
    assert said.status == 200
    assert "1 secret would be removed" in text
    assert "Close to" in text
    assert pages.server.bower("status")["total_memories"] == before
    where = str(pages.shop.project / "src" / "auth" / "session.py")
    said = visit.do("preview", text="Lids are blue", files=f"{where}, src/nowhere.py", tags="lid")
    shown = read(said.body.decode()).text.partition("What would become of it")[2]
    assert where not in shown
    assert re.findall(r"files (\S+?)( is not in the project)?(?=files|tags)", shown) == [
        ("src/auth/session.py", ""), ("src/nowhere.py", " is not in the project"),
    ]  # fmt: skip
    assert "tags lid" in shown
    # The kinds that a person chooses come first, the others behind them.
    first, _, others = said.body.decode().partition('<optgroup label="more">')
    offered = re.findall(r'<option value="(\w+)"', first.rpartition("<select")[2])
    assert offered == ["fact", "preference", "requirement", "decision", "gotcha", "procedure"]
    assert '<option value="dead_end"' in others
    assert '<option value="fact"' not in others
    # What it would be kept as is chosen there.
    assert re.search(r'<option value="fact" selected>', said.body.decode())
    asked = {"text": "Lids are blue", "kind": "requirement"}
    assert '<option value="requirement" selected>' in visit.do("preview", **asked).body.decode()
    # A file is found as saving finds it: by the end of its path.
    said = visit.do("preview", text="The lid of the session is blue", files="session.py")
    shown = read(said.body.decode()).text
    assert "session.py → src/auth/session.py" in shown
    assert "is not in the project" not in shown
    said = visit.do("remember", text="The lid of the session is blue", files="session.py")
    assert "src/auth/session.py still matches" in read(visit.page(said.headers["location"])).text
    visit.do("undo")


def test_all_sessions_of_a_time_are_on_one_page_with_their_digests(visit: Visit) -> None:
    asked = visit.page("/ui/ask?q=what+did+we+do+lately")
    link = re.search(r'href="(/ui/sessions[^"]*when=lately)"', asked)
    assert link is not None
    then = visit.page(link.group(1).replace("&amp;", "&"))
    assert all(f'data-row="{session}"' in then for session, _ in SESSIONS)
    assert read(then).text.count("tests passed") == len(SESSIONS)
    before = visit.page("/ui/sessions?when=last+month")
    assert "0 sessions:" in before
    assert "data-row" not in before


def test_a_question_for_sessions_gets_what_was_asked_and_done(visit: Visit) -> None:
    answer = visit.page("/ui/ask?q=what+did+we+do+lately")
    told = read(answer).text.partition("How it was found")
    assert all(prompt in told[0] for _, prompt in SESSIONS)
    assert "tests passed" in told[0]
    assert "Session of" not in told[0].partition("quoted;")[2].partition("fact")[0]
    assert "a session that was asked for" in told[2].partition("Each stage")[0]


def test_a_time_is_told_with_its_days_and_what_was_decided(pages: Pages, visit: Visit) -> None:
    session, text = SESSIONS[0][0], "We chose a table over Redis, since restarts lose nothing then"
    with Bowerbird.open(pages.shop.store, project="shop") as bird:
        whole = next(one.session for one in bird.sessions().sessions if one.session == session)
        id = bird.acting(Who(USER, USER)).remember(text, kind="decision", session=whole).id
        try:
            for page in ("/ui/ask?q=what+did+we+do+lately", "/ui/sessions?when=lately"):
                told = visit.page(page).partition("How it was found")[0]
                assert text in told.partition("Decided")[2]
            assert text in visit.page(f"/ui/s/{session}").partition("Decided")[2]
            week = read(visit.page("/ui/sessions?when=last+week")).text
            assert re.search(r"last week.{0,3} \d+ \w+ – \d+ \w+", week, re.IGNORECASE)
        finally:
            bird.admin.erase([id])


def test_another_number_of_the_same_is_marked_where_two_are_related(pages: Pages) -> None:
    visit = pages.visit(project=pages.shop.folder / "mast")
    (pages.shop.folder / "mast" / ".git").mkdir(parents=True)
    here = f"path:{pages.shop.folder / 'mast'}"
    with Bowerbird.open(pages.shop.store, project=here) as opened:
        bird = opened.acting(Who(USER, USER))
        one = bird.remember("The checkout API listens on port 6380.").id
        text = (
            "The checkout service API is reachable on port 6432 since the move to the new cluster."
        )
        foreseen = read(visit.do("preview", text=text).body.decode()).text
        assert "another number: port 6432 / port 6380" in foreseen
        other = bird.remember(text)
        assert [match.relation for match in other.matched] == ["related_to"]
        assert "another number: port 6380 / port 6432" in read(visit.page(f"/ui/m/{one}")).text
        asked = read(visit.page("/ui/ask?q=on+which+port+is+the+checkout+API")).text
        assert "another number: port 6432 / port 6380" in asked
        bird.admin.erase([one, other.id])


def test_a_week_is_asked_for_in_the_languages_that_questions_have(visit: Visit) -> None:
    answer = visit.page(f"/ui/ask?q={quote('qu’avons-nous fait cette semaine ?')}")
    assert all(prompt in answer.partition("How it was found")[0] for _, prompt in SESSIONS)
    answer = visit.page(f"/ui/ask?q={quote('¿qué hicimos esta semana?')}")
    (then,) = re.findall(r'href="([^"]+[?&;]when=[^"]+)"', answer)
    listed = visit.page(then.replace("&amp;", "&"))
    assert all(f'data-row="{session}"' in listed for session, _ in SESSIONS)


def test_what_is_right_goes_in_with_one_step_and_replaces_what_was_wrong(
    pages: Pages, visit: Visit
) -> None:
    wrong = "The gate of the yard is painted green every 6 years"
    right = wrong.replace("6", "4")
    shop = pages.shop
    with Bowerbird.open(shop.store, project=f"path:{shop.project}") as opened:
        bird = opened.acting(Who(USER, USER))
        id = bird.remember(wrong, kind="procedure", tags=["yard"]).id
        about = {"id": id, "what": "right", "back": f"/ui/m/{id}"}
        visit.do("flag", right=wrong, **about)
        assert "says the same" in visit.page(f"/ui/m/{id}/wrong")
        said = visit.do("flag", right=right, **about)
        page = read(visit.page(said.headers["location"])).text
        assert "Corrected" in page
        assert f"this replaces {wrong} replaced" in " ".join(page.split())
        (new,) = bird.list(tags=["yard"])
        assert (new.text, new.kind) == (right, "procedure")
        assert bird.get(id).state == "superseded"
        visit.do("undo", back="/ui/memories")
        assert [one.text for one in bird.list(tags=["yard"])] == [wrong]
        bird.forget(id)


def test_a_page_says_why_a_memory_was_told_and_how_agents_are_told_it_no_more(
    pages: Pages, visit: Visit
) -> None:
    shop, text = pages.shop, "Commit messages are written in the imperative mood"
    elsewhere = shop.folder / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)
    # It begins before there is the memory, which its start would tell.
    begun = {"session_id": "quiet-1", "cwd": str(shop.project), "source": "startup"}
    started = json.dumps(begun | {"hook_event_name": "SessionStart"})
    shop.run("hook", "claude-code", "SessionStart", given=started)
    with Bowerbird.open(shop.store, project="global") as bird:
        id = bird.acting(Who(USER, USER)).remember(text, review="is it so?").id
        bird.acting(Who(USER, USER)).edit(id, review="")
    number = 0

    def told(folder: Path) -> bool:
        """Whether the next session there is told it, at a prompt that asks for it."""
        nonlocal number
        number += 1
        asked = {"session_id": f"quiet-{number}", "cwd": str(folder)}
        asked |= {"prompt": "how are the commit messages to be written in the imperative?"}
        event = "UserPromptSubmit"
        payload = json.dumps(asked | {"hook_event_name": event})
        return text in shop.run("hook", "claude-code", event, given=payload)

    def says(page: str) -> str:
        return " ".join(read(visit.page(page)).text.split())

    assert told(shop.project)
    assert told(elsewhere)
    for page in (f"/ui/m/{id}", "/ui/s/quiet-1"):
        assert "shares with it: Commit, messages, written, imperative · relevance" in says(page)
        assert "Not in shop Never by itself True, but keep it quiet" in says(page)
    form = {"id": id, "back": f"/ui/m/{id}"}
    visit.do("quiet", **form, where="here", project=f"path:{shop.project}")
    assert "are not told it by itself in shop." in says(f"/ui/m/{id}")
    assert (told(shop.project), told(elsewhere)) == (False, True)
    assert text in shop.run("query", "commit messages imperative")
    why = shop.run("why", "how are the commit messages to be written in the imperative?")
    assert "is kept quiet in this project" in why
    visit.do("quiet", **form, where="everywhere")
    assert (told(shop.project), told(elsewhere)) == (False, False)
    visit.do("undo", back=f"/ui/m/{id}")
    assert told(elsewhere)
    visit.do("quiet", **form, where="again")
    assert told(shop.project)
    visit.do("quiet", **form, where="true")
    with Bowerbird.open(shop.store, project="global") as bird:
        details = bird.get(id).details
        assert details is not None
        assert (details.fields.verified, details.fields.quiet_in) == (True, ("*",))
        assert told(shop.project) is False
        visit.do("undo", back=f"/ui/m/{id}")
        details = bird.get(id).details
        assert details is not None
        assert (details.fields.verified, details.fields.quiet_in) == (False, ())
    assert told(shop.project)
    # Nowhere is named: nothing is done.
    for given in ({"where": "here"}, {"where": "above"}):
        assert visit.do("quiet", **form, **given).status == 303
        assert "it was not said where to keep it quiet" in says(f"/ui/m/{id}")
    shop.run("forget", id)


def test_what_an_agent_was_told_stays_what_it_was_told_then(pages: Pages, visit: Visit) -> None:
    shop = pages.shop
    said = "The weighbridge listens on port {} of the gatehouse"
    with Bowerbird.open(shop.store, project=f"path:{shop.project}") as opened:
        bird = opened.acting(Who(USER, USER))
        id = bird.remember(said.format(6380)).id
        other = bird.remember("The weighbridge of the gatehouse has a port for barges").id

        def ask(session: str) -> None:
            event = {"session_id": session, "cwd": str(shop.project)}
            event |= {"prompt": "which port of the gatehouse is the weighbridge on?"}
            payload = json.dumps(event | {"hook_event_name": "UserPromptSubmit"})
            assert "weighbridge" in shop.run(
                "hook", "claude-code", "UserPromptSubmit", given=payload
            )

        ask("bridge-1")
        stopped = {"session_id": "bridge-1", "cwd": str(shop.project), "hook_event_name": "Stop"}
        stopped |= {"last_assistant_message": f"By [Memory #{id}] it is 6380."}
        shop.run("hook", "claude-code", "Stop", given=json.dumps(stopped))
        bird.edit(id, said.format(6432))
        ask("bridge-2")
        # Another field is no correction.
        bird.edit(id, pinned=True)
        before, after = (
            " ".join(read(visit.page(f"/ui/s/bridge-{n}")).text.split()) for n in (1, 2)
        )
        now = f"corrected since, it says now: {said.format(6432)}"
        listed, _, told = before.partition("What was asked, and what the agent was told")
        assert f"{said.format(6380)} " in told.partition(now)[0], told
        assert f"{said.format(6380)} " in listed.partition(now)[0], listed  # what it cited
        assert (told.count(now), listed.count(now)) == (1, 1)
        assert "corrected since" not in after
        assert "6380" not in after
        own = " ".join(read(visit.page(f"/ui/m/{id}")).text.split())
        assert own.count(f"It said then: {said.format(6380)}") == 1
        bird.forget_all([id, other], "")


def test_a_time_without_sessions_is_said_first(visit: Visit) -> None:
    answer = read(visit.page("/ui/ask?q=what+did+we+do+in+may+2019")).text
    assert "No session is on record from 1 May 2019 to 31 May 2019" in answer.partition("quoted")[0]
    assert "All sessions of" not in answer


def test_what_sessions_were_about_stands_among_sessions_not_among_memories(visit: Visit) -> None:
    page = visit.page("/ui/memories")
    assert "session digest" not in page
    nav = re.search(r'data-count="memories">([^<]+)<', page)
    heading = re.search(r"<h1[^>]*>Memories <small>([^<]+)<", page)
    assert nav is not None
    assert heading is not None
    assert nav.group(1) == heading.group(1)
    assert SESSIONS[0][1] in visit.page("/ui/memories?q=kind:session_digest")


def test_activity_is_narrowed_to_one_who_changed_something(pages: Pages, visit: Visit) -> None:
    with Bowerbird.open(pages.shop.store, project=f"path:{pages.shop.project}") as opened:
        # The latest changes are shown: those of other tests may be all of them.
        for who in (Who("agent", "agent"), Who(USER, USER)):
            opened.acting(who).remember(f"The lockkeeper of {who.actor}s sleeps till nine")
    whole = visit.page("/ui/activity")
    assert 'href="/ui/activity?by=agent"' in whole
    assert 'href="/ui/activity?by=user"' in whole
    narrowed = visit.page("/ui/activity?by=agent")
    assert "Changes by <b>" in narrowed
    rows = re.findall(r'<td class="muted">(.*?)</td>', narrowed)
    assert rows
    assert all("agent" in one for one in rows)
    assert len(re.findall(r"data-row=", narrowed)) == len(rows)


def test_what_two_are_to_each_other_from_both_ends_is_told_once(pages: Pages, visit: Visit) -> None:
    with Bowerbird.open(pages.shop.store, project=f"path:{pages.shop.project}") as bird:
        one, other = (
            bird.remember(text, kind="fact").id
            # Nothing else in the shop is near either, so that admission relates them to nothing.
            for text in ("Ferries to Zanzibar sail at noon", "Walnuts are cracked by rooks")
        )
        bird.link(one, other, "related_to")
        bird.link(other, one, "related_to")
        linked = [one.kind for one in bird.history(one).relations].count("related_to")
        page = visit.page(f"/ui/m/{one}")
        drawn = visit.page(f"/ui/graph?around={one}")
        bird.admin.erase([one, other])
    assert linked == 2
    assert page.count("Walnuts are cracked by rooks</a>") == 1
    assert drawn.count('class="link"') == 1


def test_ask_gives_the_hits_of_query_in_their_order(pages: Pages, visit: Visit) -> None:
    # Of what has hardly an answer the last digit decides whether the nearest are named.
    for question in (
        "the staging database listens on which port",
        "are product names matched without accents",
        "xylophone quartz meringue",
    ):
        page = visit.page(f"/ui/ask?q={quote(question)}")
        given = re.findall(r'data-row="([^"]+)"', page.partition("How it was found")[0])
        hits = json.loads(pages.shop.run("query", question, "--format", "json"))["data"]
        assert given == [one["id"] for one in hits["results"]]
        assert ("Nothing certain" in page) == hits["unsure"]
        assert f"$ bower query &#39;{question}&#39;" in page


def test_words_that_no_memory_says_are_answered_by_what_is_close(visit: Visit) -> None:
    page = visit.page("/ui/memories?q=redis+timeout+seconds")
    assert "No memory says" in page
    close = read(page.partition("Close to it")[2]).text
    assert KEPT in close
    assert "1.00" in close  # how sure it is, as in any list


def test_a_day_in_a_question_that_asks_for_no_sessions_tells_of_none(visit: Visit) -> None:
    page = read(visit.page("/ui/ask?q=may+I+deploy+on+Friday")).text
    assert "never on a Friday" in page
    assert "session" not in page.partition("quoted;")[2].lower().partition("how it was found")[0]
    assert "No session is on record" not in page


def test_sessions_say_what_was_told_in_full_and_health_leads_to_those_that_used_none(
    pages: Pages, visit: Visit
) -> None:
    page = read(visit.page(f"/ui/s/{SESSIONS[0][0]}")).text
    assert "confidence " in page.partition("What was asked")[2]
    kept = read(visit.page(f"/ui/m/{pages.shop.ids[KEPT]}")).text
    assert SESSIONS[0][1] in kept.partition("Found, told, cited")[2]
    health = visit.page("/ui/")
    unhelped = re.search(r'href="([^"]+used%3Ano[^"]*)">(\d+) sessions? cited none', health)
    assert unhelped is not None
    listed = visit.page(unhelped.group(1).replace("&amp;", "&"))
    assert len(re.findall(r"<tr data-row=", listed)) == int(unhelped.group(2))


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</textarea></script><script>alert(1)</script>",
    '" autofocus onfocus=alert(1) x="',
    "{{ 7 * 70007 }}{% raw %}",
    "abc\u202egpj.exe\u200b",
)


def test_stored_text_is_text_in_every_field_of_every_page(pages: Pages, visit: Visit) -> None:
    where = pages.shop.project
    names = [bad.replace("/", "") for bad in HOSTILE]
    fields: dict[str, Any] = {"tags": [*HOSTILE], "modules": [*HOSTILE], "files": names}
    with Bowerbird.open(pages.shop.store, project=f"path:{where}") as opened:
        bird = opened.acting(Who(USER, USER))
        kept = [
            bird.remember(f"Hostile {bad} end", session=name, **fields).id
            for bad, name in zip(HOSTILE, names, strict=True)
        ]
        for id, bad in zip(kept, HOSTILE, strict=True):
            bird.flag(id, bad)
        found = [f"/ui/{page}{id}" for page in ("m/", "review/") for id in kept]
        for page in (
            *found, "/ui/", "/ui/memories", "/ui/activity", f"/ui/m/{kept[0]}/edit", "/ui/ask?q=hostile",
            f"/ui/graph?around={kept[0]}", "/ui/modules", "/ui/sessions", "/ui/review",
        ):  # fmt: skip
            text = visit.page(page)
            assert "Something keeps" not in text, read(text).text[:900]
            assert not read(text).harm, page
            assert not re.search("[\u202e\u200b]|490049", text), page
        bird.admin.erase(kept)


def test_languages_say_the_same_things() -> None:
    english, *others = (Language(name) for name in available())
    assert others
    for other in others:
        assert set(other.texts) == set(english.texts)
        for key, text in english.texts.items():
            fields = re.findall(r"{(\w+)}", text)
            assert sorted(set(fields)) == sorted(set(re.findall(r"{(\w+)}", other.texts[key]))), key


def reasons() -> Iterator[str]:
    """What the product says of a memory in whole sentences: why it was decided so, waits, or was told."""
    source = Path(bowerbird.__file__).parent
    rooms = ("lifecycle/*.py", "sessions/inject/*.py", "verbs/learning.py", "verbs/work_units.py")
    yield ON_ASKING
    for path in (one for room in rooms for one in source.glob(room)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said: list[ast.expr] = []
            if isinstance(node, ast.DictComp):
                said = [node.value]
            elif isinstance(node, ast.Assign):
                named = ast.unparse(node.targets[0]).strip("'\"]").rpartition("[")[2]
                said = [node.value] if named.strip("'\"") in {"reason", "review", "why"} else []
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                said = node.args[1:2] if name in {"Verdict", "take"} else []
                said += [one.value for one in node.keywords if one.arg in {"reason", "review"}]
            either = (
                [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one] for one in said
            )
            yield from filter(None, (sentence(one) for some in either for one in some))


def sentence(node: ast.expr) -> str:
    """A sentence of several words, with something of its sort in each place; empty for anything else."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    found, own = "", ""
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            asked = ast.unparse(part.value)
            found += next((one for name, one in FILLED.items() if name in asked), "019a2f6c-81d4")
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found, own = found + part.value, own + part.value
        else:
            return ""
    return found if " " in own.strip() else ""


def test_french_has_its_spaces_and_every_reason_of_the_product() -> None:
    french = Language("fr")
    assert [one for one in {*reasons()} if french.told(one) == one] == []
    told = "replaces an older one: it holds the older one word for word, and says more"
    assert french.told(told).startswith("remplace un plus ancien\u202f: il reprend")
    words = [*french.texts.values(), *(here for _, here in (*french._told, *french._failed))]
    bare = r"(?<!sha256)(?<!\u202f)[;:?!»](\s|$)|«(?!\u202f)"
    assert [one for one in words if re.search(bare, one)] == []


def test_no_page_in_french_says_an_english_word(pages: Pages) -> None:
    visit = pages.visit()
    visit.do("language", language="fr")
    english, french = Language("en"), Language("fr")
    texts = {key: one for key, one in english.texts.items() if french.texts[key] != one}
    parts = {key: max(re.split(r"{\w+}", one), key=len).strip() for key, one in texts.items()}
    # A word that French has, too, such as "active", or that an address may hold, proves nothing.
    known = {key: one for key, one in parts.items() if len(one) > 6 and " " in one}
    where = {**addresses(pages), "session 2": f"/ui/s/{SESSIONS[1][0]}", "edited": "/ui/m/"}
    where["edited"] += next(id for text, id in pages.shop.ids.items() if text.startswith("Prices"))
    found: dict[str, set[str]] = {}
    for name, address in where.items():
        page = Spoken()
        page.feed(visit.page(address))
        said = {key for key, one in known.items() if re.search(rf"\b{re.escape(one)}\b", page.own)}
        said |= {one for one in texts.values() if len(one) > 7} & {*page.own.split("\n")}
        # What a verb says and nobody translated is marked as English; what a person wrote is theirs.
        said |= {one for one in page.english if one not in {"English", "counted again"}}
        found |= {name: said} if said else {}
    assert found == {}


class Spoken(HTMLParser):
    """What a page says itself, without what is quoted, and what it marks as English."""

    def __init__(self) -> None:
        super().__init__()
        self.own = ""
        self.english: list[str] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"input", "meta", "link", "br", "line", "rect", "circle", "polyline"}:
            self._open.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(own.get("lang") == "en" for _, own in self._open[1:]):
            self.english.append(data)
        elif not any(
            own.get("translate") == "no" or tag in {"code", "kbd", "title", "textarea", "svg"}
            for tag, own in self._open
        ):
            self.own += data.strip() + "\n"


def test_templates_name_texts_that_there_are_and_mark_nothing_safe() -> None:
    english = Language("en")
    for path in HERE.rglob("*"):
        if path.suffix not in {".html", ".py"}:
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|Markup\(|autoescape false", text), path
        for key in re.findall(r"""\bt\(["']([\w.]+)["'][,)]""", text):
            assert key in english.texts or f"{key}.other" in english.texts, (path, key)


def test_numbers_ages_and_languages_are_written_as_their_readers_do() -> None:
    english, french = Language("en"), Language("fr")
    assert english.number(1234.5, 1) == "1,234.5"
    assert french.number(1234.5, 1) == "1\u202f234,5"
    assert french.say("memory.times", n=0) == french.say("memory.times", n=1).replace("1", "0")
    now = 1_795_000_000_000
    ages = [english.age(now - minutes * 60_000, now) for minutes in (0, 15, 20, 59, 60, 125, 1439)]
    assert ages == [
        "just now", "15 min ago", "20 min ago", "59 min ago", "1 h ago", "2 h ago", "23 h ago",
    ]  # fmt: skip
    assert english.age(now - 86_400_000, now) == english.day(now - 86_400_000)
    said = french.told("another number: “5433” and “5432”")
    assert "5433" in said  # a number of a text stays as it is written there
    assert french.told("called wrong: it is no longer true: we moved").endswith(": we moved")
    assert french.figures("100 x (0.3 x 0.98)") == "100 x (0,3 x 0,98)"
    assert preferred("de;q=0.9, fr;q=0.8, en;q=0.1", ("en", "fr")) == "fr"
    assert preferred("de, x;q=high", ("en", "fr")) == "en"


def test_what_hides_is_shown_and_spans_are_marked() -> None:
    assert plain("a\u202eb") == "a‹right-to-left override›b"
    assert marked("30 s", [(0, 2)]) == [("30", True), (" s", False)]


def test_pages_speak_the_language_of_their_reader(pages: Pages) -> None:
    visit = pages.visit()
    assert '<html lang="fr">' in visit.page("/ui/", Accept_Language="fr-CH, en;q=0.5")
    visit.do("language", language="en")
    assert '<html lang="en">' in visit.page("/ui/", Accept_Language="fr")


def test_health_says_only_what_is_lacking_for_a_number(pages: Pages) -> None:
    project = pages.shop.folder / "weir"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))

        def says(what: str, language: str = "en") -> bool:
            # On a busy machine a page does not wait for its counts: a later one has them.
            shown = (read(visit.page("/ui/", Accept_Language=language)).text for _ in range(100))
            return any(what in " ".join(text.split()) for text in shown)

        others = len(bird.list())  # what other tests left for all projects
        ids = [bird.remember(f"Weir {n} is {n + 3} feet high").id for n in range(20)]
        assert says("Too early for a number: 0 of the 3 parts that it takes can be judged.")
        assert says("nombre : 0 des 3 parties qu’il faut peuvent être jugées.", "fr")
        bird.forget_all(ids[3:], "")
        assert says(f"Too early for a number: {3 + others} of the 20 memories that it takes.")
        bird.forget_all(ids[:3], "")


def test_health_counts_what_waits_as_review_does_and_leads_to_what_was_corrected(
    pages: Pages,
) -> None:
    project = pages.shop.folder / "sluice"
    (project / ".git").mkdir(parents=True)
    visit = pages.visit(project=project)
    with Bowerbird.open(pages.shop.store, project=f"path:{project}") as opened:
        bird = opened.acting(Who(USER, USER))
        agent = opened.acting(Who(AGENT, AGENT))
        ids = [agent.remember(f"Lock {n} opens at {n + 6}", review="asked").id for n in range(3)]
        told = bird.remember("The lock is filled at noon", kind="fact").id
        outcomes = opened._wiring.opened.outcomes
        at = opened._wiring.opened.clock() - 60_000
        about = {"session": "s", "given": [told], "cited": []}
        outcomes.add(bird.project.uid, 1, "used", at, **about)
        bird.forget(ids[0])
        visit.do("flag", id=told, what="right", right="The lock is filled at one")
        health = visit.page("/ui/")
        assert ">2 wait<" in health
        assert "1 forgotten undecided" in read(health).text
        link = re.search(r'href="([^"]+)">1 corrected<', health)
        assert link is not None
        listed = visit.page(link.group(1).replace("&amp;", "&"))
        assert re.findall(r'data-row="([^"]+)"', listed) == [told]
        # Nobody connected an agent here: the first steps are one click away.
        assert ("No agent is connected yet" in health) == (
            not bird.admin.sessions(limit=1).sessions
        )


def test_how_the_score_is_computed_is_folded_and_evaluates(visit: Visit) -> None:
    page = visit.page("/ui/")
    folded = page.partition("<summary>How it is computed</summary>")[2].partition("</details>")[0]
    said = re.search(r"100 × \(([\d.×+ ]+)\) = (\d+)", folded)
    assert said is not None
    terms = [[float(one) for one in term.split("×")] for term in said.group(1).split("+")]
    assert round(100 * sum(weight * share for weight, share in terms)) == int(said.group(2))
    assert "The weights are ours" in folded
    assert "Tokens saved:" in folded
    assert page.count("100 × (") == 1
