"""Imports the notes of another memory tool: admits them one by one, then links them.

A note that is stored already is not changed, so a second run changes nothing.
"""

from bowerbird.core.errors import BowerbirdError, StoreError
from bowerbird.core.memories import Decision
from bowerbird.core.migrated import Migrated, Moved, Unmoved
from bowerbird.core.normal import normal_hash
from bowerbird.core.types import GLOBAL
from bowerbird.lifecycle.complete import complete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.clock import Clock
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.migrated import Found, Note
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes

_AGAIN = "run it again: what was stored already is not stored twice"


def migrate(
    found: "Found",
    admission: "Admission",
    changes: "Changes",
    actor: str,
    progress: "Progress | None" = None,
) -> Migrated:
    """Admits every note; one that is rejected is reported among the errors. Raises StoreError."""
    moved: list[Moved] = []
    errors = [*found.errors]
    ids: dict[tuple[str, str], str] = {}
    decided: dict[bytes, Decision] = {}
    stopped = False
    if progress is not None:
        progress.start("migrating", len(found.notes))
    try:
        for note in found.notes:
            # Two notes of the same text become one memory, the first one's.
            text = normal_hash(note.draft.text)
            earlier = decided.get(text)
            try:
                decision = (
                    earlier.replace(decision="known") if earlier else admission.admit(note.draft)
                )
            except StoreError:
                raise
            except BowerbirdError as error:
                errors.append(_unmoved(note, error))
                continue
            decided.setdefault(text, decision)
            ids[note.alias, note.path] = decision.id
            moved.append(Moved(_name(note), decision))
            if progress is not None:
                progress.advance(1, note.path)
    except KeyboardInterrupt:
        stopped = True
        errors.append(Unmoved(found.root, "stopped before the end", _AGAIN))
    finally:
        if progress is not None:
            progress.finish()
    links = 0 if stopped else _link(found, ids, changes, actor, errors)
    return Migrated(found.root, tuple(moved), tuple(errors), links, found.sources, stopped=stopped)


def _link(
    found: "Found",
    ids: dict[tuple[str, str], str],
    changes: "Changes",
    actor: str,
    errors: list[Unmoved],
) -> int:
    """Relates the memories as their notes link to each other; returns the number of relations."""
    links = 0
    for note in found.notes:
        source = ids.get((note.alias, note.path))
        ends = [ids.get((note.alias, path)) for path in note.links]
        for target in dict.fromkeys(end for end in ends if source and end and end != source):
            try:
                changes.link(str(source), str(target), "related_to", 1.0, 1.0, actor)
                links += 1
            except StoreError:
                raise
            except BowerbirdError as error:
                errors.append(_unmoved(note, error))
    return links


def foresee(
    found: "Found",
    store: "Store | None",
    project: "Project",
    allow: "Allow",
    kinds: "Kinds",
    clock: "Clock",
) -> Migrated:
    """Returns what `migrate` would do, judged by identical texts only; `store` is None if none exists."""
    if store is None:
        return _foreseen(found, None, project, allow, kinds, clock())
    with store.reading():
        return _foreseen(found, store, project, allow, kinds, clock())


def _foreseen(
    found: "Found",
    store: "Store | None",
    project: "Project",
    allow: "Allow",
    kinds: "Kinds",
    now: int,
) -> Migrated:
    moved: list[Moved] = []
    errors = [*found.errors]
    seen: set[bytes] = set()
    admitted: set[tuple[str, str]] = set()
    for note in found.notes:
        try:
            completed = complete(note.draft, allow, now, kinds)
        except BowerbirdError as error:
            errors.append(_unmoved(note, error))
            continue
        belief, fields = completed.belief, completed.belief.fields
        projects = (project.uid, GLOBAL.uid)
        known = belief.hash in seen or (
            store is not None
            and store.entries.saying(belief.hash, projects, now, ("active", fields.state))
            is not None
        )
        seen.add(belief.hash)
        admitted.add((note.alias, note.path))
        decision = Decision(
            "",
            "known" if known else "created",
            fields.kind,
            fields.summary,
            "the same text is kept already" if known else "no such text is kept",
            completed.kind_reason,
            redacted=completed.redacted,
            tags=fields.tags,
            importance=belief.importance,
            trust=belief.trust,
            needs_review=fields.needs_review,
            review=fields.review,
        )
        moved.append(Moved(_name(note), decision))
    links = sum(
        (note.alias, path) in admitted
        for note in found.notes
        if (note.alias, note.path) in admitted
        for path in note.links
    )
    return Migrated(found.root, tuple(moved), tuple(errors), links, found.sources, dry_run=True)


def _name(note: "Note") -> str:
    return f"{note.alias}: {note.path}" if note.alias else note.path


def _unmoved(note: "Note", error: BowerbirdError) -> Unmoved:
    return Unmoved(_name(note), error.message, error.remedy)
