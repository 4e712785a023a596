"""Which of several drafts the contextual model embeds before they are judged: decisions near others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bowerbird import Bowerbird

STORED = "Deploy to production with Jenkins."


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def embedded(bird: Bowerbird, text: str, kind: str) -> tuple[str, bool]:
    """The decision on a text that is admitted with others, and whether it has a contextual vector."""
    wiring = bird._wiring
    draft = wiring.acting.draft(text, {"kind": kind})
    (done,) = wiring.keeping.admission([draft]).admit_all([draft])
    store = wiring.writer()
    with store.reading():
        unread = store.contextual.next_unread(9, 0)
    return done.decision, text not in {text for _, text in unread}


@pytest.mark.parametrize("kind", ["requirement", "preference", "decision", "fact"])
def test_a_decision_near_another_is_embedded_before_it_is_judged(
    bird: Bowerbird, kind: str
) -> None:
    bird.remember(STORED, kind=kind)
    said = "From now on deploy to production with Argo."
    assert embedded(bird, said, "decision") == ("superseded", True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Write commit messages in the imperative.", "preference"),
        ("Production is deployed with Jenkins by a job of its own.", "module_insight"),
    ],
)
def test_what_ends_no_other_memory_is_stored_without_the_contextual_model(
    bird: Bowerbird, text: str, kind: str
) -> None:
    bird.remember(STORED, kind="requirement")
    assert embedded(bird, text, kind) == ("created", False)


def test_the_first_memory_of_a_store_is_stored_without_the_contextual_model(
    bird: Bowerbird,
) -> None:
    assert embedded(bird, STORED, "requirement") == ("created", False)
