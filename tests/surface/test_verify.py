"""What a disk changes by itself is found, and told with the entry it hurts and what heals it."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.forked import Forks
    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


@pytest.fixture(scope="module")
def went_through(
    forks: Forks, shared_notes: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The folder of a store of notes and memories that went through everything, and the id of one."""
    folder = tmp_path_factory.mktemp("filled")
    environment = {**os.environ, "BOWER_STORE": str(folder / "memory.db")}

    def bower(*arguments: str) -> str:
        done = forks.run(arguments, environment=environment)
        done.check_returncode()
        return str(json.loads(done.stdout)["data"].get("id"))

    notes = str(shared_notes)
    bower("index", notes)
    first = bower("curate", "No tabs in the warehouse", "--tag", "style,files")
    other = bower("curate", "The warehouse listens on port 8012")
    bower("link", first, other, "--as", "causes")
    gone = bower("curate", "Nor spaces, said the old rule")
    bower("forget", gone)
    bower("revert", gone, "--yes")
    bower("forget", gone)
    bower("query", "warehouse")
    changed = "# Release\n\nRoll rollForward.\n\n# More\n\nRoll on.\n"
    (shared_notes / "release.md").write_text(changed)
    bower("index", notes)
    return folder, other


@pytest.fixture
def filled(went_through: tuple[Path, str], store_path: str) -> str:
    """A store of its own that went through everything; the id of one of its memories."""
    shutil.copytree(went_through[0], os.path.dirname(store_path), dirs_exist_ok=True)
    return went_through[1]


def change(store_path: str, sql: str) -> None:
    """As a disk does it: without anything of ours."""
    connection = apsw.Connection(store_path)
    connection.pragma("foreign_keys", False)
    connection.execute(sql)
    connection.close()


def test_whatever_is_written_is_sound(bower: Bower, filled: str, shared_notes: Path) -> None:
    ran = bower("verify")
    assert (ran.code, ran.data["sound"], ran.data["damages"]) == (0, True, [])
    assert ran.data["rows"] > 30
    bower("reindex", "--all")
    bower("index", "--again", str(shared_notes))
    assert bower("verify").data["damages"] == []
    assert "nothing is damaged" in bower("verify", "--format", "text").out
    sampled = bower("verify", "--sample", "3").data
    assert (sampled["sampled"], sampled["entries"], sampled["sound"]) == (True, 3, True)
    assert bower("verify", "--sample", "0").code == 2


