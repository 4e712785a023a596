"""Whether one text says that what another one tells was replaced: it is over, or is something else now.

Two ways are read. `announced`: the newer text says so by itself (“no longer”, “moved from … to”, “instead
of”, “ya no”); the words count only where what they end is what the older text states, and both are about
the same: “no longer than an hour” and “from Hamburg to Berlin by train” end nothing. `replaced`: two
statements, neither known to be newer, of which one says what is used and the other that it was given up.
"""

from itertools import pairwise

from bowerbird.core.normal import tokens
from bowerbird.lifecycle.clauses import Clauses, find, form, tells, value
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict
from bowerbird.lifecycle.exclusions import named, rival_of
from bowerbird.lifecycle.grammar import (
    ADDITIVES,
    AGENT_PREPOSITIONS,
    AUXILIARIES,
    BE_OR_GET,
    BEFORE_USED,
    BEFORE_VALUE,
    CALENDAR,
    CHANGE_STEMS,
    COMPARATIVES,
    FROM,
    FROM_NOW_ON,
    GOAL_PREPOSITIONS,
    HYPOTHETICAL,
    INSTEAD_OF,
    LEAVES,
    MEANS,
    MOVES,
    NAME_ENDS,
    NEGATIONS,
    NO_LONGER,
    NUMBER_WORDS,
    ONCE,
    PAST,
    PERFECT,
    PLACES,
    PRESENT_OR_PAST_BE,
    PRONOUNS,
    REMOVED_FROM,
    REPLACE_STEMS,
    SINCE,
    SINGLE_VALUED,
    SOURCE_PREPOSITIONS,
    SPLIT_NEGATIONS,
    STOPPED,
    TOWARDS,
    USES,
    VERB_FIRST,
    VISITS,
)
from bowerbird.lifecycle.reordering import shared

# About the same by the contextual model, where fewer words are shared: as strict as for a link.
ALIKE = 0.57
# So many words must agree around a value that is no number or time.
FEWEST_SHARED = 2
# A value is a few words; more that differ are about something else.
LONGEST_VALUE = 2
# So near, the words may stand in any order.
NEARLY_SAME = 0.7
# A text of no more words that tell something says what was left, and for what: “we replaced … with …”.
SHORT = 4
# What is read of a text: an announcement is short, and each of its parts is looked for in the other.
MOST_WORDS = 60
# A name is a few words. Without a bound each of many places that may begin one would be read to the end.
LONGEST_NAME = 8
_USED = BE_OR_GET | {"get", "gets"}


def announced(old: str, new: str, understood: float) -> Verdict:
    """Whether `new` says that what `old` states is over, or is another now.

    `understood` is how near they are by the contextual model, 0 where unknown: words decide then.
    """
    words, known = tokens(new), tokens(old)
    if max(len(words), len(known)) > MOST_WORDS or not HYPOTHETICAL.isdisjoint(words):
        return UNDECIDED
    left, right = Clauses(old), Clauses(new)
    if not _so_now(left, known):
        return UNDECIDED
    for clause in right.clauses:
        gone = _gone(clause)
        if (
            gone
            and {form(word) for word in gone} <= left.content
            and _same_subject(gone, left, right, understood)
        ):
            return Verdict("supersedes", f"it says that “{' '.join(gone)}” was left")
        if _over(clause, left) and _shared(left, right, understood):
            return Verdict("supersedes", f"it says that this is over: “{' '.join(clause)}”")
    changed = _changed(left, right, understood)
    return Verdict("supersedes", f"it says since when it is {changed}") if changed else UNDECIDED


def _so_now(left: Clauses, words: tuple[str, ...]) -> bool:
    """Whether a text tells what is so: not what was, is not, or was left for something else.

    Where both tell of a change, which of them came last is not sure.
    """
    if not (ONCE | NEGATIONS).isdisjoint(words):
        return False
    before = pairwise(("", *words))
    if any(word in PAST and verb not in BE_OR_GET for verb, word in before):
        return False
    return not any(_gone(clause) or find(clause, NO_LONGER)[0] >= 0 for clause in left.clauses)


