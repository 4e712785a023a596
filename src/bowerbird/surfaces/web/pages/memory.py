"""One memory: what it says, where it is from, what it was used for, how it fades, what it said before."""

from bowerbird.core.errors import BadInput
from bowerbird.core.events import PROMPTED
from bowerbird.core.excerpt import Finder, matched_words
from bowerbird.core.injected import PROMPT
from bowerbird.core.language import content_words, language
from bowerbird.core.relations import MUTUAL
from bowerbird.core.reviewed import REJECTED
from bowerbird.core.text import words
from bowerbird.core.types import FORGOTTEN
from bowerbird.core.word_difference import differing
from bowerbird.surfaces.web.pages.teach import kinds, relative, root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.history import Event, History, Relation
    from bowerbird.core.sessions import Handed, Session
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call

# Points of the curve of confidence.
_CURVE = 13
# Fields that follow from the text and from other fields.
_DERIVED = frozenset(("anchors", "keywords", "metadata", "needs_review", "summary"))
# Sessions that are listed with what they were asked, and what is known where none is on record.
_TOLD = 10
_UNTOLD: "dict[str, Any]" = {
    "told": [],
    "asked": {},
    "brought": [],
    "then": [],
    "projects": [],
    "cited": frozenset(),
}
# Recorded sessions that are searched for where a memory was told.
_SESSIONS = 200


async def page(call: "Call") -> "dict[str, Any]":
    """Everything about a memory."""
    id = call.path["id"]

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        entry = bird.get(id)
        if entry.details is None:
            return {
                "entry": entry,
                "history": None,
                "evidence": None,
                "related": [],
                "rejected": frozenset(),
                "why": None,
                "meanwhile": "",
                "session": "",
                "dispute": None,
            }
        history = bird.history(entry.id)
        related = [
            (one, bird.get(one.target if one.source == entry.id else one.source))
            for one in _once(history.relations)
            if not one.target.startswith("file:")
        ]
        waits = entry.state == "quarantined" or (entry.review and entry.state == "active")
        return {
            "entry": entry,
            "history": history,
            "evidence": bird.admin.evidence(entry.id),
            "related": related,
            "rejected": rejected(bird, [other for _, other in related]),
            "dispute": bird.thread(entry.id),
            "why": bird.waiting(entry.id).cases[0] if waits else None,
            "meanwhile": bird.admin.meanwhile(entry) if waits else "",
            "session": _about(bird, entry.session),
        }

    found = await call.work(read)
    root = await root_of(call)
    entry, history = found["entry"], found["history"]
    return {
        **found,
        "versions": _versions(history) if history else [],
        "about": [(relative(one.path, root) if root else one.path, one) for one in entry.anchors],
        "curve": curve(entry),
        "ended": ended(history) if history and entry.state == "deleted" else None,
        **(await _told(call, entry.id) if history else _UNTOLD),
    }


def _about(bird: "Bowerbird", session: str | None) -> str:
    """What a session was about; its name where no digest says so."""
    digest = bird.admin.digest(session) if session else None
    return (digest.summary or digest.text) if digest is not None else session or ""


def _once(relations: "Iterable[Relation]") -> "list[Relation]":
    """Each relation once: one that says the same from both ends may be stored from both.

    That two are related goes without saying where one contradicts or replaces the other.
    """
    relations = tuple(relations)
    said = {frozenset((one.source, one.target)) for one in relations if one.kind != "related_to"}
    found: dict[tuple[object, ...], Relation] = {}
    for one in relations:
        if one.kind == "related_to" and frozenset((one.source, one.target)) in said:
            continue
        ends = sorted((one.source, one.target)) if one.kind in MUTUAL else (one.source, one.target)
        found.setdefault((one.kind, *ends), one)
    return [*found.values()]


def ended(history: "History") -> "Event | None":
    """The change that took a memory out of every search."""
    return next((one for one in history.events[::-1] if one.action == "forgotten"), None)


def rejected(bird: "Bowerbird", entries: "Iterable[Entry]") -> frozenset[str]:
    """The ids of those that a verdict took out of every search."""
    gone = ((one.id, ended(bird.history(one.id))) for one in entries if one.state == FORGOTTEN)
    return frozenset(id for id, event in gone if event is not None and event.reason == REJECTED)


