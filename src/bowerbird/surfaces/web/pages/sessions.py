"""Sessions: what was asked and done, what the agent was told, whether it helped, what was learned."""

from contextlib import suppress

from bowerbird.core.errors import NotFound
from bowerbird.core.period import period
from bowerbird.core.sessions import Session
from bowerbird.core.text import words
from bowerbird.core.types import GLOBAL
from bowerbird.surfaces.web.pages.memory import as_told, both_hold, brought, prompts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.period import Period
    from bowerbird.core.sessions import DigestedSession
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call

_LISTED = 50
# Sessions without a digest that are called by their first prompt, which is read from the record of each.
_NAMED = 10
# What is searched for the sessions that used no memory, and how many recorded ones are searched.
UNHELPED = "used:no"
_SEARCHED = 200
# The times that are offered, as `core.period` reads them, and how many sessions are searched for one.
TIMES = ("today", "yesterday", "this week", "last week", "this month", "last month")
_OF_ALL_TIMES = 1_000
# Decisions of the sessions of a time that are listed with them.
_DECISIONS = 500


async def page(call: "Call") -> "dict[str, Any]":
    """The last sessions, or all of a time: those with a digest, and those that hooks recorded."""
    only = call.query.get("q") == UNHELPED
    if only:
        more = await call.work(_unhelped)
        return {"when": "", "times": TIMES, "cut": 0, "decided": {}, "span": (), **more}
    asked = call.query.get("when", "")
    when = period(asked, tuple(words(asked)), call.now)

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        digested, recorded = of_time(bird, when)
        return {
            "digested": digested,
            "recorded": recorded,
            "decided": decisions(bird, [one.session for one in digested]) if when else {},
            "asked": _asked(bird, recorded),
            "unhelped": 0,
            # More than that are cut off; a time is told whole.
            "cut": _LISTED if when is None and len(digested) == _LISTED else 0,
            "when": asked if when is not None else "",
            "span": (when.start, when.end) if when is not None else (),
            "times": TIMES,
        }

    return await call.work(read)


def of_time(
    bird: "Bowerbird", when: "Period | None"
) -> "tuple[tuple[DigestedSession, ...], list[Session]]":
    """The sessions of a time, or the last ones: those with a digest, and others that are on record."""
    most = _LISTED if when is None else _OF_ALL_TIMES
    digested = bird.sessions(limit=most).sessions
    known = {one.session for one in digested}
    # With no project chosen those of all are listed: hooks record of each machine, not of a project.
    here = bird.project.uid != GLOBAL.uid
    listed = bird.admin.sessions(limit=most, here=here).sessions
    recorded = [one for one in listed if one.id not in known]
    if when is not None:
        digested = tuple(
            one for one in digested if one.ended >= when.start and one.began <= when.end
        )
        recorded = [one for one in recorded if when.start <= one.last <= when.end]
    return digested, recorded


def decisions(bird: "Bowerbird", sessions: "Sequence[str]") -> "dict[str, list[str]]":
    """What some sessions left as decisions, by session: digests have only choices among options."""
    found: dict[str, list[str]] = {}
    if sessions:
        left = bird.list(sessions=tuple(sessions), kinds=("decision",), limit=_DECISIONS)
        for one in left:
            found.setdefault(one.session or "", []).insert(0, one.summary or one.text)
    return found


def _unhelped(bird: "Bowerbird") -> "dict[str, Any]":
    """The sessions that were told memories and used none, as health counts them."""
    ids = [id for id, used in bird.admin.helped().items() if not used]
    digests = {one.session: one for one in bird.sessions(limit=_SEARCHED).sessions}
    known = {one.id: one for one in bird.admin.sessions(limit=_SEARCHED).sessions}
    return {
        "digested": sorted(
            (digests[id] for id in ids if id in digests), key=lambda one: -one.ended
        ),
        "recorded": [known.get(id) or Session(id) for id in ids if id not in digests],
        "asked": {},
        "unhelped": len(ids),
    }


