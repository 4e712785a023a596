"""Long texts about different things are told apart at a glance, and those about the same are not."""

from __future__ import annotations

import random

from bowerbird.core.memories import Pair
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.prepared import prepared

WORDS = [
    f"{first}{second}{third}" for first in "bdgkmnpt" for second in "aeiou" for third in "rlsdz"
]


def page(seed: int, count: int = 60) -> str:
    """A text of that many sentences, in words of its own."""
    chosen = random.Random(seed)
    return " ".join(
        f"The {chosen.choice(WORDS)}{seed} {chosen.choice(WORDS)}s a {chosen.choice(WORDS)}{seed}."
        for _ in range(count)
    )


def relation(old: str, new: str) -> str:
    return RULES.judge(Pair(old, new, "fact", "fact", None, 0.0, nearest=True)).relation


def test_pages_about_different_things_have_no_relation() -> None:
    assert relation(page(1), page(2)) == ""


def test_a_page_that_changed_in_a_value_is_compared_whole() -> None:
    said = page(3)
    assert relation(f"{said} The port is 5432.", f"{said} The port is 6432.") == "contradicts"
    assert relation(said, f"{said} And the port is 6432.") == "extends"


def test_a_sentence_that_is_denied_between_two_long_ones_is_still_noticed() -> None:
    long, other = (page(seed, 30).replace(".", ",") + "." for seed in (4, 5))
    old, new = f"{long} Deploys need a token.", f"{other} Deploys never need a token."
    assert relation(old, new) == "contradicts"


def test_what_was_computed_of_a_page_is_remembered_while_a_thousand_others_are_read() -> None:
    seen = []

    @prepared
    def length(text: str) -> int:
        seen.append(text)
        return len(text)

    texts = [f"{at} " * 400 for at in range(1_000, 1_900)]
    for _ in range(2):
        assert [length(text) for text in texts] == [len(text) for text in texts]
    assert len(seen) == len(texts)
