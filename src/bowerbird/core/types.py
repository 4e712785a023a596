"""What is stored, as values: entries, projects, vectors, and the facts of entries that ranking reads.

Times are UTC milliseconds. Scores and trusts are defined where they are declared.
"""

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import FrozenRecord, Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, Self

    from bowerbird.core.details import Details

# Families of entries.
MEMORY = "memory"
PASSAGE = "passage"
# Formats of notes. Transcripts hold outputs of tools, and code is best read in its file.
MARKDOWN = "markdown"
NOTES = (MARKDOWN, "text")
# The tag of passages of code that a generator or a minifier wrote.
GENERATED = "generated"
# The kind of memory that says what a session was about.
DIGEST = "session_digest"
# Kinds that record what happened: no belief is compared with them, and they are compared with nothing.
RECORDS = frozenset({DIGEST})

# Trust of an entry, lowest first; comparisons use the order.
TRUSTS = ("low", "imported", "normal", "full")


# The first characters of an id that hold its time and its counter: enough to name one entry.
SHORT_ID = 18


def known_trust(name: str) -> str:
    """The name of a trust. Raises UnknownName with the nearest known one."""
    if name not in TRUSTS:
        raise UnknownName.among("trust", name, list(TRUSTS))
    return name


# The warning shown with every text from an untrusted source.
UNVERIFIED = "low trust: from outside, not verified"
_LABELS = {"low": UNVERIFIED, "imported": "imported: not verified"}


def label(trust: str) -> str:
    """The warning to a person or a model that a text has lower trust; empty if it has not."""
    return _LABELS.get(trust, "")


# States in which an entry can be; only `active` is searched unless another is requested.
STATES = (
    "active",
    "superseded",
    "merged",
    "compressed",
    "quarantined",
    "deprecated",
    "expired",
    "deleted",
)
# Those of what has not ended: a memory's expiry ends them.
ALIVE = ("active", "quarantined")
# That of an example, which its pattern tells.
BELOW = "compressed"
# Those of what held for a time, until its valid-to if that is known.
HELD = ("superseded", "deprecated", "expired")
# That of a forgotten memory: it keeps its rows until it is pruned, and is in no index.
FORGOTTEN = "deleted"


class ModelIdentity(FrozenRecord):
    """Who made a vector. Vectors of two identities are never compared."""

    provider: str
    name: str
    dims: int
    revision: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.name}@{self.revision} ({self.dims} dims)"


class Vector(Record):
    """An embedding: `dims` int8 values (two's complement bytes) and the length before quantising.

    `norm` is the Euclidean length of the unnormalised vector, so that neighbours can be summed:
    a window is the sum of ``norm * unit``. A text without a known token has norm 0. `words` holds a
    contextual model's vector of each content word, which only that model compares.
    """

    values: bytes
    norm: float
    words: bytes = b""


# Of what no model has read.
UNREAD = Vector(b"", 0.0)


class Project(Record):
    """A repository or a named folder. `uid` is the same on every machine where that is possible.

    `aliases` are all uids by which it is known here, `head` the commit that is checked out, and
    `cloned` the uid of what it was cloned from; a named project has none of them.
    """

    uid: str
    name: str
    root: str | None
    aliases: tuple[str, ...] = ()
    head: str = ""
    cloned: str = ""


# What belongs to no project: found from everywhere.
GLOBAL = Project(uid="", name="global", root=None)
# The placeholder for a project's name when all projects are meant.
EVERY_PROJECT = "every project"


# The audience of what is one person's own.
PERSONAL = "personal"
# Begins the uid of a project that holds what is one person's own; the person and the project follow.
_PERSONAL = PERSONAL + ":"
# Ends its name.
OWN = " (personal)"


def personal_project(person: str, project: Project) -> Project:
    """Where a person's own memories of a project are kept."""
    uid = f"{_PERSONAL}{person}:{project.uid}"
    return Project(uid, project.name + OWN, project.root)


