"""The history of a memory: its versions, its relations, and the audit.

Times are UTC milliseconds; `seq` is the order of events, independent of clocks.
"""

from bowerbird.core.memories import Match
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bowerbird.core.learned import Evidence
    from bowerbird.core.memories import Fields
    from bowerbird.core.types import Entry, ModelIdentity, Project


class Change(Record):
    """Who makes a change, and why; it accompanies every write.

    Writes of one `operation` are reverted together; `undoes` names the operation that this one reverts.
    """

    operation: str
    action: str
    actor: str
    reason: str
    undoes: str | None = None


class Version(Record):
    """One immutable state of a memory: its text and fields, its author, and the reason."""

    id: str
    memory: str
    parents: tuple[str, ...]
    text: str
    fields: "Fields"
    actor: str
    reason: str
    created: int
    hlc: str
    TABLE = (
        ("version", "text", "id"),
        ("created", "moment"),
        ("actor", "text"),
        ("reason", "text"),
        ("parents", "texts"),
        ("text", "text"),
        ("", "fields", "fields"),
        ("memory", "text"),
        ("hlc", "text"),
    )

    def says_the_same(self, other: "Version") -> bool:
        """Whether two versions have the same content, whoever made them and when."""
        return self.text == other.text and self.fields == other.fields


class Relation(Record):
    """A relation of a memory to another one, or to a file (`target` is then its path)."""

    source: str
    target: str
    kind: str
    strength: float = 1.0
    confidence: float = 1.0
    automatic: bool = False
    created: int = 0
    TABLE = (
        ("automatic", "flag"),
        ("confidence", "number"),
        ("created", "moment"),
        ("kind", "text"),
        ("source", "text"),
        ("strength", "number"),
        ("target", "text"),
    )


class Event(Record):
    """One line of the audit: `before` and `after` are versions, or relations as JSON.

    Changes made together share one `operation`; `undoes` names the operation that this one reverts.
    """

    seq: int
    at: int
    operation: str
    action: str
    entry: str
    actor: str
    reason: str
    before: str | None
    after: str | None
    undoes: str | None
    TABLE = (
        ("action", "text"),
        ("actor", "text"),
        ("after", "text?"),
        ("at", "moment"),
        ("before", "text?"),
        ("entry", "text"),
        ("operation", "text"),
        ("reason", "text"),
        ("seq", "whole"),
        ("undoes", "text?"),
    )

    @property
    def relation(self) -> Relation | None:
        """The relation that it is about; None where it is about a version."""
        changed = self.after or self.before or ""
        if not changed.startswith("{"):  # a version's id
            return None
        import json  # start-up: only the history of a memory needs it

        return Relation(**json.loads(changed))


class Era(Record):
    """How long one memory of a chain held that supersede each other; `until` is None while it does.

    `since` is None where nobody said it, and it had ended when it was stored.
    """

    id: str
    since: int | None
    until: int | None
    state: str
    summary: str
    TABLE = ("*", ("since", "moment?"), ("until", "moment?"))


class Elsewhere(Record):
    """A version that another copy of the store wrote, and the beginning of that copy's name."""

    version: str
    copy: str
    TABLE = ("*",)