@pytest.mark.parametrize(
    ("damage", "hurt", "remedy"),
    [
        ("UPDATE entry SET text = replace(text, '8012', '8013')", "text", "restore"),
        ("UPDATE entry SET text = CAST(x'ff' AS TEXT) WHERE id = 1", "text", "index --again /"),
        ("UPDATE entry SET context = 'x' WHERE id = 1", "text", "index --again /"),
        ("UPDATE entry SET start_line = 7 WHERE id = 1", "text", "index --again /"),
        ("UPDATE facet SET trust = 3 WHERE id = 1", "facets", "index --again /"),
        ("UPDATE facet SET sketch = zeroblob(length(sketch)) ", "facets", "--again"),
        ("UPDATE facet SET created = created + 1 WHERE family = 'memory'", "facets", "restore"),
        ("UPDATE vector SET norm = norm + 1e-15", "vector", "bower reindex --all"),
        ("UPDATE contextual SET int8 = zeroblob(4)", "vector", "bower reindex --all"),
        ("UPDATE memory SET importance = 1.0", "fields", "restore"),
        ("UPDATE version SET fields = '{}'", "fields", "restore"),
        ("UPDATE tag SET present = 0", "fields", "restore"),
        ("UPDATE relation SET strength = .5", "fields", "restore"),
        ("UPDATE audit SET actor = 'eve' WHERE seq = 1", "fields", "restore"),
        ("UPDATE document SET path = path || 'x' WHERE id = 1", "file", "index --again"),
        ("DELETE FROM entry WHERE id = 1", "text", ""),
        ("DELETE FROM vector WHERE id = 1", "vector", "bower reindex --all"),
        ("DELETE FROM word_index WHERE rowid = 1", "words", "bower reindex --words"),
        ("UPDATE word SET entries = 5", "words", "bower reindex --words"),
        ("UPDATE tally SET entries = entries + 1", "words", "bower reindex --words"),
        ("UPDATE tally SET kind = 'moved'", "words", "bower reindex --words"),
        ("DELETE FROM tally", "words", "bower reindex --words"),
        ("UPDATE meta SET value = 99 WHERE key = 'entries'", "words", "bower reindex --words"),
        ("UPDATE meta SET value = 99 WHERE key = 'words'", "words", "bower reindex --words"),
        ("UPDATE word_index_data SET block = x'00' WHERE id > 10", "words", "reindex --words"),
    ],
)
def test_what_was_changed_is_reported_with_what_heals_it(
    bower: Bower, filled: str, store_path: str, damage: str, hurt: str, remedy: str
) -> None:
    change(store_path, damage)
    ran = bower("verify")
    assert ran.code == 1
    assert ran.envelope["success"] is False
    found = [one for one in ran.data["damages"] if one["hurt"] == hurt]
    assert found, ran.data
    assert remedy in found[0]["remedy"]
    assert found[0]["entry"] or hurt == "words"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tally SET entries = 9",
        "DELETE FROM tally",
        "UPDATE meta SET value = 9 WHERE key = 'words'",
    ],
)
def test_counts_that_were_changed_are_counted_again(
    bower: Bower, filled: str, store_path: str, damage: str
) -> None:
    change(store_path, damage)
    assert bower("verify").code == 1
    assert bower("reindex", "--words").code == 0
    assert bower("verify").data["damages"] == []


def test_the_doctor_looks_at_a_sample(bower: Bower, filled: str, store_path: str) -> None:
    change(store_path, "UPDATE entry SET text = replace(text, '8012', '8013')")
    change(store_path, "UPDATE version SET text = replace(text, '8012', '8013')")
    ran = bower("doctor")
    assert ran.code == 1
    (finding,) = [one for one in ran.data["findings"] if one["level"] == "problem"]
    assert finding["check"] == "seals"
    assert filled in finding["found"]
    assert "bower verify" in finding["remedy"]


def test_the_remedies_heal(bower: Bower, filled: str, store_path: str, shared_notes: Path) -> None:
    change(
        store_path,
        "UPDATE entry SET text = CAST(x'ff' || CAST(text AS BLOB) AS TEXT) WHERE id = 1;"
        "UPDATE facet SET trust = 3 WHERE id = 2;"
        "UPDATE vector SET int8 = zeroblob(7) WHERE id = 3;"
        "UPDATE contextual SET int8 = zeroblob(4);"
        "DELETE FROM word_index WHERE rowid > 2",
    )
    assert bower("verify").code == 1
    bower("index", "--again", str(shared_notes))
    bower("reindex", "--all")
    assert bower("verify").data["damages"] == []


CODE = "import stock\n\n\ndef weigh(parcel):\n    return stock.scale(parcel)\n"


