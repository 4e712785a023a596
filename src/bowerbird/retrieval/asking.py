"""Turns that ask what the query asks: each shows where an answer may stand, and is none itself. Pure.

It goes by structure, not by words, so that it works in every language: question marks, the clause in
which the words of the query stand, the speaker and the position in the conversation.
"""

from functools import lru_cache

from bowerbird.core.language import STOP_WORDS, content_words
from bowerbird.core.text import spaced
from bowerbird.retrieval.analyse import distinct_words
from bowerbird.retrieval.intent import MARKS, has_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.relevance import Calibration

# Where a clause ends: "I have a meeting on Monday, what should I prepare?" says something before it asks.
_PAUSES = (". ", "! ", ", ", "; ", ": ", " - ", " – ", " — ")
_UNSPACED_PAUSES = "。！，；：、،؛"
# A turn asks what the query asks if all words that it shares with the query stand in clauses that ask,
# carry at least this share of the query's information, and are at least this share of the words of those
# clauses. Of turns whose shared words all stand there, none of 42 among the first three hits is evidence
# on LoCoMo, where .28 of the others are, and on BEAM .13 (of the others .29). With .25 and 0 BEAM R@10
# falls by .007, with these by .001; LoCoMo by .001 and by nothing.
SHARED = 0.4
OWN = 0.3
# Or if at least this share of its own words are words of the query, and one of both has a mark.
REPEATED = 0.75
# Characters in which more other words than that are looked for before the whole text is read: most turns
# are told by them.
_BEGIN = 240
# The factor on the score of a turn that asks what the query asks.
ASKED = 0.5
# The share of its score that the next passage of the conversation gets, as a minimum, and each further
# one of that of its predecessor; and how many of them do.
LENT = 0.8
FOLLOWING = 3
# An agent's turn of fewer words, without those of only grammatical function, says that it will look
# ("Let me check."), unless it holds a number or a name: it is no answer.
_FEWEST_SAID = 3
_AGENT = "assistant"
# A longer silence ends an exchange, in milliseconds.
SILENCE = 3_600_000


def asking_the_same(
    entries: "Mapping[int, Entry]", question: "Question", calibration: "Calibration"
) -> "dict[int, Entry]":
    """Those turns of conversations that ask what the query asks and say nothing about it, by row."""
    turns = {row: one for row, one in entries.items() if one.speaker and one.document is not None}
    found = {row: one for row, one in turns.items() if _asks(one.text, question, calibration)}
    if not (found or question.intent.marked):
        return {}
    # A question that was typed without its mark is one, too: if the query has a mark, or if another turn
    # with a mark has the same words.
    repeats = {row: one for row, one in turns.items() if _is_repeat(one.text, question)}
    return found | repeats if question.intent.marked or found.keys() & repeats.keys() else found


def _asks(text: str, question: "Question", calibration: "Calibration") -> bool:
    if not has_mark(text):
        return False
    asking, rest = clauses(text)
    shared = calibration.covered(spaced(asking))
    apart = not calibration.covered(spaced(rest))
    if shared >= SHARED and apart and _repeats(asking, question) >= OWN:
        return True
    return _is_repeat(text, question)


def _is_repeat(text: str, question: "Question") -> bool:
    """Whether nearly all of a text's own words are words of the query."""
    known, stops = question.words, STOP_WORDS.get(question.intent.language, STOP_WORDS["en"])
    others = {
        token
        for token in text[:_BEGIN].split()[:-1]  # the last one may be cut
        if token.islower() and token.isalpha() and token.isascii() and token not in stops
    }
    # Each of these is a word of its own.
    if REPEATED * len(others.difference(known)) > (1 - REPEATED) * len(known):
        return False
    return _repeats(text, question) >= REPEATED


def _repeats(text: str, question: "Question") -> float:
    """The share of a text's words, without those of only grammatical function, that the query has."""
    own = _content(text, question.intent.language)
    return len(own.intersection(question.words)) / (len(own) or 1)


@lru_cache(maxsize=512)
def _content(text: str, language: str) -> frozenset[str]:
    """A text's words, without those of only grammatical function; queries find the same turns again."""
    return frozenset(content_words(distinct_words(text), language))


def clauses(text: str) -> tuple[str, str]:
    """The clauses of a text that end with a question mark, and all others."""
    for mark in (*MARKS, *_UNSPACED_PAUSES):
        text = text.replace(mark, f"{mark}\n")
    for pause in _PAUSES:
        text = text.replace(pause, f"{pause}\n")
    found = [clause.strip() for clause in text.split("\n")]
    asking = [clause for clause in found if clause.endswith(tuple(MARKS))]
    return " ".join(asking), " ".join(one for one in found if one and one not in asking)


def answering(
    asked: "Sequence[Entry]", following: "Iterable[Entry]", language: str
) -> dict[int, tuple[int, int]]:
    """For each passage that may answer one of some turns: the row of that turn, and the distance.

    The next turn is another speaker's; the exchange ends where the one who asked asks again. `language`
    is that of the query.
    """
    at = {(one.document, one.ordinal): one for one in following}
    found: dict[int, tuple[int, int]] = {}
    for turn in asked:
        before, replied = turn, False
        for step in range(1, FOLLOWING + 1):
            one = at.get((turn.document, turn.ordinal + step))
            if one is None or one.created - before.created > SILENCE:
                break
            before = one
            same = one.speaker == turn.speaker
            if same and not replied:
                continue  # a long turn has several passages
            if same and has_mark(one.text):
                break
            replied = True
            if _says_nothing(one, language):
                continue
            if one.row not in found or step < found[one.row][1]:
                found[one.row] = (turn.row, step)
    return found


def _says_nothing(turn: "Entry", language: str) -> bool:
    """Whether an agent says only that it will look; in a script without capitals that is not known."""
    text = turn.text.strip()
    if turn.speaker != _AGENT or len(_content(text, language)) >= _FEWEST_SAID:
        return False
    names = any(char.isdigit() or char.isupper() for char in text[1:]) or not text.isascii()
    return not names and "`" not in text