def _gone(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What a clause says was left for something else, or nothing."""
    return _instead(clause) or _from(clause) or _leaves(clause)


def _instead(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What stands behind “instead of” and the like."""
    at, end = find(clause, INSTEAD_OF)
    return (
        ()
        if at < 0
        else value(clause[end:], AGENT_PREPOSITIONS | GOAL_PREPOSITIONS | AUXILIARIES | VERB_FIRST)
    )


def _from(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What stands between “from” and “to” where a word of the clause tells of a change."""
    if not any(word.startswith(CHANGE_STEMS) for word in clause):
        return ()
    for at, word in enumerate(clause):
        if word in SOURCE_PREPOSITIONS:
            end = next(
                (to for to in range(at + 2, len(clause)) if clause[to] in GOAL_PREPOSITIONS), -1
            )
            if end > 0:
                return tuple(word for word in clause[at + 1 : end] if tells(word))
    return ()


def _leaves(clause: tuple[str, ...]) -> tuple[str, ...]:
    """What was replaced, dropped or given up."""
    # The present tells what is done each time: "the login page drops its form".
    left = [word.startswith(REPLACE_STEMS) and not word.endswith("s") for word in clause]
    if True not in left:
        return ()
    at = left.index(True)
    passive = not BE_OR_GET.isdisjoint(clause[max(at - 2, 0) : at])
    behind = value(clause[at + 1 :], AGENT_PREPOSITIONS)
    if passive or not behind or clause[at + 1] in AGENT_PREPOSITIONS:
        return value(clause[:at], AGENT_PREPOSITIONS)
    return behind


def _over(clause: tuple[str, ...], left: Clauses) -> bool:
    """Whether a clause tells that what the older text states is no more."""
    at, end = find(clause, NO_LONGER)
    if at < 0:
        at, end = _apart(clause)
    if at < 0 or not COMPARATIVES.isdisjoint(clause[end:]) or _serves(clause, at, end):
        return False
    told = [place for place, word in enumerate(clause) if not at <= place < end and tells(word)]
    missing = [place for place in told if form(clause[place]) not in left.content]
    known = {form(clause[place]) for place in told} & left.content
    # “No longer uses”, “we no longer send”: another verb for it may stand beside the cue.
    verb = len(known) > 1 and (clause[0] in PRONOUNS or USES.issuperset(clause[end : end + 1]))
    beside = [place for place in missing if place == end]
    # More than who it is told of must be over.
    return (not missing or (verb and missing == beside)) and bool(known - {left.order[0]})


def _serves(clause: tuple[str, ...], at: int, end: int) -> bool:
    """“Is used to” says what for, not what was."""
    return at > 0 and clause[at:end] == ("used", "to") and clause[at - 1] in _USED


def _apart(clause: tuple[str, ...]) -> tuple[int, int]:
    """“Ne … plus”, “kein … mehr”, “no … más”: where the last of the two stands."""
    for first, last in SPLIT_NEGATIONS:
        if first in clause and last in clause[clause.index(first) :]:
            at = clause.index(last, clause.index(first))
            return at, at + 1
    at = next((at for at, word in enumerate(clause) if word.startswith("n'")), -1)
    if at >= 0 and "plus" in clause[at:]:
        place = clause.index("plus", at)
        return place, place + 1
    return -1, -1


def _same_subject(gone: tuple[str, ...], left: Clauses, right: Clauses, understood: float) -> bool:
    forms = {form(word) for word in gone}
    if (left.content & right.content) - forms:
        return True
    used = any(
        before in BEFORE_VALUE and form(word) in forms
        for clause in left.clauses
        for before, word in pairwise(clause)
    )
    return (
        used and left.order[0] not in forms and (understood >= ALIKE or len(right.order) <= SHORT)
    )


def _shared(left: Clauses, right: Clauses, understood: float) -> bool:
    together = left.content & right.content
    return len(together) > 1 or (bool(together) and understood >= ALIKE)


def _changed(left: Clauses, right: Clauses, understood: float) -> str:
    """What is another than in the older text, where the new one says since when it is."""
    for clause in right.clauses:
        kept = _without_time(clause)
        if kept == clause or not ADDITIVES.isdisjoint(clause):
            continue
        said = tuple(word for word in kept if tells(word))
        ours = tuple(form(word) for word in said)
        start = shared(left.order, ours)
        rest = shared(left.order[start:][::-1], ours[start:][::-1])
        away = left.words[start : len(left.words) - rest]
        fresh = said[start : len(said) - rest]
        if understood >= NEARLY_SAME:
            away = tuple(word for word in left.words if form(word) not in ours)
            fresh = tuple(word for word in said if form(word) not in left.content)
            start, rest = len(left.order) - len(away), 0
        if not (0 < len(away) <= LONGEST_VALUE and 0 < len(fresh) <= LONGEST_VALUE):
            continue
        if start + rest >= FEWEST_SHARED or (start + rest and _measures(away) and _measures(fresh)):
            return f"“{' '.join(fresh)}” and no longer “{' '.join(away)}”"
    return ""


def _without_time(clause: tuple[str, ...]) -> tuple[str, ...]:
    """A clause without the words that say from when on it holds; as it was where none does."""
    since = next((at for at, word in enumerate(clause) if word in SINCE), -1)
    if since >= 0:
        # In front, one word names the time; behind, all the rest does.
        return clause[:since] if since else clause[2:]
    at, end = find(clause, FROM_NOW_ON)
    if clause[at:end] == ("as", "of"):
        if at:
            return clause[:at]
        end += 2 if clause[end : end + 1] == ("this",) else 1
    return clause if at < 0 else clause[:at] + clause[end:]


def _measures(words: tuple[str, ...]) -> bool:
    """Whether a value is a number, a day or another time."""
    return any(form(word) in _TIMES or any(char.isdigit() for char in word) for word in words)


_TIMES = frozenset(form(word) for word in (*CALENDAR, *NUMBER_WORDS))


def replaced(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """Why `goes` takes back what `stays` says, or nothing where it does not."""
    return _left_for(stays, goes) or _moved_to(stays, goes) or _given_up(stays, goes)


def _left_for(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says what is used, the other that it was left: “from …”, “instead of …”, “dropped …”."""
    together = shared(stays, goes)
    used = [at for at, word in enumerate(stays[: together + 1]) if word in USES]
    if not together or not used:
        return ""
    start = used[-1] + 1
    moves = not MOVES.isdisjoint(goes)
    for at in range(1, len(goes)):
        name = _name_from(goes, at + 1) if _is_left(goes, at, moves=moves) else ()
        if name and stays[start : start + len(name)] == name:
            return f"it left “{' '.join(name)}”"
    return ""


def _is_left(words: tuple[str, ...], at: int, *, moves: bool) -> bool:
    """Whether what follows the word at `at` was left: “moved … from”, “instead of”, “dropped”.

    `moves`: one of the words says that somebody moved.
    """
    before, word = words[at - 1], words[at]
    moved = word in FROM and moves
    return moved or word in LEAVES or (before, word) in {("instead", "of"), ("stopped", "using")}


def _name_from(words: tuple[str, ...], start: int) -> tuple[str, ...]:
    """The words from `start` up to one that begins something else; nothing where they are too many."""
    near = words[start : start + LONGEST_NAME + 1]
    end = next((at for at, word in enumerate(near) if word in NAME_ENDS), len(near))
    return near[:end] if end <= LONGEST_NAME else ()


def _moved_to(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says where something is or what is used, the other that it moved to something else."""
    subject, goal, rest = _moved_where(goes)
    if not subject or not goal:
        return ""
    told = f"it moved to “{' '.join(goal)}”"
    at = shared(stays, subject)
    if at == len(subject):
        verb, place, there = stays[at : at + 1], stays[at + 1 : at + 2], stays[at + 2 :]
        stands = SINGLE_VALUED.issuperset(verb) and {"was", "were"}.isdisjoint(verb)
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
    by_means = before[-1] in MEANS and _still_so(before) and not narrowed
    return told if same_user or (ours and (before[-1] in SINGLE_VALUED or by_means)) else ""


def _given_up(stays: tuple[str, ...], goes: tuple[str, ...]) -> str:
    """One says with what something is done, the other that one gave that up, or what replaced it.

    “Tickets live in Jira”, “we replaced Jira with …”; “we build with Gradle”, “Gradle was replaced”.
    """
    name, rest = _given_up_name(goes)
    if not 0 < len(name) <= LONGEST_NAME or not _still_so(stays):
        return ""
    for at in range(2, len(stays)):
        end = at + len(name)
        if stays[at - 1] in BEFORE_USED and stays[at:end] == name:
            ended = end == len(stays) or stays[end] in NAME_ENDS
            # The lengths first: only one place leaves as much as `rest` is.
            if ended and (not rest or (len(stays) - end == len(rest) and stays[end:] == rest)):
                return f"it left “{' '.join(name)}”"
    return ""


def _given_up_name(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What somebody who is not named, or we, gave up, and what is told of it beyond that."""
    # What holds of all the words before `at`, kept from word to word: a name stands in the first few.
    ours = ended = True
    subject: list[str] = []
    for at, word in enumerate(words):
        before, after = words[max(at - 2, 0) : at], words[at + 1 : at + 2]
        if at and word in LEAVES:
            passive = before[-1] in PRESENT_OR_PAST_BE and after not in REMOVED_FROM
            if passive and named(tuple(subject[:LONGEST_NAME])):
                instead = at + 2 if after == ("by",) else at + 1
                return tuple(subject), words[instead + len(_name_from(words, instead)) :]
            name = _name_from(words, at + 1) if ours else ()
            if named(name):
                # Behind “with” or “by” stands what came instead.
                rest = words[at + 1 + len(name) :]
                return name, rest if rest[:1] in {("for",), ("in",)} else ()
        if at and ended and word in USES and _says_stopped(before):
            name = _name_from(words, at + 1)
            return name, words[at + 1 + len(name) :]
        ours = ours and (word in PRONOUNS or word in PERFECT)
        ended = ended and (word in PRONOUNS or word in STOPPED)
        if word not in PERFECT and word not in PRESENT_OR_PAST_BE:
            subject.append(word)
    return (), ()


def _says_stopped(before: tuple[str, ...]) -> bool:
    """Whether what follows two words is done no more: “no longer”, “stopped”."""
    return before == ("no", "longer") or before[-1:] == ("stopped",)


def _still_so(words: tuple[str, ...]) -> bool:
    """Whether a text tells of what is so, not of what was: “reported” is past, “is reported” is not."""
    return ONCE.isdisjoint(words) and not any(
        word in PAST or (word.endswith("ed") and before not in PRESENT_OR_PAST_BE)
        for before, word in pairwise(("", *words))
    )


def _elsewhere(there: tuple[str, ...], goal: tuple[str, ...], rest: tuple[str, ...]) -> bool:
    """Whether a place is another one than `goal`, and the same is told of both."""
    if not there or there[: len(goal)] == goal:
        return False
    return not rest or there[-len(rest) :] == rest or NAME_ENDS.isdisjoint(there)


def _moved_where(
    words: tuple[str, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Who moved, to what, and what is told of it beyond that: “(we) moved to (pnpm) (for …)”."""
    moved = next((at for at, word in enumerate(words) if word in MOVES - VISITS), -1)
    if moved < 1:
        return (), (), ()
    towards = [at for at, word in enumerate(words) if at and word in TOWARDS]
    behind = [at for at in towards if at > moved]
    if behind:
        goal, end = _name_from(words, behind[0] + 1), moved
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
