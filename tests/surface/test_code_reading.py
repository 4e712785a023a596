"""References, outlines and maps of code, through the real commands, the server and MCP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SHOP = """LIMIT = 3


def price(kind):
    return LIMIT


class Basket:
    def total(self):
        first = price("a")
        second = price("b")
        return first + second
"""
USER = """from shop import Basket, price


def pay():
    return price("c")


def bought():
    return Basket().total()
"""
TEST = """from shop import price


def test_price():
    assert price("a") == price("b")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text(SHOP)
    (root / "user.py").write_text(USER)
    (root / "tests" / "test_shop.py").write_text(TEST)
    return root


@pytest.fixture
def bird(store_path: str, project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.index(str(project))
        yield bird


def test_every_line_is_listed_by_file_and_tests_come_last(bird: Bowerbird) -> None:
    found = bird.references("shop.py:price")
    said = [
        (
            one.path.rpartition("/")[2],
            one.test,
            [(use.line, use.kind, use.name) for use in one.usages],
        )
        for one in found.files
    ]
    assert said == [
        ("shop.py", False, [(10, "calls", "Basket.total"), (11, "calls", "Basket.total")]),
        ("user.py", False, [(1, "imports", ""), (5, "calls", "pay")]),
        (
            "test_shop.py",
            True,
            [(1, "imports", ""), (5, "calls", "test_price"), (5, "calls", "test_price")],
        ),
    ]
    assert (found.total, found.more) == (7, 0)


def test_a_limit_counts_lines_and_tells_how_many_are_left(bird: Bowerbird) -> None:
    found = bird.references("shop.py:price", limit=3)
    assert sum(len(one.usages) for one in found.files) == 3
    assert (found.total, found.more) == (7, 4)


def test_what_a_changed_file_uses_is_left_out_and_said(bird: Bowerbird, project: Path) -> None:
    (project / "user.py").write_text("from shop import price\n")
    found = bird.references("shop.py:price")
    assert found.stale == (str(project / "user.py"),)
    assert [one.path.rpartition("/")[2] for one in found.files] == ["shop.py", "test_shop.py"]


def test_an_ambiguous_name_has_candidates_and_an_unknown_one_none(
    bird: Bowerbird, project: Path
) -> None:
    (project / "other.py").write_text("def price():\n    return 1\n")
    bird.index(str(project))
    found = bird.references("price")
    assert (len(found.candidates), found.files) == (2, ())
    with pytest.raises(NotFound):
        bird.references("nothing_of_this_name")
    with pytest.raises(BadInput):
        bird.references("price", limit=0)


def test_an_outline_has_the_definitions_of_a_file_in_order(bird: Bowerbird) -> None:
    (file,) = bird.outline("shop.py").files
    assert [(one.name, one.kind, one.start_line, one.end_line) for one in file.symbols] == [
        ("LIMIT", "constant", 1, 1),
        ("price", "function", 4, 5),
        ("Basket", "class", 8, 12),
        ("Basket.total", "method", 9, 12),
    ]
    with pytest.raises(BadInput):
        bird.outline("shop.py:price")


def test_a_map_ranks_by_use_and_leaves_tests_out(bird: Bowerbird, project: Path) -> None:
    found = bird.map()
    (file,) = found.files
    assert file.path == str(project / "shop.py")
    assert [one.name for one in file.symbols] == ["price", "Basket", "Basket.total"]
    assert bird.map(str(project / "tests")).files == ()
    with pytest.raises(NotFound):
        bird.map("no/such/folder")


def test_a_map_stays_within_its_budget(store_path: str, tmp_path: Path) -> None:
    root = tmp_path / "many"
    root.mkdir()
    names = [f"define_number_{number}" for number in range(60)]
    (root / "base.py").write_text("".join(f"def {name}():\n    pass\n\n\n" for name in names))
    used = "".join(f"base.{name}()\n" for name in names)
    (root / "user.py").write_text(f"import base\n\n{used}")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.index(str(root))
        small, large = bird.map(budget=200), bird.map(budget=5_000)
    assert 0 < small.tokens <= 200
    assert small.more + len(small.files[0].symbols) == 60
    assert (large.more, len(large.files[0].symbols)) == (0, 60)


def test_the_commands_say_the_same(bower: Callable[..., Any], project: Path) -> None:
    assert bower("index", str(project), "--project", "shop").code == 0
    said = bower("references", "shop.py:price", "--project", "shop", "--format", "text").out
    assert "  10: call  in Basket.total\n" in said
    assert said.index("user.py") < said.index("test_shop.py  test")
    assert "7 uses, shown of 3 files" in said
    outlined = bower("outline", "shop.py", "--project", "shop", "--format", "text").out
    assert "  method Basket.total  9-12\n" in outlined
    mapped = bower("map", "--project", "shop", "--format", "text").out
    assert "  function price  4\n" in mapped
    assert "3 definitions in 1 file" in mapped


def test_a_directed_path_goes_by_what_the_start_uses(bird: Bowerbird) -> None:
    way = bird.way("bought", "shop.py:price", directed=True)
    assert [one.name for one in way.points] == ["bought", "Basket.total", "price"]
    assert bird.way("shop.py:price", "bought", directed=True).points == ()
    assert bird.way("shop.py:price", "bought").points
