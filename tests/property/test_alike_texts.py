"""Texts that are compared by their form contradict each other exactly where their words say so."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird.lifecycle.alike_texts import AlikeTexts
from bowerbird.lifecycle.contradiction import disagree, negations, read
from bowerbird.sessions.substance import first_letters, stated, within

_FRAMES = st.sampled_from(
    [
        "The job {} failed on worker {} because its lease was lost.",
        "We use {} for the queue, not {}.",
        "The port of the gateway is {}",
        "Never run {}; always run {} first.",
        "It isn't run {}. It is run {}.",
        "The limit is {} requests a minute ({}).",
        "“Since the {} release” it says {}, and no longer {}.",
        "Since March the host is {}",
        "The office is in {}",
        "{} owns the pipeline",
        "{} is our boss, as I said {}",
        "The report of {} may be {}\nand the one of {} not",
    ]
)
# Words that nothing knows, and such as are known in one way or another.
_WORDS = st.sampled_from(
    "qedma qalqe host hosts hosted wug wugs Wug dax 36021 36022 20261 382019 2026 10 ten tabs spaces"
    " monday mondays may enabled disabled before after not no never just berlin postgres mysql"
    " (qedma) (dax) `wug` dax. (36021), qhu-52700 since until this last january".split()
)


@st.composite
def _alike(draw: st.DrawFn) -> list[str]:
    frames = draw(st.lists(_FRAMES, min_size=1, max_size=2))
    return [
        draw(st.sampled_from(frames)).format(*draw(st.tuples(_WORDS, _WORDS, _WORDS)))
        for _ in range(draw(st.integers(3, 9)))
    ]


@given(_alike())
@settings(max_examples=200, deadline=None)
def test_by_their_form_texts_disagree_as_by_their_words(texts: list[str]) -> None:
    alike = AlikeTexts(texts)
    for at, text in enumerate(texts):
        for before, other in enumerate(texts[:at]):
            assert alike.disagree(before, at) == disagree(read(other), read(text)), (other, text)


@given(_alike(), st.lists(_WORDS, max_size=8))
@settings(max_examples=200, deadline=None)
def test_what_says_no_more_than_another_begins_its_words_alike(
    texts: list[str], more: list[str]
) -> None:
    for one in texts:
        for other in (*texts, f"{one} {' '.join(more)}", " ".join(more)):
            if within(stated(one), stated(other)):
                assert first_letters(one)[0] <= first_letters(other)[1], (one, other)


@given(_FRAMES, st.tuples(_WORDS, _WORDS, _WORDS))
@settings(max_examples=200, deadline=None)
def test_how_often_a_text_negates_does_not_depend_on_how_it_is_counted(
    frame: str, words: tuple[str, str, str]
) -> None:
    text = frame.format(*words)
    its = read(text)
    assert negations(text) == its.bare(its.undated).negations.total()
