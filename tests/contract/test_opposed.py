"""What each copy of a store writes of a contradiction is the same, whatever else it knows."""

from __future__ import annotations

from bowerbird import Bowerbird
from bowerbird.lifecycle.copies import opposed
from bowerbird.storage.sqlite.store import Store

BACKENDS = ("file",)  # what is written follows from values alone


def test_a_newer_version_of_the_other_memory_changes_nothing(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        texts = ("Staging listens on port 5433", "The bread needs salt")
        ids = [bird.remember(text).id for text in texts]
        store = bird._wiring.opened.reader()
        assert isinstance(store, Store)
        older, newer = store.exchange.held(ids)
    head = newer.versions[-1]
    changed = head.replace(id="later", parents=(head.id,), created=head.created + 1_000)
    later = newer.replace(head="later", versions=(*newer.versions, changed))
    first, again = (
        next(one for one in opposed(older, other, "another number")[0] if one.id == older.id)
        for other in (newer, later)
    )
    assert first.versions == again.versions
