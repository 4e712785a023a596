"""Which files a path stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bowerbird.core.errors import BadInput
from bowerbird.host.places import NOTED, SIDE_FOLDERS, SIDECARS
from bowerbird.ingest.walk import LEADS_OUT, Walk, real_roots, reason
from bowerbird.sessions.learn import scratchpad
from bowerbird.sessions.observe import journal
from bowerbird.storage import outcomes, question_vectors, side_file
from bowerbird.storage.sqlite.file import location, reserve
from bowerbird.storage.sqlite.nouns import usage
from bowerbird.storage.sqlite.resident import hnsw
from bowerbird.wiring import hooking


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    return root


def put(root: Path, *names: str, text: str = "text\n") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(root: Path, *more: Path, project: Path | None = None, store: str = "/no.db") -> list[str]:
    walk = Walk(store, location.SIDECARS, follow_links=True)
    top = str(project) if project else None
    files = [f for each in (root, *more) for f in walk.files(str(each), top)]
    return [os.path.relpath(file.path, root) for file in files]


def test_files_come_sorted_and_once(tree: Path) -> None:
    put(tree, "b.md", "a/z.md", "a/b/c.txt")
    assert found(tree) == ["a/b/c.txt", "a/z.md", "b.md"]
    assert found(tree, tree / "a", tree / "b.md") == ["a/b/c.txt", "a/z.md", "b.md"]


def test_what_tools_and_builds_leave_is_kept_out(tree: Path) -> None:
    put(tree, "keep.md", ".git/config", "node_modules/x/readme.md", "a/__pycache__/x.txt")
    put(tree, ".hidden/x.md", ".env", "env/pyvenv.cfg", "env/x.md", "cache/CACHEDIR.TAG")
    put(tree, "web/package.json", "web/dist/x.md", "web/app.min.js", "package-lock.json")
    assert found(tree) == ["keep.md", "web/package.json"]


def test_a_folder_called_build_is_kept_where_nothing_builds(tree: Path) -> None:
    put(tree, "build/how-we-build.md")
    assert found(tree) == ["build/how-we-build.md"]


def test_a_named_path_counts_whatever_its_name(tree: Path) -> None:
    put(tree, ".notes/a.md", "node_modules/x.md", ".gitignore", text="*.md\n")
    assert found(tree / ".notes", tree / "node_modules" / "x.md") == [
        "a.md",
        "../node_modules/x.md",
    ]


def test_ignore_files_hide_and_the_deepest_that_speaks_decides(tree: Path) -> None:
    put(tree, "a.log", "b.md", "sub/c.log", "sub/keep.log", "tmp/x.md", "secret.md")
    put(tree, ".gitignore", text="*.log\ntmp/\n[\n!\n")
    put(tree, "sub/.gitignore", text="!keep.log\n")
    put(tree, ".bowerignore", text="secret.md\n")
    assert found(tree) == ["b.md", "sub/keep.log"]


def test_the_ignore_files_above_a_named_folder_count_up_to_its_project(tree: Path) -> None:
    put(tree, "docs/a.md", "docs/_out/b.md")
    put(tree, ".gitignore", text="_out/\n")
    assert found(tree / "docs", project=tree) == ["a.md"]
    assert found(tree / "docs" / "_out", project=tree) == ["b.md"]
    assert found(tree / "docs") == ["_out/b.md", "a.md"]


def test_a_marked_folder_that_was_named_counts_whatever_is_named_before_it(tree: Path) -> None:
    put(tree, "a.md", "env/pyvenv.cfg", "env/notes.md")
    for roots in ([tree, tree / "env"], [tree / "env", tree]):
        walk = Walk(str(tree / "memory.db"))
        names = [Path(one.path).name for root in roots for one in walk.files(str(root), None)]
        assert sorted(names) == ["a.md", "notes.md", "pyvenv.cfg"]


def test_links_lead_out_of_a_folder_only_where_that_is_asked(tree: Path, tmp_path: Path) -> None:
    put(tmp_path, "far/x.md", "letters.md")
    put(tree, "a/y.md")
    (tree / "far").symlink_to(tmp_path / "far")
    (tree / "letters.md").symlink_to(tmp_path / "letters.md")
    (tree / "up.md").symlink_to("a/../../letters.md")
    (tree / "b").symlink_to(tree / "a")
    (tree / "back").symlink_to(tmp_path / "far" / ".." / tree.name / "a" / "y.md")
    walk = Walk("/no.db")
    assert [one.path for one in walk.files(str(tree), None)] == [str(tree / "a" / "y.md")]
    skipped = [(one.path, one.reason) for one in walk.skipped]
    assert sorted(skipped) == [
        (str(tree / name), LEADS_OUT) for name in ("far", "letters.md", "up.md")
    ]
    assert found(tree / "far") == ["x.md"]


def test_links_are_followed_once_and_loops_end(tree: Path, tmp_path: Path) -> None:
    put(tmp_path, "far/x.md", "far/.ssh/id_rsa", ".aws/key.md")
    put(tree, "a/y.md")
    (tree / "far").symlink_to(tmp_path / "far")
    (tree / "again").symlink_to(tmp_path / "far")
    (tree / "a" / "loop").symlink_to(tree)
    (tree / "key").symlink_to(tmp_path / "far" / ".ssh" / "id_rsa")
    (tree / "aws").symlink_to(tmp_path / ".aws")
    (tree / "dead").symlink_to(tmp_path / "nowhere")
    assert found(tree) == ["../far/x.md", "a/y.md"]


def test_two_names_of_one_file_are_one(tree: Path) -> None:
    put(tree, "a.md")
    (tree / "b.md").symlink_to(tree / "a.md")
    assert found(tree) == ["a.md"]
    assert real_roots([str(tree / "b.md"), str(tree / "a.md")]) == [str(tree / "a.md")]


def test_pipes_are_never_opened(tree: Path) -> None:
    os.mkfifo(tree / "pipe.md")
    (tree / ".gitignore").symlink_to(tree / "pipe.md")
    walk = Walk("/no.db")
    assert walk.files(str(tree), None) == []
    assert [s.reason for s in walk.skipped] == ["a pipe, socket or device"]


def test_databases_and_our_own_store_are_never_opened(tree: Path) -> None:
    put(tree, "x.db", "y.SQLITE3", "z.db-wal", "a.lock", "memory", "memory-wal", "note.md")
    os.link(tree / "memory", tree / "other name.md")
    put(tree, *(f"memory{end}" for end in (".usage.taken.bad", ".before-x.bak", ".md")))
    walk = Walk(str(tree / "memory"), location.SIDECARS)
    assert [Path(f.path).name for f in walk.files(str(tree), None)] == ["memory.md", "note.md"]
    assert len(walk.skipped) == 9


def test_nothing_that_stands_beside_the_store_is_taken_in(tree: Path) -> None:
    files = [
        usage.SUFFIX,
        usage.TAKEN_SUFFIX,
        NOTED,
        side_file.TAKEN,
        side_file.COPY,
        question_vectors.SUFFIX,
        reserve.SUFFIX,
    ]
    files += [hnsw.SUFFIX, outcomes.COPY, hooking.OUTCOMES]
    folders = [journal.SUFFIX, scratchpad.SUFFIX]
    ours = {*files, *SIDECARS, *location.SIDECARS}
    put(tree, "memory", *(f"memory{end}" for end in ours), "note.md")
    put(tree, *(f"memory{end}/session.jsonl" for end in {*folders, *SIDE_FOLDERS}))
    assert found(tree, store=str(tree / "memory")) == ["note.md"]


def test_a_missing_path_is_refused_with_a_remedy(tree: Path) -> None:
    with pytest.raises(BadInput) as caught:
        real_roots([str(tree), str(tree / "gone")])
    assert "gone" in caught.value.message
    assert caught.value.remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_listed_is_reported(tree: Path) -> None:
    put(tree, "shut/x.md")
    (tree / "shut").chmod(0)
    walk = Walk("/no.db")
    try:
        assert walk.files(str(tree), None) == []
    finally:
        (tree / "shut").chmod(0o700)
    assert walk.unread == [str(tree / "shut")]


def test_a_reason_keeps_the_letters_of_a_remedy() -> None:
    error = OSError(0, "Compressed; to read it: /Users/Ana/bin/pip install x")
    assert reason(error) == "compressed; to read it: /Users/Ana/bin/pip install x"
