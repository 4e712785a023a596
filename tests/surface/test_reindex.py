"""Whatever is made from the texts can be made from them again, and answers as it did."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import apsw

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.care import rewording
from bowerbird.storage.sqlite.nouns.words import BEING_REBUILT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

ASKED = ("what do the auth tests need", "broker certificate", "roll back", "tabs or spaces")
EMPTIED = """
INSERT INTO word_index (word_index) VALUES ('delete-all');
INSERT INTO document_index (document_index) VALUES ('delete-all');
DELETE FROM word; DELETE FROM tally;
UPDATE meta SET value = 0 WHERE key IN ('entries', 'words');
"""
# Dies once the second batch is begun.
KILLED = """
import os, signal, sys
from bowerbird import Bowerbird
from bowerbird.storage.sqlite.care import rewording

class Mortal:
    def start(self, what, total): pass
    def advance(self, units, label=""): os.kill(os.getpid(), signal.SIGKILL)
    def finish(self): pass

rewording._BATCH = 2
with Bowerbird.open(sys.argv[1]) as bird:
    bird.admin.reindex_words(progress=Mortal())
"""


def filled(bower: Bower, notes: Path) -> None:
    (notes / "long.md").write_text(
        "\n\n".join(f"## Part {i}\n\nThe broker of part {i} listens. " * 9 for i in range(30))
    )
    (notes / "tagged.md").write_text("---\ntags: [shop, roll]\n---\n# Back\n\nRoll back by hand.\n")
    assert bower("index", str(notes)).code == 0
    bower("curate", "No tabs in the warehouse service", "--tag", "style")
    forgotten = bower("curate", "Spaces are for the others").data["id"]
    bower("forget", forgotten)


def damage(store_path: str, sql: str) -> None:
    connection = apsw.Connection(store_path)
    connection.execute(sql)
    connection.close()


def answers(store_path: str) -> list[Any]:
    """Asked as a library, which notes no use: what is used ranks higher afterwards."""
    with Bowerbird.open(store_path, clock=lambda: 1_800_000_000_000) as bird:
        found = [bird.query(text, limit=20, all_projects=True) for text in ASKED]
    return [[(hit.entry.id, hit.score, hit.bm25) for hit in hits] for hits in found]


def problems(bower: Bower) -> list[dict[str, Any]]:
    return [one for one in bower("doctor").data["findings"] if one["level"] == "problem"]


def test_an_emptied_word_index_is_built_again_by_what_the_doctor_says(
    bower: Bower, notes: Path, store_path: str
) -> None:
    filled(bower, notes)
    before = answers(store_path)
    damage(store_path, EMPTIED)
    assert answers(store_path) != before
    remedies = {one["remedy"] for one in problems(bower)}
    assert remedies == {"rebuild them from the text: bower reindex --words"}
    ran = bower("reindex", "--words")
    assert (ran.code, ran.data["unreadable"]) == (0, 0)
    assert ran.data["indexed"] > 30
    assert problems(bower) == []
    assert answers(store_path) == before


def test_without_any_index_everything_is_built_again(
    bower: Bower, notes: Path, store_path: str
) -> None:
    filled(bower, notes)
    before = answers(store_path)
    damage(store_path, EMPTIED + "DELETE FROM vector;")
    ran = bower("reindex", "--all")
    assert ran.code == 0
    assert ran.data["read"] > 30
    assert problems(bower) == []
    assert answers(store_path) == before


def test_others_write_while_the_words_are_built_again(
    bower: Bower, notes: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is put, changed, forgotten and removed between two batches is counted once."""
    filled(bower, notes)
    kept = bower("curate", "The broker is called Bertha").data["id"]
    monkeypatch.setattr(rewording, "_BATCH", 3)

    class Others:
        def __init__(self) -> None:
            self.times = 0

        def start(self, what: str, total: int) -> None:
            assert total > 30

        def advance(self, units: int, label: str = "") -> None:
            self.times += 1
            if self.times == 2:
                (notes / "release.md").write_text("# Release\n\nRoll forward instead.\n")
                (notes / "long.md").unlink()
                other.index(notes)
                other.forget(kept)
                other.remember("Bertha listens on port 5672")

        def finish(self) -> None: ...

    with Bowerbird.open(store_path) as bird, Bowerbird.open(store_path) as other:
        bird.admin.reindex_words(progress=Others())
    assert problems(bower) == []
    found = str(bower("query", "roll forward Bertha").data["results"])
    assert "Roll forward" in found
    assert "5672" in found


def test_whoever_opens_next_finishes_a_rebuild_that_was_killed(
    bower: Bower, notes: Path, store_path: str
) -> None:
    filled(bower, notes)
    before = answers(store_path)
    done = subprocess.run([sys.executable, "-c", KILLED, store_path], check=False, env=os.environ)
    assert done.returncode == -signal.SIGKILL
    assert os.path.exists(store_path + BEING_REBUILT)
    # A question opens the store for reading alone.
    assert bower("query", ASKED[0]).data["remarks"] == []
    assert not os.path.exists(store_path + BEING_REBUILT)
    assert problems(bower) == []
    assert answers(store_path) == before


def test_until_a_killed_rebuild_is_finished_answers_say_so(
    bower: Bower, notes: Path, store_path: str
) -> None:
    filled(bower, notes)
    before = answers(store_path)
    subprocess.run([sys.executable, "-c", KILLED, store_path], check=False, env=os.environ)
    # As in a copy of the file alone.
    os.unlink(store_path + BEING_REBUILT)
    assert {one["remedy"] for one in problems(bower)} == {
        "rebuild them from the text: bower reindex --words"
    }
    asked = bower("query", ASKED[0])
    assert [one["kind"] for one in asked.data["remarks"]] == ["degraded"]
    assert "bower reindex --words" in asked.data["remarks"][0]["text"]
    assert bower("status").data["index_healthy"] is False
    assert "reindex --words" in bower("context", ASKED[0], "--format", "text").err
    assert bower("reindex", "--words").code == 0
    assert problems(bower) == []
    assert answers(store_path) == before


def test_nobody_finishes_a_rebuild_that_still_runs(
    bower: Bower, notes: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(bower, notes)
    monkeypatch.setattr(rewording, "_BATCH", 3)
    waited: list[int] = []

    class Other:
        def start(self, what: str, total: int) -> None: ...

        def advance(self, units: int, label: str = "") -> None:
            if not waited:
                with Bowerbird.open(store_path) as other:
                    other.remember("Kept while words are rebuilt")
                waited.append(len(problems(bower)))

        def finish(self) -> None: ...

    with Bowerbird.open(store_path) as bird:
        bird.admin.reindex_words(progress=Other())
    assert waited == [2]  # the index is incomplete, and so is that of whole documents
    assert problems(bower) == []


def test_a_text_that_is_none_any_more_is_left_out(
    bower: Bower, notes: Path, store_path: str
) -> None:
    filled(bower, notes)
    damage(
        store_path,
        "UPDATE entry SET text = CAST(x'ff' || CAST(text AS BLOB) AS TEXT) WHERE id = 1",
    )
    ran = bower("reindex", "--words")
    assert (ran.code, ran.data["unreadable"]) == (0, 1)
    assert "1 damaged text left out" in bower("reindex", "--words", "--format", "text").out
