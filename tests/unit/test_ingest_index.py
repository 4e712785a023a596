"""Indexing over a real store: what comes in, what is left alone, what goes out again."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.config import Config
from bowerbird.core.errors import BadInput
from bowerbird.core.report import Skipped
from bowerbird.core.types import GLOBAL, Project
from bowerbird.host.ownership import Whose
from bowerbird.host.places import project_of
from bowerbird.host.trusted import Trusted
from bowerbird.ingest.contents import read
from bowerbird.ingest.pipeline import Ingest
from bowerbird.ingest.walk import Found, Walk
from bowerbird.models.registry import embedder
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TABLES = ("document", "facet", "entry", "vector", "word_index", "document_index", "word", "tag")


@pytest.fixture
def store(store_path: str, clock: Callable[[], int]) -> Iterator[Store]:
    opened = Store.open(store_path, clock, write=True)
    yield opened
    opened.close()


@pytest.fixture
def ingest(store: Store) -> Ingest:
    return Ingest(store, embedder(Config()), Config(), lambda _path: GLOBAL)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Three files, last changed long before the clock of the tests."""
    folder = tmp_path / "notes"
    put(folder / "redis.md", "# Redis\n\nRedis must be up before the auth tests.\n")
    put(folder / "deep" / "deploy.txt", "Deploy on Mondays.\n")
    turns = [
        {"role": "user", "content": "Which port does the cache use?", "timestamp": "2025-05-01"},
        {"role": "assistant", "content": "Port 6379."},
    ]
    put(folder / "talk.jsonl", "".join(json.dumps(turn) + "\n" for turn in turns))
    return folder


def put(path: Path, text: str, changed: int = 1_700_000_000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (changed, changed))


def rows(store: Store) -> dict[str, int]:
    return {
        table: store.connection.execute(f"SELECT count(*) FROM {table}").get for table in TABLES
    }


def passages(store: Store) -> list[tuple[Any, ...]]:
    return list(
        store.connection.execute(
            "SELECT d.path, d.source, d.session, e.text, e.context, e.speaker, e.start_line,"
            " e.end_line, f.created, e.origin, f.trust FROM entry e JOIN facet f ON f.id = e.id"
            " JOIN document d ON d.id = f.document ORDER BY d.path, f.ordinal"
        )
    )


def texts(store: Store) -> list[str]:
    return [row[3] for row in passages(store)]


