"""The brief at a session's start: a person's rules, the last session, commands, traps of its files."""

from bowerbird.core.anchors import falling_under
from bowerbird.core.injected import LEARNED_FROM_USER, START, Injection, Line
from bowerbird.core.life import DAY
from bowerbird.core.origins import TAUGHT
from bowerbird.core.text import count_tokens, words
from bowerbird.core.types import DIGEST
from bowerbird.core.value import Record
from bowerbird.sessions.inject.selection import (
    ENVELOPE,
    RULES,
    TRAPS,
    cost,
    fitting,
    is_early,
    is_lasting,
    is_learned_cure,
    is_tentative,
    is_typed,
    line_cost,
    trusted,
    within,
)
from bowerbird.sessions.observe.fingerprint import branch_print
from bowerbird.sessions.substance import first_letters, given_up
from bowerbird.sessions.substance import stated as said_in
from bowerbird.sessions.substance import within as says_no_more

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.packs import Item
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.instruction_files import InstructionFiles
    from bowerbird.sessions.inject.selection import Sure

# Maximum tokens of the brief, and of the lines on what the last session left.
BUDGET = 600
_OPEN = 130
# The shares of the budget that what was typed since, facts and decisions that were typed before, and
# rules have before all others; what is left when each had its share is the rules' again. A project has
# twenty rules before long, of 24 tokens each as they are told.
_NEW = 0.25
_TYPED_FACTS = 0.2
_RULES = 0.5
_STATES = ("work_state",)
# What a person kept by hand, told where the rest leaves room.
_FACTS = ("fact", "decision")
# What is told of the files of the branch, and how to do something there. A learned cure waits for its
# error, and where a name is defined a search finds.
_OF_FILES = (*TRAPS, "workflow_recipe", "causal_dependency")
# Branches on which unrelated work begins: of 16 recorded sessions that began on one, 2 went on with what
# the last one there had done; of 15 on another branch 12.
_SHARED = frozenset(("", "main", "master", "trunk", "develop", "dev"))
# Sessions after which open items are not told any more.
_LATELY = 5
# Open items are told at so many starts, and for so many days; what was learned and does not say by its
# words that it lasts, and facts and decisions that a person typed, come behind what is fresh after that:
# they matter most in the days after. Somebody who works in several sessions a day has had three by noon.
_MOST_TOLD = 3
_DAYS_TOLD = 3
# The share of the room that the digest of the last session has before all else, and the tokens that are
# left of it where a person's rules need its room: what was left open, and the first of what was asked.
_DIGEST = 0.5
_LEAST_OF_DIGEST = 75
_HOLDS = "holds in this project"
_MORE = "{:,} more of the user's rules have no room here: bower list --kind requirement --kind preference"
_WRONG = "What was learned wrong is taken back with: bower forget ID"
# Entries that are examined of each sort, and the maximum of each in the brief.
_LISTED = 40
_SESSIONS = 20
_FILES = 200
_MOST_NEW = 4
_MOST_STATES = 2
_MOST_OF_FILES = 4
_MOST_TRAPS = 4
# Sessions in which a command must have succeeded, where there were several.
_TWICE = 2
_PURPOSES = ("build", "test", "lint", "types")


class Start(Record):
    """The session that starts: its id, its branch, and what its instruction files say.

    `last` is the session before it, by the agent's name for it, and `open` what that left unfinished.
    `waiting` is the number of memories that wait for review, if there are more since. A `resumed` session
    has in its context what its start told of sessions. `now` is in UTC milliseconds.
    """

    session: str
    branch: str
    told: "InstructionFiles"
    last: str = ""
    open: "Sequence[Line]" = ()
    waiting: int = 0
    resumed: bool = False
    now: int = 0

    def is_over(self, entry: "Entry") -> bool:
        """Return whether an entry was told often and long enough."""
        # Who confirms something wants it told.
        confirmed = entry.details is not None and entry.details.fields.verified
        often = _told(entry) >= _MOST_TOLD and entry.created < self.now - _DAYS_TOLD * DAY
        return often and not confirmed


