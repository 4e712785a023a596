"""What may be asked over HTTP, field by field: requests are checked by it and documented from it."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bowerbird.core.draft import PRIORITIES
from bowerbird.core.origins import TRUST_OF
from bowerbird.core.phases import PHASES
from bowerbird.core.pruned import THRESHOLD
from bowerbird.core.relations import RELATIONS
from bowerbird.core.types import AUDIENCES, SCOPES, STATES, TRUSTS
from bowerbird.surfaces.answer import SHAPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer questions are pages: ten thousand words took 4.8 s to look up.
LONGEST_QUESTION = 10_000
LONGEST_MEMORY = 10_000
MOST = 50
_FAR = (1 << 63) - 1

Name = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[list[Name], Field(max_length=MOST)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Id = Annotated[str, Field(pattern=r"^[0-9a-f-]{6,36}$")]
When = Annotated[int, Field(ge=-_FAR, le=_FAR)] | Annotated[str, Field(max_length=40)]
Text = Annotated[str, Field(max_length=1_000)]


class _OneOf:
    """Checks that a text is one of some names."""

    def __init__(self, names: "Iterable[str]") -> None:
        self._names = tuple(names)

    def __call__(self, value: str) -> str:
        if value not in self._names:
            raise ValueError(f"give one of {', '.join(self._names)}")
        return value


def _names(names: "Iterable[str]") -> Any:
    """The names as they stand in the document."""
    return Field(json_schema_extra={"enum": list(names)})


Audience = Annotated[str, AfterValidator(_OneOf(AUDIENCES)), _names(AUDIENCES)]
Origin = Annotated[str, AfterValidator(_OneOf(TRUST_OF)), _names(TRUST_OF)]
Phase = Annotated[str, AfterValidator(_OneOf(PHASES)), _names(PHASES)]
Priority = Annotated[str, AfterValidator(_OneOf(PRIORITIES)), _names(PRIORITIES)]
RelationKind = Annotated[str, AfterValidator(_OneOf(RELATIONS)), _names(RELATIONS)]
Scope = Annotated[str, AfterValidator(_OneOf(SCOPES)), _names(SCOPES)]
Shape = Annotated[str, AfterValidator(_OneOf(SHAPES)), _names(SHAPES)]
State = Annotated[str, AfterValidator(_OneOf(STATES)), _names(STATES)]
Trust = Annotated[str, AfterValidator(_OneOf(TRUSTS)), _names(TRUSTS)]
Question = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
_Wait = Annotated[int | float, Field(ge=0, le=25)]
_Project = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Ask(BaseModel):
    """What every request may say."""

    model_config = ConfigDict(extra="forbid", strict=True)


class InProject(Ask):
    """A request about one project and what is global."""

    project: _Project | None = Field(
        None, description="name or uid; a token for one project alone need not say it"
    )
    session: Text = Field(
        "",
        description="uses of one entry count once; what it was shown lowers the trust of what it keeps",
    )


class Anywhere(InProject):
    """A request about one project and what is global, or about all of the store."""

    all_projects: bool = Field(
        default=False, description="every project; not for a token bound to some"
    )


class Narrowed(Anywhere):
    """A request for entries, and which may be among them."""

    memories: bool = Field(default=False, description="memories alone, no passages")
    kinds: Names = Field([], description="of one of these kinds")
    tags: Names = Field([], description="with all of these tags")
    path: Text | None = Field(
        None,
        description="from files whose path in their project holds or matches this, or below this one",
    )
    since: When | None = Field(None, description="2024-03-15, 7d, 2w, or UTC milliseconds")
    until: When | None = Field(None, description="the same forms")
    states: Annotated[list[State], Field(max_length=MOST)] = ["active"]
    scopes: Annotated[list[Scope], Field(max_length=MOST)] = []
    audiences: Annotated[list[Audience], Field(max_length=MOST)] = []
    sources: Names = []
    agents: Names = []
    sessions: Names = []
    modules: Names = []
    min_trust: Trust = "low"
    min_confidence: Share = 0.0
    needs_review: bool | None = None
    exclude: Annotated[list[Id], Field(max_length=MOST)] = []
    matching: Question | None = Field(
        None, description='what holds some words and not others: redis AND "timed out" NOT stag*'
    )

    def narrowing(self) -> dict[str, Any]:
        """Those of its fields, as `Bowerbird.query` and `.list` take them."""
        given = self.model_dump(include=Narrowed.model_fields.keys() - Anywhere.model_fields.keys())
        return {"memories_only": given.pop("memories")} | given


class Query(Narrowed):
    """A question."""

    query: Question = Field(
        description="any text; no character has a special meaning unless operators count"
    )
    limit: Annotated[int, Field(ge=1, le=MOST)] | None = Field(None, description="hits at most")
    budget: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="tokens over the text of all hits; 0: no cap"
    )
    min_score: Share | None = Field(None, description="floor on the relevance of a hit")
    fast: bool = Field(default=False, description="by words alone")
    explain: bool = Field(default=False, description="with the trace: what each stage contributed")
    fuzzy: bool = Field(
        default=True, description="read misspelt words as the nearest that are known"
    )
    phase: Phase | None = Field(None, description="weigh memories for it")
    operators: bool = Field(
        default=False, description='AND, OR, NOT, brackets, "a phrase" and beginnings* count'
    )
    shape: Shape = Field("full", description="whole hits, a line each, or places alone")


class Context(Anywhere):
    """A task for which what is known is packed."""

    task: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    phase: Phase | None = None
    budget: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="tokens of text that are never exceeded"
    )
    min_trust: Trust = "normal"


class Curate(InProject):
    """Something to be kept."""

    content: Annotated[str, Field(min_length=1, max_length=LONGEST_MEMORY)] = Field(
        description="one to three sentences"
    )
    type: Name | None = Field(None, description="the kind; told by the wording without it")
    tags: Names = []
    keywords: Names = Field([], description="what it dwells on, before those that are found")
    summary: Text | None = Field(None, description="for lists; the first sentence without it")
    citation: Annotated[str, Field(max_length=40)] | None = None
    commit: Text = ""
    work_unit: Text = ""
    pinned: bool | None = Field(None, description="it does not fade, and nothing takes its place")
    verified: bool | None = Field(None, description="the user vouches for it")
    review: Text = Field("", description="why somebody should look at it")
    metadata: dict[str, Any] = {}
    payload: dict[str, Any] | None = Field(None, description="the structure that some kinds carry")
    priority: Priority | None = None
    importance: Share | None = None
    confidence: Share | None = None
    expires: When | None = Field(None, description="not believed from then on")
    files: Annotated[list[Text], Field(max_length=MOST)] = Field([], description="what it is about")
    modules: Names = []
    scope: Scope | None = None
    audience: Audience | None = None
    origin: Origin | None = Field(
        None, description="whence it came, where that is less to be believed than the caller"
    )
    tainted: bool = Field(
        default=False, description="something from outside was read before: it waits"
    )
    everywhere: bool = Field(
        default=False, alias="global", description="of no project; not with a token bound to some"
    )


class Get(Anywhere):
    """How much of one entry."""

    history: bool = Field(default=False, description="with its versions and changes")


class At(InProject):
    """A place in an indexed file, as hits name it."""

    path: Annotated[str, Field(min_length=1, max_length=1_000)] = Field(
        description="as it was indexed; its end is enough where that names one file"
    )
    line: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1


class List(Narrowed):
    """Which entries, newest first."""

    limit: Annotated[int, Field(ge=1, le=200)] = 20
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class Forget(Anywhere):
    """Which memories to take out of every search; all of them or none."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]
    reason: Text = ""


