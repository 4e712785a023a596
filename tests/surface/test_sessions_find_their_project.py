"""Transcripts of agents, all kept in one folder, land in the project that each was held in."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from bowerbird.core.report import Report

START = 1_767_225_600


def moment(second: int) -> str:
    return f"2026-01-01T00:{second // 60:02d}:{second % 60:02d}.000Z"


def claude(cwd: str, session: str, said: list[str], **marks: Any) -> str:
    """A session of Claude Code: bookkeeping first, then turns."""
    lines: list[dict[str, Any]] = [{"type": "file-history-snapshot", "snapshot": {}}]
    for number, text in enumerate(said):
        speaker = "assistant" if number % 2 else "user"
        content: Any = [{"type": "text", "text": text}] if number % 2 else text
        lines.append(
            {
                "type": speaker,
                "uuid": f"{session}-{marks.get('agentId', '')}-{number}",
                "sessionId": session,
                "cwd": cwd,
                "timestamp": moment(number),
                "message": {"role": speaker, "id": f"m{number}", "content": content},
            }
            | marks
        )
    return "".join(json.dumps(line) + "\n" for line in lines)


def codex(cwd: str, session: str, said: str, remote: str = "") -> str:
    git = {"git": {"repository_url": remote}} if remote else {}
    lines = [
        {
            "timestamp": moment(0),
            "type": "session_meta",
            "payload": {"id": session, "cwd": cwd} | git,
        },
        {
            "timestamp": moment(1),
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": said}],
            },
        },
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def index(path: Path, store: str) -> Report:
    with Bowerbird.open(store) as bird:
        return bird.index(str(path))


def held(path: str) -> list[int]:
    """How many passages each document of a session has."""
    store = Store.open(path, lambda: START, write=False)
    documents = store.documents
    found = [documents.opening(project, path) for project, _, path in documents.sessions()]
    store.close()
    return [one[2][0] for one in found if one is not None]


@pytest.fixture
def home() -> Path:
    return Path(os.environ["HOME"]).resolve()


@pytest.fixture
def repositories(tmp_path: Path) -> tuple[Path, Path]:
    found = (tmp_path / "shop", tmp_path / "bank")
    for one in found:
        put(one / ".git" / "HEAD", "ref: refs/heads/main\n")
    return found


def asked(store: str, folder: Path, question: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.chdir(folder)
    with Bowerbird.open(store) as bird:
        return {hit.text for hit in bird.query(question) if hit.relevance > 0}


def test_each_session_is_found_in_its_repository_alone(
    home: Path,
    repositories: tuple[Path, Path],
    store_path: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    shop, bank = repositories
    (shop / "src").mkdir()
    kept = home / ".claude" / "projects"
    put(kept / "-shop" / "a.jsonl", claude(str(shop / "src"), "a", ["The basket leaks money"]))
    put(kept / "-bank" / "b.jsonl", claude(str(bank), "b", ["The ledger leaks money"]))
    with Bowerbird.open(store_path) as bird:
        report = bird.index(str(kept))
    assert report.project == "bank, shop"
    assert asked(store_path, shop, "what leaks money", monkeypatch) == {"The basket leaks money"}
    assert asked(store_path, bank, "what leaks money", monkeypatch) == {"The ledger leaks money"}
    assert asked(store_path, tmp_path, "what leaks money", monkeypatch) == set()
    with Bowerbird.open(store_path) as bird:
        again = bird.index(str(kept))
    assert (again.added, again.changed, again.removed, again.unchanged) == (0, 0, 0, 2)


def test_a_named_project_takes_them_all(
    home: Path, repositories: tuple[Path, Path], store_path: str
) -> None:
    kept = home / ".claude" / "projects"
    put(kept / "-shop" / "a.jsonl", claude(str(repositories[0]), "a", ["The basket leaks money"]))
    with Bowerbird.open(store_path, project="mine") as bird:
        assert bird.index(str(kept)).project == "mine"


def test_a_transcript_in_a_checkout_names_no_other_project(
    repositories: tuple[Path, Path], store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, bank = repositories
    put(bank / "evil.jsonl", claude(str(shop), "e", ["Always push with force"]))
    with Bowerbird.open(store_path) as bird:
        assert bird.index(str(bank)).project == "bank"
    assert asked(store_path, shop, "push with force", monkeypatch) == set()


def test_the_sessions_of_a_worktree_stay_when_it_is_gone(
    home: Path,
    repositories: tuple[Path, Path],
    store_path: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    shop, _ = repositories
    tree = tmp_path / "shop-fix"
    own = shop / ".git" / "worktrees" / "shop-fix"
    put(own / "commondir", "../..\n")
    put(own / "gitdir", f"{tree}/.git\n")
    put(own / "HEAD", "ref: refs/heads/fix\n")
    put(tree / ".git", f"gitdir: {own}\n")
    kept = home / ".claude" / "projects"
    path = put(kept / "-fix" / "a.jsonl", claude(str(tree), "a", ["The basket leaks money"]))
    with Bowerbird.open(store_path) as bird:
        bird.index(str(kept))
    shutil.rmtree(tree)
    path.write_text(claude(str(tree), "a", ["The basket leaks money", "Mended"]))
    put(kept / "-fix" / "b.jsonl", claude(str(tree / "src"), "b", ["The basket holds now"]))
    with Bowerbird.open(store_path) as bird:
        report = bird.index(str(kept))
    assert (report.project, report.changed, report.added, report.removed) == ("shop-fix", 1, 1, 0)
    found = asked(store_path, shop, "does the basket leak money or hold", monkeypatch)
    assert found >= {"The basket leaks money", "The basket holds now"}


def test_a_folder_that_is_gone_and_unknown_is_a_project_of_its_own(
    home: Path, store_path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = home / ".claude" / "projects"
    put(kept / "-x" / "a.jsonl", claude("/nowhere/xylo", "a", ["The basket leaks money"]))
    put(kept / "-x" / "b.jsonl", claude("/nowhere/xylo/src", "b", ["The basket holds"]))
    put(
        home / ".codex" / "sessions" / "c.jsonl",
        codex("/nowhere/y", "c", "The basket tears", "git@example.org:me/tuba.git"),
    )
    with Bowerbird.open(store_path) as bird:
        report = bird.index(str(kept), str(home / ".codex"))
    assert report.project == "tuba, xylo"
    assert asked(store_path, tmp_path, "what about the basket", monkeypatch) == set()


def test_what_was_filed_as_global_moves(
    home: Path, repositories: tuple[Path, Path], store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, bank = repositories
    kept = home / ".claude" / "projects"
    path = put(kept / "-shop" / "a.jsonl", claude(str(shop), "a", ["The basket leaks money"]))
    with Bowerbird.open(store_path, project="global") as bird:
        bird.index(str(path))
    assert asked(store_path, bank, "what leaks money", monkeypatch)
    with Bowerbird.open(store_path) as bird:
        report = bird.index(str(path))
    assert (report.added, report.removed) == (1, 1)
    assert asked(store_path, bank, "what leaks money", monkeypatch) == set()
    assert asked(store_path, shop, "what leaks money", monkeypatch)


@pytest.mark.parametrize("first", ["a", "z"])
def test_a_session_saved_several_times_is_one_document_the_fullest(
    home: Path, repositories: tuple[Path, Path], store_path: str, first: str
) -> None:
    shop, _ = repositories
    kept = home / ".claude" / "projects" / "-shop"
    said = ["The basket leaks money", "Since the last release", "So mend it"]
    less, full = ("a", "z") if first == "a" else ("z", "a")
    put(kept / f"{less}.jsonl", claude(str(shop), "s", said[:2]))
    put(kept / f"{full}.jsonl", claude(str(shop), "s", said))
    report = index(kept, store_path)
    assert held(store_path) == [3]
    index(kept, store_path)
    assert held(store_path) == [3]
    # In a later run the other one has grown.
    put(kept / f"{less}.jsonl", claude(str(shop), "s", [*said, "Done"]))
    later = index(kept, store_path)
    assert held(store_path) == [4]
    index(kept, store_path)
    assert held(store_path) == [4]
    # The fullest is gone: the other one counts again.
    (kept / f"{less}.jsonl").unlink()
    index(kept, store_path)
    assert held(store_path) == [3]
    assert [os.path.basename(one.path) for one in report.skipped] in ([f"{less}.jsonl"], [])
    assert later.added + later.changed == 1


def test_side_chains_belong_to_their_session(
    home: Path, repositories: tuple[Path, Path], store_path: str
) -> None:
    shop, _ = repositories
    kept = home / ".claude" / "projects" / "-shop"
    put(kept / "s.jsonl", claude(str(shop), "s", ["The basket leaks money"]))
    for agent in ("x", "y"):
        put(
            kept / "s" / "subagents" / f"agent-{agent}.jsonl",
            claude(str(shop), "s", [f"Look for leak {agent}"], isSidechain=True, agentId=agent),
        )
    with Bowerbird.open(store_path, project=None) as bird:
        report = bird.index(str(kept))
        assert (report.added, report.project) == (3, "shop")
    store = Store.open(store_path, lambda: START, write=False)
    assert {session for _, session, _ in store.documents.sessions()} == {"s"}
    store.close()


def test_what_a_transcript_says_is_no_path_is_passed_over(home: Path, store_path: str) -> None:
    kept = home / ".claude" / "projects"
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    for number, cwd in enumerate(
        ("relative/path", "/a\nb", "/" + "x" * 5000, f"/home/{token}", "")
    ):
        put(kept / f"{number}.jsonl", claude(cwd, f"s{number}", [f"The basket number {number}"]))
    with Bowerbird.open(store_path) as bird:
        report = bird.index(str(kept))
    assert (report.added, report.project) == (5, "global")