def brief(
    memory: "Recall",
    seen: "Collection[str]",
    start: Start,
    sure: "Sure",
    note: str = "",
    budget: int = BUDGET,
) -> Injection:
    """Return the brief, of at most `budget` tokens; empty if there is nothing to say."""
    found = _Brief(seen, sure, budget)
    waiting = _waiting(start.waiting)
    remark = "\n".join(filter(None, (note, waiting)))
    found.room -= count_tokens(remark)
    # A session that is resumed has its own words, and needs no digest of itself.
    digests = [one for one in _newest(memory) if _payload(one).get("session") != start.session]
    payloads = [_payload(one) for one in digests]
    rules = memory.list(kinds=RULES, memories_only=True, min_trust="normal", limit=_LISTED)
    stated = memory.list(
        kinds=(), sources=(TAUGHT,), memories_only=True, min_trust="normal", limit=_LISTED
    )
    rules, stated = (
        [one for one in some if one.session != start.session and not is_early(one, start.now)]
        for some in (rules, stated)
    )
    said = [one.text for one in (*rules, *stated)]
    lines = [] if start.resumed else [*_left(start, payloads)]
    found.room -= sum(map(line_cost, lines))
    rules, stated = _once(start, rules, stated)
    typed = [one for one in stated if is_typed(one) and one.kind not in RULES]
    facts = int(budget * _TYPED_FACTS)
    own = found.needed(filter(_by_person, rules)) + count_tokens(_WRONG)
    _take_last(found, digests, start, own + min(facts, found.needed(typed)))
    new = [one for one in stated if _unseen(one)]
    told = len(found.items)
    found.take(new, LEARNED_FROM_USER, _MOST_NEW, int(budget * _NEW))
    if len(found.items) > told:
        remark = "\n".join(filter(None, (remark, _WRONG)))
        found.room -= count_tokens(_WRONG)
    told = len(found.items)
    ordered = _ordered(rules, start)
    found.take(ordered, _HOLDS, _LISTED, int(budget * _RULES))
    found.take(_fresh_first(typed, start), "told by the user", _MOST_NEW, facts)
    found.take(filter(_by_person, ordered), _HOLDS, _LISTED)
    found.newest_first(told, [*rules, *typed])
    on_branch = [one for one in digests if _is_of(_payload(one), start.branch)]
    commands = _commands(payloads, start.told, said)
    if commands and not start.resumed and line_cost(commands) <= found.room:
        lines.append(commands)
        found.room -= line_cost(commands)
    states = memory.list(
        kinds=_STATES, memories_only=True, min_trust="normal", coming=False, limit=_LISTED
    )
    found.take(states, "left open", _MOST_STATES)
    files = {path for one in on_branch for path in _payload(one).get("files", ())}
    found.take(_about(memory, files), "about a file of this branch", _MOST_OF_FILES)
    traps = memory.list(
        kinds=TRAPS, memories_only=True, min_trust="normal", coming=False, limit=_LISTED
    )
    pinned = [one for one in traps if one.pinned]
    found.take(_important(pinned), "a trap of this project", _MOST_TRAPS)
    kept = [one for one in stated if not is_typed(one) and one.kind in _FACTS]
    found.take(_fresh_first(kept, start), "told by the user", _MOST_NEW, facts)
    found.take(_confirmed(memory), "confirmed by the user", _MOST_NEW, facts)
    found.take(ordered, _HOLDS, _LISTED)
    found.take(_fresh_first(typed, start), "told by the user", _LISTED)
    if unsaid := sum(_by_person(one) for one in found.left(ordered)):
        remark = "\n".join(filter(None, (remark, _MORE.format(unsaid))))
    about = "What this project's memory holds, as a session begins."
    return Injection(START, about, tuple(found.items), tuple(lines), found.reasons, remark)


class _Brief:
    """The items of a brief that is being filled, and its `room` in tokens."""

    def __init__(self, seen: "Collection[str]", sure: "Sure", budget: int) -> None:
        self._seen = {*seen}
        self._sure = sure
        self.room = budget - ENVELOPE
        self.items: list[Item] = []
        self.reasons: dict[str, str] = {}

    def take(
        self, entries: "Iterable[Entry]", reason: str, most: int, budget: int | None = None
    ) -> None:
        """Add the first entries that fit, at most so many."""
        room = self.room if budget is None else min(self.room, budget)
        found = fitting(self.left(entries), (), room, most, bare=True)
        self.room -= sum(cost(one, bare=True) for one in found)
        self.items += found
        self.reasons |= {one.id: reason for one in found}

    def needed(self, entries: "Iterable[Entry]") -> int:
        """Return the tokens of all that may be told of some entries, had they room."""
        left = self.left(entries)
        every = fitting(left, (), BUDGET * (len(left) + 1), len(left), bare=True)
        return sum(cost(one, bare=True) for one in every)

    def left(self, entries: "Iterable[Entry]") -> "list[Entry]":
        """Return what may be told and had no room."""
        told = {*self._seen, *self.reasons}
        return [
            one
            for one in entries
            if one.id not in told and trusted(one) and self._sure(one) and not is_tentative(one)
        ]

    def newest_first(self, since: int, entries: "Sequence[Entry]") -> None:
        """Order the items since a place: a person's own first, the pinned, the newest of each.

        A decision that changes an older rule, without naming it, stands before that.
        """
        of = {
            one.id: (_by_person(one), one.pinned, one.created * _by_person(one)) for one in entries
        }
        self.items[since:] = sorted(self.items[since:], key=lambda one: of[one.id], reverse=True)