class History(Record):
    """The complete history of a memory, oldest first.

    `elsewhere` are the versions that came from another copy of the store, by a sync or an import. `eras`
    is the chain of memories that it superseded and that superseded it; empty if there is none.
    """

    id: str
    versions: tuple[Version, ...]
    events: tuple[Event, ...]
    relations: tuple[Relation, ...]
    eras: tuple[Era, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    TABLE = ("*",)

    def text_at(self, moment: int) -> str:
        """What the memory said at a time; empty if it is what it says now.

        Of versions that all came later, as from another machine, the first is the nearest.
        """
        if not self.versions:
            return ""
        known = (one for one in self.versions[::-1] if one.created <= moment)
        then = next(known, self.versions[0]).text
        return then if then != self.versions[-1].text else ""


class Reverted(Record):
    """The result of an undo: the memories and relations that it restored.

    `others` describes what happened to every memory other than the named one, and what keeps that one
    from being found. With `dry_run` nothing was
    changed.
    """

    id: str
    state: str
    memories: tuple[str, ...]
    relations: tuple[Relation, ...]
    reason: str
    others: tuple[str, ...] = ()
    dry_run: bool = False
    TABLE = ("id", "state", "reason", "memories", "others", ("relations", [Relation]), "dry_run")


class Gone(Record):
    """A memory that was taken out of search.

    `replaced` are memories that it had replaced, by id: nothing holds in their place now.
    """

    id: str
    summary: str
    replaced: tuple[str, ...] = ()
    TABLE = ("*",)


class Forgotten(Record):
    """The memories that were taken out of search, and why."""

    forgotten: tuple[Gone, ...]
    reason: str = ""
    TABLE = ("*",)


class AllGone(tuple["Gone", ...]):
    """Several memories that were taken out of search together."""

    __slots__ = ()

    def as_dict(self) -> "dict[str, Any]":
        """The memories as every interface serialises them."""
        return Forgotten(self).as_dict()


class Ended(Record):
    """Memories that were ended by hand, their state, and the one `into` which they were merged.

    `until` is a moment to come up to which they still hold.
    """

    memories: tuple[Gone, ...]
    state: str
    reason: str = ""
    into: str = ""
    until: int | None = None
    TABLE = ("*", ("into", "text-"), ("until", "moment-"))


class Shown(Record):
    """One entry in full, a memory with its history and its evidence if requested."""

    entry: "Entry"
    history: History | None = None
    evidence: "Evidence | None" = None
    TABLE = (("", "entry", "entry"), ("history", "history-"), ("evidence", "evidence-"))


class Noted(Record):
    """Whether the use of entries was recorded."""

    noted: bool
    TABLE = ("*",)


class Edited(Record):
    """A memory that was changed in place: which of its fields changed, and its current state.

    `changed` names `text` and fields of `core.memories.Fields`; empty if it already had these values.
    `matched` are the memories to which its new text relates: what it contradicts waits in the review.
    `left_behind` is what its former text says of what the new one does not speak of.
    """

    id: str
    version: str
    changed: tuple[str, ...]
    summary: str
    kind: str
    tags: tuple[str, ...]
    state: str
    trust: str
    redacted: tuple[str, ...] = ()
    needs_review: bool = False
    review: str = ""
    expires: int | None = None
    matched: tuple[Match, ...] = ()
    left_behind: str = ""
    TABLE = ("*", ("expires", "moment?"), ("matched", [Match]))


class Relocated(Record):
    """Memories that were put into another project, `project` (empty: all projects).

    `left` stayed: they are there already, or another one says the same there. `new_project` is the
    name of the project that was created for them, which may be mistyped.
    """

    memories: tuple[Gone, ...]
    project: str
    left: tuple[Gone, ...] = ()
    new_project: str = ""
    TABLE = ("*",)


class MomentRequest(Record):
    """A request for a Moment: some words, a project, the model that embeds the memory, its hash."""

    terms: tuple[str, ...]
    project: "Project"
    identity: "ModelIdentity | None"
    hash: bytes


class Moment(Record):
    """The state of a store at one moment.

    `seen` is the number of the last change of any memory, `changed` the memories that were changed since
    an earlier one, the latest first. `counts` says in how many of the `entries` some words occur. `model`
    and `project` are local numbers: None for a model without vectors in the store, and for a project that
    is not stored in its current form. `reader` is the identity of the contextual model whose vectors
    memories have, empty if they have none. `said`: some memory has exactly the same text.
    """

    seen: int
    changed: tuple[str, ...]
    counts: "Mapping[str, int]"
    entries: int
    model: int | None
    project: int | None
    reader: str
    said: bool
