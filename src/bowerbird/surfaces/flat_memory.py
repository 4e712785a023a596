"""What belongs to memories alone, as the flat dictionaries of the envelope."""

from bowerbird.core.clock import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.history import Event, History, Relation, Reverted, Version
    from bowerbird.core.memories import Decision
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.types import Entry


def flat_decision(decision: "Decision") -> "dict[str, Any]":
    """What admission did, with everything it can say about why."""
    data = {
        "id": decision.id,
        "summary": decision.summary,
        "kind": decision.kind,
        "kind_reason": decision.kind_reason,
        "decision": decision.decision,
        "is_update": decision.is_update,
        "reason": decision.reason,
        "note": decision.note,
        "matched": [match.to_dict() for match in decision.matched],
        "redacted": list(decision.redacted),
        "changed": list(decision.changed),
        "tags": list(decision.tags),
        "keywords": list(decision.keywords),
        "importance": decision.importance,
        "trust": decision.trust,
        "state": decision.state,
        "needs_review": decision.needs_review,
        "review": decision.review,
        "expires": None if decision.expires is None else iso(decision.expires),
    }
    return data | {"new_project": decision.new_project} if decision.new_project else data


def flat_history(history: "History") -> "dict[str, Any]":
    """Versions, events and relations, oldest first."""
    return {
        "id": history.id,
        "versions": [flat_version(version) for version in history.versions],
        "events": [flat_event(event) for event in history.events],
        "relations": [flat_relation(relation) for relation in history.relations],
    }


def flat_version(version: "Version") -> "dict[str, Any]":
    """A version with its fields beside its text."""
    fields = version.fields.to_dict()
    if fields["expires"] is not None:
        fields["expires"] = iso(fields["expires"])
    return {
        "version": version.id,
        "created": iso(version.created),
        "actor": version.actor,
        "reason": version.reason,
        "parents": list(version.parents),
        "text": version.text,
        **fields,
    }


def flat_event(event: "Event") -> "dict[str, Any]":
    """A line of the audit."""
    return event.to_dict() | {"at": iso(event.at)}


def flat_relation(relation: "Relation") -> "dict[str, Any]":
    """A relation."""
    return relation.to_dict() | {"created": iso(relation.created)}


def flat_forgotten(entries: "Sequence[Entry]", reason: str) -> "dict[str, Any]":
    """Which memories were taken out of every search, and why."""
    told = [{"id": entry.id, "summary": entry.summary} for entry in entries]
    return {"forgotten": told, "reason": reason}


def flat_reverted(reverted: "Reverted") -> "dict[str, Any]":
    """What stands again as it was."""
    return {
        "id": reverted.id,
        "state": reverted.state,
        "reason": reverted.reason,
        "memories": list(reverted.memories),
        "others": list(reverted.others),
        "relations": [flat_relation(relation) for relation in reverted.relations],
    }


def flat_pruned(done: "Pruned") -> "dict[str, Any]":
    """Who left, or would, and why; with what is to be said of it."""
    data = {
        "pruned": done.pruned,
        "removed": done.removed,
        "remaining": done.remaining,
        "unused_vectors": done.unused_vectors,
        "dry_run": done.dry_run,
        "threshold": done.threshold,
        "memories": [one.to_dict() for one in done.leaving],
        "took_ms": done.took_ms,
    }
    return data | {"notes": [*done.notes]} if done.notes else data
