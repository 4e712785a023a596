"""Whether one text says that what the other tells of was left, for whatever came instead."""

from bowerbird.lifecycle.grammar import (
    FROM,
    LEAVES,
    MEANS,
    MOVES,
    ONCE,
    PAST,
    PERFECT,
    PLACES,
    PRONOUNS,
    SINGLE_VALUED,
    TOWARDS,
    USES,
    VISITS,
)
from bowerbird.lifecycle.rivals import named, rival_of
from bowerbird.lifecycle.turning import shared

# What ends the name of what was left: “from Jenkins to …”, “REST for …”.
_ENDS = frozenset("to with by for in on because since and so as auf zu nach vers".split())
_BEFORE_USED = MEANS | USES
_NO_STAY = frozenset({"was", "were"})
_BE = frozenset("is are was were be been gets get".split())
# “Removed from the menu” leaves the rest as it is.
_FROM_WHERE = frozenset({("from",), ("in",), ("on",)})
_NO_MORE = frozenset("no longer stopped".split())
# A name is a few words. Without a bound each of many places that may begin one would be read to the end.
LONGEST_NAME = 8


def left(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """Why `goes` takes back what `stays` says, or nothing where it does not."""
    return _left(stays, goes) or _moved(stays, goes) or _given_up(stays, goes)


def _left(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says what is used, the other that it was left: “from …”, “instead of …”, “dropped …”."""
    together = shared(stays, goes)
    used = [at for at, word in enumerate(stays[: together + 1]) if word in USES]
    if not together or not used:
        return ""
    start = used[-1] + 1
    moves = not MOVES.isdisjoint(goes)
    for at in range(1, len(goes)):
        name = _name(goes, at + 1) if _leaves(goes, at, moves=moves) else ()
        if name and stays[start : start + len(name)] == name:
            return f"it left “{' '.join(name)}”"
    return ""


def _leaves(words: tuple[str, ...], at: int, *, moves: bool) -> bool:
    """Whether what follows the word at `at` was left: “moved … from”, “instead of”, “dropped”.

    `moves`: one of the words says that somebody moved.
    """
    before, word = words[at - 1], words[at]
    moved = word in FROM and moves
    return moved or word in LEAVES or (before, word) in {("instead", "of"), ("stopped", "using")}


def _name(words: tuple[str, ...], start: int) -> tuple[str, ...]:
    """The words from `start` up to one that begins something else; nothing where they are too many."""
    near = words[start : start + LONGEST_NAME + 1]
    end = next((at for at, word in enumerate(near) if word in _ENDS), len(near))
    return near[:end] if end <= LONGEST_NAME else ()


def _moved(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says where something is or what is used, the other that it moved to something else."""
    subject, goal, rest = _arrival(goes)
    if not subject or not goal:
        return ""
    told = f"it moved to “{' '.join(goal)}”"
    at = shared(stays, subject)
    if at == len(subject):
        verb, place, there = stays[at : at + 1], stays[at + 1 : at + 2], stays[at + 2 :]
        stands = SINGLE_VALUED.issuperset(verb) and _NO_STAY.isdisjoint(verb)
        if verb and place and stands and place[0] in PLACES and _elsewhere(there, goal, rest):
            return told
    name = named(goal)
    at = rival_of(name, stays) if name else -1
    if at < 1 or not _elsewhere(stays[at:], goal, rest):
        return ""
    before = stays[:at]
    same_user = before[-1] in USES and before[:-1] == subject
    ours = PRONOUNS.issuperset(subject) and before[0] in PRONOUNS
    narrowed = rest and stays[-len(rest) :] != rest
    by_means = before[-1] in MEANS and _as_yet(before) and not narrowed
    return told if same_user or (ours and (before[-1] in SINGLE_VALUED or by_means)) else ""


def _given_up(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says with what something is done, the other that one gave that up, or what replaced it.

    “Tickets live in Jira”, “we replaced Jira with …”; “we build with Gradle”, “Gradle was replaced”.
    """
    name, rest = _lost(goes)
    if not 0 < len(name) <= LONGEST_NAME or not _as_yet(stays):
        return ""
    for at in range(2, len(stays)):
        end = at + len(name)
        if stays[at - 1] in _BEFORE_USED and stays[at:end] == name:
            ended = end == len(stays) or stays[end] in _ENDS
            # The lengths first: only one place leaves as much as `rest` is.
            if ended and (not rest or (len(stays) - end == len(rest) and stays[end:] == rest)):
                return f"it left “{' '.join(name)}”"
    return ""


def _lost(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What somebody who is not named, or we, gave up, and what is told of it beyond that."""
    # What holds of all the words before `at`, kept from word to word: a name stands in the first few.
    ours = ended = True
    subject: list[str] = []
    for at, word in enumerate(words):
        before, after = words[max(at - 2, 0) : at], words[at + 1 : at + 2]
        if at and word in LEAVES:
            passive = before[-1] in _BE and after not in _FROM_WHERE
            if passive and named(tuple(subject[:LONGEST_NAME])):
                instead = at + 2 if after == ("by",) else at + 1
                return tuple(subject), words[instead + len(_name(words, instead)) :]
            name = _name(words, at + 1) if ours else ()
            if named(name):
                # Behind “with” or “by” stands what came instead.
                rest = words[at + 1 + len(name) :]
                return name, rest if rest[:1] in {("for",), ("in",)} else ()
        if at and ended and word in USES and _stops(before):
            name = _name(words, at + 1)
            return name, words[at + 1 + len(name) :]
        ours = ours and (word in PRONOUNS or word in PERFECT)
        ended = ended and (word in PRONOUNS or word in _NO_MORE)
        if word not in PERFECT and word not in _BE:
            subject.append(word)
    return (), ()


def _stops(before: tuple[str, ...]) -> bool:
    """Whether what follows two words is done no more: “no longer”, “stopped”."""
    return before == ("no", "longer") or before[-1:] == ("stopped",)


def _as_yet(words: tuple[str, ...]) -> bool:
    """Whether a text tells of what is so, not of what was: “reported” is past, “is reported” is not."""
    return ONCE.isdisjoint(words) and not any(
        word in PAST or (word.endswith("ed") and before not in _BE)
        for before, word in zip(("", *words), words, strict=False)
    )


def _elsewhere(there: tuple[str, ...], goal: tuple[str, ...], rest: tuple[str, ...]) -> bool:
    """Whether a place is another one than `goal`, and the same is told of both."""
    if not there or there[: len(goal)] == goal:
        return False
    return not rest or there[-len(rest) :] == rest or _ENDS.isdisjoint(there)


def _arrival(
    words: tuple[str, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Who moved, to what, and what is told of it beyond that: “(we) moved to (pnpm) (for …)”."""
    moved = next((at for at, word in enumerate(words) if word in MOVES - VISITS), -1)
    if moved < 1:
        return (), (), ()
    towards = [at for at, word in enumerate(words) if at and word in TOWARDS]
    behind = [at for at in towards if at > moved]
    if behind:
        goal, end = _name(words, behind[0] + 1), moved
        rest = words[behind[0] + 1 + len(goal) :]
    elif towards:
        # The participle stands last: “wir sind von npm auf pnpm umgestiegen”.
        goal, rest = words[towards[-1] + 1 : moved], words[moved + 1 :]
        end = next(at for at, word in enumerate(words) if at and word in TOWARDS | FROM)
    else:
        return (), (), ()
    while end and words[end - 1] in PERFECT:
        end -= 1
    return words[:end], goal, rest
