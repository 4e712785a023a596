"""Judging two texts takes time in proportion to their lengths, whatever words they repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.core.normal import plain
from bowerbird.lifecycle.contradiction import contradicts
from bowerbird.lifecycle.duplicates import compare, statement
from bowerbird.lifecycle.weighing import weighed
from bowerbird.lifecycle.wording import wording

if TYPE_CHECKING:
    from collections.abc import Callable

# Each makes some judge begin anew at every word.
REPEATED: dict[str, Callable[[int], str]] = {
    "different words": lambda n: " ".join(f"w{place}" for place in range(n)),
    "one word": lambda n: "tab " * n,
    "a verb": lambda n: "is " * n,
    "what was moved from": lambda n: "we moved " + "from npm " * n,
    "what was dropped": lambda n: "we " + "dropped npm " * n,
    "what is dropped": lambda n: "npm " + "is dropped jira " * n,
    "with what": lambda n: "we deploy " + "with npm " * n,
    "who has": lambda n: "we have " * n + "dropped npm",
    "in the passive": lambda n: "tokens " + "is cached " * n + "by gateway",
    "who is not": lambda n: "we am vegan never not " * n,
    "characters": lambda n: "不是我" * n,
    "different characters": lambda n: "".join(chr(0x4E00 + place * 7) for place in range(n)),
    "sentences of characters": lambda n: "".join(
        f"不要使用{chr(0x4E00 + place * 7)}。" for place in range(n)
    ),
    "clauses of characters": lambda n: "".join(
        f"数据库在{chr(0x4E00 + place * 7)}，" for place in range(n)
    ),
}


def by_words(old: str, new: str) -> object:
    """What is weighed where no contextual model is at hand."""
    return weighed(old, new, None, understood=0.0)


JUDGES = (compare, contradicts, by_words)


def judge(old: str, new: str) -> None:
    statement.cache_clear()
    wording.cache_clear()
    for judged in JUDGES:
        judged(old, new)
        judged(new, old)


# Quadratic, it would be 64 times as much.
MOST_FOR_EIGHT = 24


@pytest.mark.parametrize("shape", REPEATED)
@pytest.mark.parametrize("ending", ["{} and tabs", "we use {} tabs"])
def test_eight_times_the_words_cost_about_eight_times_as_much(
    shape: str, ending: str, cost: Callable[..., float]
) -> None:
    few, many = REPEATED[shape](200), REPEATED[shape](1_600)
    less = cost(judge, few, ending.format(few))
    most = MOST_FOR_EIGHT * less
    assert cost(judge, many, ending.format(many), enough=most) < most


def test_empty_lines_cost_as_much_as_they_are(cost: Callable[..., float]) -> None:
    less = cost(plain, "a" + "\n" * 4_000 + "b")
    most = MOST_FOR_EIGHT * less
    assert cost(plain, "a" + "\n" * 32_000 + "b", enough=most) < most


def test_each_of_many_texts_is_read_once() -> None:
    texts = [f"The {place}th service of the shop needs a queue of its own." for place in range(400)]
    read = [statement(text) for text in texts]
    for place, text in enumerate(texts):
        compare(texts[place - 200], text)
    assert all(statement(text) is one for text, one in zip(texts, read, strict=True))
