"""Scores by speaker: whether the asker or a person named in the query said a passage. Pure."""

from functools import lru_cache

from bowerbird.core.neighbourhood import closeness
from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bowerbird.core.types import Facts
    from bowerbird.retrieval.analyse import Question

# The role of the person in transcripts with an agent; "I" in a query is that person.
PERSON = "user"
# The roles of a conversation with a program; any other speaker is a person, by name.
ROLES = frozenset((PERSON, "assistant", "system", "developer", "tool", "human", "ai", "model"))
# Turns among people, as (power, length that counts fully, shortest, longest) in characters: a score is
# multiplied by (length / full length) ** power, because short turns only greet or agree; a turn that ends
# with a question is multiplied by ASKING, because another turn answers it. LoCoMo R@10 rises from .806 to
# .820, nDCG@10 from .604 to .637, in each of its five conversations; a power of .2 has the same recall
# and .008 less evidence within 2,000 tokens.
AMONG_PEOPLE = (0.1, 130, 30, 400)
ASKING = 0.9
# A turn right after another speaker's question receives this share of the question's own score: "what did
# you get?" has the words by which "a puppy!" is searched. LoCoMo nDCG@10 rises from .636 to .664, in each
# of its five conversations with .1 to .8; R@10 gains .007, evidence within 2,000 tokens loses .001.
# Between a person and a program it costs BEAM .007 nDCG@10, so it is not applied there.
ANSWERING = 0.5
# Turns with a program, as above: they are long, and match because of their length, so the power is
# negative. On the development and the held-out half of BEAM: R@10 +.015 and +.016, nDCG@10 +.009 and
# +.016, evidence within 2,000 tokens +.010 and +.027; all three gain from -.05 to -.15. Short turns keep
# their score, so that notes in the same store do not rank below small talk.
WITH_PROGRAM = (-0.1, 120, 60, 1_000)


def by_asker(
    question: "Question", speakers: "Mapping[int, str]", rows: "Iterable[int]"
) -> "list[int]":
    """The rows that the asker said, if the query is in the first person; else none.

    BEAM R@10 rises from .47 to .56: what a person did is in their own turns, not in the answers.
    """
    if not question.first_person:
        return []
    return [row for row in rows if speakers.get(row) == PERSON]


def by_name(
    question: "Question", speakers: "Mapping[int, str]", rows: "Iterable[int]"
) -> "list[int]":
    """The rows said by a person whom the query names (LoCoMo R@10 .754 to .769)."""
    asked = set(question.words)
    named = {
        speaker
        for speaker in set(speakers.values())
        if speaker and not asked.isdisjoint(words(speaker))
    }
    return [row for row in rows if speakers.get(row) in named] if named else []


def people(speakers: "Mapping[int, str]", rows: "Iterable[int]") -> dict[int, str]:
    """The speakers of those rows that are turns of a conversation among people."""
    persons = {speaker for speaker in set(speakers.values()) if is_person(speaker)}
    if not persons:
        return {}
    return {row: speakers[row] for row in rows if speakers.get(row) in persons}


def is_person(speaker: str) -> bool:
    """Whether a speaker is a person in a conversation among people, rather than a role."""
    return bool(speaker) and speaker.lower() not in ROLES


@lru_cache(maxsize=4_096)
def fullness(characters: int, usual: tuple[float, int, int, int]) -> float:
    """The factor on a score for the length of its passage in characters.

    `usual` is (power, length whose factor is 1, shortest, longest); lengths outside are clamped.
    """
    power, middle, shortest, longest = usual
    return float((min(max(characters, shortest), longest) / middle) ** power)


def by_length(facts: "Facts", rows: "Iterable[int]") -> dict[int, float]:
    """The factors on the scores of turns, by row; rows that are not turns are left out."""
    lengths, speakers, asks = facts.lengths, facts.speakers, facts.asks
    usual = {
        speaker: AMONG_PEOPLE if is_person(speaker) else WITH_PROGRAM
        for speaker in set(speakers.values())
        if speaker
    }
    if not usual:
        return {}
    turns = [(row, usual[speakers[row]]) for row in rows if speakers.get(row, "") in usual]
    factors = {row: fullness(lengths[row], length) for row, length in turns}
    asking = [row for row, length in turns if length is AMONG_PEOPLE and row in asks]
    return factors | {row: factors[row] * ASKING for row in asking}


def answers(
    scores: "Mapping[int, float]",
    people: "Mapping[int, str]",
    adjacent: "Iterable[tuple[int, int, int]]",
    facts: "Facts",
) -> dict[int, float]:
    """What each turn receives from the preceding one, if that is another speaker's question.

    `people` gives the speaker of each turn.
    """
    lent = {}
    for before, row, steps in adjacent:
        asked = steps == 1 and before in facts.asks and {before, row} <= people.keys()
        if not asked or people[before] == people[row]:
            continue
        distance = (facts.lengths[before] + facts.lengths[row]) // 2
        lent[row] = ANSWERING * closeness(distance) * scores.get(before, 0.0)
    return lent