def _ordered(rules: "Iterable[Entry]", start: Start) -> "list[Entry]":
    """Return rules by rank: a person's own first, of these the pinned, what lasts by its words, and new.

    Those that were told for days and do not say that they last come behind the others of their sort.
    """

    def rank(one: "Entry") -> tuple[bool, bool, bool, bool, int]:
        own, lasts = _by_person(one), is_lasting(one)
        return own, one.pinned, lasts or not start.is_over(one), lasts, one.created * own

    return sorted(rules, key=rank, reverse=True)


def _by_person(entry: "Entry") -> bool:
    return entry.details is not None and entry.details.source == TAUGHT


def _unseen(entry: "Entry") -> bool:
    """Return whether a memory was typed and never shown since: uses are counted in the store."""
    details = entry.details
    if details is None or not is_typed(entry):
        return False
    return not details.access_count and not details.fields.verified


def _fresh_first(entries: "Iterable[Entry]", start: Start) -> "list[Entry]":
    return sorted(entries, key=lambda one: (not start.is_over(one), one.created), reverse=True)


def _confirmed(memory: "Recall") -> "list[Entry]":
    """Return the facts and decisions that a person confirmed, whoever noted them."""
    trusted_most = memory.list(
        kinds=_FACTS, memories_only=True, min_trust="full", coming=False, limit=_LISTED
    )
    return [one for one in trusted_most if one.details and one.details.fields.verified]


def _newest(memory: "Recall") -> "list[Entry]":
    """Return the digests of the last sessions, the newest first."""
    listed = memory.list(
        kinds=(DIGEST,), memories_only=True, min_trust="normal", coming=False, limit=_SESSIONS
    )
    return sorted(listed, key=lambda one: _payload(one).get("ended", one.created), reverse=True)


def _is_of(payload: "dict[str, Any]", branch: str) -> bool:
    """Return whether a session ended on a branch; digests from before prints have the name alone."""
    if "ended_on" in payload:
        return bool(payload["ended_on"] == branch_print(branch))
    return bool(payload.get("branch", "") == branch)


def _goes_on(payload: "dict[str, Any]", branch: str) -> bool:
    """Return whether a session on a branch is likely to go on with what a digest says.

    On a branch of its own, work goes on; elsewhere what was left open or decided does.
    """
    told = ("decided", "left", "withdrawn", *(() if branch in _SHARED else ("edits", "done")))
    return any(payload.get(name) for name in told)


def _take_last(found: _Brief, digests: "Sequence[Entry]", start: Start, needed: int) -> None:
    """Add the digest to begin with, and what was put off; without details if the room is `needed`.

    What was left matters most: it comes before the rules take the room.
    """
    last, why = _last(digests, start)
    if found.needed(last) + needed > found.room:
        last = [_shortened(one, _LEAST_OF_DIGEST) for one in last]
    found.take(last, why, 1, int(found.room * _DIGEST))
    found.take(_put_off(digests, start), "put off by the user", 1, int(found.room * _DIGEST))


def _last(digests: "Sequence[Entry]", start: Start) -> "tuple[list[Entry], str]":
    """Return the digest to begin with, and why: of the branch's last session, or of what is open."""
    on_branch = [one for one in digests if _is_of(_payload(one), start.branch)]
    last = [_as_it_is(one, digests) for one in on_branch[:1]]
    if any(_goes_on(_payload(one), start.branch) for one in last):
        return last, "the last session on this branch"
    if on_branch:
        return _first_open(on_branch, digests, start), "left open on this branch"
    left = _first_open(digests[:1], digests, start)
    return left, "left open by the last session, on another branch"


def _first_open(some: "Sequence[Entry]", digests: "Sequence[Entry]", start: Start) -> "list[Entry]":
    """Return the last of some digests with something that no later session did.

    What is half done outlives a few sessions about something else.
    """
    for one in some[:_LATELY]:
        found = _as_it_is(one, digests)
        if _payload(found).get("left"):
            return [] if start.is_over(one) else [found]
    return []


def _put_off(digests: "Sequence[Entry]", start: Start) -> "list[Entry]":
    """Return what the user put off in earlier sessions and none has done since, the newest first.

    Each as a digest of that alone: the rest of the session is the last one's to tell.
    """
    if not digests:
        return []  # and none is loaded
    from bowerbird.sessions.digests import digest_in

    found = []
    for one in digests:
        payload = _payload(_as_it_is(one, digests))
        left = tuple(item for item in payload.get("left", ()) if item in payload.get("put_off", ()))
        digest = digest_in(payload)
        if left and digest is not None and not start.is_over(one):
            alone = digest.replace(left=left, asked=(), done=(), decided=(), refuted=())
            found.append(one.replace(text=alone.replace(withdrawn=()).text))
    return found


