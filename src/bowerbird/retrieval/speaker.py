"""Who says a passage, against who asks and who is named. Pure."""

from functools import lru_cache

from bowerbird.core.neighbourhood import closeness
from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bowerbird.core.types import Facts
    from bowerbird.retrieval.analyse import Question

# The role under which transcripts keep the person; the asker of "what did I decide?" is that person.
PERSON = "user"
# The roles of a talk with a program; whoever else speaks goes by a name: people talking.
ROLES = frozenset((PERSON, "assistant", "system", "developer", "tool", "human", "ai", "model"))
# Between people, a short turn greets or agrees, and one that asks is answered by another. A turn of
# this many characters counts as it is, a longer or shorter one by the power of its length, one that
# ends by asking this share. LoCoMo R@10 .806 to .820, nDCG@10 .604 to .637, nDCG up in each of its
# five talks; a power of .2 finds as much and shows .008 less inside 2,000 tokens.
AMONG_PEOPLE = (0.1, 130, 30, 400)
ASKING = 0.9
# What is said right after somebody else has asked is lent this share of the question's own score: "what
# did you get?" holds the words that "a puppy!" is asked by. LoCoMo nDCG@10 .636 to .664, up in each of
# its five talks with .1 to .8; R@10 +.007, and .001 less shown inside 2,000 tokens. Between a person and
# a program it costs BEAM .007 nDCG@10.
ANSWERING = 0.5
# With a program it is the other way round: its turns are long, and match by their length. Chosen on ten
# of BEAM's talks and on the other ten: R@10 +.015 and +.016, nDCG@10 +.009 and +.016, shown inside
# 2,000 tokens +.010 and +.027. From -.05 to -.15 all three gain. A short turn counts as it is, so that
# notes in the same store do not stand behind small talk.
WITH_PROGRAM = (-0.1, 120, 60, 1_000)


def by_asker(
    question: "Question", speakers: "Mapping[int, str]", rows: "Iterable[int]"
) -> "list[int]":
    """Those of some rows that the person said, when the question speaks in the first person.

    On BEAM, R@10 rises from .47 to .56: what one did stands in one's own turns, not in the answers.
    """
    if not question.first_person:
        return []
    return [row for row in rows if speakers.get(row) == PERSON]


def by_name(
    question: "Question", speakers: "Mapping[int, str]", rows: "Iterable[int]"
) -> "list[int]":
    """Those of some rows that a person said whom the question names (LoCoMo R@10 .754 to .769)."""
    asked = set(question.words)
    named = {
        speaker
        for speaker in set(speakers.values())
        if speaker and not asked.isdisjoint(words(speaker))
    }
    return [row for row in rows if speakers.get(row) in named] if named else []


def people(speakers: "Mapping[int, str]", rows: "Iterable[int]") -> dict[int, str]:
    """Who speaks in those of some rows that are turns of a talk among people."""
    persons = {speaker for speaker in set(speakers.values()) if is_person(speaker)}
    if not persons:
        return {}
    return {row: speakers[row] for row in rows if speakers.get(row) in persons}


def is_person(speaker: str) -> bool:
    """Whether a passage is a turn of a talk among people, by its speaker's name."""
    return bool(speaker) and speaker.lower() not in ROLES


@lru_cache(maxsize=4_096)
def fullness(characters: int, usual: tuple[float, int, int, int]) -> float:
    """What a score is multiplied by for the length of its passage.

    `usual` is a power, the length that counts as it is, and the bounds between which it varies.
    """
    power, middle, shortest, longest = usual
    return float((min(max(characters, shortest), longest) / middle) ** power)


def by_length(facts: "Facts", rows: "Iterable[int]") -> dict[int, float]:
    """What the scores of turns are multiplied by; other rows are left out."""
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
    scores: "Mapping[int, float]", people: "Mapping[int, str]", facts: "Facts"
) -> dict[int, float]:
    """What each turn is lent by the one before it, where that is somebody else's and asks.

    `people` says who speaks in each turn.
    """
    positions = facts.positions
    turns = {positions[row]: row for row in people if row in positions}
    lent = {}
    for position, row in turns.items():
        before = turns.get(position - 1)
        if before is None or people[before] == people[row] or before not in facts.asks:
            continue
        distance = (facts.lengths[before] + facts.lengths[row]) // 2
        lent[row] = ANSWERING * closeness(distance) * scores.get(before, 0.0)
    return lent
