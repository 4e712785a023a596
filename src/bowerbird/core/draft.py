"""A proposed memory, with everything that can be specified about it."""

from bowerbird.core.memories import Plain, field
from bowerbird.core.query import several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypedDict, Unpack

    class About(TypedDict, total=False):
        """The fields of a Draft beside its text, as keyword arguments."""

        kind: str | None
        tags: Sequence[str]
        importance: float | None
        metadata: dict[str, Any] | None
        origin: str | None
        session: str
        actor: str
        author: str
        priority: str | None
        expires: str | int | None
        valid_from: str | int | None
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
        methodology: str
        quiet_in: Sequence[str]
        key: str
        pinned: bool | None
        verified: bool | None
        review: str
        occurred: int | None


# A memory is one to three sentences; longer text belongs in a file.
LONGEST = 10_000


class Draft(Plain):
    """A proposed memory; admission decides what becomes of it, and fills in fields that are None.

    Args:
        text: 1 to 10,000 characters; longer texts are files for `index`.
        kind: one of the registered kinds (core.kinds); None: derived from the wording.
        tags: words to filter by.
        importance: 0 to 1; None: computed.
        metadata: any JSON value, returned unchanged.
        origin: user, agent, tool_internal, import, tool_external or peer; None: derived from
            `source`, else agent.
        session, actor: the session and who writes it, for the audit.
        author: the member of the team who says it; empty: the owner of the store.
        priority: low, normal, high or critical; a factor of the computed importance.
        expires: when it stops being valid: an ISO date or time, an age such as 30d, or UTC
            milliseconds.
        valid_from: since when it holds, in the same forms; None: since the day that the text names
            (“since March …”, “in May 2026 we moved …”), else since it was said. Before a day to come
            it is not found.
        confidence: 0 to 1; None: by source, 1 for a person, .8 for an agent, .75 for imports and for
            a tool of others.
        half_life: days without use after which confidence halves; 0: never; None: the kind's.
        payload: structured fields of some kinds, such as the steps of a workflow_recipe.
        scope: global, module, work_unit or session; None: the kind's.
        audience: personal, project, team or organisation.
        files, modules: the files and modules it is about.
        source: how it was learned (core.origins), such as user_taught or qa_auto.
        tainted: the author had read external text; the memory is quarantined.
        lineage: trust levels (core.types.TRUSTS) of texts that the author had been shown, or that this
            was derived from; the lowest limits its trust, and below imported it is quarantined.
        summary: shown in lists; None: the first sentence.
        keywords: added before those found in the text.
        citation: label of up to 40 characters; None: the beginning of the summary.
        commit, work_unit: the commit, and the ticket or task, that it comes from.
        key: the caller's own name for it in this project. The memory is not compared with others: the
            same key again replaces its text and all fields, and it is pinned unless `pinned` is False.
            `fields=["key=NAME"]` finds it, `key=START*` all that begin so.
        methodology: the methodology of work that it was stored in, such as bmad.
        quiet_in: projects, by name or uid, in which hooks do not tell it, `*` for all: it answers only
            who asks.
        pinned: it does not fade, and is never superseded automatically.
        verified: a person confirmed it, so it needs no review. The origin must be user.
        review: why a person should look at it; empty: no need.
        occurred: when it was said or happened, in UTC milliseconds; None: now.
    """

    text: str = ""
    kind: "str | None" = None
    tags: "tuple[str, ...]" = ()
    importance: "float | None" = field(
        "number", "0 to 1; default: computed", low=0.0, high=1.0, metavar="X"
    )
    metadata: "dict[str, Any] | None" = None
    origin: "str | None" = None
    session: str = ""
    actor: str = ""
    author: str = ""
    priority: "str | None" = None
    expires: "str | int | None" = None
    valid_from: "str | int | None" = None
    confidence: "float | None" = None
    half_life: "float | None" = None
    payload: "dict[str, Any] | None" = None
    scope: "str | None" = None
    audience: "str | None" = None
    source: "str | None" = None
    tainted: bool = False
    lineage: "tuple[str, ...]" = ()
    summary: "str | None" = None
    keywords: "tuple[str, ...]" = ()
    citation: "str | None" = None
    pinned: "bool | None" = None
    verified: "bool | None" = None
    review: str = ""
    occurred: "int | None" = None

    def __init__(self, text: str, **about: "Unpack[About]") -> None:
        stated: dict[str, Any] = {"text": text, **about}
        super().__init__(**stated)
        self.__dict__["metadata"] = self.metadata or None
        for name in _LISTS & about.keys():
            self.__dict__[name] = several(name, getattr(self, name))


# The fields of several texts, of which one text alone is one of them.
_LISTS = frozenset(name for name, usual in Draft.USUAL.items() if isinstance(usual, tuple))
