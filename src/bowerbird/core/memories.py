"""The values of admission: what is stored, and what it decided about a draft.

Times are UTC milliseconds.
"""

from bowerbird.core.life import FIRST_DECAY_RATE
from bowerbird.core.value import Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Key prefix under which a store counts comparisons that failed, by the class of the error.
UNCOMPARED = "uncompared:"


class Fields(Value):
    """The fields of a version beside its text, which a revert restores.

    The fields of `core.draft.Draft`, filled in. `half_life` is in days, 0 for never; None, in older
    versions, leaves it unchanged. `anchors` are the stored anchors (`core.anchors`). `review` says why a
    person should review it; empty if there is no need.
    """

    __slots__ = (
        "anchors",
        "audience",
        "citation",
        "commit",
        "confidence",
        "expires",
        "files",
        "half_life",
        "keywords",
        "kind",
        "metadata",
        "modules",
        "needs_review",
        "payload",
        "pinned",
        "priority",
        "review",
        "scope",
        "state",
        "summary",
        "tags",
        "verified",
        "work_unit",
    )
    TABLE = (
        *(("audience", "text"), ("citation", "text"), ("commit", "text"), ("confidence", "number")),
        *(("expires", "moment?"), ("files", "texts"), ("keywords", "texts"), ("kind", "text")),
        *(
            ("metadata", "data"),
            ("modules", "texts"),
            ("needs_review", "flag"),
            ("payload", "data?"),
        ),
        *(("pinned", "flag"), ("priority", "text"), ("review", "text"), ("scope", "text")),
        *(("state", "text"), ("summary", "text"), ("tags", "texts"), ("verified", "flag")),
        *(("work_unit", "text"), ("half_life", "number?")),
    )

    def __init__(
        self,
        kind: str,
        state: str = "active",
        summary: str = "",
        tags: tuple[str, ...] = (),
        keywords: tuple[str, ...] = (),
        confidence: float = 1.0,
        expires: int | None = None,
        metadata: "dict[str, Any] | None" = None,
        payload: "dict[str, Any] | None" = None,
        scope: str = "global",
        audience: str = "personal",
        files: tuple[str, ...] = (),
        modules: tuple[str, ...] = (),
        needs_review: bool = False,
        review: str = "",
        priority: str = "",
        pinned: bool = False,
        verified: bool = False,
        commit: str = "",
        work_unit: str = "",
        citation: str = "",
        half_life: float | None = None,
        anchors: "Sequence[Sequence[Any]]" = (),
    ) -> None:
        self.anchors = tuple(tuple(one) for one in anchors)
        self.half_life = half_life
        self.kind = kind
        self.state = state
        self.summary = summary
        self.tags = tuple(sorted(tags))
        self.keywords = tuple(keywords)
        self.confidence = confidence
        self.expires = expires
        self.metadata = metadata or {}
        self.payload = payload
        self.scope = scope
        self.audience = audience
        self.files = tuple(files)
        self.modules = tuple(modules)
        self.needs_review = needs_review
        self.review = review
        self.priority = priority
        self.pinned = pinned
        self.verified = verified
        self.commit = commit
        self.work_unit = work_unit
        self.citation = citation


class Belief(Record):
    """A memory as admitted: the draft with all missing fields filled in.

    `occurred` is when it was said or happened, never after it was stored; None: when it was stored.
    """

    text: str
    hash: bytes
    fields: Fields
    importance: float
    origin: str
    source: str
    trust: str
    session: str = ""
    actor: str = ""
    half_life: float | None = None
    tainted: bool = False
    decay_rate: float = FIRST_DECAY_RATE
    occurred: int | None = None


class Alignment(Value):
    """Each word of two texts, folded, with the best cosine that it has to a word of the other one.

    `near` is the cosine of the two texts as they stand. `changed`, `happened`: how much nearer the newer
    text is than the older one to sayings of that. `announced`: the log odds that the newer one says by
    itself that the older one is over; `opposed`: that not both can hold.
    """

    __slots__ = ("announced", "changed", "happened", "near", "new", "old", "opposed")

    def __init__(
        self,
        old: tuple[tuple[str, float], ...],
        new: tuple[tuple[str, float], ...],
        *,
        near: float,
        changed: float,
        happened: float,
        announced: float,
        opposed: float,
    ) -> None:
        self.old, self.new, self.near = old, new, near
        self.changed, self.happened = changed, happened
        self.announced, self.opposed = announced, opposed


