"""The history of a memory: its versions, its relations, and the audit.

Times are UTC milliseconds; `seq` is the order of events, independent of clocks.
"""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.learned import Evidence
    from bowerbird.core.memories import Fields
    from bowerbird.core.types import Entry, ModelIdentity, Project


class Change(Value):
    """Who makes a change, and why; it accompanies every write.

    Writes of one `operation` are reverted together; `undoes` names the operation that this one reverts.
    """

    __slots__ = ("action", "actor", "operation", "reason", "undoes")

    def __init__(
        self, operation: str, action: str, actor: str, reason: str, undoes: str | None = None
    ) -> None:
        self.operation = operation
        self.action = action
        self.actor = actor
        self.reason = reason
        self.undoes = undoes


class Version(Value):
    """One immutable state of a memory: its text and fields, its author, and the reason."""

    __slots__ = ("actor", "created", "fields", "hlc", "id", "memory", "parents", "reason", "text")
    TABLE = (
        *(("version", "text", "id"), ("created", "moment"), ("actor", "text"), ("reason", "text")),
        *(("parents", "texts"), ("text", "text"), ("", "fields", "fields")),
        *(("memory", "text"), ("hlc", "text")),
    )

    def __init__(
        self,
        id: str,
        memory: str,
        parents: tuple[str, ...],
        text: str,
        fields: "Fields",
        actor: str,
        reason: str,
        created: int,
        hlc: str,
    ) -> None:
        self.id = id
        self.memory = memory
        self.parents = parents
        self.text = text
        self.fields = fields
        self.actor = actor
        self.reason = reason
        self.created = created
        self.hlc = hlc

    def says_the_same(self, other: "Version") -> bool:
        """Whether two versions have the same content, whoever made them and when."""
        return self.text == other.text and self.fields == other.fields


class Relation(Value):
    """A relation of a memory to another one, or to a file (`target` is then its path)."""

    __slots__ = ("automatic", "confidence", "created", "kind", "source", "strength", "target")
    TABLE = (
        *(("automatic", "flag"), ("confidence", "number"), ("created", "moment"), ("kind", "text")),
        *(("source", "text"), ("strength", "number"), ("target", "text")),
    )

    def __init__(
        self,
        source: str,
        target: str,
        kind: str,
        strength: float = 1.0,
        confidence: float = 1.0,
        automatic: bool = False,
        created: int = 0,
    ) -> None:
        self.source = source
        self.target = target
        self.kind = kind
        self.strength = strength
        self.confidence = confidence
        self.automatic = automatic
        self.created = created


class Event(Value):
    """One line of the audit: `before` and `after` are versions, or relations as JSON.

    Changes made together share one `operation`; `undoes` names the operation that this one reverts.
    """

    __slots__ = (
        "action",
        "actor",
        "after",
        "at",
        "before",
        "entry",
        "operation",
        "reason",
        "seq",
        "undoes",
    )
    TABLE = (
        *(("action", "text"), ("actor", "text"), ("after", "text?"), ("at", "moment")),
        *(("before", "text?"), ("entry", "text"), ("operation", "text"), ("reason", "text")),
        *(("seq", "whole"), ("undoes", "text?")),
    )

    def __init__(
        self,
        seq: int,
        at: int,
        operation: str,
        action: str,
        entry: str,
        actor: str,
        reason: str,
        before: str | None,
        after: str | None,
        undoes: str | None,
    ) -> None:
        self.seq = seq
        self.at = at
        self.operation = operation
        self.action = action
        self.entry = entry
        self.actor = actor
        self.reason = reason
        self.before = before
        self.after = after
        self.undoes = undoes

    @property
    def relation(self) -> Relation | None:
        """The relation that it is about; None where it is about a version."""
        changed = self.after or self.before or ""
        if not changed.startswith("{"):  # a version's id
            return None
        import json  # start-up: only the history of a memory needs it

        return Relation(**json.loads(changed))


class History(Value):
    """The complete history of a memory, oldest first."""

    __slots__ = ("events", "id", "relations", "versions")
    TABLE = (
        *(("id", "text"), ("versions", [Version]), ("events", [Event])),
        ("relations", [Relation]),
    )

    def __init__(
        self,
        id: str,
        versions: tuple[Version, ...],
        events: tuple[Event, ...],
        relations: tuple[Relation, ...],
    ) -> None:
        self.id = id
        self.versions = versions
        self.events = events
        self.relations = relations


class Reverted(Value):
    """The result of an undo: the memories and relations that it restored.

    `others` describes what happened to every memory other than the named one.
    """

    __slots__ = ("id", "memories", "others", "reason", "relations", "state")
    TABLE = (
        *(("id", "text"), ("state", "text"), ("reason", "text"), ("memories", "texts")),
        *(("others", "texts"), ("relations", [Relation])),
    )

    def __init__(
        self,
        id: str,
        state: str,
        memories: tuple[str, ...],
        relations: tuple[Relation, ...],
        reason: str,
        others: tuple[str, ...] = (),
    ) -> None:
        self.id = id
        self.state = state
        self.memories = memories
        self.relations = relations
        self.reason = reason
        self.others = others


