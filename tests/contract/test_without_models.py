"""Where a file of the package's models cannot be read, words answer, and what is told is kept."""

from collections.abc import Callable

import pytest

from bowerbird import Bowerbird
from bowerbird.models import registry
from bowerbird.models.embed import contextual, static


@pytest.mark.parametrize(
    ("module", "missing", "stage"),
    [(static, "static-256.bin", "dense"), (contextual, "", "second look")],
)
def test_a_store_without_a_model_answers_by_words_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
    store_path: str,
    clock: Callable[[], int],
    module: object,
    missing: str,
    stage: str,
) -> None:
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        before = bird.remember("Redis runs on port 6379").id
    monkeypatch.setattr(module, "WEIGHTS", f"/nowhere/{missing}")
    registry.contextual.cache_clear()  # all stores of a process share it
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        hits = bird.query("where is the port of redis", memories_only=True)
        assert hits[0].id == before
        unsure = bird.query("harbour and redis and much else that nobody ever said")
        assert any(line.startswith(stage) for line in unsure.trace.degraded)
        kept = bird.remember("Mango lassi is cold")
        assert bird.edit(kept.id, "Mango lassi is very cold").changed
        assert bird.query("mango lassi")[0].id == kept.id
        bird.status()
    monkeypatch.undo()
    registry.contextual.cache_clear()
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        bird.admin.reindex()
        hits = bird.query("mango lassi")
        assert (hits[0].id, hits.trace.degraded) == (kept.id, [])