def test_files_come_in_with_all_that_is_known_of_them(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    report = ingest.index([str(notes)])
    assert (report.added, report.changed, report.removed, report.unchanged) == (3, 0, 0, 0)
    assert report.passages == report.embedded == 4
    assert report.bytes_read == sum(f.stat().st_size for f in notes.rglob("*.*"))
    assert report.project == "global"
    mtime = 1_700_000_000_000
    deploy, redis, asked, said = passages(store)
    assert deploy[1:9] == ("text", "", "Deploy on Mondays.", "", "", 1, 1, mtime)
    assert redis[0] == str(notes / "redis.md")
    assert redis[1:4] == ("markdown", "", "# Redis\n\nRedis must be up before the auth tests.")
    assert redis[4:9] == ("Redis", "", 1, 3, mtime)
    assert asked[1:4] == ("conversation", "talk", "Which port does the cache use?")
    assert asked[4:6] == ("Thursday 1 May 2025", "user")
    assert asked[8] == 1_746_057_600_000
    assert said[5:9] == ("assistant", 2, 2, mtime)
    assert {row[9:] for row in passages(store)} == {("import", 1)}


def test_a_second_run_reads_nothing_and_embeds_nothing(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    ingest.index([str(notes)])
    before = passages(store)
    report = ingest.index([str(notes)])
    assert (report.unchanged, report.added, report.changed, report.removed) == (3, 0, 0, 0)
    assert (report.bytes_read, report.embedded, report.passages) == (0, 0, 0)
    assert passages(store) == before


def test_a_touched_file_is_read_and_known_by_its_content(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    ingest.index([str(notes)])
    os.utime(notes / "redis.md", (1_700_000_500, 1_700_000_500))
    report = ingest.index([str(notes)])
    assert (report.unchanged, report.embedded) == (3, 0)
    assert report.bytes_read == (notes / "redis.md").stat().st_size
    assert ingest.index([str(notes)]).bytes_read == 0


def test_a_changed_file_takes_the_place_of_the_old_one(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    ingest.index([str(notes)])
    put(notes / "redis.md", "# Redis\n\nRedis is gone.\n", changed=1_700_000_900)
    report = ingest.index([str(notes)])
    assert (report.changed, report.unchanged, report.embedded) == (1, 2, 1)
    assert "# Redis\n\nRedis is gone." in texts(store)
    assert not any("auth tests" in text for text in texts(store))


def test_a_change_that_neither_size_nor_time_tells_is_seen_when_it_was_recent(
    ingest: Ingest, store: Store, notes: Path, clock: Callable[[], int]
) -> None:
    now = clock() // 1000 + 3600
    put(notes / "redis.md", "port 5432\n", changed=now)
    ingest.index([str(notes)])
    put(notes / "redis.md", "port 6432\n", changed=now)
    assert ingest.index([str(notes)]).changed == 1
    assert "port 6432" in texts(store)


def test_a_file_that_is_gone_leaves_nothing_in_any_table(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    ingest.index([str(notes)])
    assert all(rows(store)[table] for table in TABLES if table != "tag")
    for path in list(notes.rglob("*.*")):
        path.unlink()
    report = ingest.index([str(notes)])
    assert report.removed == 3
    assert rows(store) == dict.fromkeys(TABLES, 0)
    assert store.words.totals() == (0, 0)


def test_a_file_outside_the_path_stays(ingest: Ingest, store: Store, notes: Path) -> None:
    ingest.index([str(notes)])
    (notes / "redis.md").unlink()
    assert ingest.index([str(notes / "deep")]).removed == 0
    put(notes / "deep2" / "x.txt", "Beside deep.\n")
    ingest.index([str(notes / "deep2")])
    assert ingest.index([str(notes / "deep")]).removed == 0
    assert len(texts(store)) == 5


def test_a_file_that_is_ignored_now_goes(ingest: Ingest, store: Store, notes: Path) -> None:
    ingest.index([str(notes)])
    put(notes / ".gitignore", "deep/\n")
    assert ingest.index([str(notes)]).removed == 1
    assert "Deploy on Mondays." not in texts(store)


def test_a_named_hidden_file_stays_until_it_is_gone(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    put(notes / ".agent" / "memory.md", "Use tabs.\n")
    assert ingest.index([str(notes / ".agent")]).added == 1
    assert ingest.index([str(notes)]).removed == 0
    (notes / ".agent" / "memory.md").unlink()
    assert ingest.index([str(notes)]).removed == 1


def test_a_file_that_grew_since_it_was_found_is_not_read_beyond_the_limit(notes: Path) -> None:
    found = Found(str(notes / "redis.md"), 1, 0)
    events = read(found, 20)
    assert isinstance(events, Skipped)
    assert "larger" in events.reason


def test_what_cannot_be_taken_in_is_reported_and_the_rest_goes_on(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    (notes / "a.png").write_bytes(b"\x89PNG\0\0")
    (notes / "latin.txt").write_bytes("gr\xfc\xdfe".encode("latin-1"))
    (notes / "huge.txt").write_bytes(b"x" * 32_000_001)
    os.mkfifo(notes / "pipe")
    report = ingest.index([str(notes)])
    assert report.added == 3
    reasons = {os.path.basename(s.path): s.reason for s in report.skipped}
    assert reasons["a.png"] == "binary"
    assert reasons["latin.txt"] == "not UTF-8 text"
    assert "32 MB" in reasons["huge.txt"]
    assert "pipe" in reasons["pipe"]


def test_an_unreadable_file_is_reported_and_stays(
    ingest: Ingest, store: Store, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest.index([str(notes)])
    os.utime(notes / "redis.md", (1_700_000_500, 1_700_000_500))

    def refuse(path: str, _flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("bowerbird.ingest.contents.os.open", refuse)
    report = ingest.index([str(notes)])
    assert (report.removed, [one.reason for one in report.skipped]) == (0, ["permission denied"])
    assert rows(store)["document"] == 3


def test_what_another_process_indexed_meanwhile_stays(
    ingest: Ingest, store: Store, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked = Walk.files

    def files(walk: Walk, root: str, above: str | None) -> list[Found]:
        found = walked(walk, root, above)
        monkeypatch.setattr(Walk, "files", walked)
        put(notes / "new.md", "Whales sing.\n")
        assert ingest.index([str(notes)]).added == 4
        return found

    monkeypatch.setattr(Walk, "files", files)
    assert ingest.index([str(notes)]).removed == 0
    assert "Whales sing." in texts(store)


def test_a_text_that_became_binary_is_taken_out(ingest: Ingest, store: Store, notes: Path) -> None:
    ingest.index([str(notes)])
    (notes / "redis.md").write_bytes(b"\0\1\2")
    report = ingest.index([str(notes)])
    assert (report.removed, report.changed) == (1, 0)
    assert rows(store)["document"] == 2


def test_other_encodings_with_a_mark_are_text(ingest: Ingest, store: Store, notes: Path) -> None:
    (notes / "wide.txt").write_bytes("Grüße".encode("utf-16"))
    (notes / "marked.txt").write_bytes(b"\xef\xbb\xbfmarked")
    ingest.index([str(notes)])
    assert {"Grüße", "marked"} <= set(texts(store))


def test_a_missing_path_stops_everything_before_it_begins(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    with pytest.raises(BadInput):
        ingest.index([str(notes), str(notes / "nope")])
    assert rows(store)["document"] == 0


def test_paths_that_overlap_count_once(ingest: Ingest, store: Store, notes: Path) -> None:
    (notes.parent / "link").symlink_to(notes)
    paths = [str(notes), str(notes / "redis.md"), str(notes.parent / "link"), str(notes / "deep")]
    assert ingest.index(paths).added == 3
    assert ingest.index(list(reversed(paths))).unchanged == 3


def test_an_empty_file_is_known(ingest: Ingest, store: Store, notes: Path) -> None:
    put(notes / "empty.md", "")
    assert ingest.index([str(notes)]).added == 4
    assert ingest.index([str(notes)]).unchanged == 4


def test_the_store_inside_an_indexed_folder_is_left_alone(
    ingest: Ingest, store: Store, notes: Path
) -> None:
    report = ingest.index([os.path.dirname(store.path)])
    assert report.added == 3
    assert rows(store)["document"] == 3
    assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_files_of_the_working_project_are_its_own(store: Store, tmp_path: Path) -> None:
    put(tmp_path / "shop" / ".git" / "config", "")
    put(tmp_path / "shop" / "a.md", "inside\n")
    put(tmp_path / "loose.md", "outside\n")
    whose = Whose(Trusted(str(tmp_path / "none.json")), {})
    ingest = Ingest(store, embedder(Config()), Config(), project_of, grounds_for=whose.of)
    report = ingest.index([str(tmp_path / "shop"), str(tmp_path / "loose.md")])
    assert report.project == "global, shop"
    trust = {row[3]: row[9:] for row in passages(store)}
    assert trust == {"inside": ("tool_internal", 2), "outside": ("import", 1)}


def test_a_repository_below_the_path_keeps_its_own_project(store: Store, tmp_path: Path) -> None:
    put(tmp_path / "all" / "shop" / ".git" / "config", "")
    put(tmp_path / "all" / "shop" / "a.md", "inside\n")
    put(tmp_path / "all" / "b.md", "outside\n")
    ingest = Ingest(store, embedder(Config()), Config(), project_of)
    ingest.index([str(tmp_path / "all")])
    assert ingest.index([str(tmp_path / "all" / "shop")]).unchanged == 1
    assert rows(store)["document"] == 2
    (tmp_path / "all" / "b.md").unlink()
    assert ingest.index([str(tmp_path / "all")]).removed == 1


def test_the_same_path_in_two_named_projects_is_two_documents(store: Store, notes: Path) -> None:
    for name in ("one", "two"):
        project = Project("name:" + name, name, None)
        ingest = Ingest(store, embedder(Config()), Config(), lambda _path, p=project: p)  # type: ignore[misc]
        assert ingest.index([str(notes)]).added == 3
    assert rows(store)["document"] == 6


def test_progress_is_reported_in_bytes_and_always_ends(ingest: Ingest, notes: Path) -> None:
    events: list[tuple[Any, ...]] = []

    class Heard:
        def start(self, what: str, total: int) -> None:
            events.append(("start", what, total))

        def advance(self, units: int, label: str = "") -> None:
            events.append(("advance", units, os.path.basename(label)))
            if label.endswith("talk.jsonl"):
                raise KeyboardInterrupt

        def finish(self) -> None:
            events.append(("finish",))

    with pytest.raises(KeyboardInterrupt):
        ingest.index([str(notes)], Heard())
    total = sum(f.stat().st_size for f in notes.rglob("*.*"))
    assert events[0] == ("start", "index", total)
    assert sum(event[1] for event in events if event[0] == "advance") == total
    assert events[-1] == ("finish",)


def test_others_read_while_files_come_in(ingest: Ingest, store: Store, notes: Path) -> None:
    for number in range(300):
        put(notes / f"n{number}.md", f"# Note {number}\n\n" + "words about caches " * 400)
    ask = (
        "import sys; from bowerbird.core.clock import system_clock;"
        "from bowerbird.storage.sqlite.store import Store;"
        "store = Store.open(sys.argv[1], system_clock, write=False);"
        "print('ready', flush=True)\n"
        "seen = 0\n"
        "while seen < 303:\n"
        "    now = store.connection.execute('SELECT count(*) FROM document').get\n"
        "    assert now >= seen; seen = now\n"
        "    parts = store.connection.execute('SELECT (SELECT count(*) FROM entry),'\n"
        "        ' (SELECT count(*) FROM word_index), (SELECT count(*) FROM vector)').get\n"
        "    assert len(set(parts)) == 1\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", ask, store.path], stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        assert ingest.index([str(notes)]).added == 303
        try:
            assert reader.wait(timeout=600) == 0
        finally:
            reader.kill()


def test_a_secret_never_reaches_the_store(
    store: Store, ingest: Ingest, store_path: str, tmp_path: Path
) -> None:
    key = "AKIA" + "Q3EGRPXZ7TWNVUJD"
    put(tmp_path / "in" / "aws.md", f"# Access\nThe key is {key} for the bucket.\n")
    said = {"role": "user", "content": "use https://bob:hunter2xq9@example.org/x"}
    put(tmp_path / "in" / "talk.jsonl", json.dumps(said) + "\n")
    report = ingest.index([str(tmp_path / "in")])
    assert sum(report.redacted.values()) >= 2
    texts = " ".join(row[0] for row in store.connection.execute("SELECT text FROM entry"))
    assert texts.count("[REDACTED:") == 2
    store.close()
    beside = pathlib.Path(store_path)
    held = b"".join(one.read_bytes() for one in beside.parent.glob(beside.name + "*"))
    assert held
    assert key.encode() not in held
    assert b"hunter2xq9" not in held


def test_code_of_an_older_reader_is_read_once(store: Store, ingest: Ingest, notes: Path) -> None:
    put(notes / "jobs.py", "def run(job):\n    return job()\n")
    ingest.index([str(notes)])
    assert ingest.index([str(notes)]).changed == 0
    with store.transaction():  # as a store that an older version wrote
        store.connection.execute("DELETE FROM meta WHERE key LIKE 'reader %'")
    runs = [ingest.index([str(notes)]) for _ in range(2)]
    assert [(one.changed, one.unchanged) for one in runs] == [(1, 3), (0, 4)]
