"""What touches what in indexed code: names resolved, kept up to date, and never answered when stale."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound, UnknownName
from bowerbird.storage.sqlite.store import Store
from bowerbird.verbs import graph_health as gauged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bowerbird.core.graph import Impact

FILES = {
    "shop/__init__.py": "from .store import Store as Keeper\n",
    "shop/base.py": "class Base:\n    def close(self):\n        return None\n",
    "shop/store.py": (
        "from .base import Base\n\n\nLIMIT = 5\n\n\nclass Store(Base):\n    def open(self):\n"
        "        return self.load(LIMIT)\n\n    def load(self, count):\n        return count\n\n\n"
        "def made() -> Store:\n    return Store()\n"
    ),
    "shop/till.py": (
        "from shop import Keeper\nfrom shop.store import made\n\n\nclass Till:\n"
        "    def __init__(self, keeper: Keeper):\n        self.keeper = keeper\n\n"
        "    def ring(self):\n        self.keeper.open()\n        made().close()\n        unknown()\n"
    ),
    "tests/test_till.py": (
        "from shop.till import Till\n\n\ndef test_ring():\n    till = Till(None)\n    till.ring()\n"
    ),
    "web/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, // remark\n}\n',
    "web/src/base.ts": "export class Base { close(): void {} }\n",
    "web/src/index.ts": "export { Store as Keeper } from './store';\nexport * from './base';\n",
    "web/src/store.ts": (
        "import { Base } from '@/base';\nexport class Store extends Base {\n"
        "  open(): Store { return this.load(); }\n  load(): Store { return this; }\n}\n"
        "export const made = (): Store => new Store();\n"
    ),
    "web/src/till.ts": (
        "import { Keeper, Base } from '.';\nimport { made } from '@/store';\nexport class Till {\n"
        "  constructor(private keeper: Keeper) {}\n  ring() { this.keeper.open(); made().close(); }\n}\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def bird(
    store_path: str, clock: Callable[[], int], project: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bowerbird]:
    monkeypatch.chdir(project)
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        bird.index(project)
        yield bird


def reached(impact: Impact) -> set[tuple[int, str, str, str]]:
    return {
        (one.depth, one.edge, os.path.basename(one.node.path), one.node.name)
        for one in impact.reached
    }


def rows(bird: Bowerbird) -> list[Any]:
    """The whole graph, by names instead of ids."""
    graph: Any = bird._wiring.writer().documents.graph
    found = graph._connection.execute(
        "SELECT d.path, s.qualified, e.kind, e.name, t.qualified, td.path, e.origin, e.confidence,"
        " e.line, e.count FROM edge e JOIN document d ON d.id = e.document"
        " JOIN node s ON s.id = e.source LEFT JOIN node t ON t.id = e.target"
        " LEFT JOIN document td ON td.id = t.document"
    )
    return sorted(found, key=repr)


def test_a_method_is_followed_through_aliases_packages_and_types(bird: Bowerbird) -> None:
    found = reached(bird.impact("shop/store.py:Store.open"))
    assert (1, "calls", "till.py", "Till.ring") in found
    assert (2, "tests", "test_till.py", "test_ring") in found


def test_what_a_method_calls_on_itself_reaches_it(bird: Bowerbird) -> None:
    assert (1, "calls", "store.py", "Store.open") in reached(
        bird.impact("shop/store.py:Store.load")
    )


def test_a_method_of_a_base_is_reached_through_what_a_function_gives(bird: Bowerbird) -> None:
    found = reached(bird.impact("shop/base.py:Base.close"))
    assert (1, "calls", "till.py", "Till.ring") in found


def test_a_class_is_inherited_from(bird: Bowerbird) -> None:
    assert (1, "inherits", "store.py", "Store") in reached(bird.impact("shop/base.py:Base"))


def test_a_file_is_imported(bird: Bowerbird) -> None:
    found = bird.impact("shop/store.py")
    assert {one.node.path for one in found.reached if one.edge == "imports"} >= {
        os.path.realpath("shop/__init__.py"),
        os.path.realpath("shop/till.py"),
    }


def test_typescript_is_followed_through_index_files_and_path_aliases(bird: Bowerbird) -> None:
    assert (1, "calls", "till.ts", "Till.ring") in reached(bird.impact("store.ts:Store.open"))
    assert (1, "calls", "till.ts", "Till.ring") in reached(bird.impact("base.ts:Base.close"))
    assert (1, "inherits", "store.ts", "Store") in reached(bird.impact("base.ts:Base"))


def test_an_impact_that_is_full_tells_how_many_more_the_next_step_has(bird: Bowerbird) -> None:
    whole = bird.impact("shop/store.py:Store.open", depth=2)
    depths = [one.depth for one in whole.reached if one.edge != "contains"]
    holders = len(whole.reached) - len(depths)
    assert set(depths) == {1, 2}
    cut = bird.impact("shop/store.py:Store.open", depth=2, limit=depths.count(1))
    assert cut.more == depths.count(2) + holders


def test_tests_are_told_apart(bird: Bowerbird) -> None:
    found = bird.impact("shop/store.py:Store.open", tests=True)
    assert [one.node.name for one in found.reached] == ["test_ring"]
    assert found.reached[0].via == ("store.py:Store.open", "till.py:Till.ring")


def test_dependencies_go_the_other_way_and_tell_what_is_not_resolved(bird: Bowerbird) -> None:
    found = bird.impact("shop/till.py:Till.ring", direction="dependencies", depth=1)
    assert {one.node.name for one in found.reached} >= {"Store.open", "made", "Base.close"}
    assert found.unresolved == {"unknown": 1}


def test_an_ambiguous_name_is_listed_and_not_guessed(bird: Bowerbird) -> None:
    found = bird.impact("Till.ring")
    assert not found.reached
    assert {os.path.basename(one.path) for one in found.candidates} == {"till.py", "till.ts"}


def test_a_memory_that_speaks_of_it_is_reported(bird: Bowerbird) -> None:
    kept = bird.remember("Till.ring must run before the drawer opens, see till.py", kind="gotcha")
    assert [one.id for one in bird.impact("shop/till.py:Till.ring").memories] == [kept.id]


def test_what_is_said_in_a_changed_file_is_not_answered_until_it_is_read(
    bird: Bowerbird, project: Path
) -> None:
    till = project / "shop/till.py"
    till.write_text(till.read_text() + "\n# changed\n")
    found = bird.impact("shop/store.py:Store.open")
    assert "till.py" not in {os.path.basename(one.node.path) for one in found.reached}
    assert found.stale == (os.path.realpath(till),)
    bird.index(project)
    assert (1, "calls", "till.py", "Till.ring") in reached(bird.impact("shop/store.py:Store.open"))


def test_what_is_said_in_a_deleted_file_is_not_answered(bird: Bowerbird, project: Path) -> None:
    (project / "shop/till.py").unlink()
    found = bird.impact("shop/store.py:Store.open")
    assert "till.py" not in {os.path.basename(one.node.path) for one in found.reached}
    bird.index(project)
    assert not bird.impact("shop/store.py:Store.open").stale


def test_what_stands_in_a_deleted_file_is_no_dependency(bird: Bowerbird, project: Path) -> None:
    (project / "shop/base.py").unlink()
    found = bird.impact("shop/store.py:Store", direction="dependencies", depth=1)
    assert "base.py" not in {os.path.basename(one.node.path) for one in found.reached}
    assert [os.path.basename(path) for path in found.stale] == ["base.py"]


def test_a_dependency_in_a_changed_file_is_reported_and_the_file_named(
    bird: Bowerbird, project: Path
) -> None:
    (project / "shop/base.py").write_text("# moved down\n\n\n" + FILES["shop/base.py"])
    found = bird.impact("shop/store.py:Store", direction="dependencies", depth=1)
    assert (1, "inherits", "base.py", "Base") in reached(found)
    assert [os.path.basename(path) for path in found.stale] == ["base.py"]


def test_what_a_thing_stands_in_is_told_whatever_changed_elsewhere(
    bird: Bowerbird, project: Path
) -> None:
    (project / "shop/till.py").write_text("# other\n")
    found = bird.impact("shop/store.py:Store.open")
    assert reached(found) == {(1, "contains", "store.py", "Store")}


def test_a_changed_file_leads_to_the_graph_that_a_new_store_would_have(
    bird: Bowerbird, project: Path, tmp_path: Path, clock: Callable[[], int]
) -> None:
    store = project / "shop/store.py"
    store.write_text(store.read_text().replace("def load", "def fetch").replace(".load", ".fetch"))
    (project / "shop/base.py").write_text("class Base:\n    def shut(self):\n        return None\n")
    (project / "shop/late.py").write_text("def unknown():\n    return 1\n")
    till = project / "shop/till.py"
    till.write_text("from shop.late import unknown\n" + till.read_text())
    bird.index(project)
    with Bowerbird.open(str(tmp_path / "new.db"), project="shop", clock=clock) as new:
        new.index(project)
        assert rows(bird) == rows(new)


def test_a_name_that_comes_later_is_resolved_where_it_was_waited_for(
    bird: Bowerbird, project: Path
) -> None:
    (project / "early.py").write_text("from late import thing\n\n\ndef go():\n    thing()\n")
    bird.index(project)
    (project / "late.py").write_text("def thing():\n    return 1\n")
    bird.index(project)
    assert (1, "calls", "early.py", "go") in reached(bird.impact("late.py:thing"))


def test_reading_all_again_draws_the_same_graph(bird: Bowerbird) -> None:
    before = rows(bird)
    bird.admin.reindex(again=True)
    assert rows(bird) == before


@pytest.mark.parametrize(
    ("target", "how", "raised"),
    [
        ("nothing_is_called_so", {}, NotFound),
        ("shop/none.py", {}, NotFound),
        ("made", {"direction": "sideways"}, UnknownName),
        ("made", {"depth": 0}, BadInput),
    ],
)
def test_what_cannot_be_followed_is_refused(
    bird: Bowerbird, target: str, how: Any, raised: type[Exception]
) -> None:
    with pytest.raises(raised):
        bird.impact(target, **how)


def test_status_tells_what_is_drawn_and_what_of_it_is_stale(bird: Bowerbird, project: Path) -> None:
    graph = bird.status().graph
    assert graph is not None
    assert graph["files"] == len(FILES)
    assert graph["nodes"] > graph["files"]
    assert graph["edges"] > 0
    assert (graph["stale_files"], graph["stale_edges"], graph["waiting_files"]) == (0, 0, 0)
    till = project / "shop/till.py"
    till.write_text(till.read_text() + "\n# more\n")
    (project / "shop/base.py").unlink()
    graph = bird.status().graph
    assert graph is not None
    assert graph["stale_files"] == 2
    assert graph["stale_edges"] > 0
    bird.index(project)
    graph = bird.status().graph
    assert graph is not None
    assert graph["stale_files"] == 0


def test_status_of_a_store_without_files_tells_of_no_graph(
    store_path: str, clock: Callable[[], int]
) -> None:
    with Bowerbird.open(store_path + "2", project="none", clock=clock) as bird:
        bird.remember("Nothing is indexed here.")
        assert bird.status().graph is None
        assert [one for one in bird.admin.doctor() if one.check == "graph"] == []


def test_doctor_tells_how_large_and_how_fast_the_graph_is(
    bird: Bowerbird, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = (one for one in bird.admin.doctor() if one.check == "graph")
    assert (found.level, "nodes" in found.found) == ("ok", True)
    monkeypatch.setattr(gauged, "_MOST_NODES", 3)
    (found,) = (one for one in bird.admin.doctor() if one.check == "graph")
    assert (found.level, "more than 3 nodes" in found.found) == ("warning", True)


def renamed(project: Path) -> None:
    (project / "shop/till.py").rename(project / "shop/drawer.py")


def touched(project: Path) -> None:
    os.utime(project / "shop/till.py", ns=(1_000_000_000, 1_000_000_000))


def changed(project: Path) -> None:
    (project / "shop/till.py").write_text("def ring():\n    return 0\n")


def deleted(project: Path) -> None:
    (project / "shop/till.py").unlink()


@pytest.mark.parametrize("happens", [renamed, touched, changed, deleted])
def test_what_a_file_said_that_is_not_what_was_indexed_is_left_out_until_it_is_read(
    bird: Bowerbird, project: Path, happens: Callable[[Path], None]
) -> None:
    before = rows(bird)
    happens(project)
    found = bird.impact("shop/store.py:Store.open")
    assert "till.py" not in {os.path.basename(one.node.path) for one in found.reached}
    assert [os.path.basename(path) for path in found.stale] == ["till.py"]
    bird.index(project)
    again = bird.impact("shop/store.py:Store.open")
    assert again.stale == ()
    names = {os.path.basename(one.node.path) for one in again.reached}
    wanted = {"renamed": {"drawer.py"}, "touched": {"till.py", "test_till.py"}}
    assert names & {"drawer.py", "till.py", "test_till.py"} == wanted.get(happens.__name__, set())
    if happens is touched:
        assert rows(bird) == before
    drawn = rows(bird)
    bird.admin.reindex(again=True)
    assert rows(bird) == drawn


@pytest.mark.parametrize(
    "written",
    [
        "shop/store.py:Store.open",
        "./shop/store.py:Store.open",
        "store.py:Store.open",
        "store.py#open",
        "shop\\store.py:Store.open",
        ".\\shop\\store.py::Store::open",
        "shop/store.py::Store.open()",
        "{root}/shop/store.py:Store.open",
        "{root}/shop/../shop/store.py:Store.open",
    ],
)
def test_a_symbol_in_a_file_is_found_however_it_is_written(
    bird: Bowerbird, project: Path, written: str
) -> None:
    (found,) = bird.impact(written.format(root=project)).found
    assert (os.path.basename(found.path), found.name) == ("store.py", "Store.open")


@pytest.mark.parametrize("written", ["shop/store.py:12", "shop\\store.py:3-9", "shop/store.py"])
def test_a_file_is_found_with_its_lines(bird: Bowerbird, written: str) -> None:
    (found,) = bird.impact(written).found
    assert (os.path.basename(found.path), found.kind) == ("store.py", "file")


def test_edges_do_not_stay_where_a_file_goes_to_another_project(tmp_path: Path) -> None:
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    (root / ".bowerbird.toml").write_text("")
    (root / "main.py").write_text("from sub.lib import aid\n\n\ndef run():\n    aid()\n")
    (root / "sub" / "lib.py").write_text("def aid():\n    return 1\n")
    path = tmp_path / "memory.db"
    crossing = (
        "SELECT count(*), sum(a.project <> b.project) FROM edge g JOIN document a ON a.id = g.document"
        " JOIN node n ON n.id = g.target JOIN document b ON b.id = n.document"
    )

    def counted() -> tuple[int, int | None]:
        store = Store.open(str(path), lambda: 0, write=False)
        try:
            edges, crossed = next(iter(store.connection.execute(crossing)))
            return edges, crossed
        finally:
            store.close()

    with Bowerbird.open(path) as bird:
        bird.index(root)
        assert counted() == (3, 0)
        (root / "sub" / ".bowerbird.toml").write_text("")
        bird.index(root)
        assert counted() == (0, None)
        (root / "sub" / ".bowerbird.toml").unlink()
        bird.index(root)
        assert counted() == (3, 0)


def test_packages_of_a_workspace_import_each_other_by_name(tmp_path: Path) -> None:
    files = {
        "package.json": '{"private": true, "workspaces": ["packages/*"]}',
        "packages/core/package.json": '{"name": "@shop/core", "main": "dist/index.js"}',
        "packages/core/src/index.ts": "export function price(): number { return 1 }\n",
        "packages/core/src/tax.ts": "export function tax(): number { return 2 }\n",
        "packages/web/package.json": '{"name": "web"}',
        "packages/web/index.ts": "import { price } from '@shop/core'\nimport { tax } from"
        " '@shop/core/tax'\nexport function show() { return price() + tax() }\n",
        "elsewhere/package.json": '{"name": "@shop/other"}',
    }
    for name, text in files.items():
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_text(text)
    with Bowerbird.open(tmp_path / "memory.db", project="work") as bird:
        bird.index(tmp_path / "work")
        for name in ("price", "tax"):
            assert "show" in {one.node.name for one in bird.impact(name).reached}
