"""Whatever two texts say, every judge of memories answers: none of them raises."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.memories import Alignment
from bowerbird.core.normal import normal_hash
from bowerbird.lifecycle import word_classes
from bowerbird.lifecycle.contradiction import contradicts
from bowerbird.lifecycle.duplicates import compare, first_qualifier, statement
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.reordering import reordered
from bowerbird.lifecycle.weighing import weighed
from bowerbird.lifecycle.wording import wording
from bowerbird.storage.sqlite.file.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

# Every word that a judge knows, so that fuzzed texts come to where the judges decide.
KNOWN = sorted(
    {
        *(
            word
            for group in vars(word_classes).values()
            if isinstance(group, (frozenset, dict, tuple))
            for entry in group
            for word in (entry if isinstance(entry, tuple) else (entry,))
        ),
        *("npm pnpm Postgres 14 16.2 isn't can't called Anna".split()),
    }
)
# Texts of which little or nothing is left once they are brought into the form that is compared.
ODD = [
    "Now.",
    "The.",
    "today",
    "der",
    "now today currently",
    "the an a please",
    "not",
    "do not",
    "We",
    "is",
    "is is is",
    "by",
    "by by by by",
    "from to from to",
    "need to",
    "have",
    "no longer",
    "?",
    "??",
    "？",
    "Really?",
    "...",
    "-",
    "—",
    "* - +",
    "1.",
    "1) 2) 3)",
    "🎉",
    "🎉🎉 👩‍👩‍👧",
    "42",
    "4.2 % < 5",
    "'' \"\" ``",
    "n't",
    "xn't can't",
    "不",
    "没有 不 是",
    "ない。",
    "안 않 없",
    "ไม่ใช่",
    "नहीं",
    "لا",
    "нет",
    "ß æ ı",
    "İ",
    "é́́",
    "\u0301",
    "_ _ __",
    "\u00ad",
    "\u3000",
    "，。",
    "ﬁ ﬂ",
    "Ⅷ ½ ²",
    "by hand",
    "one after other",
    "one of the two",
    "Anna lives in",
    "Anna lives in Bonn",
    "We use npm",
    "We no longer use npm",
    "npm",
    "is npm",
    "tab " * 60,
    "not " * 61,
    "a b " * 50,
    "word" * 500,
]
ODD += [text.upper() for text in ("now.", "we use npm", "is is is")]

words = st.one_of(st.sampled_from(KNOWN), st.sampled_from(ODD), st.text(max_size=6))
texts = st.lists(words, max_size=14).map(" ".join)


def judge_all(old: str, new: str) -> None:
    """Everything that admission asks of two texts."""
    compare(old, new)
    contradicts(old, new)
    a, b = statement(old).words, statement(new).words
    ours, theirs = (tuple((word.text, 0.5) for word in wording(text).words) for text in (old, new))
    met = Alignment(ours, theirs, near=0.6, changed=0.1, happened=0.0, announced=0.0, opposed=0.0)
    weighed(old, new, met, understood=0.6)
    weighed(old, new, None, understood=0.0)
    reordered(a, b, definite=True)
    first_qualifier(a)
    keywords(old, dict.fromkeys(terms(new), 1))
    normal_hash(old)


@pytest.mark.parametrize("old", ODD)
def test_judges_answer_for_odd_texts(old: str) -> None:
    for new in ODD:
        judge_all(old, new)


@given(texts, texts)
@settings(max_examples=200)
def test_judges_answer_for_any_two_texts(old: str, new: str) -> None:
    judge_all(old, new)
    judge_all(new, old)
    judge_all(old, old)


@given(texts, st.integers(0, 13), words)
@settings(max_examples=200)
def test_judges_answer_for_texts_that_differ_by_a_word(old: str, at: int, word: str) -> None:
    there = old.split(" ")
    there[at : at + 1] = [word]
    judge_all(old, " ".join(there))
    judge_all(" ".join(there), old)


def keep(bird: Bowerbird, text: str) -> None:
    """Keep a text as a store of before holds it: today those that tell of nothing are refused."""
    with suppress(BadInput):
        assert bird.remember(text).id
        return
    id = bird.remember("A herring lies here").id
    connection = connect(bird.path, write=True)
    connection.execute("UPDATE entry SET text = ? WHERE uid = ?", (text, id))
    connection.close()


@pytest.mark.parametrize(
    "old", ["Not now.", "The: now.", "Now, today", "der die", "do not", "is it"]
)
def test_a_short_memory_blocks_no_later_one(tmp_path: Path, old: str) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        keep(bird, old)
        for new in ("Postgres runs on port 5433", "We use npm"):
            assert bird.remember(new).id
    # The other way round: nothing that is kept keeps it out.
    with Bowerbird.open(tmp_path / "other.db", project="shop") as bird:
        bird.remember("Postgres runs on port 5433")
        keep(bird, old)
