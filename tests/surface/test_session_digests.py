"""The digest of each session in the store: made by learning, one a session, kept like any memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.test_learn import Talk

from bowerbird import Bowerbird
from bowerbird.sessions.observe.journal import Journal
from bowerbird.surfaces.mcp.answer import answer
from bowerbird.surfaces.mcp.tool import OFFERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.conftest import Ran

_KIND = "session_digest"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def _limited(tmp_path: Path, session: str = "s1", day: int = 3) -> Talk:
    talk = Talk(session, tmp_path, day).say("Add a rate limit to the login page")
    talk.call("Edit", {"file_path": str(tmp_path / "login.py"), "old_string": "a"}, "done")
    return talk.run("pytest -q", "3 passed in 0.10s").record("assistant", "The limit works now.")


def _digests(bird: Bowerbird, **about: Any) -> list[Any]:
    return [*bird.list(kinds=[_KIND], **about)]


def _payload(bird: Bowerbird, id: str) -> dict[str, Any]:
    details = bird.get(id).details
    assert details is not None
    assert details.fields.payload is not None
    return details.fields.payload


def test_learning_keeps_a_digest_with_the_date_of_its_session(
    bird: Bowerbird, tmp_path: Path
) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    (digest,) = _digests(bird)
    assert digest.text.startswith(
        "Session of 3 January 2026. Asked: “Add a rate limit to the login"
    )
    assert digest.created == 1_767_434_405_000
    assert digest.trust == "normal"
    assert digest.state == "active"
    assert not digest.review
    payload = _payload(bird, digest.id)
    assert payload["session"] == "s1"
    assert payload["files"] == ["login.py"]


def test_a_session_that_goes_on_has_one_digest(bird: Bowerbird, tmp_path: Path) -> None:
    talk = _limited(tmp_path)
    bird.admin.learn(talk.put(tmp_path / "talks"), ended=False)
    (before,) = _digests(bird)
    talk.say("Now limit the password resets too").run("pytest -q", "1 failed in 0.10s")
    bird.admin.learn(talk.put(tmp_path / "talks"))
    (after,) = _digests(bird)
    assert after.id == before.id
    assert "password resets" not in before.text
    assert "password resets" in after.text
    assert "tests failed" in after.text


def test_sessions_that_went_alike_have_a_digest_each(bird: Bowerbird, tmp_path: Path) -> None:
    for session, day in (("s1", 3), ("s2", 4)):
        bird.admin.learn(_limited(tmp_path, session, day).put(tmp_path / "talks"))
    newer, older = _digests(bird)
    assert newer.created > older.created
    assert not bird.get(newer.id).linked
    assert not bird.get(older.id).review


def test_no_belief_is_compared_with_a_digest(bird: Bowerbird, tmp_path: Path) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    (_digest,) = _digests(bird)
    done = bird.remember("Add a rate limit to the login page")
    assert done.decision == "created"
    assert not done.matched


def test_a_session_that_was_learned_from_before_gets_its_digest(
    bird: Bowerbird, tmp_path: Path, store_path: str
) -> None:
    path = _limited(tmp_path).put(tmp_path / "talks")
    bird.admin.learn(path)
    (digest,) = _digests(bird)
    bird.admin.erase(digest.id)
    store = bird._wiring.writer()
    with store.transaction():
        for session, line in store.digests.all().items():
            store.digests.put(session, line.replace('"told":true', '"told":false'))
    bird.admin.learn(path)
    assert len(_digests(bird)) == 1


def test_a_digest_that_was_forgotten_or_erased_does_not_come_back(
    bird: Bowerbird, tmp_path: Path
) -> None:
    talk = _limited(tmp_path)
    path = talk.put(tmp_path / "talks")
    bird.admin.learn(path)
    (digest,) = _digests(bird)
    bird.forget(digest.id)
    bird.admin.learn(path)
    talk.say("Now limit the password resets too").run("pytest -q").put(tmp_path / "talks")
    bird.admin.learn(path)
    assert not _digests(bird)


def _reset(tmp_path: Path, session: str, day: int) -> Talk:
    talk = Talk(session, tmp_path, day).say("Let people reset their forgotten password")
    return talk.run("pytest -q", "1 failed in 0.10s")


@pytest.mark.parametrize(
    "question",
    [
        "where did we leave off?",
        "what did you do in the previous session?",
        "was haben wir letztes Mal gemacht?",
        "good morning! where were we?",
        "Guten Morgen, wo waren wir stehengeblieben?",
        "Salut ! On en était où ?",
        "Buenos días, ¿dónde lo dejamos?",
        "Buongiorno, dove eravamo rimasti?",
        "Goedemorgen, waar waren we gebleven?",
        "Bom dia, onde é que ficámos?",
    ],
)
def test_a_question_about_earlier_sessions_finds_the_last_digest(
    bird: Bowerbird, tmp_path: Path, question: str
) -> None:
    bird.remember("We did leave the last session store in Redis.")
    bird.admin.learn(_limited(tmp_path, "s1", 3).put(tmp_path / "talks"))
    bird.admin.learn(_reset(tmp_path, "s2", 4).put(tmp_path / "talks"))
    first, second, *others = bird.query(question, weak=True)
    assert "forgotten password" in first.text
    assert "rate limit" in second.text
    relevances = [hit.relevance for hit in (first, second, *others)]
    assert others
    assert relevances == sorted(relevances, reverse=True)


def test_a_day_in_the_question_selects_the_sessions_of_that_day(
    bird: Bowerbird, tmp_path: Path
) -> None:
    for session, day in (("s1", 3), ("s2", 4)):
        talk = (_limited if day == 3 else _reset)(tmp_path, session, day)
        bird.admin.learn(talk.put(tmp_path / "talks"))
    first, *others = bird.query("what did we do on 3 January 2026?")
    assert "rate limit" in first.text
    assert not any(hit.recalled for hit in others)


def test_a_time_without_a_session_is_said_before_what_is_nearest(
    bird: Bowerbird, bower: Callable[..., Ran], tmp_path: Path
) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    asked = ("query", "what did we do in may 2019?", "--project", "shop")
    said = "No session is on record from 1 May 2019 to 31 May 2019"
    for form in ((), ("--digest",), ("--compact",)):
        ran = bower(*asked, *form, "--format", "text")
        assert ran.out.startswith(said)
        assert said not in ran.err
    assert said in bower(*asked, "--format", "markdown").out.partition("Session of")[0]
    assert [one["kind"] for one in bower(*asked).data["remarks"]] == ["nothing_then"]
    offer = OFFERS["memory_search"]
    told = answer(offer.verb, offer.module.run(bird, {"text": asked[1]}), str)
    assert said in told.text.partition("Session of")[0]
    assert said in told.data["notes"][0]
    # Of the time that has one, and where the journal knows one without a digest, nothing is said.
    assert not bird.query("what did we do in january 2026?").notes
    Journal(bird.path).add("claude-code-s9", {"at": 1_557_000_000_000, "what": "prompt"})
    found = bird.query(asked[1])
    assert [one.kind for one in found.notes] == ["undigested"]


def test_sessions_without_a_digest_answer_for_their_time(
    bird: Bowerbird, bower: Callable[..., Ran], tmp_path: Path
) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    line = {
        "at": 1_557_000_000_000,
        "what": "prompted",
        "text": "move the invoices to the new printer",
    }
    Journal(bird.path).add("claude-code-s9", line)
    asked = ("query", "what did we do in may 2019?", "--project", "shop")
    for form in ("text", "markdown"):
        ran = bower(*asked, "--format", form)
        assert "“move the invoices to the new printer”" in ran.out
        assert "rate limit" not in ran.out  # that session was of another time
    offer = OFFERS["memory_search"]
    told = answer(offer.verb, offer.module.run(bird, {"text": asked[1]}), str)
    assert "move the invoices to the new printer" in told.text
    # Beside a session of that time that has one, too.
    line |= {"at": 1_767_500_000_000, "text": "print the labels"}
    Journal(bird.path).add("claude-code-s10", line)
    ran = bower("query", "what did we do in january 2026?", "--project", "shop", "--format", "text")
    assert "rate limit" in ran.out
    assert "“print the labels”" in ran.out


@pytest.mark.parametrize("what", ["what did we ship in january 2026?", "¿qué hicimos en enero?"])
def test_a_question_for_what_was_done_then_needs_no_more_than_the_verb(
    bird: Bowerbird, tmp_path: Path, what: str
) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    assert bird.query(what)[0].recalled


def test_another_question_is_not_answered_by_what_was_done_last(
    bird: Bowerbird, tmp_path: Path
) -> None:
    bird.admin.learn(_reset(tmp_path, "s2", 4).put(tmp_path / "talks"))
    for question in ("what does the previous command print?", "how many sessions may be open?",
                     "may I deploy on Friday", "who is on call today?",
                     "what did we say of the cart in january 2026?",
                     "wo waren die Tests?", "on reprend la mise en page",
                     "guten Morgen, wo liegt der Fehler?", "¿qué hace esta función?"):  # fmt: skip
        assert not any(hit.recalled for hit in bird.query(question))


def test_a_backup_carries_digests(bird: Bowerbird, tmp_path: Path) -> None:
    bird.admin.learn(_limited(tmp_path).put(tmp_path / "talks"))
    bird.admin.backup(tmp_path / "kept.db")
    with Bowerbird.open(tmp_path / "kept.db", project="shop") as other:
        (digest,) = _digests(other)
        assert _payload(other, digest.id)["asked"]
