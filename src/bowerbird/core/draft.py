"""A memory that somebody proposes: everything that can be said about it."""

from bowerbird.core.query import several
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypedDict

    class About(TypedDict, total=False):
        """The fields of a Draft beside its text, as keyword arguments."""

        kind: str | None
        tags: Sequence[str]
        importance: float | None
        metadata: dict[str, Any] | None
        origin: str | None
        session: str
        actor: str
        priority: str | None
        expires: str | int | None
        confidence: float | None
        half_life: float | None
        payload: dict[str, Any] | None
        scope: str | None
        audience: str | None
        files: Sequence[str]
        modules: Sequence[str]
        source: str | None
        tainted: bool
        lineage: Sequence[str]
        summary: str | None
        keywords: Sequence[str]
        citation: str | None
        commit: str
        work_unit: str
        pinned: bool | None
        verified: bool | None
        review: str


# A memory is one to three sentences; what is longer belongs in a file.
LONGEST = 10_000
PRIORITIES = ("low", "normal", "high", "critical")


class Draft(Value):
    """A memory somebody proposes; admission decides what becomes of it. What is None is found out.

    Args:
        text: 1 to 10,000 characters; longer texts are files for `index`.
        kind: one of the registered kinds (core.kinds); None tells it by the wording.
        tags: words to find it by.
        importance: 0 to 1; None: computed.
        metadata: anything that JSON can hold, returned as it is.
        origin: who says so: user, agent, tool_internal, import, tool_external or peer; None follows
            from `source`, and is agent without one.
        session, actor: in which session, and who, for the audit.
        priority: low, normal, high or critical; it counts for the importance that is computed.
        expires: not believed from then on: an ISO date or time, an age such as 30d, or UTC
            milliseconds.
        confidence: how sure this is, 0 to 1.
        half_life: days unused after which that is halved; 0: never; None takes the kind's.
        payload: the structure that some kinds carry, such as the steps of a workflow_recipe.
        scope: global, module, work_unit or session; None takes the kind's.
        audience: personal, project, team or organisation.
        files, modules: what it is about.
        source: how it came to be (core.origins), such as user_taught or qa_auto.
        tainted: something from outside was read before; it waits in quarantine.
        lineage: how far that is believed which the writer had been shown, or which this was made of
            (core.types.TRUSTS): it is believed no more than the least of that; below imported it waits.
        summary: what lists show; None takes the first sentence.
        keywords: what it dwells on, before those that are found in the text.
        citation: up to 40 characters to cite it by; None takes the beginning of the summary.
        commit, work_unit: the commit and the ticket or task that it comes from, by name.
        pinned: what is pinned does not fade, and nothing takes its place by itself.
        verified: a person vouches for it: it waits for no review. The origin must be user.
        review: why somebody should look at it; empty where nobody need.
    """

    __slots__ = (
        "actor",
        "audience",
        "citation",
        "commit",
        "confidence",
        "expires",
        "files",
        "half_life",
        "importance",
        "keywords",
        "kind",
        "lineage",
        "metadata",
        "modules",
        "origin",
        "payload",
        "pinned",
        "priority",
        "review",
        "scope",
        "session",
        "source",
        "summary",
        "tags",
        "tainted",
        "text",
        "verified",
        "work_unit",
    )

    def __init__(
        self,
        text: str,
        kind: str | None = None,
        tags: "Sequence[str]" = (),
        importance: float | None = None,
        metadata: "dict[str, Any] | None" = None,
        origin: str | None = None,
        session: str = "",
        actor: str = "",
        priority: str | None = None,
        expires: "str | int | None" = None,
        confidence: float | None = None,
        payload: "dict[str, Any] | None" = None,
        scope: str | None = None,
        audience: str | None = None,
        files: "Sequence[str]" = (),
        modules: "Sequence[str]" = (),
        source: str | None = None,
        tainted: bool = False,
        lineage: "Sequence[str]" = (),
        summary: str | None = None,
        keywords: "Sequence[str]" = (),
        citation: str | None = None,
        commit: str = "",
        work_unit: str = "",
        pinned: bool | None = None,
        verified: bool | None = None,
        review: str = "",
        half_life: float | None = None,
    ) -> None:
        self.half_life = half_life
        self.text = text
        self.kind = kind
        self.tags = several("tags", tags)
        self.importance = importance
        self.metadata = metadata or {}
        self.origin = origin
        self.session = session
        self.actor = actor
        self.priority = priority
        self.expires = expires
        self.confidence = confidence
        self.payload = payload
        self.scope = scope
        self.audience = audience
        self.files = several("files", files)
        self.modules = several("modules", modules)
        self.source = source
        self.tainted = tainted
        self.lineage = several("lineage", lineage)
        self.summary = summary
        self.keywords = several("keywords", keywords)
        self.citation = citation
        self.commit = commit
        self.work_unit = work_unit
        self.pinned = pinned
        self.verified = verified
        self.review = review
