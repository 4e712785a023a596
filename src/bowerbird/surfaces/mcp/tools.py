"""The tools at work: arguments and a Bowerbird in, an answer out. No protocol in here."""

from bowerbird.core.types import PASSAGE
from bowerbird.core.version import VERSION
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.answer import (
    Answer,
    aside,
    entry_data,
    excerpt,
    hit_data,
    item_data,
    recall,
)
from bowerbird.surfaces.recalled import NOTICE, item_of, name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.answers import Hits, Pack
    from bowerbird.core.who import Who

    Arguments = dict[str, Any]
    Work = Callable[[Bowerbird, Who, Arguments], Answer]

# Characters of another memory's summary beside a decision.
_SUMMARY = 160
# Kinds of notes that name where the store is.
_OF_PLACES = frozenset(("missing", "uncounted"))
# Memories that pruning lists; the count tells of the others.
_LISTED = 30


def search(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """Hits for a question; every trust, labelled."""
    hits = bird.query(
        given["query"],
        limit=given.get("limit", 10),
        kinds=[given["type"]] if "type" in given else (),
        tags=given.get("tags", ()),
        since=given.get("since"),
        all_projects=who.wide,
    )
    notes = [f"read {word!r} as {read!r}" for word, read in hits.corrected.items()]
    data = {"hits": [hit_data(hit) for hit in hits], "notes": notes + _notes(hits)}
    items = [item_of(hit.entry, excerpt(hit), hit.relevance) for hit in hits]
    return recall(items, f"{len(items)} found, best first.", data)


def context(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """The pack for a task; only what is trusted."""
    pack = bird.context(
        given["task"],
        phase=given.get("phase"),
        budget=given.get("budget"),
        all_projects=who.wide,
    )
    data = {
        "items": [item_data(item) for item in pack],
        "budget": pack.budget,
        "spent": pack.spent,
        "notes": _notes(pack),
    }
    return recall(pack.items, "Packed for the task at hand.", data)


def get(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """One entry, whole."""
    entry = bird.get(given["id"])
    state = "" if entry.state == "active" else f" It is {entry.state}: not searched."
    item = item_of(entry, entry.text)
    return recall([item], f"One entry.{state}", entry_data(entry), ranked=False)


def store(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """Hand a belief to admission, as an agent's."""
    decision = bird.remember(
        given["content"],
        kind=given.get("type"),
        tags=given.get("tags", ()),
        everywhere=given.get("everywhere", False),
    )
    matched = [
        {"id": one.id, "relation": one.relation, "summary": one.summary[:_SUMMARY]}
        for one in decision.matched
    ]
    data = {
        "notice": NOTICE if matched else "",
        "id": decision.id,
        "decision": decision.decision,
        "type": decision.kind,
        "reason": decision.reason,
        "note": decision.note,
        "redacted": list(decision.redacted),
        "matched": matched,
    }
    told = [f"{decision.decision}: {decision.kind}, id {decision.id}"]
    if decision.redacted:
        told.append("taken out as secret: " + ", ".join(decision.redacted))
    if decision.note:
        told.append(decision.note)
    if matched:
        # Why names words of theirs, too.
        close = [f"{one['relation']} {one['id']}: {one['summary']!r}" for one in matched]
        told += aside([decision.reason, *close], "Memories that come close.")
    elif decision.reason:
        told.append(name(decision.reason))
    return Answer("\n".join(told), data)


def forget(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """Take a memory out of search."""
    entry = bird.get(given["id"])
    bird.forget(entry.id, given.get("reason", ""))
    data = {"id": entry.id, "summary": entry.summary, "state": "deleted"}
    return Answer(f"forgotten: {entry.id}; memory_revert takes that back", data)


def revert(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """Take back the last change of a memory."""
    entry = bird.get(given["id"])
    done = bird.revert(entry.id, reason=given.get("reason", ""))
    data = {
        "id": done.id,
        "state": done.state,
        "reason": done.reason,
        "memories": list(done.memories),
        "others": list(done.others),
    }
    # Why tells what others gave as their reason.
    told = [
        f"{done.id} is {done.state}",
        *done.others,
        *aside([done.reason], "What was taken back."),
    ]
    return Answer("\n".join(told), data)


def prune(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """Let go of what faded, in the caller's project alone; nothing is removed for good."""
    done = bird.prune(
        dry_run=given.get("dry_run", True),
        threshold=given.get("threshold"),
        all_projects=who.wide,
        remove=False,
    )
    shown = [
        {
            "id": one.id,
            "type": one.kind,
            "summary": one.summary[:_SUMMARY],
            "reason": one.reason,
        }
        for one in done.leaving[:_LISTED]
    ]
    data = {
        "notice": NOTICE if shown else "",
        "dry_run": done.dry_run,
        "pruned": done.pruned,
        "remaining": done.remaining,
        "memories": shown,
    }
    went = "would go; nothing was changed" if done.dry_run else "went; memory_revert takes it back"
    told = [f"{done.pruned} {went}. {done.remaining} remain in force."]
    gone = [f"{one['id']} ({one['type']}): {one['summary']!r}: {one['reason']}" for one in shown]
    told += aside(gone, "Memories that nobody used for long, or whose day has passed.")
    if done.pruned > len(shown):
        told.append(f"and {done.pruned - len(shown)} more")
    return Answer("\n".join(told), data)


def status(bird: "Bowerbird", who: "Who", given: "Arguments") -> Answer:
    """What the project's memory holds. Other projects, and where the store is, are no answer to it."""
    found = bird.status()
    # Where the store is, or would be, is nothing that a model needs to know.
    notes = [note for note in found.notes if note.kind not in _OF_PLACES]
    data = {
        "project": found.project,
        "memories": found.total_memories,
        "passages": found.total_passages,
        "documents": found.total_documents,
        "by_type": {kind: count for kind, count in found.by_type.items() if kind != PASSAGE},
        "healthy": found.index_healthy,
        "notes": notes,
        "version": VERSION,
    }
    held = f"{found.total_memories} memories, {found.total_passages} passages"
    lines = [f"{found.project}: {held} of {found.total_documents} documents", *notes]
    return Answer("\n".join(map(name, lines)), data)


def _notes(answer: "Hits | Pack") -> list[str]:
    """What is to be said of an answer; a store that is not there yet is just empty."""
    return [f"{name}: {note}" for name, note in answer.trace.notes if note.kind != "missing"]


WORK: "dict[str, Work]" = {
    catalogue.SEARCH.name: search,
    catalogue.CONTEXT.name: context,
    catalogue.GET.name: get,
    catalogue.STORE.name: store,
    catalogue.FORGET.name: forget,
    catalogue.REVERT.name: revert,
    catalogue.PRUNE.name: prune,
    catalogue.STATUS.name: status,
}