class Gone(Value):
    """A memory that was taken out of search."""

    __slots__ = ("id", "summary")
    TABLE = (("id", "text"), ("summary", "text"))

    def __init__(self, id: str, summary: str) -> None:
        self.id = id
        self.summary = summary


class Forgotten(Value):
    """The memories that were taken out of search, and why."""

    __slots__ = ("forgotten", "reason")
    TABLE = (("forgotten", [Gone]), ("reason", "text"))

    def __init__(self, forgotten: tuple[Gone, ...], reason: str = "") -> None:
        self.forgotten = forgotten
        self.reason = reason


class Quoting(Value):
    """What still quotes an erased memory: another memory, such as a session's digest, or a passage.

    `place` is the file, empty for a memory.
    """

    __slots__ = ("id", "kind", "place")
    TABLE = (("id", "text"), ("kind", "text"), ("place", "text"))

    def __init__(self, id: str, kind: str, place: str = "") -> None:
        self.id = id
        self.kind = kind
        self.place = place


class Erased(Value):
    """The memories that were deleted for good, and what became of copies of their words.

    `lines` of the journal and the scratchpads were blanked, `archives` of transcripts rewritten; `copies`
    are the backups that may still hold them, `quoting` what else of the store does.
    """

    __slots__ = ("archives", "copies", "erased", "lines", "quoting")
    TABLE = (
        *(("erased", [Gone]), ("lines", "whole"), ("archives", "whole"), ("copies", "texts")),
        ("quoting", [Quoting]),
    )

    def __init__(
        self,
        erased: tuple[Gone, ...],
        lines: int = 0,
        archives: int = 0,
        copies: tuple[str, ...] = (),
        quoting: tuple[Quoting, ...] = (),
    ) -> None:
        self.erased = erased
        self.lines = lines
        self.archives = archives
        self.copies = copies
        self.quoting = quoting


class Shown(Value):
    """One entry in full, a memory with its history and its evidence if requested."""

    __slots__ = ("entry", "evidence", "history")
    TABLE = (("", "entry", "entry"), ("history", "history-"), ("evidence", "evidence-"))

    def __init__(
        self, entry: "Entry", history: History | None = None, evidence: "Evidence | None" = None
    ) -> None:
        self.entry = entry
        self.history = history
        self.evidence = evidence


class Noted(Value):
    """Whether the use of entries was recorded."""

    __slots__ = ("noted",)
    TABLE = (("noted", "flag"),)

    def __init__(self, noted: bool) -> None:
        self.noted = noted


class Edited(Value):
    """A memory that was changed in place: which of its fields changed, and its current state.

    `changed` names `text` and fields of `core.memories.Fields`; empty if it already had these values.
    """

    __slots__ = (
        *("changed", "expires", "id", "kind", "needs_review", "redacted", "review", "state"),
        *("summary", "tags", "trust", "version"),
    )
    TABLE = (
        *(("id", "text"), ("version", "text"), ("changed", "texts"), ("summary", "text")),
        *(("kind", "text"), ("tags", "texts"), ("state", "text"), ("trust", "text")),
        *(("redacted", "texts"), ("needs_review", "flag"), ("review", "text")),
        ("expires", "moment?"),
    )

    def __init__(
        self,
        id: str,
        version: str,
        changed: tuple[str, ...],
        summary: str,
        kind: str,
        tags: tuple[str, ...],
        state: str,
        trust: str,
        redacted: tuple[str, ...] = (),
        needs_review: bool = False,
        review: str = "",
        expires: int | None = None,
    ) -> None:
        self.id = id
        self.version = version
        self.changed = changed
        self.summary = summary
        self.kind = kind
        self.tags = tags
        self.state = state
        self.trust = trust
        self.redacted = redacted
        self.needs_review = needs_review
        self.review = review
        self.expires = expires


class MomentRequest(Value):
    """A request for a Moment: some words, a project, the model that embeds the memory, its hash."""

    __slots__ = ("hash", "identity", "project", "terms")

    def __init__(
        self,
        terms: tuple[str, ...],
        project: "Project",
        identity: "ModelIdentity | None",
        hash: bytes,
    ) -> None:
        self.hash = hash
        self.terms = terms
        self.project = project
        self.identity = identity


class Moment(Value):
    """The state of a store at one moment.

    `seen` is the number of the last change of any memory, `changed` the memories that were changed since
    an earlier one, the latest first. `counts` says in how many of the `entries` some words occur. `model`
    and `project` are local numbers: None for a model without vectors in the store, and for a project that
    is not stored in its current form. `reader` is the identity of the contextual model whose vectors
    memories have, empty if they have none. `said`: some memory has exactly the same text.
    """

    __slots__ = ("changed", "counts", "entries", "model", "project", "reader", "said", "seen")

    def __init__(
        self,
        seen: int,
        changed: tuple[str, ...],
        counts: "Mapping[str, int]",
        entries: int,
        model: int | None,
        project: int | None,
        reader: str,
        *,
        said: bool,
    ) -> None:
        self.said = said
        self.seen = seen
        self.changed = changed
        self.counts = counts
        self.entries = entries
        self.model = model
        self.project = project
        self.reader = reader