def _as_it_is(entry: "Entry", digests: "Sequence[Entry]") -> "Entry":
    """Return a digest without what later sessions did of what it left open; `digests` are in order."""
    from bowerbird.sessions.digests import digest_in, still_open

    payload = _payload(entry)
    later = [_payload(one) for one in digests[: digests.index(entry)]]
    left = still_open(payload, later)
    digest = digest_in(payload)
    details = entry.details
    if len(left) == len(payload.get("left", ())) or details is None or digest is None:
        return entry
    # A person may have reworded it: then all of it is theirs.
    text = digest.replace(left=left).text if digest.text == entry.text else entry.text
    fields = details.fields.replace(payload={**payload, "left": list(left)})
    return entry.replace(text=text, details=details.replace(fields=fields))


def _shortened(entry: "Entry", tokens: int) -> "Entry":
    """Return a digest in so many tokens; one that a person reworded as it is."""
    from bowerbird.sessions.digests import digest_in

    digest = digest_in(_payload(entry))
    if digest is None or digest.text != entry.text:
        return entry
    return entry.replace(text=digest.within(tokens))


def _once(
    start: Start, rules: "Sequence[Entry]", stated: "Sequence[Entry]"
) -> "tuple[list[Entry], list[Entry]]":
    """Return rules and statements without what the instruction files or a fuller one of them say."""
    every = [*{one.id: one for one in (*rules, *stated)}.values()]
    kept: dict[str, tuple[str, frozenset[str]]] = {}
    for one in sorted(every, key=lambda one: -len(one.text)):
        if start.told.say(one.text):
            continue
        needed, begin = first_letters(one.text)
        if not any(
            needed <= letters and says_no_more(said_in(one.text), said_in(more))
            for more, letters in kept.values()
        ):
            kept[one.id] = one.text, begin
    return [one for one in rules if one.id in kept], [one for one in stated if one.id in kept]


def _told(entry: "Entry") -> int:
    return entry.details.access_count if entry.details is not None else 0


def _payload(entry: "Entry") -> "dict[str, Any]":
    return (entry.details.fields.payload if entry.details is not None else None) or {}


def _left(start: Start, payloads: "Sequence[dict[str, Any]]") -> "Iterator[Line]":
    """Yield what the last session left open, unless its digest says so."""
    if not any(one.get("session") == start.last for one in payloads):
        yield from within(start.open, _OPEN)


def _commands(
    payloads: "Sequence[dict[str, Any]]", told: "InstructionFiles", said: "Sequence[str]"
) -> Line | None:
    """Return the commands that succeeded in most of the last sessions, one of each purpose.

    What is `said` counts more than how often: "pnpm, not npm" ends `npm run build`, and `pnpm build`
    needs to have succeeded once.
    """
    times: dict[tuple[str, str], int] = {}
    for payload in payloads:
        for check in payload.get("checks", ()):
            purpose, _, command = check.partition(" ")
            times[purpose, command] = times.get((purpose, command), 0) + 1
    if not times:
        return None
    over = {value for one in said for value in given_up(one)}
    named = {word for one in said for word in words(one)} - over
    needed = min(_TWICE, len(payloads))
    shown = []
    for purpose in _PURPOSES:
        known = [one for one in times if one[0] == purpose and _program(one[1]) not in over]
        known = [one for one in known if _program(one[1]) in named] or [
            one for one in known if times[one] >= needed
        ]
        best = max(known, key=times.__getitem__, default=None)
        if best is not None and not told.name(best[1]):
            shown.append(f"{purpose}: {best[1]}")
    return Line("commands that succeeded here", "; ".join(shown)) if shown else None


def _program(command: str) -> str:
    """The program that a command runs, behind its settings."""
    return next((one.lower() for one in command.split() if "=" not in one), "")


def _about(memory: "Recall", files: "Collection[str]") -> "list[Entry]":
    """Return what is known about files, the most important first."""
    if not files:
        return []
    listed = memory.list(
        kinds=_OF_FILES, memories_only=True, min_trust="normal", coming=False, limit=_FILES
    )
    places = {place for file in files for place in falling_under(file)}
    told = (one for one in listed if not is_learned_cure(one))
    return _important(one for one in told if any(anchor.path in places for anchor in one.anchors))


def _important(entries: "Iterable[Entry]") -> "list[Entry]":
    return sorted(entries, key=lambda one: (one.pinned, one.importance or 0.0), reverse=True)


def _waiting(number: int) -> str:
    if not number:
        return ""
    return f"{number} memor{'y waits' if number == 1 else 'ies wait'} for review: bower review"
