"""Imports the notes of another memory tool: admits them one by one, then links them.

A note that is stored already is not changed, so a second run changes nothing.
"""

from bowerbird.core.errors import BowerbirdError, StoreError
from bowerbird.core.memories import Decision
from bowerbird.core.migrated import Migrated, Moved, Unmoved
from bowerbird.core.origins import trust_of
from bowerbird.core.types import ALIVE, GLOBAL, STATES
from bowerbird.lifecycle.complete import complete
from bowerbird.lifecycle.confirm import own
from bowerbird.lifecycle.cycles import without_cycles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.migrated import Found, Note
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.lifecycle.complete import Completed

# The trust of notes of which nobody says whose they are.
_IMPORTED = trust_of("import")
# Notes that are compared and written together.
_BATCH = 50
# What stands for the memory of a note that is not written yet.
_SEEN = "seen"
_AGAIN = "run it again: what was stored already is not stored twice"


class Known:
    """Which notes are kept already, in whatever state: what was forgotten does not come back."""

    def __init__(
        self,
        store: "Store | None",
        project: "Project",
        allow: "Allow",
        kinds: "Kinds",
        clock: "Clock",
    ) -> None:
        self._store = store
        self._projects = (project.uid, GLOBAL.uid)
        self._here = allow, clock(), kinds

    def completed(self, note: "Note") -> "Completed":
        """A note as it would be kept. Raises BadInput, UnknownName."""
        return complete(note.draft, *self._here)

    def said(self, hashes: "Sequence[bytes]") -> set[bytes]:
        """Those of some hashes that the normal form of any memory has."""
        return self._store.entries.said(hashes) if self._store is not None else set()

    def id(self, hash: bytes) -> str:
        """The memory whose normal form has this hash, one in force first; empty if there is none."""
        if self._store is None:
            return ""
        # One that is past its day is known, too.
        for states, now in ((ALIVE, self._here[1]), (STATES, 0)):
            found = self._store.entries.saying(hash, self._projects, now, states)
            if found is not None:
                return found.id
        # One that a person moved from here since is not stored here again.
        known = [one.uid for one in self._store.projects.all()]
        found = self._store.entries.saying(hash, known, 0, STATES)
        if found is None:
            return ""
        moved = self._store.memories.head(found.id).fields.moved
        return found.id if self._projects[0] in moved else ""


def migrate(
    found: "Found",
    admission: "Admission",
    changes: "Changes",
    known: Known,
    actor: str,
    progress: "Progress | None" = None,
) -> Migrated:
    """Admits every note; one that is rejected is reported among the errors. Raises StoreError."""
    moved: list[Moved] = []
    errors = [*found.errors]
    ids: dict[tuple[str, str], str] = {}
    decided: dict[bytes, str] = {}
    stopped, links = False, 0
    if progress is not None:
        progress.start("importing", len(found.notes))
    try:
        for start in range(0, len(found.notes), _BATCH):
            some = found.notes[start : start + _BATCH]
            with without_cycles():
                for note, decision in _admitted(some, admission, known, decided, errors, changes):
                    ids[note.alias, note.path] = decision.id
                    moved.append(Moved(_name(note), decision))
            if progress is not None:
                progress.advance(len(some))
        links = _link(found, ids, changes, actor, errors)
    except KeyboardInterrupt:
        stopped = True
        errors.append(Unmoved(found.root, "stopped before the end", _AGAIN))
    finally:
        if progress is not None:
            progress.finish()
    return Migrated(found.root, tuple(moved), tuple(errors), links, found.sources, stopped=stopped)