@pytest.fixture
def drawn(bower: Bower, tmp_path: Path, store_path: str) -> Path:
    """Indexed code that calls other code, of a repository with a remote, and an erased memory."""
    code = tmp_path / "depot"
    (code / ".git").mkdir(parents=True)
    (code / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (code / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.org/depot\n')
    (code / "stock.py").write_text("def scale(parcel):\n    return parcel.weight\n")
    (code / "gate.py").write_text(CODE)
    bower("index", str(code))
    with Bowerbird.open(store_path, project="depot") as bird:
        bird.admin.erase([bird.remember("The gate is wide").id])
    return code


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE edge SET line = line + 1 WHERE kind = 'calls'",
        "UPDATE edge SET confidence = 0.1 WHERE kind = 'calls'",
        "DELETE FROM edge WHERE kind = 'calls'",
        "UPDATE node SET name = 'scald' WHERE name = 'scale'",
        "UPDATE outline SET resolved = 2",
        "UPDATE tombstone SET uid = replace(uid, '0', '1')",
        "UPDATE alias SET uid = uid || 'x'",
        "UPDATE model SET revision = 'x'",
    ],
)
def test_every_table_that_an_answer_reads_is_looked_at(
    bower: Bower, drawn: Path, store_path: str, damage: str
) -> None:
    assert bower("verify").data["damages"] == []
    change(store_path, damage)
    found = bower("verify").data["damages"]
    table = damage.replace("DELETE FROM", "UPDATE").split()[1]
    assert found
    assert {one["told"].split(":")[0] for one in found} == {table}
    assert {one["hurt"] for one in found} <= {"graph", "fields"}


def test_a_damaged_graph_is_drawn_again(bower: Bower, drawn: Path, store_path: str) -> None:
    def graph() -> list[object]:
        raw = apsw.Connection(store_path)
        rows = raw.execute(
            "SELECT source, kind, line FROM edge UNION ALL SELECT id, name, 0 FROM node"
        )
        return sorted(rows.fetchall(), key=repr)

    before = graph()
    change(store_path, "UPDATE edge SET line = 7; UPDATE node SET name = 'scald'")
    (remedy,) = {one["remedy"] for one in bower("verify").data["damages"]}
    assert "bower reindex --all" in remedy
    bower("reindex", "--all")
    assert bower("verify").data["damages"] == []
    assert graph() == before != []


def test_a_graph_that_is_drawn_again_or_erased_keeps_its_seals(
    bower: Bower, drawn: Path, store_path: str, tmp_path: Path
) -> None:
    (drawn / "gate.py").write_text(CODE.replace("weigh", "measure"))
    (drawn / "stock.py").unlink()
    bower("index", str(drawn))
    assert bower("verify").data["damages"] == []
    bower("recover", "--into", str(tmp_path / "saved.db"))
    bower("index", "--again", str(drawn), "--store", str(tmp_path / "saved.db"))
    assert bower("verify", "--store", str(tmp_path / "saved.db")).data["damages"] == []


def test_what_is_written_to_a_damaged_row_does_not_hide_the_damage(
    bower: Bower, filled: str, store_path: str
) -> None:
    change(store_path, "UPDATE memory SET source = 'user' WHERE confidence > 0")
    before = bower("verify").data["damages"]
    with Bowerbird.open(store_path) as bird:
        bird.used([filled])
        bird.remember("Something that lets the uses be counted")
    assert before
    assert bower("verify").data["damages"] == before


def test_a_store_from_which_everything_went_is_sound(bower: Bower, tmp_path: Path) -> None:
    note = tmp_path / "notes" / "gate.md"
    note.parent.mkdir()
    note.write_text("Parcels leave from gate seven.\n")
    bower("index", str(note.parent))
    kept = bower("curate", "The kettle stands on shelf nine").data["id"]
    note.unlink()
    bower("index", str(note.parent))
    bower("forget", kept)
    ran = bower("verify")
    assert ran.data["damages"] == []
    assert ran.code == 0


def test_nothing_is_made_where_nothing_is(bower: Bower, store_path: str) -> None:
    ran = bower("verify")
    assert (ran.code, "no store" in ran.data["error"]) == (1, True)


def test_a_terminal_shows_what_is_damaged(bower: Bower, filled: str, store_path: str) -> None:
    change(store_path, "UPDATE entry SET text = replace(text, '8012', '8013')")
    output: Any = bower("verify", "--format", "text").out
    assert f"{filled} it is not what was written" in output
    assert "bower restore" in output
