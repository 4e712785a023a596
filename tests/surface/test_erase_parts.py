"""A session, a project, an origin, everything: no file that was written below our folders holds it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.foreign_file import CLONED, ForeignFile
from bowerbird.core.types import STATES
from bowerbird.sessions.observe.journal import Journal
from bowerbird.storage.foreign_files import ForeignFiles
from bowerbird.verbs.rescuing import archive_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
WORD = b"xylophonist"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> str:
    """The default store: everything that is written lies below the folders for data, state and config."""
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(Path.home() / name.lower()))
    path = str(Path.home() / "data" / "bowerbird" / "memory.db")
    monkeypatch.setenv("BOWER_STORE", path)
    return path


def holding() -> list[str]:
    """Every file of ours that holds the word, unpacked where it is packed."""
    found = []
    for name in ("data", "state", "config", "cache"):
        for file in (Path.home() / name).rglob("*"):
            if file.is_file():
                data = file.read_bytes()
                data += gzip.decompress(data) if data[:2] == b"\x1f\x8b" else b""
                if WORD in data.lower():
                    found.append(str(file))
    return found


def said() -> Iterator[tuple[str, str]]:
    yield "user", "Remember that the xylophonist keeps the key of the depot in the foundry."
    yield "assistant", "I shall remember that the xylophonist has it."
    yield "user", "No, that's wrong: always ask the xylophonist before the mill is opened."
    yield "assistant", "All right, the xylophonist will be asked."


def lived(bower: Bower, tmp_path: Path) -> Path:
    """One session with hooks, a transcript, an archive, lessons, a digest and passages; others beside."""
    transcript = Path.home() / ".claude" / "projects" / "shop" / f"{SESSION}.jsonl"
    transcript.parent.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    with transcript.open("w") as file:
        for number, (kind, text) in enumerate(said()):
            record = {
                "type": kind,
                "uuid": f"r{number}",
                "sessionId": SESSION,
                "cwd": str(tmp_path),
                "timestamp": f"2026-01-02T10:00:0{number}Z",
                "message": {"role": kind, "content": text},
            }
            file.write(json.dumps(record) + "\n")
    event = {"session_id": SESSION, "cwd": str(tmp_path), "transcript_path": str(transcript)}
    for name, more in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "where does the xylophonist live?"}),
        ("SessionEnd", {"reason": "exit"}),
    ):
        given = json.dumps(event | more | {"hook_event_name": name})
        assert bower("hook", "claude-code", name, stdin=given).code == 0
    assert bower("rescue").code == 0
    # The end of the session may have begun it already.
    assert bower("learn", str(transcript.parent)).code == 0

    assert bower("index", str(transcript)).code == 0
    assert bower("curate", "The mill has a key of its own").code == 0
    return transcript


def receipt(terminal: Bower, *given: str) -> dict[str, Any]:
    """What a person gets who erases on a terminal, behind what the progress wrote."""
    out = terminal("erase", *given, "--format", "json").out
    found: dict[str, Any] = json.loads(out[out.index("{") :])["data"]
    return found


def test_a_session_goes_with_all_that_was_recorded_of_it(
    terminal: Bower, bower: Bower, store: str, tmp_path: Path
) -> None:
    transcript = lived(bower, tmp_path)
    assert len(holding()) >= 3
    before = bower("list").data
    assert receipt(terminal, "--session", SESSION[:8], "--dry-run")["dry_run"]
    assert len(holding()) >= 3
    assert bower("list").data == before
    done = receipt(terminal, "--session", SESSION[:8], "--yes")
    assert (done["sessions"], done["archives"], done["documents"]) == (1, 1, 1)
    assert not Journal(store).sessions()
    assert (done["sources"], done["transcripts"]) == ([], [str(transcript)])
    assert WORD not in json.dumps(done).encode(), "a receipt holds no text"
    assert len(done["erased"]) >= 2
    assert holding() == []
    with Bowerbird.open(store) as bird:
        assert [one.text for one in bird.list(memories_only=True)] == [
            "The mill has a key of its own"
        ]
        assert bird.admin.verify().sound
        bird.admin.learn(transcript)
        assert len(bird.list(memories_only=True)) == 1, "it is not learned from again"
        with pytest.raises(NotFound):
            bird.admin.erase(session="nobody-knows-it")


def test_a_session_that_is_resumed_brings_back_nothing_of_what_was_erased(
    terminal: Bower, bower: Bower, store: str, tmp_path: Path
) -> None:
    transcript = lived(bower, tmp_path)
    receipt(terminal, "--session", SESSION, "--yes")
    event = {"session_id": SESSION, "cwd": str(tmp_path), "transcript_path": str(transcript)}

    def ended() -> None:
        os.utime(transcript)
        for name, more in (("SessionStart", {"source": "resume"}), ("SessionEnd", {})):
            given = json.dumps(event | more | {"hook_event_name": name})
            assert bower("hook", "claude-code", name, stdin=given).code == 0
        for ran in (
            ("rescue",),
            ("learn", str(transcript)),
            ("index", "--again", str(transcript)),
            ("index", archive_folder()),
        ):
            assert bower(*ran).code == 0

    ended()
    assert holding() == []
    with transcript.open("a") as file:
        later = {"type": "user", "uuid": "r9", "sessionId": SESSION, "cwd": str(tmp_path)}
        said = "Remember that the lighthouse is painted in turquoise every spring."
        stamp = datetime.now(UTC) + timedelta(seconds=1)
        message = {"role": "user", "content": said}
        file.write(json.dumps(later | {"timestamp": stamp.isoformat(), "message": message}) + "\n")
    ended()
    assert holding() == []
    with Bowerbird.open(store) as bird:
        assert any(
            "turquoise" in one.text for one in bird.list(memories_only=True, all_projects=True)
        )
        found = bird.query("turquoise lighthouse", all_projects=True).hits
        assert any(hit.entry.path for hit in found)
    (kept,) = Path(archive_folder()).rglob("*.gz")
    assert b"turquoise" in gzip.decompress(kept.read_bytes())


def test_a_project_goes_and_others_stay(
    terminal: Bower, bower: Bower, store: str, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Depot\n\nThe xylophonist lives behind the depot.\n")
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The xylophonist keeps the key of the depot")
        bird.remember("Everybody parks at the north gate", everywhere=True, kind="preference")
        bird.index(notes)
    with Bowerbird.open(store, project="mill") as bird:
        bird.remember("The mill is closed on Mondays")
    assert holding()
    done = receipt(terminal, "--whole-project", "--project", "shop", "--yes")
    assert (len(done["erased"]), done["documents"]) == (1, 1)
    assert holding() == []
    with Bowerbird.open(store) as bird:
        texts = {one.text for one in bird.list(memories_only=True, all_projects=True)}
        assert texts == {"Everybody parks at the north gate", "The mill is closed on Mondays"}
        assert bird.admin.verify().sound
        assert not [one for one in bird.admin.doctor() if one.level == "problem"]
    assert b"shop" not in Path(store).read_bytes()


def test_with_a_project_goes_what_its_sessions_noted_of_files(
    terminal: Bower, bower: Bower, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(tmp_path)
    assert bower("curate", "The depot has a door").code == 0
    uid = f"path:{tmp_path}"
    cloned = ForeignFile("xylophonist", CLONED, SESSION, 1, (uid,), str(tmp_path))
    assert ForeignFiles(store).note([cloned])
    assert bower("curate", "The mill has a key of its own").code == 0
    assert [one for one in holding() if one.endswith(".noted.taken")], holding()
    receipt(terminal, "--whole-project", "--yes")
    assert holding() == []
    assert bower("curate", "The mill has another key").code == 0
    assert bower("verify").code == 0


def test_an_origin_goes_with_what_was_derived_from_it(store: str) -> None:
    with Bowerbird.open(store, project="shop") as bird:
        root = bird.remember("A page says the xylophonist is away", origin="tool_external").id
        derived = bird.remember("Nobody opens the depot at noon").id
        further = bird.remember("Deliveries go to the side entrance").id
        own = bird.remember("The ferry leaves from the east quay").id
        bird.link(derived, root, "derived_from")
        bird.link(further, derived, "derived_from")
        bird.link(own, root, "related_to")
        done = bird.admin.erase(origin="tool_external")
        assert {one.id for one in done.erased} == {root, derived, further}
        text = "A page says the xylophonist is away"
        assert done.erased[0].hash == hashlib.sha256(text.encode()).hexdigest()
        assert [one.id for one in bird.list(memories_only=True)] == [own]
    assert holding() == []


def test_what_came_from_rules_names_the_file_that_still_says_it(
    store: str, bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    rules = tmp_path / "AGENTS.md"
    rules.write_text("# Rules\n\n- The xylophonist opens the depot at seven on Mondays.\n")
    monkeypatch.chdir(tmp_path)
    assert bower("import", "rules", "AGENTS.md").code == 0
    with Bowerbird.open() as bird:
        assert bird.admin.erase(origin="import", dry_run=True).sources == (str(rules),)
        assert bird.admin.erase(origin="import").sources == (str(rules),)


def test_copies_that_hold_it_go_if_that_is_wanted(store: str, tmp_path: Path) -> None:
    rules, lines, vault = tmp_path / "CLAUDE.md", tmp_path / "all.jsonl", tmp_path / "vault"
    early = [tmp_path / name for name in ("early.jsonl", "early.db")]
    rules.write_text("# Ours\n")
    with Bowerbird.open(store, project="shop") as bird:
        mill = bird.remember("The mill has a key of its own").id
        for path in early:
            bird.admin.export(path)
        first = bird.remember("The xylophonist keeps the key of the depot").id
        bird.link(mill, first, "informs")
        for path in (rules, lines, vault):
            bird.admin.export(path)
        (vault / "mine.md").write_text("The xylophonist, by me\n")
        backup = bird.admin.backup().path
        taken = str(tmp_path / "taken.db")
        bird.admin.backup(taken)
        Path(taken).write_text("something else by now")
        holding_it = {backup, *map(str, (rules, lines, vault))}
        assert {*bird.admin.erase([first], dry_run=True).copies} == holding_it
        done = bird.admin.erase([first], backups=True)
        assert done.copies == ()
        bird.admin.export(rules)
    assert "The mill has a key of its own" in rules.read_text(), "its other lines stay"
    assert WORD not in rules.read_bytes().lower()
    assert not lines.exists()
    assert not Path(backup).exists()
    assert all(one.exists() for one in early), "what is older than the memory cannot hold it"
    assert Path(taken).exists(), "what is no copy any more is left alone"
    notes = {one.name: one.read_text() for one in vault.iterdir()}
    assert [one for one in notes if WORD.decode() in notes[one] + one] == ["mine.md"]
    assert len(notes) == 3, "with the list of ids"
    assert holding() == []


def test_copies_of_what_was_erased_before_go_by_its_id(store: str, tmp_path: Path) -> None:
    lines, vault = tmp_path / "all.jsonl", tmp_path / "vault"
    with Bowerbird.open(store, project="shop") as bird:
        kept = bird.remember("The mill has a key of its own").id
        id = bird.remember("The xylophonist keeps the key of the depot").id
        for path in (lines, vault):
            bird.admin.export(path)
        backup = bird.admin.backup().path
        assert {*bird.admin.erase([id]).copies} == {backup, str(lines), str(vault)}
        with pytest.raises(NotFound, match="was erased before") as refused:
            bird.admin.erase([id])
        assert "--backups" in str(refused.value.remedy)
        asked = bird.admin.erase([id], backups=True, dry_run=True)
        assert {*asked.copies} == {backup, str(lines), str(vault)}
        assert lines.exists()
        done = bird.admin.erase([id], backups=True)
        assert {*done.removed} == {backup, str(lines), str(vault)}
        assert (done.erased, done.copies) == ((), ())
        assert not bird.admin.erase([id], backups=True).removed
        assert [one.id for one in bird.list()] == [kept]
        with pytest.raises(NotFound, match="no entry"):
            bird.admin.erase(["0123456789ab"], backups=True)
    assert not lines.exists()
    assert not Path(backup).exists()
    assert len([*vault.glob("*.md")]) == 1
    assert holding() == []


@pytest.mark.parametrize("edited", [False, True])
def test_a_kept_block_loses_what_is_erased_at_once(
    store: str, tmp_path: Path, *, edited: bool
) -> None:
    rules = tmp_path / "CLAUDE.md"
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The mill has a key of its own")
        id = bird.remember("The xylophonist keeps the key of the depot").id
        bird.admin.export(rules)
        if edited:
            rules.write_text(rules.read_text().replace("the depot", "both depots"))
            assert bird.admin.import_from(rules).changed == 1
        assert bird.admin.erase([id], dry_run=True).copies == (str(rules),)
        done = bird.admin.erase([id])
        assert (done.removed, done.copies) == ((str(rules),), ())
        assert WORD not in rules.read_bytes().lower()
        assert "The mill has a key" in rules.read_text()
        assert not bird.admin.import_from(rules).errors
        bird.admin.export(rules)


def test_a_file_whose_kept_block_was_emptied_is_not_listed_any_more(
    store: str, tmp_path: Path
) -> None:
    rules = tmp_path / "CLAUDE.md"
    with Bowerbird.open(store, project="shop") as bird:
        first = bird.remember("The xylophonist keeps the key of the depot").id
        bird.admin.export(rules)
        assert bird.admin.erase([first]).copies == ()
        second = bird.remember("The mill has a key of its own").id
        assert bird.admin.erase([second]).copies == ()
        assert bird.admin.erase(everything=True, backups=True).copies == ()


def test_nothing_of_a_folder_of_notes_stays_with_everything(store: str, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    with Bowerbird.open(store, project="shop") as bird:
        bird.remember("The xylophonist keeps the key of the depot")
        bird.admin.export(vault)
    with Bowerbird.open(store, project="shop") as bird:
        bird.admin.erase(everything=True, backups=True)
    assert not [*vault.iterdir()]


def test_what_says_the_same_goes_along(store: str) -> None:
    with Bowerbird.open(store, project="shop") as bird:
        first = bird.remember("The xylophonist keeps the key of the depot").id
        bird.forget(first)
        again = bird.remember("The xylophonist keeps the key of the depot.").id
        assert again != first
        assert {one.id for one in bird.admin.erase([again]).erased} == {first, again}
    assert holding() == []


def test_everything_goes(terminal: Bower, bower: Bower, store: str, tmp_path: Path) -> None:
    lived(bower, tmp_path)
    bower("backup")
    assert holding()
    with Bowerbird.open(store) as bird:
        bird.remember("Open elsewhere")
        assert "open" in receipt(terminal, "--everything", "--yes")["error"]
    assert len(receipt(terminal, "--everything", "--backups", "--yes")["erased"]) >= 3
    assert not Path(store).exists()
    assert not Path(archive_folder()).exists()
    assert holding() == []
    left = {one.name for one in Path(store).parent.rglob("*") if one.is_file()}
    assert left == set()
    assert bower("curate", "A new beginning").code == 0


def test_a_user_goes_in_every_state(terminal: Bower, store: str) -> None:
    with Bowerbird.open(store, project="shop") as bird:
        said: dict[str, Any] = {"author": "ada", "tags": ["user:ada"]}
        first = bird.remember("Ada's room at the mill is number 12", **said)
        second = bird.remember("Ada's room at the mill is number 14 now", **said)
        assert second.decision == "superseded"
        other = bird.remember("The mill has a key of its own", tags=["user:bo"])
        later = bird.within("mill").remember("Ada rows on the lake every morning", **said)

        by_ids = bird.admin.erase([second.id], dry_run=True)
        told = {one.id for one in by_ids.remaining} | {one.id for one in by_ids.quoting}
        assert first.id in told, "the superseded one is told of"
        with pytest.raises(NotFound, match="no memory here"):
            bird.admin.erase(tags=["user:ad"])
        with pytest.raises(NotFound, match="no project 'shp'") as caught:
            bird.within("shp").admin.erase(whole_project=True)
        assert caught.value.remedy == "did you mean shop?"

        tried = receipt(terminal, "--tag", "user:ada", "--project", "shop", "--dry-run")
        assert {one["id"] for one in tried["erased"]} == {first.id, second.id}
        bird.admin.erase(tags=["user:ada"])
        assert [one.id for one in bird.list(states=STATES)] == [other.id]
        assert [one.id for one in bird.within("mill").list()] == [later.id]
        done = bird.admin.erase(author="ada", all_projects=True)
        assert [one.id for one in done.erased] == [later.id]


def test_one_thing_at_a_time_is_named(bower: Bower, terminal: Bower, store: str) -> None:
    with Bowerbird.open(store, project="shop") as bird:
        id = bird.remember("The mill has a key of its own").id
        with pytest.raises(BadInput):
            bird.admin.erase([id], everything=True)
    assert terminal("erase", "--yes").code == 2
    assert bower("erase", "--everything", "--yes").code == 1, "an agent erases nothing"
    assert Path(store).exists()


def test_a_session_that_hooks_alone_recorded_is_erased_by_the_name_that_is_listed(
    terminal: Bower, bower: Bower, store: str, tmp_path: Path
) -> None:
    assert bower("curate", "The mill has a key of its own").code == 0
    prompt = {"prompt": "where does the xylophonist live?", "hook_event_name": "UserPromptSubmit"}
    given = json.dumps({"session_id": "s3", "cwd": str(tmp_path)} | prompt)
    assert bower("hook", "claude-code", "UserPromptSubmit", stdin=given).code == 0
    assert [one["id"] for one in bower("session").data["sessions"]] == ["s3"]
    assert holding()
    assert receipt(terminal, "--session", "s3", "--yes")["sessions"] == 1
    assert holding() == []