def _admitted(
    notes: "Sequence[Note]",
    admission: "Admission",
    known: Known,
    decided: dict[bytes, str],
    errors: list[Unmoved],
    changes: "Changes",
) -> "Iterator[tuple[Note, Decision]]":
    """What becomes of some notes; `decided` are the memories of all before them, by their texts."""
    valid: list[tuple[Note, Completed]] = []
    for note in notes:
        try:
            valid.append((note, known.completed(note)))
        except BowerbirdError as error:
            errors.append(_unmoved(note, error))
    new: list[tuple[Note, Completed]] = []
    # Two notes of the same text become one memory, the first one's.
    same: list[tuple[Note, Completed]] = []
    said = known.said([completed.belief.hash for _, completed in valid])
    for note, completed in valid:
        hash = completed.belief.hash
        if hash not in decided:
            decided[hash] = known.id(hash) if hash in said else ""
            if not decided[hash]:
                new.append((note, completed))
                continue
        same.append((note, completed))
    drafts, completions = [note.draft for note, _ in new], [completed for _, completed in new]
    for (note, completed), decision in zip(
        new, admission.admit_all(drafts, completions) if new else (), strict=True
    ):
        decided[completed.belief.hash] = decision.id
        yield note, decision
    for note, completed in same:
        decision = _foretold(completed, decided[completed.belief.hash])
        if completed.belief.trust != _IMPORTED:
            decision = _owned(decision, completed, changes)
        yield note, decision


def _owned(decision: Decision, completed: "Completed", changes: "Changes") -> Decision:
    """The decision about a note that was imported before, and that a person says is their own."""
    store = changes.store
    with store.transaction():
        for entry in store.entries.get(decision.id):
            change = changes.change("confirmed", completed.belief.actor)
            if own(store, entry, completed.belief, change):
                return decision.replace(changed=("trust",), reason="it is your own, as you said")
    return decision


def _link(
    found: "Found",
    ids: dict[tuple[str, str], str],
    changes: "Changes",
    actor: str,
    errors: list[Unmoved],
) -> int:
    """Relates the memories as their notes link to each other; returns the number of relations."""
    links = 0
    pairs: list[tuple[Note, str, str, str]] = []
    for note in found.notes:
        source = ids.get((note.alias, note.path))
        kinds = note.kinds or ("related_to",) * len(note.links)
        ends = [
            (ids.get((note.alias, path)), kind)
            for path, kind in zip(note.links, kinds, strict=True)
        ]
        pairs += [
            (note, source, end, kind)
            for end, kind in dict.fromkeys(ends)
            if source and end and end != source
        ]
    for start in range(0, len(pairs), _BATCH):
        with changes.store.transaction():
            for note, source, end, kind in pairs[start : start + _BATCH]:
                try:
                    changes.linked(source, end, kind, 1.0, 1.0, actor)
                    links += 1
                except StoreError:
                    raise
                except BowerbirdError as error:
                    errors.append(_unmoved(note, error))
    return links


def foresee(found: "Found", known: Known) -> Migrated:
    """Returns what `migrate` would do, judged by identical texts only."""
    moved: list[Moved] = []
    errors = [*found.errors]
    seen: dict[bytes, str] = {}
    admitted: set[tuple[str, str]] = set()
    for note in found.notes:
        try:
            completed = known.completed(note)
        except BowerbirdError as error:
            errors.append(_unmoved(note, error))
            continue
        hash = completed.belief.hash
        earlier = seen.get(hash) or known.id(hash)
        seen[hash] = earlier or _SEEN
        admitted.add((note.alias, note.path))
        moved.append(Moved(_name(note), _foretold(completed, earlier).replace(id="")))
    links = sum(
        (note.alias, path) in admitted
        for note in found.notes
        if (note.alias, note.path) in admitted
        for path in note.links
    )
    return Migrated(found.root, tuple(moved), tuple(errors), links, found.sources, dry_run=True)


def _foretold(completed: "Completed", earlier: str) -> Decision:
    """The decision about a note that is kept as `earlier` already, or would be created."""
    belief, fields = completed.belief, completed.belief.fields
    return Decision(
        earlier,
        "known" if earlier else "created",
        fields.kind,
        fields.summary,
        "the same text is kept already" if earlier else "no such text is kept",
        completed.kind_reason,
        redacted=completed.redacted,
        tags=fields.tags,
        importance=belief.importance,
        trust=belief.trust,
        needs_review=fields.needs_review,
        review=fields.review,
    )


def _name(note: "Note") -> str:
    return f"{note.alias}: {note.path}" if note.alias else note.path


def _unmoved(note: "Note", error: BowerbirdError) -> Unmoved:
    return Unmoved(_name(note), error.message, error.remedy)
