"""What moving in did, as the flat dictionary of the envelope."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.migrated import Migrated, Moved


def flat_migrated(done: "Migrated") -> "dict[str, Any]":
    """How many notes are new and known, each with its memory, and what could not be taken."""
    data = {
        "migrated": done.migrated,
        "known": done.known,
        "links": done.links,
        "errors": [error.to_dict() for error in done.errors],
        "notes": [_moved(one) for one in done.moved],
        "dry_run": done.dry_run,
        "root": done.root,
        "sources": list(done.sources),
        "took_ms": done.took_ms,
    }
    return data | {"new_project": done.new_project} if done.new_project else data


def _moved(one: "Moved") -> "dict[str, Any]":
    decision = one.decision
    told = ("id", "decision", "kind", "summary", "reason", "redacted", "needs_review", "review")
    return {"path": one.path} | {
        name: list(value) if isinstance(value, tuple) else value
        for name in told
        if (value := getattr(decision, name)) is not None
    }
