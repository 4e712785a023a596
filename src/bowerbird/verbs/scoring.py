"""The score of a project's memory: five shares, weighted, with the formula printed.

The weights are ours: how well they foretell corrections is not measured yet. Size, age, and decisions
that nobody used count neither way. What is forgotten or erased stays in the counts for 30 days, so
that the score never rises by it.
"""

from bowerbird.core.errors import StoreMissing
from bowerbird.core.life import DAY
from bowerbird.core.overview import Part, Score
from bowerbird.core.query import Filter
from bowerbird.core.types import ALIVE, DIGEST, MEMORY
from bowerbird.core.who import is_user
from bowerbird.sessions.levels import CORRECTIONS, ERASED, FLAGGED, HELD, UNDONE, USED, VERDICTS
from bowerbird.sessions.observe.journal import Journal
from bowerbird.sessions.summary import DISCOVERY
from bowerbird.verbs.anchors import strayed
from bowerbird.verbs.covering import MOST_STRAYED, covered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.overview import Covered
    from bowerbird.core.ports.store import Store
    from bowerbird.verbs.reviewing import Reviewing
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

    Outcome = dict[str, Any]

WEIGHTS = {"right": 0.30, "fresh": 0.25, "settled": 0.20, "helped": 0.15, "covered": 0.10}
# How far back a part looks, and the review.
DAYS = 30
REVIEW_DAYS = 90
# What a part, the modules, and the whole need to be judged by.
FEWEST = 10
FEWEST_MODULES = 3
FEWEST_MEMORIES = 20
FEWEST_PARTS = 3
# A module that fewer sessions worked on needs no memory yet.
_WORKED = 2
# The outcome that records the score of a day, and the days after which it is compared.
SCORED = "scored"
_WEEK = 7


def scored(
    opened: "Opened", reach: "Reach", acting: "Acting", reviewing: "Reviewing"
) -> "tuple[Score, list[Covered]]":
    """The score with its parts, and the modules that it judges; without a store there is none."""
    level = reviewing.level_state().as_dict()
    try:
        store = opened.reader()
    except StoreMissing:
        return Score(None, "", (), level, early=_early(0)), []
    now = opened.clock()
    outcomes = reviewing.outcomes()
    with store.reading():
        stray = strayed(store, reach, reach.seen, MOST_STRAYED)
        modules = covered(store, reach, stray)
        found = _judged(store, reach, outcomes, now, stray, modules).replace(level=level)
    tokens, cited = _injected(Journal(opened.path), outcomes, now)
    saved = max(0, cited * DISCOVERY - tokens)
    says = f"{DISCOVERY:,} x {cited} cited - {tokens:,} injected, an estimate"
    found = found.replace(before=_before(outcomes, now), saved=saved, saved_formula=says)
    today = [
        one for one in outcomes if one.get("what") == SCORED and one["at"] // DAY == now // DAY
    ]
    if found.score is not None and not today and acting.who.may_write and acting.who.owner:
        shares = [None if one.share is None else round(one.share, 4) for one in found.parts]
        reviewing.noted(SCORED, score=found.score, parts=shares)
    return found, modules


