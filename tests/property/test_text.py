"""Words are read by tables of bytes; these patterns say what they are."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.text import bare, searchable, segment, words

_SEAM = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_WORD = r"[^\W_]+"

# Few letters, so that seams are frequent, with what else counts as a letter, a digit or neither.
TEXTS = st.text(
    "abAB09_-. \n\té\u00c4\u00df\u0130\u4e2d\u6587\u0e20\ud55c\u0663\u00b2\ud800\U0001f600",
    max_size=30,
)


@given(TEXTS)
def test_words_are_runs_of_letters_and_digits_split_at_their_case(text: str) -> None:
    assert words(text) == re.findall(_WORD, segment(bare(re.sub(_SEAM, " ", text))))


@given(TEXTS)
def test_what_is_searchable_ends_with_the_parts_of_identifiers(text: str) -> None:
    # In the case it had: made ASCII apart, it stays.
    segmented = re.sub(r"[^\x00-\x7f]+", lambda run: segment(bare(run.group())), text)
    split = [re.sub(_SEAM, " ", word) for word in re.findall(_WORD, segmented)]
    parts = " ".join(word for word in split if " " in word)
    assert searchable(text) == (f"{segmented}\n{parts}" if parts else segmented)
