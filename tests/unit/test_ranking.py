"""Ranking is pure: rows and scores in, rows and scores out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.answers import Hit
from bowerbird.core.language import BEGINNING, beginnings, content_words
from bowerbird.core.neighbourhood import windows
from bowerbird.core.query import Query
from bowerbird.core.text import count_tokens
from bowerbird.core.types import MEMORY, Entry, Facts
from bowerbird.retrieval import fuse
from bowerbird.retrieval.analyse import MOST_TERMS, analyse, distinct_words
from bowerbird.retrieval.candidates.gather import pool
from bowerbird.retrieval.pack import WEAK, left_out, pack
from bowerbird.retrieval.present import LONGEST_NOTE, join
from bowerbird.retrieval.relevance import decreasing
from bowerbird.retrieval.speaker import (
    AMONG_PEOPLE,
    ANSWERING,
    WITH_PROGRAM,
    answers,
    by_asker,
    by_name,
    fullness,
    is_person,
)


def entry(row: int, text: str = "text", **fields: object) -> Entry:
    usual: dict[str, object] = {
        "id": str(row), "family": "passage", "kind": "passage", "project": "", "trust": "imported",
        "state": "active", "created": 0, "document": 1, "ordinal": row, "start_line": row,
        "end_line": row,
    }  # fmt: skip
    return Entry(row=row, text=text, **{**usual, **fields})  # type: ignore[arg-type]


def hit(row: int, text: str, relevance: float) -> Hit:
    return Hit(entry(row, text), 1.0, relevance, 0.0, 0.0, 0.0, ())


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Why do the auth tests hang?", ("auth", "tests", "hang")),
        ("What is it?", ("what", "is", "it")),
        ("writeBoolean writeBoolean", ("write", "boolean")),
        ('") OR x:* NEAR("', ("x", "near")),
        ("黑豹队", ("黑豹", "豹队")),
    ],
)
def test_content_words(text: str, terms: tuple[str, ...]) -> None:
    assert content_words(distinct_words(text)) == terms


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Welche Verteidigung hatte das Team?", "de", ("vertei",)),
        ("Which defence did the team have?", "en", ()),
        ("verteidigung minister", "", ()),
        ("where does Достоевский live", "en", ("достое",)),
        ("黑豹队的防守", "zh", ()),
        ("welchem welchen", "de", ("welche",)),
    ],
)
def test_words_that_nothing_stems_are_looked_for_by_their_beginning(
    text: str, language: str, found: tuple[str, ...]
) -> None:
    assert beginnings(distinct_words(text), language) == found


def test_a_beginning_is_looked_for_beside_its_word_and_counts_as_achievable() -> None:
    asked = distinct_words("verteidigung")
    alone = analyse(asked, {"verteidigung": 2}, 100, 1_000)
    both = analyse(asked, {"verteidigung": 2}, 100, 1_000, None, {"vertei": 5})
    assert both.phrases == ("verteidigung", "vertei*")
    assert len("vertei") == BEGINNING
    assert alone.achievable < both.achievable < 2 * alone.achievable
    crowd = analyse(asked, {"verteidigung": 2}, 50_000, 10**6, None, {"vertei": 9_000})
    assert crowd.phrases == ("verteidigung",)


def test_rare_words_count_and_unknown_ones_count_most() -> None:
    question = analyse(
        distinct_words("redis cache frobnicate"), {"redis": 3, "cache": 50}, 100, 1_000
    )
    assert question.information["frobnicate"] > question.information["redis"]
    assert question.information["redis"] > question.information["cache"]
    assert (
        question.weight("frobnicate") == 1.0 > question.weight("redis") > question.weight("cache")
    )
    assert question.phrases == ("redis", "cache", "frobnicate")


def test_of_a_pasted_page_unknown_words_do_not_crowd_out_known_ones() -> None:
    page = " ".join(f"zz{number}x" for number in range(40_000)) + " redis cache"
    question = analyse(distinct_words(page), {"redis": 3, "cache": 50}, 100, 1_000)
    assert question.terms[:2] == ("redis", "cache")
    assert len(question.terms) == MOST_TERMS


def test_in_a_large_store_common_words_are_left_out_unless_nothing_else_is_there() -> None:
    counts = {"common": 9_000, "rare": 3}
    assert analyse(distinct_words("common rare"), counts, 50_000, 10**6).terms == ("rare",)
    assert analyse(distinct_words("common rare"), counts, 15_000, 10**6).terms == ("common", "rare")
    assert analyse(distinct_words("common"), {"common": 49_000}, 50_000, 10**6).terms == ("common",)
    unknown = analyse(distinct_words("common unknown"), {"common": 49_000}, 50_000, 10**6)
    assert unknown.terms == ("common", "unknown")


def test_a_share_is_absolute_and_bounded() -> None:
    assert fuse.shares([(1, 5.0), (2, 20.0), (3, -1.0)], 10.0) == {1: 0.5, 2: 1.0, 3: 0.0}
    assert fuse.shares([(1, 5.0)], 0.0) == {}


def test_support_fades_with_distance_and_comes_from_own_scores_only() -> None:
    scores = {1: 1.0, 2: 0.0, 3: 0.0}
    pairs = [(2, 1, 0.5), (1, 2, 0.5), (3, 2, 1.0)]
    assert fuse.from_neighbours(scores, pairs, {}) == {1: 0.0, 2: fuse.SUPPORT * 0.5, 3: 0.0}


def test_words_outrank_what_was_read_by_glosses_but_not_a_sentence_that_was_read() -> None:
    scores, cosines = {1: 0.3, 2: 0.1}, {1: 0.2, 2: 0.45}
    english = fuse.contextual_memories(scores, cosines, {})
    glossed = fuse.contextual_memories(scores, cosines, {}, glossed=True)
    assert english[1] < english[2]
    assert glossed[1] > glossed[2]


def test_who_has_no_score_lends_of_its_meaning() -> None:
    lent = fuse.from_neighbours(
        {1: 1.0, 2: 1.0}, [(1, 2, 0.5), (2, 1, 0.5)], {1: 0.8, 2: 0.8}, code={2}
    )
    assert lent == {1: pytest.approx(fuse.SUPPORT * (0.5 + 0.8 * fuse.TEXT.dense))}


def test_no_score_reaches_one_and_all_keep_their_order() -> None:
    scores = [0.0, 0.5, 0.79, 0.81, 0.99, 1.0, 1.3, 2.0]
    bent = [fuse.bounded(score) for score in scores]
    assert bent[:3] == scores[:3]
    assert bent == sorted(set(bent))
    assert max(bent) < 1.0


def test_a_window_is_the_cosine_with_the_sum() -> None:
    # Unit vectors (1, 0) and (0, 1) of lengths 2 and 1, closeness 1, question (0, 1).
    length = 5**0.5
    vectors, pairs = {1: (0.0, 2.0, length), 2: (1.0, 1.0, length)}, [(1, 2, 1.0)]
    for met, around in (({1, 2}, 0.0), ({1}, 1.0)):
        whole, others = windows([1], vectors, pairs, met)
        assert whole == pytest.approx({1: 1 / length})
        assert others == pytest.approx({1: around})
    assert windows([1], {2: vectors[2]}, pairs, {1}) == ({1: 0.0}, {1: 1.0})


def test_equal_scores_repeat_their_order() -> None:
    assert list(fuse.best({3: 1.0, 1: 1.0, 2: 2.0}, 2)) == [2, 1]


def facts_of(positions: dict[int, tuple[int | None, int]], **said: object) -> Facts:
    """Facts of rows by their document (None: a memory) and their position in it."""
    facts = {
        "speakers": dict.fromkeys(positions, ""),
        "lengths": dict.fromkeys(positions, 20),
        **said,
    }
    return Facts(
        {row: document for row, (document, _) in positions.items()},
        created=dict.fromkeys(positions, 0),
        **{"asks": (), **facts},  # type: ignore[arg-type]
    )


def test_a_neighbour_of_a_good_row_is_in_the_pool_before_what_says_a_little_more() -> None:
    beside, good, stranger = 21, 500, 501
    crowd = dict.fromkeys(range(1_000, 4_000, 3), 0.11)
    scores = {**crowd, beside: 0.10, good: 0.50, stranger: 0.10}
    adjacent = [(beside, good, 1)]
    chosen = pool(scores, adjacent, Query("?"))
    assert list(chosen.items())[:2] == [(good, 0.50), (beside, 0.10)]
    assert stranger not in chosen, "the next row, but of another document"
    assert len(chosen) == fuse.POOL + 10 * fuse.FOR_A_HIT
    assert beside not in pool(scores, adjacent, Query("?", without=("beside",)))
    assert len(pool(scores, adjacent, Query("?", depth=2.0))) == 2 * len(chosen)


def test_the_next_neighbour_counts_more_than_the_one_after_it() -> None:
    good, next_, after, far = 10, 11, 12, 13
    adjacent = [
        (good, next_, 1),
        (next_, after, 1),
        (after, far, 1),
        (good, after, 2),
        (next_, far, 2),
    ]
    potential = fuse.neighbour_potential({far: 0.1, after: 0.1, next_: 0.1, good: 0.9}, adjacent)
    assert sorted(potential, key=potential.__getitem__) == [far, after, next_, good]


def test_memories_are_nobodys_neighbours() -> None:
    scores = {1: 0.1, 2: 0.9}
    assert fuse.neighbour_potential(scores, []) == scores


def test_who_asks_and_who_is_named() -> None:
    speakers = {1: "user", 2: "assistant", 3: "Caroline", 4: "user"}
    mine = analyse(distinct_words("What did I tell Caroline?"), {}, 10, 10)
    assert by_asker(mine, speakers, [1, 2, 3]) == [1]
    assert by_name(mine, speakers, [1, 2, 3]) == [3]
    bobs = analyse(distinct_words("What did Bob say?"), {}, 10, 10)
    assert by_asker(bobs, speakers, [1, 2, 3]) == by_name(bobs, speakers, [1, 2, 3]) == []


def test_talks_among_people_are_told_by_names() -> None:
    said_by = ("Caroline", "user", "Assistant", "", "tool")
    assert [is_person(speaker) for speaker in said_by] == [True, False, False, False, False]


@pytest.mark.parametrize("usual", [AMONG_PEOPLE, WITH_PROGRAM])
def test_a_length_counts_between_its_bounds(usual: tuple[float, int, int, int]) -> None:
    power, middle, shortest, longest = usual
    assert fullness(middle, usual) == 1.0
    assert fullness(1, usual) == fullness(shortest, usual)
    assert fullness(10 * longest, usual) == fullness(longest, usual)
    assert (fullness(longest, usual) > 1.0) == (power > 0)
    assert 0.8 < fullness(shortest, usual) < 1.25


def test_a_question_lends_to_what_somebody_else_says_right_after_it() -> None:
    turns = {1: "Ann", 2: "Bob", 3: "Bob", 4: "Ann", 5: "Ann", 7: "Bob"}
    talks = {1: 7, 2: 7, 3: 7, 4: 8, 5: 8, 6: 8, 7: 8}
    facts = facts_of(
        {row: (talk, row) for row, talk in talks.items()},
        speakers=turns,
        lengths={**dict.fromkeys(talks, 20), 1: 40},
        asks={1, 3, 4, 6},
    )
    scores = dict.fromkeys(talks, 0.4)
    adjacent = [(row, row + 1, 1) for row in talks if talks[row] == talks.get(row + 1)]
    lent = answers(scores, turns, [*adjacent, (1, 3, 2)], facts)
    assert list(lent) == [2]
    assert lent[2] == pytest.approx(ANSWERING * 0.4, rel=0.01)


def test_pieces_of_one_section_are_joined_in_order_and_others_are_not() -> None:
    found = [
        entry(2, "two", start_line=3, end_line=3),
        entry(7, "seven"),
        entry(1, "one", start_line=1, end_line=1),
        entry(3, "three", context="other"),
        entry(8, "x" * LONGEST_NOTE),
    ]
    joined = join(found)
    assert [(one.row, one.text) for one in joined] == [
        (2, "one\n\ntwo"), (7, "seven"), (3, "three"), (8, "x" * LONGEST_NOTE),
    ]  # fmt: skip
    assert (joined[0].start_line, joined[0].end_line) == (1, 3)


def test_what_pieces_share_is_reported_once() -> None:
    lines = [f"Lantern number {n} burns for {n + 3} hours." for n in range(8)]
    found = [
        entry(1, "\n\n".join(lines[:4]), start_line=1, end_line=7),
        entry(2, "\n\n".join(lines[3:6]), start_line=7, end_line=11),
        entry(3, "\n\n".join(lines[4:]), start_line=9, end_line=15),
    ]
    assert [one.text for one in join(found)] == ["\n\n".join(lines)]


def test_turns_are_joined_only_with_their_own_other_half() -> None:
    found = [
        entry(1, "first half.", session="s", start_line=4),
        entry(2, "second half.", session="s", start_line=4, end_line=4),
        entry(3, "next turn", session="s", start_line=5),
    ]
    found[0] = found[0].replace(end_line=4)
    assert [one.text for one in join(found)] == ["first half. second half.", "next turn"]


@given(
    st.lists(st.tuples(st.text(max_size=80), st.floats(0, 1)), max_size=30),
    st.integers(1, 10),
    st.integers(0, 60),
    st.floats(0, 1),
)
def test_a_pack_never_breaks_its_bounds(
    drawn: list[tuple[str, float]], limit: int, budget: int, floor: float
) -> None:
    hits = [hit(i, text, sure) for i, (text, sure) in enumerate(drawn)]
    packed, _ = pack(hits, Query("q", limit=limit, budget=budget, min_score=floor))
    assert len(packed) <= limit
    assert sum(count_tokens(one.text) for one in packed) <= budget
    assert all(one.relevance >= floor for one in packed)
    order = [hits.index(one) for one in packed]
    assert order == sorted(order)


def test_where_nothing_is_relevant_nothing_is_packed() -> None:
    assert pack([hit(1, "a", 0.01), hit(2, "b", 0.019)], Query("q", limit=10))[0] == ()
    assert len(pack([hit(1, "a", 0.01), hit(2, "b", 0.5)], Query("q", limit=10))[0]) == 2


def test_relevance_never_rises_from_one_hit_to_the_next() -> None:
    assert decreasing([0.5, 0.3, 0.1]) == [0.5, 0.3, 0.1]
    assert decreasing([0.9, 0.2, 0.4, 0.3, 0.1]) == pytest.approx([0.9, 0.3, 0.3, 0.3, 0.1])
    assert decreasing([0.1, 0.2, 0.6]) == pytest.approx([0.3, 0.3, 0.3])
    assert decreasing([]) == []


def test_weak_hits_are_left_out_beside_a_better_one() -> None:
    weak, strong = hit(1, "a", 0.04), hit(2, "b", 0.5)
    assert _packed([strong, weak], Query("q", limit=10, weak=False)) == ((strong,), 1)
    assert _packed([weak], Query("q", limit=10, weak=False)) == ((weak,), 0)


def test_memories_and_notes_are_weak_beside_what_is_several_times_as_relevant() -> None:
    best, near, memory = (
        hit(row, "a", sure).replace(entry=entry(row, "a").replace(family=MEMORY))
        for row, sure in ((1, 0.9), (2, 0.2), (3, 0.17))
    )
    code, turn, note = (
        hit(row, "a", 0.13).replace(entry=entry(row, "a").replace(source=source, session=session))
        for row, source, session in ((4, "code", ""), (5, "markdown", "s"), (6, "markdown", ""))
    )
    found = [best, near, memory, code, turn, note]
    assert _packed(found, Query("q", limit=10, weak=False)) == ((best, near, code, turn), 2)
    assert _packed(found, Query("q", limit=10, weak=True)) == (tuple(found), 0)
    # Alone, it is the best there is.
    assert _packed([memory], Query("q", limit=10, weak=False)) == ((memory,), 0)


def test_weak_hits_take_no_room_from_better_ones() -> None:
    weak, strong, other = hit(1, "aaaa", 0.04), hit(2, "bbbb", 0.5), hit(3, "cccc", 0.6)
    found = [weak, strong, other]
    for limit, budget in ((1, None), (9, 1)):
        wanted = Query("q", limit=limit, budget=budget, weak=False)
        assert _packed(found, wanted) == ((strong,), 1)
        assert _packed(found, wanted.replace(weak=True)) == ((weak,), 0)
    assert _packed(found, Query("q", limit=2, weak=False)) == ((strong, other), 1)


def test_what_answers_a_turn_that_asks_is_shown_beside_it() -> None:
    def said(row: int, speaker: str, text: str, relevance: float) -> Hit:
        found = hit(row, text, relevance)
        return found.replace(entry=found.entry.replace(speaker=speaker))

    asks = said(1, "user", "Where is the spare key?", 0.9)
    for answer, kept in (
        (said(2, "assistant", "Below the blue pot.", 0.04), True),
        (said(2, "user", "Never mind.", 0.04), False),
        (said(3, "assistant", "Below the blue pot.", 0.04), False),
        (said(2, "", "Below the blue pot.", 0.04), False),
    ):
        packed, left = _packed([asks, answer], Query("q", limit=10, weak=False))
        assert (packed, left) == ((asks, answer), 0) if kept else ((asks,), 1)
    tells = said(1, "user", "The spare key is lost.", 0.9)
    answer = said(2, "assistant", "Below the blue pot.", 0.04)
    assert _packed([tells, answer], Query("q", limit=10, weak=False)) == ((tells,), 1)


def _packed(hits: list[Hit], query: Query) -> tuple[tuple[Hit, ...], int]:
    found, left = pack(hits, query)
    return found, left[WEAK]


def test_packing_says_what_it_left_out() -> None:
    hits = [hit(1, "a" * 40, 0.9), hit(2, "b" * 400, 0.8), hit(3, "c" * 20, 0.05)]
    packed, left = pack(hits, Query("q", limit=10, budget=40, min_score=0.1))
    assert [one.entry.row for one in packed] == [1]
    assert left_out(left).endswith("; left out: 1 below --min-score, 1 beyond --budget")
    assert "left out" not in left_out(pack(hits[:1], Query("q", limit=10))[1])