def both_hold(one: "Entry", other: "Entry") -> bool:
    """Whether a person has seen both: that they contradict each other is settled."""
    ends = (one.details, other.details)
    return all(details is not None and details.fields.verified for details in ends)


def _versions(history: "History") -> "list[tuple[Any, Any, Any, Any]]":
    """The versions, newest first, each with the one before, what its text lost and gained, other changes.

    Those are the names of the fields that say something else than before.
    """
    found: list[tuple[Any, Any, Any, Any]] = []
    before = None
    for version in history.versions:
        spans: Any = ((), ())
        fields: list[str] = []
        if before is not None:
            old, new = before.fields.raw_dict(), version.fields.raw_dict()
            spans = differing(before.text, version.text)
            fields = [name for name in new if old[name] != new[name] and name not in _DERIVED]
        found.append((version, before, spans, fields))
        before = version
    return found[::-1]


async def _told(call: "Call", id: str) -> "dict[str, Any]":
    """The sessions that got it lately, with what they were asked, and those that cited it.

    `told` has session, injection and item of each. They are the owner's.
    """
    if call.visit.member is not None:
        return _UNTOLD
    recorded = await call.kept(("told",), lambda bird: bird.admin.sessions(limit=_SESSIONS))
    told = [
        (session, handed, item)
        for session in recorded.sessions
        for handed in session.handed
        for item in handed.items
        if item.get("id") == id
    ]

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        entry = bird.get(id)
        latest = {session.id: session for session, *_ in told[:_TOLD]}
        whole = {one: bird.admin.sessions(one).sessions[0] for one in latest}
        return {
            "told": told,
            "asked": {one: _asked(bird, session) for one, session in whole.items()},
            "brought": [
                brought(whole[session.id], handed, entry) for session, handed, _ in told[:_TOLD]
            ],
            "then": [as_told(bird, entry, handed.at) for _, handed, _ in told[:_TOLD]],
            "projects": [*dict.fromkeys(filter(None, (one.project for one in latest.values())))],
            "cited": bird.admin.citing(id),
        }

    return await call.work(read)


def _asked(bird: "Bowerbird", session: "Session") -> str:
    """The first thing that a session was asked; empty if nothing is known of that."""
    digest = bird.admin.digest(session.id)
    if digest is not None and digest.asked:
        return digest.asked[0]
    return next((str(one.get("text", "")) for one in prompts(session)), "")


def prompts(session: "Session") -> "list[dict[str, Any]]":
    """What a session was asked, in order, as recorded; `text` as redacted."""
    return [one for one in session.recorded if one.get("what") == PROMPTED and not one.get("sub")]


def brought(
    session: "Session", handed: "Handed", entry: "Entry | None"
) -> "tuple[str, tuple[str, ...]]":
    """The prompt that brought a memory, and the words that both have; empty if no prompt did."""
    if handed.why != PROMPT:
        return "", ()
    before = (str(one.get("text", "")) for one in prompts(session)[::-1] if one["at"] <= handed.at)
    prompt = next(before, "")
    said = tuple(words(prompt))
    shared = Finder(content_words(said, language(prompt, said)))
    return prompt, matched_words(entry.text, shared) if entry is not None else ()


def as_told(bird: "Bowerbird", entry: "Entry | None", at: int) -> str:
    """What a memory said at a time; empty if that is what it says now."""
    if entry is None or entry.details is None or entry.details.updated <= at:
        return ""
    return bird.history(entry.id).text_at(at)


def curve(entry: "Entry") -> "list[tuple[int, float]]":
    """The confidence from now on if nothing uses the memory: days and value; empty if it stays."""
    details = entry.details
    if details is None or not details.half_life or details.fields.pinned:
        return []
    days = [details.half_life * 2 * at / (_CURVE - 1) for at in range(_CURVE)]
    sure = details.current_confidence
    return [(round(day), sure * 0.5 ** (day / details.half_life)) for day in days]


async def edit(call: "Call") -> "dict[str, Any]":
    """A form about a memory: to edit it, to say what is wrong, to erase it."""
    entry = await call.work(lambda bird: bird.get(call.path["id"]))
    if entry.details is None:
        raise BadInput("a passage of a file is not changed here", "change the file, and index it")
    return {
        "entry": entry,
        "session": call.query.get("session", ""),
        "kinds": await kinds(call),
    }
