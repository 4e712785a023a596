"""How code is found: what a question names, who uses it, tests behind what they test."""

from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.host.places import is_test
from bowerbird.retrieval.analyse import analyse, distinct_words
from bowerbird.retrieval.intent import intent

FILES = {
    "shop/prices.py": '''"""Prices."""


def re_price(item):
    """The price of an item with its tax."""
    return round(item.net * 1.19, 2)


def repriceAll(items):
    """Every item with its price."""
    return [re_price(item) for item in items]
''',
    "shop/cart.py": '''"""A cart of items."""

from shop.prices import re_price


class Cart:
    """What somebody wants to buy."""

    def total(self):
        """What everything costs together."""
        return sum(re_price(item) for item in self.items)

    def empty(self):
        """Whether nothing is in it."""
        return not self.items
''',
    "tests/test_prices.py": '''"""Tests of prices."""

from shop.prices import re_price


def test_re_price():
    """The price of an item with its tax is rounded."""
    assert re_price(Item(1)) == 1.19
''',
    "notes.md": "# Prices\n\nThe tax is 19 percent; re_price rounds to cents.\n",
}


def asked(text: str, **counts: int) -> "object":
    return analyse(distinct_words(text), counts, 10, 10, intent(text))


@pytest.fixture
def shop(tmp_path: Path) -> Bowerbird:
    root = tmp_path / "work"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    bird = Bowerbird.open(tmp_path / "memory.db", project="shop")
    bird.index(root)
    return bird


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("re_price", ("re_price",)),
        ("where is repriceAll defined?", ("repriceAll",)),
        ("shop.cart.Cart.total()", ("total",)),
        ("Cart::total", ("total",)),
        ("class Cart", ("cart",)),
        ("definition of the linkify function", ("linkify",)),
        ("how much does it cost", ()),
    ],
)
def test_a_question_names_a_thing_in_code(text: str, named: tuple[str, ...]) -> None:
    assert asked(text).spelt == named  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["{}", "where is {} defined?", "`{}`"])
def test_of_two_names_that_differ_in_case_the_one_that_is_written_comes_first(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "trust.py").write_text(
        'class Believed:\n    """What is believed of a file."""\n\n\n'
        'def believed(path):\n    """What is believed of a file."""\n',
        encoding="utf-8",
    )
    bird = Bowerbird.open(tmp_path / "memory.db", project="shop")
    bird.index(tmp_path / "trust.py")
    for name, kind in (("Believed", "class"), ("believed", "function"), ("BELIEVED", "")):
        first = bird.query(text.format(name))[0].entry.context
        assert first.endswith(f"{name} {kind}" if kind else ("class", "function"))


@pytest.mark.parametrize(
    ("text", "calling"),
    [
        ("who calls re_price", True),
        ("callers of re_price", True),
        ("where is re_price used?", True),
        ("what uses re_price", True),
        ("which functions need re_price", True),
        ("what does re_price call", False),
        ("where is re_price defined", False),
        ("who is Anna", False),
    ],
)
def test_a_question_asks_who_uses_a_thing(text: str, calling: bool) -> None:
    assert intent(text).calling is calling


@pytest.mark.parametrize("text", ["re_price", "where is re_price defined", "function re_price"])
def test_a_definition_comes_before_a_longer_name_that_ends_alike(
    shop: Bowerbird, text: str
) -> None:
    best = shop.query(text)[0]
    assert best.entry.context.endswith("| re_price function")
    assert (best.entry.start_line, best.entry.end_line) == (4, 6)


def test_a_name_that_its_cases_part_is_defined_too(shop: Bowerbird) -> None:
    hits = shop.query("repriceAll", explain=True)
    assert hits[0].entry.context.endswith("repriceAll function")
    assert hits.trace.contributions(hits[0].entry.row)["defined"] > 0


def test_who_uses_a_thing_comes_before_its_definition(shop: Bowerbird) -> None:
    hits = shop.query("who calls re_price", explain=True)
    lent = {
        hit.entry.context.rpartition("| ")[2]
        for hit in hits
        if hits.trace.contributions(hit.entry.row).get("users", 0.0) > 0
    }
    # The module of a cart imports it, its test calls it.
    assert {"Cart.total method", "repriceAll function", "test_re_price function"} <= lent
    assert "re_price function" not in lent
    assert hits[0].entry.context.endswith("repriceAll function")
    without = shop.query("who calls re_price", without=["users"])
    assert without[0].entry.context.endswith("| re_price function")


def test_tests_come_behind_what_they_test_unless_asked_for(shop: Bowerbird) -> None:
    text = "the price of an item with its tax"
    best = shop.query(text)[0].path
    assert best is not None
    assert best.endswith("shop/prices.py")
    of_tests = shop.query("the test of the price of an item with its tax, rounded")[0].path
    assert of_tests is not None
    assert of_tests.endswith("test_prices.py")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/unit/a.py", True),
        ("src/a_test.go", True),
        ("src/a.spec.ts", True),
        ("src/CartTest.java", True),
        ("src/latest.py", False),
        ("src/contest.js", False),
        ("src/testing_of_hypotheses.py", False),
    ],
)
def test_tests_are_told_by_their_paths(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_what_the_best_hits_use_is_lent_some_of_their_score(shop: Bowerbird) -> None:
    hits = shop.query("what everything in a cart costs together", explain=True)
    assert hits[0].entry.context.endswith("Cart.total method")
    used = next(hit for hit in hits if hit.entry.context.endswith("| re_price function"))
    assert hits.trace.contributions(used.entry.row)["edges"] > 0
