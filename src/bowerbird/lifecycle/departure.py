"""Whether one text says that what the other tells of was left, for whatever came instead."""

from bowerbird.lifecycle.grammar import (
    FROM,
    LEAVES,
    MOVES,
    PERFECT,
    PLACES,
    PRONOUNS,
    SINGLE_VALUED,
    TOWARDS,
    USES,
    VISITS,
)
from bowerbird.lifecycle.rivals import named, rival_of

# What ends the name of what was left: “from Jenkins to …”, “REST for …”.
_ENDS = frozenset("to with by for in on because since and so as auf zu nach vers".split())
_NO_STAY = frozenset({"was", "were"})


def left(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """Why `goes` takes back what `stays` says, or nothing where it does not."""
    return _left(stays, goes) or _moved(stays, goes)


def shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How many words two texts begin with together."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _left(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says what is used, the other that it was left: “from …”, “instead of …”, “dropped …”."""
    together = shared(stays, goes)
    used = [at for at, word in enumerate(stays[: together + 1]) if word in USES]
    if not together or not used:
        return ""
    start = used[-1] + 1
    for at in range(1, len(goes)):
        name = _name(goes[at + 1 :]) if _leaves(goes, at) else ()
        if name and stays[start : start + len(name)] == name:
            return f"it left “{' '.join(name)}”"
    return ""


def _leaves(words: tuple[str, ...], at: int) -> bool:
    """Whether what follows the word at `at` was left: “moved … from”, “instead of”, “dropped”."""
    before, word = words[at - 1], words[at]
    moved = word in FROM and not MOVES.isdisjoint(words)
    return moved or word in LEAVES or (before, word) in {("instead", "of"), ("stopped", "using")}


def _name(words: tuple[str, ...]) -> tuple[str, ...]:
    """The first words, up to one that begins something else."""
    end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    return words[:end]


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
    ours = before[-1] in SINGLE_VALUED and PRONOUNS.issuperset(subject) and before[0] in PRONOUNS
    return told if same_user or ours else ""


def _elsewhere(there: tuple[str, ...], goal: tuple[str, ...], rest: tuple[str, ...]) -> bool:
    """Whether a place is another one than `goal`, and the same is told of both."""
    if not there or there[: len(goal)] == goal:
        return False
    return _name(there) == there or not rest or there[-len(rest) :] == rest


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
        after = words[behind[0] + 1 :]
        goal, end = _name(after), moved
        rest = after[len(goal) :]
    elif towards:
        # The participle stands last: “wir sind von npm auf pnpm umgestiegen”.
        goal, rest = words[towards[-1] + 1 : moved], words[moved + 1 :]
        end = next(at for at, word in enumerate(words) if at and word in TOWARDS | FROM)
    else:
        return (), (), ()
    subject = words[:end]
    while subject and subject[-1] in PERFECT:
        subject = subject[:-1]
    return subject, goal, rest