def _asked(bird: "Bowerbird", recorded: "Sequence[Session]") -> "dict[str, str]":
    """What the latest sessions without a digest were asked first, by id."""
    found = {}
    for one in recorded[:_NAMED]:
        with suppress(NotFound):  # it is on record no more
            asked = prompts(bird.admin.sessions(one.id).sessions[0])
            found[one.id] = next((str(line.get("text", "")) for line in asked), "")
    return found


async def one(call: "Call") -> "dict[str, Any]":
    """One session with its summary."""
    id = call.path["id"]

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        (session,) = bird.admin.sessions(id, summary=True).sessions
        try:
            whole = bird.admin.sessions(session.id).sessions[0]
        except NotFound:  # no hook recorded it
            whole = session
        digest = bird.admin.digest(session.id)
        given = {one.id for one in session.summary.given} if session.summary else set()
        given |= {item["id"] for one in whole.handed for item in one.items if item.get("id")}
        entries = {one.id: one for one in bird.named(*given)} if given else {}
        return {
            "session": session,
            "summary": session.summary,
            "told": told(whole, digest.asked if digest is not None else ()),
            "prompt": next((str(one.get("text", "")) for one in prompts(whole)), ""),
            "listed": {item.get("id") for one in whole.handed for item in one.items},
            "brought": {
                (handed.sign, item["id"]): brought(whole, handed, entries.get(item["id"]))
                for handed in whole.handed
                for item in handed.items
                if item.get("id")
            },
            # What it said then: at each telling, and at the last of them for what is listed once.
            "then": {
                key: then
                for handed in whole.handed
                for item in handed.items
                if (then := as_told(bird, entries.get(item.get("id", "")), handed.at))
                for key in ((handed.sign, item["id"]), item["id"])
            },
            "project": whole.project,
            "digest": digest,
            "decided": decisions(bird, [session.id]),
            "entries": entries,
            "against": {one.id: against(bird, one) for one in entries.values()},
        }

    found = await call.work(read)
    return {**found, "settled": call.visit.settled}


def against(
    bird: "Bowerbird", entry: "Entry", among: "Mapping[str, Entry] | None" = None
) -> "list[tuple[str, Entry]]":
    """The memories that replaced one that was told, or contradict it by now: how, and which.

    Only those `among` some, by id, if these are given.
    """
    found = []
    if entry.details is None:
        return []
    for one in bird.admin.relations(entry.id)[entry.id]:
        id = one.target if one.source == entry.id else one.source
        if among is not None and id not in among:
            continue
        if one.kind == "contradicts" or (one.kind == "supersedes" and one.target == entry.id):
            other = bird.get(id) if among is None else among[id]
            holds = other.state in {"active", "quarantined"} and not both_hold(entry, other)
            if one.kind == "supersedes" or holds:
                found.append((one.kind, other))
        elif one.kind == "related_to" and among is not None and among[id].state == "active":
            found.append((one.kind, among[id]))
    return found


def told(session: "Session", digested: "Sequence[str]" = ()) -> "list[dict[str, Any]]":
    """What was asked and what the agent was told, in the order in which it happened.

    `text` is a prompt, as redacted; `given` what was told at an event, for a prompt after it. What was
    asked by its digest, and no hook saw, stands before the next prompt of that, without a time.
    """
    asked = [
        {
            "at": line["at"],
            "text": str(line.get("text", "")),
            "late": bool(line.get("late")),
            "given": None,
        }
        for line in prompts(session)
    ]
    given = [{"at": one.at, "given": one} for one in session.handed]
    found = sorted([*asked, *given], key=lambda one: one["at"])
    for one, after in zip(found, [*found[1:], {}], strict=False):
        one["nothing"] = not (one["given"] or after.get("given"))
    said = [[] if one["given"] else words(one["text"]) for one in found]
    place = len(found)
    for text in reversed(digested if asked else ()):
        held = f" {' '.join(words(text))} "
        own = (at for at, one in enumerate(said) if held in f" {' '.join(one)} ")
        if (before := next(own, None)) is not None:
            place = before
        else:
            found.insert(place, {"at": 0, "text": text.strip("“”"), "late": False, "given": None})
            said.insert(place, [])
    return found