def whose(uid: str) -> str:
    """The person whose own memories a project holds; empty: those of everybody who sees it."""
    return uid.split(":", 2)[1] if uid.startswith(_PERSONAL) else ""


def beside(uid: str) -> str:
    """The uid of the project that somebody's own memories are of; else the same."""
    return uid.split(":", 2)[2] if uid.startswith(_PERSONAL) else uid


class Contest(Record):
    """That a memory waits because others contradict it, and whether agents are told it meanwhile.

    `others` are the ids of those, `said` when the latest of them was said. `stands`: it is told; `both`:
    so is one of those.
    """

    others: tuple[str, ...]
    said: int
    stands: bool
    both: bool


def prevails(mine: tuple[str, str], theirs: tuple[str, str], *, later: bool) -> bool:
    """Whether one of two memories that contradict each other is told to agents until a person decides.

    Each side is its origin and its trust; `later`: the first was said later. A person's own words are
    told and not an agent's, of two of a person's the later, before all that is trusted less. Of two
    agents' both are, each with the remark that another one says otherwise: the later may be news, or
    what an agent was made to say. Of two that are trusted less the earlier.
    """
    own, other = _authority(*mine), _authority(*theirs)
    if own != other:
        return own > other
    return own == _AGENT or later == (own == _PERSON)


def overruled_by(entries: "Iterable[Entry]") -> set[str]:
    """The ids of memories that one of these stands against, but not beside, until a review.

    A memory of all projects is not marked for what one project says: there it is not told.
    """
    standing = {one.id: one.contest for one in entries if one.contest and one.contest.stands}
    return {id for contest in standing.values() for id in contest.others} - standing.keys()


# Whose word it is: others', an agent's, a person's own or what they confirmed.
_OTHERS, _AGENT, _PERSON = range(3)


def _authority(origin: str, trust: str) -> int:
    if TRUSTS.index(trust) < TRUSTS.index("normal"):
        return _OTHERS
    return _PERSON if origin == "user" or trust == TRUSTS[-1] else _AGENT


