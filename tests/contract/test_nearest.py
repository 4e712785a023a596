"""A process that keeps one memory after the other finds the nearest ones as the file tells them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.core.query import Filter
from bowerbird.core.types import GLOBAL, MEMORY
from bowerbird.storage.sqlite.search.nearest import FROM_FILE
from bowerbird.storage.sqlite.store import Store

LIMIT = 3
ASKED = "The payment service retries five times"
TOLD = (
    "The payment service listens on port 7070",
    "Payment retries are capped at 5",
    "Prefer pathlib over os.path",
    "Invoices are kept for ten years",
    "The gateway drops requests after 30 seconds",
    "Migrations run before the deploy",
    "Ines owns the billing module",
    "Retries of the payment service back off by doubling",
)

Found = list[tuple[str, float, float]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def bird(path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(path, project="shop") as opened:
        for text in TOLD:
            opened.remember(text)
        yield opened


def nearest(bird: Bowerbird, store: Store, project: str = "shop") -> Found:
    """What a store finds near the text that is asked, by both models."""
    wiring = bird._wiring
    reader = wiring.opened.contextual()
    assert reader is not None
    embedder = wiring.embedder()
    also = [1, 2] if project == "shop" else []
    filter = Filter(projects=(f"name:{project}", GLOBAL.uid), families=(MEMORY,), now=None)
    with store.reading():
        model = store.model_row(embedder.identity)
        vectors = embedder.embed_query(ASKED), model, reader.embed_query(ASKED)
        near = store.nearest.find(*vectors, filter, LIMIT, also, store.words.totals()[0])
    return [(entry.text, round(near, 4), round(met, 4)) for entry, near, met in near]


@pytest.fixture
def agrees(
    bird: Bowerbird, path: Path, clock: Callable[[], int]
) -> Iterator[Callable[[str], Found]]:
    """Ask a store that goes on being asked, and hold it against one that was just opened."""
    kept = Store.open(str(path), clock, write=True)
    for _ in range(FROM_FILE + 1):
        nearest(bird, kept)

    def both(project: str = "shop") -> Found:
        with_memory = nearest(bird, kept, project)
        fresh = Store.open(str(path), clock, write=True)
        assert with_memory == nearest(bird, fresh, project)
        fresh.close()
        return with_memory

    yield both
    kept.close()


def test_they_are_those_of_the_file(agrees: Callable[..., Found]) -> None:
    assert TOLD[1] in [text for text, _, _ in agrees()]


def test_what_others_keep_edit_and_forget_is_seen(
    bird: Bowerbird, agrees: Callable[..., Found]
) -> None:
    fact = "The payment service retries 5 times at most"
    id = bird.remember(fact).id
    assert fact in [text for text, _, _ in agrees()]
    bird.edit(id, "Ducks sleep on one leg")
    assert fact not in [text for text, _, _ in agrees()]
    bird.edit(id, fact)
    assert fact in [text for text, _, _ in agrees()]
    bird.forget(id)
    assert fact not in [text for text, _, _ in agrees()]


def test_memories_of_other_projects_are_passed_over(
    path: Path, agrees: Callable[..., Found]
) -> None:
    with Bowerbird.open(path, project="home") as other:
        for number in range(20):
            other.remember(f"{ASKED} a week, says note {number}")
    assert not any("note" in text for text, _, _ in agrees())
    assert any("note" in text for text, _, _ in agrees("home"))


def test_nothing_of_what_is_taken_back_is_kept(
    bird: Bowerbird, agrees: Callable[..., Found]
) -> None:
    store = bird._wiring.writer()
    assert isinstance(store, Store)
    for _ in range(FROM_FILE + 1):
        nearest(bird, store)
    with store.rehearsal():
        for table in ("facet", "memory"):
            store.connection.execute(
                f"CREATE TEMP TABLE copy AS SELECT * FROM {table} WHERE id = 1"
            )
            store.connection.execute("UPDATE copy SET id = 1000")
            store.connection.execute(f"INSERT INTO {table} SELECT * FROM copy")
            store.connection.execute("DROP TABLE copy")
        nearest(bird, store)
    fact = "The payment service retries 5 times at most"
    bird.remember(fact)
    assert fact in [text for text, _, _ in nearest(bird, store)]
    assert nearest(bird, store) == agrees()


def test_what_the_model_reads_later_is_met(bird: Bowerbird, agrees: Callable[..., Found]) -> None:
    store = bird._wiring.writer()
    assert isinstance(store, Store)
    reader = bird._wiring.opened.contextual()
    assert reader is not None
    with store.transaction():
        store.connection.execute("DELETE FROM contextual WHERE id < 4")
        store.connection.execute("INSERT OR REPLACE INTO meta VALUES ('altered', 9)")
    agrees()
    with store.transaction():
        store.contextual.write({2: (TOLD[1], reader.embed_query(TOLD[1]))}, reader.identity)
    assert next(met for text, _, met in agrees() if text == TOLD[1]) > 0


WITHOUT_NUMPY = """
import sys
from bowerbird import Bowerbird
with Bowerbird.open(sys.argv[1], project="shop") as bird:
    wiring = bird._wiring
    texts = [f"The {name} service drains its queue by hand" for name in ("cart", "mail", "tax", "log")]
    drafts = [wiring.acting.draft(text, {"kind": "gotcha"}) for text in texts]
    admitted = wiring.keeping.admission(drafts).admit_all(drafts)
    print(*{one.decision for one in admitted}, "numpy" in sys.modules)
"""


def test_a_process_that_keeps_a_few_memories_loads_no_numpy(bird: Bowerbird) -> None:
    command = [sys.executable, "-c", WITHOUT_NUMPY, bird.path]
    assert (
        subprocess.run(command, capture_output=True, check=True, text=True).stdout
        == "created False\n"
    )
