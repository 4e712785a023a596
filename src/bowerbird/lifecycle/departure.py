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

# What ends the name of what was left: “from Jenkins to …”, “REST for …”.
_ENDS = frozenset("to with by for in on because since and so as auf zu nach vers".split())
_NO_STAY = frozenset({"was", "were"})
_BE = frozenset("is are was were be been gets get".split())
# “Removed from the menu” leaves the rest as it is.
_FROM_WHERE = frozenset({("from",), ("in",), ("on",)})
_NO_MORE = frozenset("no longer stopped".split())


def left(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """Why `goes` takes back what `stays` says, or nothing where it does not."""
    return _left(stays, goes) or _moved(stays, goes) or _given_up(stays, goes)


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
    ours = PRONOUNS.issuperset(subject) and before[0] in PRONOUNS
    narrowed = rest and stays[-len(rest) :] != rest
    by_means = before[-1] in MEANS and _as_yet(before) and not narrowed
    return told if same_user or (ours and (before[-1] in SINGLE_VALUED or by_means)) else ""


def _given_up(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says with what something is done, the other that one gave that up, or what replaced it.

    “Tickets live in Jira”, “we replaced Jira with …”; “we build with Gradle”, “Gradle was replaced”.
    """
    name, rest = _lost(goes)
    if not name or not _as_yet(stays):
        return ""
    for at in range(2, len(stays)):
        there = stays[at:]
        if stays[at - 1] in MEANS | USES and there[: len(name)] == name:
            ends = there[len(name) :]
            if (not ends or ends[0] in _ENDS) and (not rest or ends == rest):
                return f"it left “{' '.join(name)}”"
    return ""


def _lost(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What somebody who is not named, or we, gave up, and what is told of it beyond that."""
    for at in range(1, len(words)):
        subject, after = words[:at], words[at + 1 :]
        ours = PRONOUNS.issuperset(set(subject) - PERFECT)
        passive = words[at] in LEAVES and words[at - 1] in _BE and after[:1] not in _FROM_WHERE
        if passive and named(_by(subject)):
            instead = after[1:] if after[:1] == ("by",) else after
            return _by(subject), instead[len(_name(instead)) :]
        if words[at] in LEAVES and ours and named(_name(after)) and _name(after):
            # Behind “with” or “by” stands what came instead.
            rest = after[len(_name(after)) :]
            return _name(after), rest if rest[:1] in {("for",), ("in",)} else ()
        if words[at] in USES and PRONOUNS.issuperset(set(subject) - _NO_MORE) and _stops(subject):
            return _name(after), after[len(_name(after)) :]
    return (), ()


def _stops(words: tuple[str, ...]) -> bool:
    """Whether what follows is done no more: “no longer”, “stopped”."""
    return words[-2:] == ("no", "longer") or words[-1:] == ("stopped",)


def _by(subject: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in subject if word not in PERFECT | _BE)


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