class Revert(Anywhere):
    """Which memory to take a change back of, or to bring back to a version."""

    id: Id
    to: Id | None = Field(None, description="a version; without it the last change is taken back")
    reason: Text = ""


class Link(Anywhere):
    """What one memory is to another, or to a file."""

    source: Id
    target: Annotated[str, Field(pattern=r"^([0-9a-f-]{6,36}|file:.{1,1000})$")] = Field(
        description="a memory's id, or file:PATH"
    )
    relation: RelationKind = "related_to"
    strength: Share = 1.0
    confidence: Share = 1.0


class Prune(Anywhere):
    """Which memories of a project to let go of, or only to name; global ones go with all projects."""

    dry_run: bool = Field(default=False, description="only say who would go; nothing is changed")
    threshold: Share = Field(
        THRESHOLD,
        description="effective importance below which may go what nobody touched for long",
    )


class Used(Anywhere):
    """Which entries an agent made use of."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]


class Status(Anywhere):
    """How closely to look."""

    measure: bool = Field(
        default=False, description="how much of the exact answer is found; takes seconds"
    )


class Doctor(Ask):
    """What to look at beside the usual."""

    secrets: bool = Field(default=False, description="look for secrets in every stored text")


class Reindex(Ask):
    """Nothing to say."""


class Warm(Ask):
    """How far back."""

    recent: Annotated[int, Field(ge=1, le=_FAR)] | None = Field(
        None, description="only of so many entries, those written last; without it the whole store"
    )


class Index(Ask):
    """Which folders to take in, and how long to wait for it."""

    paths: Annotated[list[Text], Field(max_length=MOST)] = Field(
        [], description="of those that the server was started with; none: all of them"
    )
    wait: _Wait = Field(25, description="seconds; then the answer is 202, and the run goes on")


class Indexed(Ask):
    """Which run."""

    run: Annotated[int, Field(ge=1, le=_FAR)] | None = Field(
        None, description="its number; without it the one under way, or the last"
    )
    wait: _Wait = Field(0, description="seconds that it may take until it is done")


class Cache(Ask):
    """Nothing to say."""


class PruneCache(Ask):
    """What to take out."""

    older_than: Annotated[str, Field(max_length=40)] | None = Field(
        description="what was not used for so long, such as 30d; null: everything"
    )