class Entry(Value):
    """A memory or a passage as it is in the store.

    `row` and `document` are local to the store file: 0 and None if it came from a server. `id` is the
    UUIDv7 that means the same everywhere, `source` the reader of a passage's file. `ordinal`
    counts the passages of a document from 0. `details` are fields that only a memory has; `get` and
    `list` fill them in, a hit omits them. `review` says why a person should review a memory, or is empty,
    `disputed` who disputes it, `contest` what it waits for if others contradict it, else None.
    `anchors` are what it is about: rows, until they are checked (`core.anchors`). `links` are those of a
    passage's lines, and into its document, `linked` what other memories say about the same, both only for
    a single requested entry. `valid_from` and `valid_to` are from when until when a memory says that it
    holds.
    """

    __slots__ = (
        "anchors",
        "contest",
        "context",
        "created",
        "details",
        "disputed",
        "document",
        "end_line",
        "family",
        "id",
        "importance",
        "kind",
        "linked",
        "links",
        "ordinal",
        "path",
        "pinned",
        "project",
        "review",
        "row",
        "session",
        "source",
        "speaker",
        "start_line",
        "state",
        "summary",
        "tags",
        "text",
        "trust",
        "valid_from",
        "valid_to",
    )
    TABLE = (
        ("id", "text"),
        ("family", "text"),
        ("kind", "text"),
        ("text", "text"),
        ("summary", "text"),
        ("path", "text?"),
        ("start_line", "whole?"),
        ("end_line", "whole?"),
        ("context", "text"),
        ("speaker", "text"),
        ("session", "text"),
        ("project", "text"),
        ("trust", "text"),
        ("state", "text"),
        ("tags", "texts"),
        ("importance", "score?"),
        ("created", "moment"),
        ("pinned", "flag"),
        ("review", "text"),
        ("disputed", "text-"),
        ("reader", "text-", "source"),
        ("ordinal", "whole"),
        ("anchors", ["anchor", "-"]),
        ("links", ["linking", "-"]),
        ("linked", ["linked", "-"]),
        ("", "details?", "details"),
    )

    def __init__(
        self,
        row: int,
        id: str,
        family: str,
        kind: str,
        text: str,
        project: str,
        trust: str,
        state: str,
        created: int,
        context: str = "",
        summary: str = "",
        speaker: str = "",
        document: int | None = None,
        ordinal: int = 0,
        path: str | None = None,
        source: str = "",
        session: str = "",
        start_line: int | None = None,
        end_line: int | None = None,
        tags: tuple[str, ...] = (),
        importance: float | None = None,
        pinned: bool = False,
        review: str = "",
        details: "Details | None" = None,
        anchors: "Sequence[Any]" = (),
        links: "Sequence[Any]" = (),
        linked: "Sequence[Any]" = (),
        valid_from: int | None = None,
        valid_to: int | None = None,
        disputed: str = "",
        contest: "Contest | None" = None,
    ) -> None:
        self.disputed = disputed
        self.contest = contest
        self.valid_from = valid_from
        self.valid_to = valid_to
        self.links = links
        self.linked = linked
        self.anchors = anchors
        self.row = row
        self.id = id
        self.family = family
        self.kind = kind
        self.text = text
        self.project = project
        self.trust = trust
        self.state = state
        self.created = created
        self.context = context
        self.summary = summary
        self.speaker = speaker
        self.document = document
        self.ordinal = ordinal
        self.path = path
        self.source = source
        self.session = session
        self.start_line = start_line
        self.end_line = end_line
        self.tags = tags
        self.importance = importance
        self.pinned = pinned
        self.review = review
        self.details = details

    @property
    def audience(self) -> str:
        """`personal` where the store is shared and it is one person's own; else empty."""
        return PERSONAL if whose(self.project) else ""

    @property
    def gist(self) -> str:
        """The summary; empty where it is the whole text."""
        return "" if self.summary == self.text else self.summary


# The kinds of relations between memories on the same subject.
SAME_SUBJECT = ("supersedes", "contradicts", "conflicts_with", "related_to")


class Link(Value):
    """That a row and another one say something about the same, both memories.

    `kind` is that of the relation, which leads `outward` from the row or to it; `automatic` says that
    admission drew it. `cosine` is that of the two by the embedder, `understood` by the contextual model,
    None where one has not read both. `said` and `other_said` are when each came to
    say what it says (UTC milliseconds).
    """

    __slots__ = (
        "automatic",
        "cosine",
        "kind",
        "other",
        "other_said",
        "outward",
        "row",
        "said",
        "understood",
    )

    def __init__(
        self,
        row: int,
        other: int,
        kind: str,
        outward: bool,
        automatic: bool,
        cosine: float | None,
        understood: float | None,
        said: int,
        other_said: int,
    ) -> None:
        self.row = row
        self.other = other
        self.kind = kind
        self.outward = bool(outward)
        self.automatic = bool(automatic)
        self.cosine = cosine
        self.understood = understood
        self.said = said
        self.other_said = other_said


class Facts(Record):
    """The facts about entries that ranking reads, in columns by row; a deleted row is in none of them.

    `documents` has None for a memory, `created` is when it was said or written (UTC milliseconds).
    `speakers`, `lengths` (in characters) and `asks`, the rows that end by asking, have only what somebody
    said.
    """

    documents: "Mapping[int, int | None]"
    speakers: "Mapping[int, str]"
    lengths: "Mapping[int, int]"
    created: "Mapping[int, int]"
    asks: "Collection[int]"

    def joined(self, other: "Self") -> "Self":
        """These facts and those about other rows."""
        return self.replace(
            documents={**self.documents, **other.documents},
            speakers={**self.speakers, **other.speakers},
            lengths={**self.lengths, **other.lengths},
            created={**self.created, **other.created},
            asks={*self.asks, *other.asks},
        )
