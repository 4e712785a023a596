"""A kill in the middle of indexing: every document is the old one or the new one, whole."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.clock import system_clock
from bowerbird.core.config import Config
from bowerbird.core.types import GLOBAL
from bowerbird.ingest.pipeline import Ingest
from bowerbird.models.registry import embedder
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from pathlib import Path

FILES = 24
PARAGRAPHS = 40
BATCH = 3

# Says each file as it is done, and waits for nobody; dies by itself if nobody kills it.
INDEX = """
import sys
from bowerbird.core.clock import system_clock
from bowerbird.core.config import Config
from bowerbird.core.types import GLOBAL
from bowerbird.ingest import batch
from bowerbird.ingest.pipeline import Ingest
from bowerbird.models.registry import embedder
from bowerbird.storage.sqlite.store import Store

batch._DOCUMENTS = int(sys.argv[3])

class Told:
    def start(self, what, total): pass
    def advance(self, units, label=""): print(label, flush=True)
    def finish(self): pass

store = Store.open(sys.argv[1], system_clock, write=True)
Ingest(store, embedder(Config()), Config(), lambda path: GLOBAL).index([sys.argv[2]], Told())
"""


def write(folder: Path, word: str) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        body = "\n\n".join(f"{word} paragraph {i} of {number}. " * 20 for i in range(PARAGRAPHS))
        path = folder / f"{number:02}.md"
        path.write_text(body, encoding="utf-8")
        stamp = 1_700_000_000 + len(word)
        os.utime(path, (stamp, stamp))


def state(store: Store) -> dict[str, tuple[str, int]]:
    """The word that each document's passages consist of, and how many there are."""
    found: dict[str, tuple[str, int]] = {}
    rows = store.connection.execute(
        "SELECT d.path, group_concat(DISTINCT substr(e.text, 1, 3)), count(*)"
        " FROM document d JOIN facet f ON f.document = d.id JOIN entry e ON e.id = f.id"
        " GROUP BY d.path"
    )
    for path, words, count in rows:
        found[path] = (words, count)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_kill_leaves_whole_documents_and_the_next_run_finishes(
    tmp_path: Path, store_path: str, seed: int
) -> None:
    notes = tmp_path / "notes"
    write(notes, "old")
    store = Store.open(store_path, system_clock, write=True)
    ingest = Ingest(store, embedder(Config()), Config(), lambda _path: GLOBAL)
    assert ingest.index([str(notes)]).added == FILES
    whole = state(store)
    store.close()
    pieces = {count for _, count in whole.values()}
    assert {word for word, _ in whole.values()} == {"old"}

    write(notes, "newer")
    after = random.Random(seed).randrange(1, FILES)
    with subprocess.Popen(
        [sys.executable, "-c", INDEX, store_path, str(notes), str(BATCH)], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        for _ in range(after):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)

    store = Store.open(store_path, system_clock, write=True)
    found = state(store)
    assert found.keys() == whole.keys()
    for word, count in found.values():
        assert word in {"old", "new"}
        assert count > 1
        assert word == "new" or count in pieces
    # What was written before the last file was reported survives.
    assert sum(word == "new" for word, _ in found.values()) >= after // BATCH * BATCH
    assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert store.healthy()
    counts = "SELECT (SELECT sum(entries) FROM tally), (SELECT count(*) FROM facet)"
    tallied, stored = next(store.connection.execute(counts))
    assert tallied == stored

    report = Ingest(store, embedder(Config()), Config(), lambda _path: GLOBAL).index([str(notes)])
    assert report.changed + report.unchanged == FILES
    assert report.changed >= sum(word == "old" for word, _ in found.values())
    assert {word for word, _ in state(store).values()} == {"new"}
    counts = store.connection.execute(
        "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM facet),"
        " (SELECT count(*) FROM vector), (SELECT count(*) FROM word_index),"
        " (SELECT sum(entries) FROM tally)"
    ).get
    assert len(set(counts)) == 1
    store.close()
