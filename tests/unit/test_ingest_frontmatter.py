"""The block at the head of a note."""

from __future__ import annotations

import pytest

from bowerbird.ingest.frontmatter import Frontmatter, frontmatter


def read(block: str) -> Frontmatter:
    return frontmatter(f"---\n{block}\n---\n# Text\n".split("\n"))


def test_title_tags_and_date() -> None:
    head = read("title: Redis outage\ntags: [redis, '#ops']\ndate: 2024-03-15")
    assert (head.title, head.tags, head.date) == ("Redis outage", ("redis", "ops"), "2024-03-15")
    assert (head.lines, head.complete) == (5, True)


def test_tags_as_a_block_list_and_as_one_text() -> None:
    assert read("tags:\n  - a b\n  - c").tags == ("a b", "c")
    assert read("tags: one, two three").tags == ("one", "two", "three")


def test_another_field_is_not_told_by_the_context() -> None:
    assert read("title: A\ndescription: how we deploy").complete is False


def test_created_stands_in_for_a_date() -> None:
    assert read("created: 2024-01-02\ndate: ").date == "2024-01-02"


def test_numbers_and_tables_do_no_harm() -> None:
    head = read("title: " + "9" * 5000 + "\nmore: {a: [1, {b: 2}]}\ntags:\n  x: [y]")
    assert head.title == "9" * 5000
    assert head.tags == ()
    assert read("tags: [a, [d], {b: c}, e]").tags == ("a", "e")


@pytest.mark.parametrize(
    "block",
    [
        "a: &x [1]\nb: *x",
        "a: [unclosed",
        "- a list",
        "just words",
        "? {a: b}\n: c",
        "\t: x",
        "- " * 4000,
        "a: " + "[" * 100,
        "x: y\n" * 10_000,
        "a: \x01",
    ],
)
def test_a_broken_or_dangerous_block_is_text(block: str) -> None:
    assert read(block) == Frontmatter()


def test_a_rule_without_an_end_is_text() -> None:
    assert frontmatter(["---", "title: A", "text"]) == Frontmatter()
    assert frontmatter(["text"]) == Frontmatter()
    assert frontmatter([]) == Frontmatter()


def test_an_empty_block_takes_its_lines() -> None:
    assert frontmatter(["---", "---", "text"]) == Frontmatter(lines=2)
