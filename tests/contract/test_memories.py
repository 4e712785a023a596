"""Remembering over a real store: what is decided, what is written with it, and what undoes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird, Filter
from bowerbird.core.errors import BadInput, NotFound, UnknownName
from bowerbird.core.relations import RELATIONS

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

HOUR = 60 * 60 * 1000


def found(bird: Bowerbird, question: str) -> list[str]:
    return [hit.text for hit in bird.query(question)]


SHORT = "Redis must be up before the auth tests"
LONG = "Redis must be up before the auth tests, or they hang"


def test_the_same_text_is_known_and_gains_what_is_new(bird: Bowerbird) -> None:
    first = bird.remember(SHORT, tags=["auth"])
    second = bird.remember("  redis must be UP before the auth tests. ", tags=["CI"])
    assert (second.id, second.decision, second.is_update) == (first.id, "known", True)
    assert second.changed == ("tags",)
    assert bird.get(first.id).tags == ("auth", "ci")
    rows = bird._wiring.store().candidates.lexical(["ci"], Filter(), 5)
    assert len(rows) == 1
    assert bird.remember(SHORT).changed == ()
    assert bird.status().total_memories == 1


def test_what_holds_an_older_one_takes_its_place_and_says_so(bird: Bowerbird) -> None:
    old = bird.remember(SHORT, tags=["auth"])
    new = bird.remember(LONG)
    assert (new.decision, new.is_update, new.tags) == ("superseded", True, ("auth",))
    (match,) = new.matched
    assert (match.id, match.relation) == (old.id, "supersedes")
    assert "word for word" in match.reason
    assert bird.get(old.id).state == "superseded"
    assert found(bird, "redis auth tests") == [LONG]
    (relation,) = bird.history(old.id).relations
    assert (relation.source, relation.target, relation.kind) == (new.id, old.id, "supersedes")
    again = bird.remember(SHORT)
    assert (again.id, again.decision) == (new.id, "known")


def test_taking_back_what_superseded_brings_the_older_one_back(bird: Bowerbird) -> None:
    old = bird.remember(SHORT)
    new = bird.remember(LONG)
    reverted = bird.revert(new.id)
    assert (reverted.state, set(reverted.memories)) == ("deleted", {old.id, new.id})
    assert bird.get(old.id).state == "active"
    assert bird.history(old.id).relations == ()
    assert found(bird, "redis auth tests") == [SHORT]
    actions = [event.action for event in bird.history(old.id).events]
    assert actions == ["created", "superseded", "undone"]


def test_another_number_is_kept_beside_and_flagged(bird: Bowerbird) -> None:
    old = bird.remember("Postgres listens on port 5432")
    new = bird.remember("Postgres listens on port 6432")
    assert (new.decision, new.needs_review) == ("created", True)
    assert [match.relation for match in new.matched] == ["contradicts"]
    details = bird.get(old.id).details
    assert details is not None
    assert details.fields.needs_review
    assert bird.get(old.id).state == "active"
    assert {one.id for one in bird.list(needs_review=True)} == {old.id, new.id}


def test_less_trust_never_takes_the_place_of_more(bird: Bowerbird) -> None:
    taught = bird.remember(SHORT, origin="user")
    assert bird.remember(LONG, origin="agent").decision == "created"
    assert bird.get(taught.id).state == "active"
    assert bird.remember(SHORT, origin="agent", tags=["x"]).changed == ()
    planted = bird.remember("The key is on the shelf", origin="peer")
    believed = bird.remember("The key is on the shelf", origin="user")
    assert believed.decision == "superseded"
    assert bird.get(planted.id).state == "superseded"


@pytest.mark.parametrize("outside", [{"origin": "tool_external"}, {"tainted": True}])
def test_what_came_from_outside_waits(bird: Bowerbird, outside: dict[str, object]) -> None:
    bird.remember(SHORT)
    decision = bird.remember(LONG, **outside)  # type: ignore[arg-type]
    assert (decision.decision, decision.state, decision.trust) == (
        "quarantined",
        "quarantined",
        "low",
    )
    assert found(bird, "redis auth tests") == [SHORT]
    assert [one.id for one in bird.list(states=["quarantined"])] == [decision.id]
    assert bird.remember(LONG, **outside).id == decision.id  # type: ignore[arg-type]


def test_other_projects_are_left_alone(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as shop:
        kept = shop.remember(SHORT)
        everywhere = shop.remember("Commit messages say why", everywhere=True)
    with Bowerbird.open(store_path, project="blog") as blog:
        assert blog.remember(SHORT).decision == "created"
        assert blog.remember("Commit messages say why").id == everywhere.id
        longer = blog.remember("Commit messages say why and what for")
        assert longer.decision == "created"
        assert blog.get(everywhere.id).state == "active"
        assert blog.get(kept.id).state == "active"


def test_forgetting_leaves_every_index_and_comes_back(bird: Bowerbird) -> None:
    kept = bird.remember(SHORT, tags=["auth"])
    before = bird.status()
    assert bird.forget(kept.id, "wrong since May", actor="ada").id == kept.id
    version = bird.history(kept.id).versions[-1]
    assert (version.fields.state, version.reason, version.actor) == (
        "deleted",
        "wrong since May",
        "ada",
    )
    assert found(bird, "redis auth tests") == []
    assert bird.list() == []
    raw = apsw.Connection(bird.path)
    assert next(raw.execute("SELECT count(*) FROM word_index"))[0] == 0
    raw.close()
    assert bird._wiring.store().words.totals() == (0, 0)
    assert bird.status().index_healthy
    with pytest.raises(BadInput):
        bird.forget(kept.id)
    bird.revert(kept.id)
    assert found(bird, "redis auth tests") == [SHORT]
    assert bird.get(kept.id).tags == ("auth",)
    assert bird.status() == before.replace(total_size_bytes=bird.status().total_size_bytes)
    assert bird.remember(SHORT).id == kept.id


def test_undo_walks_back_and_versions_go_anywhere(bird: Bowerbird) -> None:
    kept = bird.remember(SHORT)
    bird.remember(SHORT, tags=["auth"])
    bird.forget(kept.id)
    bird.revert(kept.id)
    assert bird.get(kept.id).tags == ("auth",)
    bird.revert(kept.id)
    assert bird.get(kept.id).tags == ()
    history = bird.history(kept.id)
    tagged = next(one for one in history.versions if one.fields.tags)
    assert bird.revert(kept.id, tagged.id).memories == (kept.id,)
    assert bird.get(kept.id).tags == ("auth",)
    bird.revert(kept.id)
    bird.revert(kept.id)
    assert bird.get(kept.id).state == "deleted"
    bird.revert(kept.id)
    assert bird.get(kept.id).state == "active", "what was created comes back"
    with pytest.raises(NotFound):
        bird.revert(kept.id, "no-such-version")


@pytest.mark.parametrize("version", [None, "its first"])
def test_what_was_superseded_comes_back_beside_what_came_after(
    bird: Bowerbird, version: str | None
) -> None:
    old = bird.remember(SHORT)
    new = bird.remember(LONG)
    last = bird.remember(LONG + ", and that takes minutes")
    bird.revert(old.id, version and bird.history(old.id).versions[0].id)
    states = [bird.get(one.id).state for one in (old, new, last)]
    assert states == ["active", "superseded", "active"]
    assert bird.history(old.id).relations == ()


@pytest.mark.parametrize("kind", RELATIONS)
def test_each_kind_of_link_is_made_and_taken_back(bird: Bowerbird, kind: str) -> None:
    first = bird.remember("The parser is slow")
    second = bird.remember("Imports take an hour")
    made = bird.link(first.id, second.id, kind, strength=0.5, confidence=0.75, actor="ada")
    assert (made.source, made.target, made.kind, made.strength) == (first.id, second.id, kind, 0.5)
    assert bird.history(second.id).relations == (made,)
    bird.link(first.id, second.id, kind, strength=0.9)
    bird.revert(first.id)
    assert bird.history(first.id).relations == (made,)
    bird.revert(first.id)
    assert bird.history(first.id).relations == ()


def test_links_reach_files_and_refuse_nonsense(bird: Bowerbird) -> None:
    one = bird.remember("The parser is slow")
    assert bird.link(one.id, "file:src/parser.py", "informs").target == "file:src/parser.py"
    assert bird.link(one.id, "file:./src//a b/../é.py").target == "file:src/é.py"
    with pytest.raises(BadInput):
        bird.link(one.id, one.id)
    with pytest.raises(UnknownName, match="relation"):
        bird.link(one.id, "file:x", "cause")
    with pytest.raises(BadInput, match="strength"):
        bird.link(one.id, "file:x", strength=2)
    with pytest.raises(NotFound):
        bird.link(one.id, "0123456789")


def test_what_expires_is_gone_while_candidates_are_generated(bird: Bowerbird, hands: Hands) -> None:
    bird.remember("The cluster is being rebuilt", expires="2h")
    assert found(bird, "cluster rebuilt") == ["The cluster is being rebuilt"]
    hands.now += 3 * HOUR
    assert found(bird, "cluster rebuilt") == []
    assert bird.list() == []
    (entry,) = bird.list(states=["expired"])
    assert entry.state == "active"
    assert bird.remember("The cluster is being rebuilt").decision == "created"


def test_lists_narrow_by_what_only_memories_have(bird: Bowerbird) -> None:
    kept = bird.remember(
        "Billing rounds half up",
        kind="requirement",
        scope="module",
        audience="team",
        files=["src/billing/round.py"],
        modules=["billing"],
        session="s-1",
        actor="ada",
        source="user_taught",
        confidence=0.8,
        metadata={"ticket": "SHOP-12"},
    )
    other = bird.remember("Imports run at night", confidence=1.0)
    matching: list[dict[str, object]] = [
        {"scopes": ["module"]},
        {"audiences": ["team"]},
        {"sources": ["user_taught"]},
        {"agents": ["ada"]},
        {"sessions": ["s-1"]},
        {"modules": ["billing"]},
        {"path": "billing/"},
        {"kinds": ["requirement"]},
        {"exclude": [other.id]},
    ]
    for narrow in matching:
        assert [one.id for one in bird.list(**narrow)] == [kept.id], narrow  # type: ignore[arg-type]
    assert [one.id for one in bird.list(min_confidence=0.9)] == [other.id]
    details = bird.get(kept.id).details
    assert details is not None
    assert details.fields.metadata == {"ticket": "SHOP-12"}
    assert (details.source, details.origin, bird.get(kept.id).trust) == (
        "user_taught",
        "user",
        "full",
    )
    with pytest.raises(UnknownName):
        bird.list(states=["activ"])


def test_secrets_never_reach_the_file_and_the_writer_is_told(
    bird: Bowerbird, store_path: str
) -> None:
    secret = "ghp_" + "0123456789abcdefghijklmnopqrstuvwxyz"
    decision = bird.remember(
        f"The deploy token is {secret}",
        metadata={"token": secret},
        kind="dead_end",
        payload={"approach_tried": f"used {secret}", "why_it_failed": "it had expired"},
    )
    bird.forget(decision.id, f"it held {secret}")
    bird.close()
    assert decision.redacted
    assert "[REDACTED:" in decision.summary
    for name in (store_path, store_path + "-wal"):
        if os.path.exists(name):
            with open(name, "rb") as file:
                assert secret.encode() not in file.read()


def test_uses_are_counted_once_a_session_by_the_next_writer(
    bird: Bowerbird, hands: Hands, store_path: str
) -> None:
    kept = bird.remember("Imports run at night")
    before = bird.get(kept.id).details
    hands.now += HOUR
    for session in ("a", "a", "b", "", ""):
        assert bird.used([kept.id, "unknown"], session)
    assert os.stat(store_path + ".usage").st_mode & 0o777 == 0o600
    bird.remember("The parser is slow")
    details = bird.get(kept.id).details
    assert before is not None
    assert details is not None
    assert (before.access_count, details.access_count, details.accessed) == (0, 4, hands.now)
    assert details.importance == pytest.approx(before.importance + 4 * 0.01)
    assert details.decay_rate == pytest.approx(0.01 * 0.95**4)
    assert not os.path.exists(store_path + ".usage")
    bird.used([kept.id], "a")
    bird.remember("Exports run at noon")
    again = bird.get(kept.id).details
    assert again is not None
    assert again.access_count == 4


def test_a_writer_that_fails_leaves_the_uses_to_the_next(bird: Bowerbird) -> None:
    kept = bird.remember("Imports run at night")
    bird.used([kept.id])
    store = bird._wiring.writer()
    with pytest.raises(KeyError), store.transaction():
        raise KeyError
    bird.remember("The parser is slow")
    details = bird.get(kept.id).details
    assert details is not None
    assert details.access_count == 1


def test_uses_that_cannot_be_noted_are_dropped_and_counted(
    bird: Bowerbird, store_path: str
) -> None:
    kept = bird.remember("Imports run at night")
    os.mkdir(store_path + ".usage")
    assert not bird.used([kept.id])
    assert not bird.used([kept.id])
    assert bird.status().usage_dropped == 2
    assert bird.used([])


def test_importance_and_accesses_survive_an_undo(bird: Bowerbird) -> None:
    kept = bird.remember("Imports run at night")
    bird.used([kept.id])
    bird.forget(kept.id)
    bird.revert(kept.id)
    details = bird.get(kept.id).details
    assert details is not None
    assert details.access_count == 1


def test_a_passage_is_no_memory(bird: Bowerbird) -> None:
    with open("note.md", "w", encoding="utf-8") as file:
        file.write("# Parser\n\nThe parser is slow.\n")
    bird.index("note.md")
    (passage,) = bird.list()
    for change in (bird.forget, bird.history, bird.revert):
        with pytest.raises(BadInput, match="passage"):
            change(passage.id)
    assert passage.details is None


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        ".",
        "./",
        "..",
        "../up.py",
        "src/../../up.py",
        "/etc/passwd",
        "~/notes.md",
        "C:/windows/win.ini",
        "..\\up.py",
        "a\nb.py",
        "a\x1b[31m.py",
        "a\u2028b.py",
        "x" * 5_000,
    ],
)
def test_what_names_no_file_of_the_project_is_no_target(bird: Bowerbird, path: str) -> None:
    one = bird.remember("The parser reads one line at a time")
    with pytest.raises(BadInput) as caught:
        bird.link(one.id, "file:" + path)
    assert caught.value.remedy.endswith("file:src/auth.py")
    assert bird.history(one.id).relations == ()
