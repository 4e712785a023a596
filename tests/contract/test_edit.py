"""Another text or other fields for a memory: the same one, found by what it says now, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.core.errors import BadInput, Denied, NotFound
from bowerbird.core.who import USER, Who

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.memory import Memory

FACT = "The ledger service listens on port 5432"
OTHER = "The ledger service listens on port 6543 since the move"
AGENT = Who("agent:ada", "agent", session="s1", reader="s1")


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened.acting(Who(USER, USER))


def both(bird: Bowerbird, client: Client) -> tuple[Memory, Memory]:
    """The types agree: whoever takes a Memory runs over either."""
    return bird, client


def found(bird: Bowerbird, text: str) -> list[str]:
    return [hit.text for hit in bird.query(text, memories_only=True)]


def test_it_keeps_its_id_and_history_and_is_found_by_what_it_says_now(bird: Bowerbird) -> None:
    kept = bird.remember(FACT, tags=["ports"])
    done = bird.edit(kept.id, OTHER, reason="it moved")
    assert (done.id, done.trust) == (kept.id, "full")
    # What follows from the text was not asked for.
    assert done.changed == ("text",)
    entry = bird.get(kept.id)
    assert (entry.text, entry.tags, entry.state) == (OTHER, ("ports",), "active")
    first, last = bird.history(kept.id).versions
    assert (first.text, last.text, last.reason) == (FACT, OTHER, "it moved")
    assert found(bird, "6543 since the move") == [OTHER]
    assert OTHER in found(bird, "which port does the ledger use?")
    assert bird.remember(FACT).decision != "known"


def test_what_the_former_text_said_besides_is_named(bird: Bowerbird) -> None:
    kept = bird.remember(f"{FACT}. Tom looks after its backups.")
    assert bird.edit(kept.id, OTHER).left_behind == "Tom looks after its backups."
    assert bird.edit(kept.id, FACT).left_behind == ""
    assert bird.edit(kept.id, tags=["ports"]).left_behind == ""


def test_models_read_the_new_text(bird: Bowerbird) -> None:
    kept = bird.remember("Deploys happen on Mondays")
    bird.edit(kept.id, "Refunds take two weeks")
    hits = bird.query("how long until I get my money back?", memories_only=True)
    assert [hit.id for hit in hits] == [kept.id]
    assert hits[0].semantic > 0
    assert bird.admin.reindex() == 0
    assert bird.admin.verify().sound


def test_fields_alone(bird: Bowerbird) -> None:
    kept = bird.remember(FACT, tags=["a", "b"])
    done = bird.edit(kept.id, tags=["c"], kind="decision", pinned=True)
    assert {*done.changed} == {"tags", "kind", "pinned"}
    entry = bird.get(kept.id)
    assert (entry.text, entry.tags, entry.kind) == (FACT, ("c",), "decision")
    assert bird.list(tags=["a"]) == []
    assert bird.edit(kept.id, tags=["c"]).changed == ()


def test_it_is_taken_back(bird: Bowerbird) -> None:
    kept = bird.remember(FACT)
    bird.edit(kept.id, OTHER)
    bird.edit(kept.id, tags=["x"])
    assert bird.revert(kept.id).id == kept.id
    assert bird.get(kept.id).text == OTHER
    bird.revert(kept.id)
    assert bird.get(kept.id).text == FACT
    assert found(bird, "5432") == [FACT]
    assert found(bird, "6543") in ([], [FACT])
    assert bird.admin.reindex() == 0
    assert bird.admin.verify().sound
    first = bird.history(kept.id).versions[1].id
    bird.revert(kept.id, first)
    assert bird.get(kept.id).text == OTHER


def test_secrets_are_taken_out(bird: Bowerbird) -> None:
    kept = bird.remember(FACT)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = bird.edit(kept.id, f"The ledger takes the token {secret}", reason=f"with {secret}")
    assert done.redacted
    history = bird.history(kept.id)
    assert secret not in str([*history.versions, *history.events, bird.get(kept.id)])


def test_an_agent_edits_what_agents_said_and_nothing_that_is_believed_more(bird: Bowerbird) -> None:
    mine = bird.remember(FACT, verified=True)
    theirs = bird.remember("The till prints at noon", origin="agent")
    agent = bird.acting(AGENT)
    with pytest.raises(Denied, match="trusted more"):
        agent.edit(mine.id, OTHER)
    with pytest.raises(Denied):
        agent.edit(mine.id, tags=["mine"])
    with pytest.raises(BadInput, match="only a person can verify"):
        agent.edit(theirs.id, verified=True)
    assert agent.edit(theirs.id, "The till prints at one").trust == "normal"
    assert bird.edit(theirs.id, "The till prints at two").trust == "normal"
    assert bird.get(mine.id).text == FACT
    assert bird.history(theirs.id).events[1].actor == "agent:ada"


def test_what_is_made_of_text_from_outside_is_trusted_no_more_than_that(bird: Bowerbird) -> None:
    theirs = bird.remember("The till prints at noon", origin="agent")
    with pytest.raises(Denied):
        bird.edit(theirs.id, "The till prints never", origin="tool_external")
    assert bird.get(theirs.id).trust == "normal"


def test_what_cannot_be(bird: Bowerbird) -> None:
    kept = bird.remember(FACT)
    twin = bird.remember("The till prints at noon")
    with pytest.raises(BadInput, match="says that already"):
        bird.edit(kept.id, "The till prints at noon")
    with pytest.raises(NotFound):
        bird.edit("019a2f6c-81d4-7000-8000-000000000000", OTHER)
    with pytest.raises(BadInput):
        bird.edit(kept.id, " ")
    bird.forget(twin.id)
    with pytest.raises(BadInput, match="is forgotten"):
        bird.edit(twin.id, OTHER)
    with pytest.raises(Denied):
        bird.acting(Who("agent", "agent", may_write=False)).edit(kept.id, OTHER)


def test_a_new_text_is_compared_with_the_other_memories(bird: Bowerbird) -> None:
    kept = bird.remember(FACT)
    other = bird.remember("The parser lives in src/read.py")
    done = bird.edit(other.id, "The ledger service listens on port 6432")
    (match,) = done.matched
    assert (match.id, match.relation) == (kept.id, "contradicts")
    assert {one.id for one in bird.list(needs_review=True)} == {kept.id, other.id}
    bird.revert(other.id)
    assert not list(bird.list(needs_review=True))
    assert bird.get(other.id).text == "The parser lives in src/read.py"
    assert bird.get(other.id).contest is None


def test_what_another_memory_says_already_is_told(bird: Bowerbird) -> None:
    known = bird.remember("Deploys go out on Tuesdays. The smoke tests run before.")
    other = bird.remember("The parser lives in src/read.py")
    done = bird.edit(other.id, "Deploys go out on Tuesdays")
    assert [one.id for one in done.matched] == [known.id]
    assert [one.kind for one in bird.history(other.id).relations] == ["related_to"]
    more = bird.edit(other.id, "Deploys go out on Tuesdays. The smoke tests run before. Ask Mia.")
    assert [one.id for one in more.matched] == [known.id]
    assert not list(bird.list(needs_review=True))


def test_an_edit_that_keeps_the_contradiction_says_it_once(bird: Bowerbird) -> None:
    bird.remember(FACT)
    other = bird.remember("The ledger service listens on port 6432")
    bird.edit(other.id, "The ledger service listens on port 6433")
    assert len(bird.history(other.id).relations) == 1
    assert len(list(bird.list(needs_review=True))) == 2


def test_an_agent_s_edit_is_compared_too(bird: Bowerbird) -> None:
    bird.remember(FACT)
    agent = bird.acting(AGENT)
    other = agent.remember("The parser lives in src/read.py")
    done = agent.edit(other.id, "The ledger service listens on port 6432")
    assert [one.relation for one in done.matched] == ["contradicts"]
    assert other.id in {one.id for one in bird.list(needs_review=True)}
