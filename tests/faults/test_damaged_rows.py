"""A damaged row costs that row: everything else answers, and what was left out is told."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from tests.forked import Forks

# None of it is UTF-8.
BAD = "CAST(x'c3' || CAST({0} AS BLOB) || x'ff' AS TEXT)"
DAMAGES = {
    "text": f"UPDATE entry SET text = {BAD.format('text')} WHERE id = 2",
    "context": f"UPDATE entry SET context = {BAD.format('context')} WHERE id = 2",
    "speaker": f"UPDATE entry SET speaker = {BAD.format('speaker')} WHERE id = 2",
    "path": f"UPDATE document SET path = {BAD.format('path')} WHERE id = 2",
    "uid": f"UPDATE entry SET uid = {BAD.format('uid')} WHERE id = 2",
    "kind": f"UPDATE facet SET kind = {BAD.format('kind')} WHERE id = 2",
    "trust": "UPDATE facet SET trust = 71 WHERE id = 2",
    "state": "UPDATE facet SET trust = 'x' WHERE id = 2",
    "short vector": "UPDATE vector SET int8 = x'0102' WHERE id = 2",
    "no sketch": "UPDATE facet SET sketch = x'01' WHERE id = 2",
    "memory's text": f"UPDATE entry SET text = {BAD.format('text')} WHERE id = :memory",
    "memory's tag": f"UPDATE tag SET name = {BAD.format('name')} WHERE entry = :memory",
    "memory's fields": 'UPDATE version SET fields = \'{"review": "\' || fields',
    "no fields": "UPDATE version SET fields = '{}'",
    "no entry": "DELETE FROM entry WHERE id = 2",
    "no facet": "DELETE FROM facet WHERE id = 2",
    "no word index": "UPDATE word_index_data SET block = x'00010203' WHERE id > 10",
    "no idea of words": "UPDATE word_index_data SET block = x'00010203' WHERE id = 10",
}
ASKED = "which port does the broker of the warehouse listen on"


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Notes of three passages in three files, and a memory that waits to be looked at."""
    notes = tmp_path_factory.mktemp("notes")
    path = str(tmp_path_factory.mktemp("filled") / "memory.db")
    for number, name in enumerate(("one", "two", "three")):
        text = f"# {name}\n\nThe broker of the warehouse listens on port 80{number}.\n"
        (notes / f"{name}.md").write_text(text)
    with Bowerbird.open(path, project="shop") as bird:
        bird.index(notes)
        bird.remember(
            "The warehouse has a broker for each of its halls",
            review="is it so?",
            tags=("halls",),
        )
    return path


@pytest.fixture
def filled(filled_once: str, store_path: str) -> str:
    shutil.copyfile(filled_once, store_path)
    return store_path


def damage(path: str, sql: str) -> None:
    connection = apsw.Connection(path)
    connection.pragma("foreign_keys", False)
    memory = next(connection.execute("SELECT id FROM memory"))[0]
    connection.execute(sql.replace(":memory", str(memory)))
    connection.close()


@pytest.mark.parametrize("resident", [False, True])
@pytest.mark.parametrize("name", DAMAGES)
def test_the_others_answer(filled: str, name: str, *, resident: bool) -> None:
    damage(filled, DAMAGES[name])
    with Bowerbird.open(filled, project="shop", resident=resident) as bird:
        for _ in range(4 if resident else 1):
            hits = bird.query(ASKED)
        assert len(hits) >= 3
        assert hits.trace.degraded == [] or "bower verify" in hits.trace.degraded[-1]
        bird.context(ASKED, min_trust="imported")
        listed = bird.list(all_projects=True)
        assert len(listed) >= 3
        # What is not there is told, unless even its facts are gone.
        assert len(listed) == 4 or name == "no facet" or "1 damaged" in str(listed.notes[0])
        assert bird.admin.verify().damages
        if "word" in name:  # what is written has to be indexed; it is built anew from the texts
            bird.admin.reindex_words()
        bird.remember("The broker of the warehouse listens on port 8099")
        assert any("8099" in hit.text for hit in bird.query(ASKED))


@pytest.mark.parametrize("words", [("query", ASKED), ("list",)])
def test_what_was_left_out_is_told_by_the_command(
    forks: Forks, filled: str, words: tuple[str, ...]
) -> None:
    damage(filled, DAMAGES["text"])
    ran = forks.run([*words, "--all-projects", "--store", filled, "--format", "text"])
    assert ran.returncode == 0
    assert "1 damaged entry left out; which: bower verify" in ran.stderr.decode()
