"""Edges that say what contains, tests, documents and overrides what; modules as nodes."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import NotFound
from bowerbird.surfaces.pictures import PICTURES, of_impact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bowerbird.core.graph import Impact

FILES = {
    "shop/__init__.py": "",
    "shop/base.py": (
        "class Base:\n    def get(self):\n        return None\n\n    def run(self):\n"
        "        return self.get()\n\n\nclass Far(Base):\n    pass\n"
    ),
    "shop/store.py": (
        "from .base import Far\n\n\nclass Store(Far):\n    def get(self):\n        return 1\n\n"
        "    def open(self):\n        return self.get()\n\n\ndef made():\n    return Store()\n\n\n"
        "def use(far: Far):\n    return far.get()\n"
    ),
    "tests/test_store.py": (
        "from shop.store import made\n\n\ndef test_open():\n    store = made()\n"
        "    assert store.open() == 1\n"
    ),
    "docs/guide.md": (
        "# Guide\n\nCall `Store.open` or `made()`; see shop/base.py and\n`shop/store.py:Store.get`,"
        " not `nothing_here`, nor `open`.\n"
    ),
    "lib/tree.hpp": (
        "namespace a::wood {\nclass Base {\n public:\n  virtual int grow() = 0;\n};\n"
        "class Oak : public Base {\n public:\n  int grow() override { return 1; }\n};\n"
        "inline int all(Base* one) { return one->grow(); }\n}\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / ".bowerbird.toml").write_text("")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int], project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, clock=clock) as bird:
        bird.index(project)
        yield bird


def reported(impact: Impact) -> dict[tuple[str, str], tuple[int, str, bool]]:
    return {
        (os.path.basename(one.node.path), one.node.name): (one.depth, one.edge, one.back)
        for one in impact.reached
    }


def test_callers_through_a_base_reach_the_method_that_stands_in_its_place(bird: Bowerbird) -> None:
    found = bird.impact("shop/store.py:Store.get")
    assert reported(found)["base.py", "Base.get"] == (1, "overrides", True)
    assert reported(found)["store.py", "use"] == (2, "calls", False)
    sure = {one.node.name: one.weight for one in found.reached}
    assert sure["use"] < sure["Store.open"]


def test_the_methods_that_stand_in_the_place_of_a_bases_are_listed(bird: Bowerbird) -> None:
    assert reported(bird.impact("Base.get"))["store.py", "Store.get"] == (1, "overrides", False)
    needs = reported(bird.impact("shop/store.py:use", direction="dependencies"))
    assert needs["store.py", "Store.get"] == (2, "overrides", True)


def test_an_inherited_member_is_its_definition_in_the_nearest_base(bird: Bowerbird) -> None:
    for target in ("shop/store.py:Store.run", "Store.run", "shop/base.py:Far.run"):
        assert [one.name for one in bird.impact(target).found] == ["Base.run"]
    assert [one.name for one in bird.impact("shop/base.py:Far.get").found] == ["Base.get"]


def test_a_name_that_an_indexed_file_does_not_define_is_not_the_file(bird: Bowerbird) -> None:
    with pytest.raises(NotFound) as told:
        bird.impact("shop/store.py:Store.opne")
    assert str(told.value) == "nothing in shop/store.py is called Store.opne"
    assert told.value.remedy.startswith("did you mean shop/store.py:Store.open? ")
    with pytest.raises(NotFound) as told:
        bird.impact("shop/store.py:nosuchthing")
    assert told.value.remedy.startswith("if the file has changed")
    assert bird.impact("shop/store.py:12").found[0].kind == "file"


def test_pure_virtual_methods_are_called_and_overridden(bird: Bowerbird) -> None:
    found = reported(bird.impact("Oak.grow"))
    assert found["tree.hpp", "wood.Base.grow"] == (1, "overrides", True)
    assert found["tree.hpp", "wood.all"] == (2, "calls", False)


def test_other_overriders_are_no_part_of_an_impact(bird: Bowerbird, project: Path) -> None:
    (project / "shop/other.py").write_text(
        "from .base import Base\n\n\nclass Other(Base):\n    def get(self):\n        return 2\n"
    )
    bird.index(project)
    assert ("other.py", "Other.get") not in reported(bird.impact("Store.get"))
    assert ("other.py", "Other.get") in reported(bird.impact("Base.get"))


def test_a_method_alone_is_listed_with_all_of_its_name(bird: Bowerbird, project: Path) -> None:
    (project / "shop/get.py").write_text("def get():\n    return 3\n")
    bird.index(project)
    found = bird.impact("get")
    assert {one.name for one in found.candidates} == {"get", "Base.get", "Store.get"}
    assert bird.impact("shop/get.py:get").found[0].name == "get"


def test_a_test_tests_what_it_calls(bird: Bowerbird) -> None:
    found = reported(bird.impact("made"))
    assert found["test_store.py", "test_open"] == (1, "tests", False)


def test_a_document_documents_what_it_names(bird: Bowerbird) -> None:
    for target, line in (("Store.open", 3), ("made", 3), ("shop/base.py", 3), ("Store.get", 4)):
        (one,) = [one for one in bird.impact(target).reached if one.edge == "documents"]
        assert (os.path.basename(one.node.path), one.line, one.depth) == ("guide.md", line, 1)
    needs = bird.impact("docs/guide.md", direction="dependencies", depth=1)
    assert needs.unresolved == {"nothing_here": 1}


def test_a_name_that_comes_later_or_a_second_time_is_told_as_it_is_then(
    bird: Bowerbird, project: Path
) -> None:
    (project / "shop/late.py").write_text("def nothing_here():\n    return 0\n")
    bird.index(project)
    assert reported(bird.impact("nothing_here"))["guide.md", ""] == (1, "documents", False)
    (project / "shop/twin.py").write_text("def nothing_here():\n    return 0\n")
    bird.index(project)
    assert ("guide.md", "") not in reported(bird.impact("shop/late.py:nothing_here"))
    (project / "shop/twin.py").unlink()
    bird.index(project)
    assert reported(bird.impact("nothing_here"))["guide.md", ""] == (1, "documents", False)


def test_what_a_thing_stands_in_contains_it(bird: Bowerbird) -> None:
    assert reported(bird.impact("Store.get"))["store.py", "Store"] == (1, "contains", False)
    assert reported(bird.impact("shop/store.py"))["shop", ""] == (1, "contains", False)
    inside = reported(bird.impact("shop/store.py", direction="dependencies"))
    assert {name for (_, name), how in inside.items() if how[1] == "contains"} == {
        "Store",
        "made",
        "use",
    }


@pytest.mark.parametrize("written", ["shop", "shop/", "./shop"])
def test_a_folder_is_a_module(bird: Bowerbird, written: str) -> None:
    found = bird.impact(written)
    assert [(one.kind, os.path.basename(one.path)) for one in found.found] == [("module", "shop")]
    assert reported(found)["test_store.py", "test_open"][1] == "tests"
    inside = reported(bird.impact(written, direction="dependencies"))
    assert inside["store.py", ""] == (1, "contains", False)


def test_a_module_is_found_as_imports_name_it(bird: Bowerbird) -> None:
    assert bird.impact("shop.store").found[0].path.endswith("shop/store.py")


def test_a_namespace_is_a_module(bird: Bowerbird) -> None:
    assert bird.impact("wood").found[0].kind == "module"


def test_a_memory_documents_what_it_is_about(bird: Bowerbird) -> None:
    bird.remember("It hands out one thing at a time.", files=["shop/store.py:Store.open"])
    (one,) = bird.impact("Store.open").memories
    assert (one.edge, one.origin, one.confidence) == ("documents", "stated", 1.0)


def test_status_counts_edges_of_every_kind(bird: Bowerbird) -> None:
    kinds = (bird.status().graph or {})["kinds"]
    assert kinds.keys() >= {"calls", "contains", "documents", "imports", "inherits", "overrides"}
    assert kinds["tests"] == 2
    assert kinds["documents"] == 4


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_shows_every_kind_and_leads_from_who_depends(
    bird: Bowerbird, picture: str
) -> None:
    bird.remember("It hands out one thing at a time.", files=["shop/store.py:Store.open"])
    drawn = PICTURES[picture](of_impact(bird.impact("Store.open")))
    for kind in ("contains", "tests", "documents"):
        assert kind in drawn
    drawing = of_impact(bird.impact("Store.open"))
    names = [label for label, *_ in drawing.boxes]
    lines = {(names[one], kind, names[other]) for one, other, kind, _ in drawing.lines}
    assert ("test_store.py:test_open", "tests", "store.py:Store.open") in lines


def test_a_picture_says_what_it_leaves_out(bird: Bowerbird, project: Path) -> None:
    many = "".join(f"def at_{n}():\n    return made()\n\n\n" for n in range(200))
    (project / "shop/many.py").write_text(f"from .store import made\n\n\n{many}")
    bird.index(project)
    drawing = of_impact(bird.impact("made"))
    assert "the nearest 150 of 2" in drawing.title
    assert all("nearest 150" in draw(drawing) for draw in PICTURES.values())


def rows(bird: Bowerbird) -> list[Any]:
    graph: Any = bird._wiring.writer().documents.graph
    found = graph._connection.execute(
        "SELECT d.path, s.qualified, e.kind, e.name, t.qualified, td.path, e.origin, e.confidence,"
        " e.line, e.count FROM edge e JOIN document d ON d.id = e.document"
        " JOIN node s ON s.id = e.source LEFT JOIN node t ON t.id = e.target"
        " LEFT JOIN document td ON td.id = t.document"
    )
    return sorted(found, key=repr)


CLASSES = ("A", "B", "C", "D")


def _written(chance: random.Random, number: int) -> str:
    """A file of one class whose base, methods and calls are drawn by chance."""
    own = CLASSES[number]
    below = CLASSES[:number]
    base = chance.choice(below) if below else ""
    names = chance.sample(["alpha", "beta_two", "gamma"], chance.randint(0, 3))
    text = f"from {base.lower()} import {base}\n\n\n" if base else ""
    text += f"class {own}({base}):\n    kind = 1\n"
    for name in names:
        called = chance.choice(["alpha", "beta_two", "gamma"])
        text += f"\n    def {name}(self, other):\n        self.{called}(1)\n"
        text += f"        return other.{chance.choice(names)}(2)\n"
    return text


@pytest.mark.parametrize("seed", range(6))
def test_many_changes_lead_to_the_graph_that_a_new_store_would_have(
    tmp_path: Path, store_path: str, seed: int
) -> None:
    chance = random.Random(seed)
    root = tmp_path / "changing"
    root.mkdir()
    with Bowerbird.open(store_path, project="changing") as bird:
        for step in range(6):
            for number in chance.sample(range(4), chance.randint(1, 3)):
                path = root / f"{CLASSES[number].lower()}.py"
                if path.exists() and chance.random() < 0.2:
                    path.unlink()
                else:
                    path.write_text(_written(chance, number) + "#" * step)
            names = [f"`{one}.{chance.choice(('alpha', 'gamma'))}()`" for one in CLASSES]
            (root / "notes.md").write_text(f"# {step}\n\n{' '.join(names)} `beta_two` a.py\n")
            bird.index(root)
            before = rows(bird)
            bird.admin.reindex(again=True)
            assert rows(bird) == before