class Pair(Value):
    """A stored memory's text and a new one's, with their kinds and what the models know of the two.

    `alignment` is their word alignment, None if it was not computed; `near` the cosine by which the
    contextual model found the stored one, 0 if it did not embed both. `nearest`: no other memory is
    nearer to the new text.
    """

    __slots__ = ("alignment", "near", "nearest", "new", "new_kind", "old", "old_kind")

    def __init__(
        self,
        old: str,
        new: str,
        old_kind: str,
        new_kind: str,
        alignment: "Alignment | None" = None,
        near: float = 0.0,
        *,
        nearest: bool = True,
    ) -> None:
        self.old = old
        self.new = new
        self.old_kind = old_kind
        self.new_kind = new_kind
        self.alignment = alignment
        self.near = near
        self.nearest = nearest


class Verdict(Value):
    """The relation of a new text to a stored one, and the reason.

    `relation` is same, covers (the stored text contains the new one), extends (the new one contains the
    stored text), supersedes (the stored one is over), contradicts, or empty if undecided. `clear`: they
    differ only in a value, so that the newer one may win.
    """

    __slots__ = ("clear", "reason", "relation")

    def __init__(self, relation: str, reason: str, *, clear: bool = False) -> None:
        self.relation = relation
        self.reason = reason
        self.clear = clear


UNDECIDED = Verdict("", "")


class Match(Value):
    """A memory that a draft was compared with: its relation to the draft, and why.

    `relation` is same, covers, supersedes, contradicts or related_to; `similarity` the cosine of the
    two, which selects candidates but decides nothing; `trust` is that of the known memory.
    """

    __slots__ = ("id", "reason", "relation", "similarity", "summary", "trust")
    TABLE = (
        *(("id", "text"), ("reason", "text"), ("relation", "text"), ("similarity", "score")),
        *(("summary", "text"), ("trust", "text")),
    )

    def __init__(
        self,
        id: str,
        relation: str,
        reason: str,
        summary: str,
        similarity: float,
        trust: str = "normal",
    ) -> None:
        self.id = id
        self.relation = relation
        self.reason = reason
        self.summary = summary
        self.similarity = similarity
        self.trust = trust


class Decision(Value):
    """The result of admission.

    `decision` is created, known (the memory existed already), superseded (it replaced an older one) or
    quarantined (it awaits review). `reason` says why, `kind_reason` why this kind; `redacted` names the
    kinds of removed secrets; `changed` what a known memory gained by being written again; `review` why a
    person should look at it; `expires` until when it is valid; `note` what lowered its trust, and how a
    person can raise it; `new_project` the project that was created for it, because the store did not know
    the given name.
    """

    __slots__ = (
        "changed",
        "decision",
        "expires",
        "id",
        "importance",
        "keywords",
        "kind",
        "kind_reason",
        "matched",
        "needs_review",
        "new_project",
        "note",
        "reason",
        "redacted",
        "review",
        "state",
        "summary",
        "tags",
        "took_ms",
        "trust",
    )
    TABLE = (
        *(("id", "text"), ("summary", "text"), ("kind", "text"), ("kind_reason", "text")),
        *(("decision", "text"), ("is_update", "flag"), ("reason", "text"), ("note", "text")),
        *(("matched", [Match]), ("redacted", "texts"), ("changed", "texts"), ("tags", "texts")),
        *(("keywords", "texts"), ("importance", "number"), ("trust", "text"), ("state", "text")),
        *(("needs_review", "flag"), ("review", "text"), ("expires", "moment?")),
        *(("took_ms", "ms"), ("new_project", "text-")),
    )

    def __init__(
        self,
        id: str,
        decision: str,
        kind: str,
        summary: str,
        reason: str,
        kind_reason: str = "",
        matched: tuple[Match, ...] = (),
        redacted: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        keywords: tuple[str, ...] = (),
        importance: float = 0.0,
        trust: str = "normal",
        state: str = "active",
        needs_review: bool = False,
        changed: tuple[str, ...] = (),
        review: str = "",
        expires: int | None = None,
        note: str = "",
        new_project: str = "",
        took_ms: float = 0.0,
    ) -> None:
        self.took_ms = took_ms
        self.id = id
        self.decision = decision
        self.kind = kind
        self.summary = summary
        self.reason = reason
        self.kind_reason = kind_reason
        self.matched = matched
        self.redacted = redacted
        self.tags = tags
        self.keywords = keywords
        self.importance = importance
        self.trust = trust
        self.state = state
        self.needs_review = needs_review
        self.changed = changed
        self.review = review
        self.expires = expires
        self.note = note
        self.new_project = new_project

    @property
    def is_update(self) -> bool:
        """Whether the memory existed already."""
        return self.decision in {"known", "superseded"}
