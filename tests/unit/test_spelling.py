"""Misspelt words of a question."""

from collections.abc import Iterable

import pytest

from bowerbird.retrieval.spelling import best, corrections, one_slip, slips_apart, within_two


class Vocabulary:
    """A small store's words."""

    def __init__(self, **counts: int) -> None:
        self.counts_by_word = counts

    whole = True

    def totals(self) -> tuple[int, int]:
        return 10, sum(self.counts_by_word.values())

    def known_forms(
        self, terms: Iterable[str], others: Iterable[str] = ()
    ) -> tuple[set[str], dict[str, int]]:
        known = {term for term in terms if term.rstrip("s") in self.counts_by_word}
        return known, self.counts(others)

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        return {term: self.counts_by_word[term] for term in terms if term in self.counts_by_word}

    def counted(self, terms: object, filter: object) -> tuple[dict[str, int], int, int]:
        raise AssertionError

    def beginning_with(self, letter: str, shortest: int, longest: int) -> dict[str, int]:
        return {
            term: count
            for term, count in self.counts_by_word.items()
            if term[0] == letter and shortest <= len(term) <= longest
        }

    def starting(self, beginnings: object) -> dict[str, int]:
        raise AssertionError


WORDS = Vocabulary(docker=3, locker=9, kubernetes=2, redis=5, test=4, containerisation=1)


def everywhere(_word: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("asked", "read_as"),
    [
        ("dokcer", "docker"),  # swapped
        ("dockker", "docker"),  # doubled; "locker" is two away
        ("docer", "docker"),  # dropped
        ("kubrenetse", "kubernetes"),  # two slips in a long word
        ("kontainerisation", "containerisation"),  # the first letter, one slip
        ("tests", None),  # a form of a word that is there
        ("rediz2", None),  # a digit: a name, not a slip
        ("tset", "test"),
        ("the", None),
        ("xyzzy", None),
        ("rdi", None),  # too short
    ],
)
def test_read_as(asked: str, read_as: str | None) -> None:
    assert corrections([asked], {}, WORDS, everywhere)[0] == ({asked: read_as} if read_as else {})


SHORT = Vocabulary(cool=4, trust=3, help=2, slow=5)


@pytest.mark.parametrize("word", ["cobol", "rust", "helm", "blow"])
def test_a_short_word_of_its_own_is_no_slip(word: str) -> None:
    assert corrections([word], {}, SHORT, everywhere)[0] == {}


@pytest.mark.parametrize("word", ["sloow", "slwo", "slpw", "slopw", "solw"])
def test_a_finger_slips_in_short_words_too(word: str) -> None:
    assert corrections([word], {}, SHORT, everywhere)[0] == {word: "slow"}


@pytest.mark.parametrize(
    ("asked", "read_as"),
    [
        ("settle", None),
        ("mettle", None),
        ("ketttle", "kettle"),
        ("ekttle", "kettle"),
        ("kettel", "kettle"),
    ],
)
def test_the_first_letter_of_a_word_of_six_or_seven_stands(asked: str, read_as: str | None) -> None:
    assert corrections([asked], {}, Vocabulary(kettle=2), everywhere)[0] == (
        {asked: read_as} if read_as else {}
    )


def test_a_word_that_the_store_holds_is_left_alone() -> None:
    assert corrections(["dokcer"], {"dokcer": 1}, WORDS, everywhere)[0] == {}


def test_the_first_letter_decides_then_what_is_common() -> None:
    assert best("docker", {"locker": 9, "docket": 1}, everywhere) == "docket"
    assert best("rest", {"test": 4, "best": 9}, everywhere) == "best"
    assert best("rest", {}, everywhere) is None


def test_slips_are_one_edit_away() -> None:
    slips = one_slip("ab")
    assert {"a", "b", "ba", "xb", "abx", "axb"} <= slips
    assert "ab" not in slips
    assert within_two("ab", {"abcd": 1, "abcde": 9}) == {"abcd": 1}


def test_a_word_that_others_alone_have_gives_way_to_the_next() -> None:
    words = Vocabulary(docker=1, docket=9)
    assert corrections(["dockes"], {}, words, everywhere)[0] == {"dockes": "docket"}
    assert corrections(["dockes"], {}, words, lambda word: word == "docker")[0] == {
        "dockes": "docker"
    }
    assert corrections(["dockes"], {}, words, lambda _word: False)[0] == {}


def test_an_endless_word_is_not_spelt_out() -> None:
    """What is one slip away grows with the square of its length: 16,000 letters took 23 GB."""

    class Unasked(Vocabulary):
        def counts(self, terms: object) -> dict[str, int]:
            raise AssertionError

    assert corrections(["a" * 200], {}, Unasked(), lambda _: True)[0] == {}


def test_words_are_as_far_apart_as_their_slips_say() -> None:
    for one, other, slips in (
        ("", "", 0),
        ("abc", "abc", 0),
        ("abc", "", 3),
        ("form", "from", 1),
        ("ca", "abc", 3),
        ("kitten", "sitting", 3),
        ("databse", "database", 1),
        ("postgers", "postgres", 1),
        ("abab", "ab", 2),
        ("recieve", "receive", 1),
        ("aab", "aba", 1),
    ):
        assert slips_apart(one, other) == slips_apart(other, one) == slips, (one, other)


def test_what_is_one_slip_away_is_no_further() -> None:
    assert {slips_apart("login", one) for one in one_slip("login")} == {1}


def test_a_word_of_its_own_is_not_read_as_another() -> None:
    words = Vocabulary(server=9, settled=2)
    real = {"serve", "settles"}.__contains__
    assert corrections(["serve"], {}, words, everywhere, "en", real)[0] == {}
    assert corrections(["servr"], {}, words, everywhere, "en", real)[0] == {"servr": "server"}


@pytest.mark.parametrize("word", ["wann", "welche", "quand", "donde", "warum"])
def test_a_word_of_grammar_of_any_language_is_no_slip(word: str) -> None:
    slipped = Vocabulary(wan=3, welch=1, quad=2, done=5, warm=1)
    assert corrections([word], {}, slipped, everywhere)[0] == {}


@pytest.mark.parametrize(
    ("asked", "read_as"),
    [("passen", None), ("sichern", None), ("funktion", None), ("fheler", "fehler")],
)
def test_of_another_language_only_what_fingers_do_is_a_slip(
    asked: str, read_as: str | None
) -> None:
    words = Vocabulary(passed=4, sicherer=1, function=7, fehler=1)
    assert corrections([asked], {}, words, everywhere, "de")[0] == (
        {asked: read_as} if read_as else {}
    )
