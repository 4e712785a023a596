"""The graph of several projects in one store: whose edges wait, and what a file's place makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_files_whose_edges_wait_are_counted_by_project(tmp_path: Path) -> None:
    for name in ("shop", "bank"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "till.py").write_text("def ring():\n    return 1\n")
        (tmp_path / name / ".bowerbird.toml").write_text("")
    path = tmp_path / "memory.db"
    with Bowerbird.open(path) as bird:
        bird.index(tmp_path / "shop", tmp_path / "bank")
    store = Store.open(str(path), lambda: 0, write=True)
    with store.transaction():
        store.connection.execute(
            "UPDATE outline SET resolved = 0 WHERE document IN"
            " (SELECT id FROM document WHERE path LIKE '%/bank/%')"
        )
    uids = dict(store.connection.execute("SELECT name, uid FROM project"))
    waiting = store.projects.unresolved_documents
    assert waiting([uids["bank"]]) == waiting([uids["shop"], uids["bank"]]) == 1
    assert waiting([uids["shop"]]) == 0
    store.close()


def test_a_file_whose_place_is_another_projects_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "shop/till"
    inner.mkdir(parents=True)
    (tmp_path / "shop/.bowerbird.toml").write_text("")
    (inner / "coins.py").write_text("def count():\n    return 1\n")
    (tmp_path / "shop/a.py").write_text(
        "from till.coins import count\n\n\ndef sell():\n    return count()\n"
    )
    monkeypatch.chdir(tmp_path / "shop")

    def indexed() -> tuple[list[str], int]:
        with Bowerbird.open(tmp_path / "memory.db") as bird:
            bird.index(".")
            found = bird.impact("sell", direction="dependencies").reached
            return [one.node.name for one in found if one.node.name], bird.status().total_documents

    assert indexed() == (["count"], 2)
    (inner / ".bowerbird.toml").write_text("")
    assert indexed() == ([], 1), "another project's, whose names are not followed"
    with Bowerbird.open(tmp_path / "memory.db", project="named") as bird:
        bird.index(".")
    (inner / ".bowerbird.toml").unlink()
    assert indexed() == (["count"], 2)
    with Bowerbird.open(tmp_path / "memory.db") as bird:
        counts = {one["name"]: one["passages"] for one in bird.status(all_projects=True).projects}
    assert counts["till"] == 0
    assert counts["shop"] == counts["named"] != 0, "a project that was named keeps its own"
