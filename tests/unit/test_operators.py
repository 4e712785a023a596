"""A question with operators, as the full-text index is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.errors import BadInput
from bowerbird.core.operators import MOST_PARTS, matching
from bowerbird.storage.sqlite.nouns.filters import Fts5


@pytest.mark.parametrize(
    ("text", "expression", "ranked_by"),
    [
        ("redis", '"redis"', "redis"),
        ("redis timeout", '("redis" AND "timeout")', "redis timeout"),
        ("redis AND NOT staging", '(("redis") NOT ("staging"))', "redis"),
        ("a OR b NOT c", '("a" OR (("b") NOT ("c")))', "a b"),
        ("(a OR b) c", '(("a" OR "b") AND "c")', "a b c"),
        ("a NOT (b OR c) d", '(("a" AND "d") NOT (("b" OR "c")))', "a d"),
        ('"auth tests" dock*', '("auth tests" AND "dock"*)', '"auth tests" dock'),
        ("getName() - x", '(("get name" OR "getname") AND "x")', "getName x"),
        ('"GitHub Actions"', '("git hub actions" OR "github actions")', '"GitHub Actions"'),
        ("this and that", '("this" AND "and" AND "that")', "this and that"),
    ],
)
def test_operators_bind_as_everywhere(text: str, expression: str, ranked_by: str) -> None:
    found = matching(text)
    assert (found.tree.said(Fts5()), found.text) == (expression, ranked_by)
    assert found.beginnings == (("dock",) if "dock" in text else ())


@pytest.mark.parametrize(
    "text",
    [
        "NOT x",
        "x NOT",
        "x AND",
        "AND x",
        "a AND AND b",
        "a OR",
        "(a",
        "a)",
        'a "b',
        '""',
        "- NOT -",
        "( " * 30,
        "a " * (MOST_PARTS + 1),
    ],
)
def test_what_has_no_meaning_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        matching(text)


@given(st.lists(st.sampled_from([*'()"*:-^', "AND", "OR", "NOT", "NEAR", "a", "b:", "缓存"])))
def test_every_word_stands_in_quotation_marks(parts: list[str]) -> None:
    try:
        expression = matching(" ".join(parts)).tree.said(Fts5())
    except BadInput:
        return
    outside = "".join(expression.split('"')[::2])
    assert set(outside.split()) <= {"(", ")", "*", "AND", "OR", "NOT"} | {
        part for part in outside.split() if not set(part) - set("()*")
    }