def _judged(
    store: "Store",
    reach: "Reach",
    outcomes: "list[Outcome]",
    now: int,
    stray: "Strayed",
    modules: "list[Covered]",
) -> Score:
    uids, month, quarter = reach.seen, now - DAYS * DAY, now - REVIEW_DAYS * DAY
    total = sum(
        count
        for (uid, family, kind), count in store.entries.active().items()
        if family == MEMORY and kind != DIGEST and uid in uids
    )
    asked = Filter(uids, (MEMORY,), states=ALIVE, now=now, waiting=True)
    waiting = store.overview.waiting(asked)
    # Later what nobody brought back may be deleted, which changes no score.
    unseen = store.overview.forgotten_waiting(uids, month)
    erased = [one for one in outcomes if one.get("what") == ERASED and one["at"] >= month]
    unseen += [f"erased {at}" for at, one in enumerate(erased) if one.get("waited")]
    used = helped(outcomes, month)
    given, wrong = corrected(store, outcomes, month)
    counts = {
        "right": (len(given) - len(wrong), len(given)),
        "fresh": (
            stray.tied - stray.total,
            stray.tied
            + store.overview.forgotten_tied(uids, month)
            + sum(bool(one.get("tied")) for one in erased),
        ),
        "settled": _settled(outcomes, {id for id, *_ in waiting}, unseen, quarter),
        "helped": (sum(used.values()), len(used)),
        "covered": _covered(modules),
    }
    parts = tuple(_part(name, *counts[name]) for name in WEIGHTS)
    judged = [one for one in parts if one.share is not None]
    early = _early(total) if total < FEWEST_MEMORIES else ""
    if not early and len(judged) < FEWEST_PARTS:
        early = f"{len(judged)} of the {FEWEST_PARTS} parts that it takes can be judged"
    score, formula = formulated(judged)
    return Score(
        None if early else score,
        "" if early else formula,
        parts,
        {},
        early=early,
        total=total,
        active=store.overview.used_since(uids, month),
        waiting=len(waiting),
        oldest=int((now - min((since for _, since, _ in waiting), default=now)) // DAY),
        stale=stray.total,
        disputes=tuple(id for id, _, open in waiting if open),
    )


def formulated(parts: "list[Part]") -> "tuple[int, str]":
    """The score of some parts, and the formula that gives it; the weights of others are shared out."""
    whole = sum(one.weight for one in parts)
    if not whole:
        return 0, ""
    shares = [(round(one.weight / whole, 3), round(one.share or 0.0, 3)) for one in parts]
    score = round(100 * sum(weight * share for weight, share in shares))
    terms = " + ".join(f"{weight:g} x {share:g}" for weight, share in shares)
    return score, f"100 x ({terms}) = {score}"


def _part(name: str, good: int, all: int) -> Part:
    enough = all >= (FEWEST_MODULES if name == "covered" else FEWEST)
    return Part(name, WEIGHTS[name], good, all, good / all if enough else None)


def _early(total: int) -> str:
    return f"{total} of the {FEWEST_MEMORIES} memories that it takes"


def corrected(
    store: "Store", outcomes: "list[Outcome]", since: int
) -> "tuple[dict[str, int], list[str]]":
    """The injected memories, with when first, and those that somebody corrected since then."""
    given: dict[str, int] = {}
    wrong: set[str] = set()
    for one in outcomes:
        id = str(one.get("id"))
        if one["at"] >= since and one.get("what") == USED and isinstance(one.get("given"), list):
            given |= {str(id): one["at"] for id in one["given"] if str(id) not in given}
        elif id in given and one.get("what") in CORRECTIONS:
            wrong.add(id)
        elif one.get("what") == UNDONE:
            wrong.discard(id)
    # Few of them are: those are looked at alone.
    gone = {*store.overview.superseded([id for id in given if id not in wrong])}
    return given, [
        id
        for id, at in given.items()
        if id in wrong or (id in gone and _replaced_by_person(store, id, at))
    ]


def _replaced_by_person(store: "Store", id: str, since: int) -> bool:
    """Whether a person put another memory in the place of one, after a time."""
    return any(
        one.action == "superseded" and is_user(one.actor) and one.at >= since
        for one in store.audit.of(id)
    )


def _settled(
    outcomes: "list[Outcome]", waiting: "set[str]", unseen: "list[str]", since: int
) -> "tuple[int, int]":
    """What was decided, and that with all that waits or was forgotten undecided."""
    decided: set[object] = set()
    for one in outcomes:
        if one["at"] >= since and one.get("what") in VERDICTS and one["what"] != HELD:
            decided.add(one.get("id"))
        elif one.get("what") in {UNDONE, FLAGGED}:
            decided.discard(one.get("id"))
    open_still = waiting.union(id for id in unseen if id not in decided)
    return len(decided - open_still), len(decided | open_still)


def helped(outcomes: "list[Outcome]", since: int) -> dict[str, bool]:
    """The sessions that were injected memories since a time, each with whether it cited one."""
    sessions: dict[str, bool] = {}
    for one in outcomes:
        if one["at"] >= since and one.get("what") == USED:
            name = str(one.get("session"))
            sessions[name] = sessions.get(name, False) or bool(one.get("cited"))
    return sessions


def _covered(modules: "list[Covered]") -> "tuple[int, int]":
    worked = [one for one in modules if one.sessions >= _WORKED]
    return sum(one.reviewed > 0 for one in worked), len(worked)


def _injected(journal: Journal, outcomes: "list[Outcome]", now: int) -> "tuple[int, int]":
    """The tokens injected in the last days, and how many injected memories were cited."""
    since = now - DAYS * DAY
    tokens = 0
    for name, written, _ in journal.sessions():
        if written * 1000 < since:
            break
        for line in journal.lines(name, holding=b'"gave"'):
            tokens += line["tokens"] if type(line.get("tokens")) is int else 0
    used = [one for one in outcomes if one["at"] >= since and one.get("what") == USED]
    return tokens, sum(len(one["cited"]) for one in used if isinstance(one.get("cited"), list))


def _before(outcomes: "list[Outcome]", now: int) -> int | None:
    """The score of about a week ago; None if it was not recorded."""
    known = [one for one in outcomes if one.get("what") == SCORED]
    week = [one for one in known if one["at"] <= now - _WEEK * DAY]
    score = week[-1].get("score") if week else None
    return score if type(score) is int else None
