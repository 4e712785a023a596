"""What each copy of a store writes of two memories follows from its id alone, whatever else it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.lifecycle.conclusions import opposed, twins
from bowerbird.lifecycle.copies import merged
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from bowerbird.core.exchange import Held

BACKENDS = ("file",)  # what is written follows from values alone


def told(path: str, *texts: str) -> list[Held]:
    """Memories of some texts, as a store holds them."""
    with Bowerbird.open(path, project="shop") as bird:
        ids = [bird.remember(text).id for text in texts]
        store = bird._wiring.opened.reader()
        assert isinstance(store, Store)
        return list(store.exchange.held(ids))


def again(memory: Held, seconds: int) -> Held:
    """A memory with one more version, as a copy knows it that was changed since."""
    head = memory.current
    version = head.replace(
        id=f"later{seconds}", parents=(head.id,), created=head.created + seconds * 1_000
    )
    return memory.replace(head=version.id, versions=(*memory.versions, version))


def test_a_newer_version_of_the_other_memory_changes_nothing(store_path: str) -> None:
    older, newer = told(store_path, "Staging listens on port 5433", "The bread needs salt")
    first, second = (
        next(one for one in opposed(older, other, "another number")[0] if one.id == older.id)
        for other in (newer, again(newer, 1))
    )
    assert first.versions == second.versions


def by_id(*memories: Held) -> dict[str, list[object]]:
    """What is written under each id of a version."""
    found: dict[str, list[object]] = {}
    for memory in memories:
        for version in memory.versions:
            known = found.setdefault(version.id, [])
            if version not in known:
                known.append(version)
    return found


def test_of_two_memories_of_one_text_each_version_says_one_thing(
    store_path: str, tmp_path: Path
) -> None:
    (one,) = told(store_path, "Staging listens on port 5433")
    (other,) = told(str(tmp_path / "other.db"), "Staging listens on port 5433")
    agreed = other.current.replace(fields=other.current.fields.replace(pinned=True, author="ada"))
    other = other.replace(versions=(agreed,))
    copies = [
        memory
        for mine in (one, again(one, 1), one.replace(trust="full"))
        for its in (other, again(other, 2), other.replace(trust="full"))
        for memory in twins(mine, its)
    ]
    assert not [id for id, written in by_id(*copies).items() if len(written) > 1]


def test_of_two_versions_with_one_id_every_copy_takes_the_same(store_path: str) -> None:
    (memory,) = told(store_path, "Staging listens on port 5433")
    odd = memory.current.replace(created=memory.current.created + 1)
    other = memory.replace(versions=(odd,))
    assert merged(memory, other) == merged(other, memory)
