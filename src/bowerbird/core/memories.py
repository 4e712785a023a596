"""The values of admission: what is stored, and what it decided about a draft.

Times are UTC milliseconds.
"""

from bowerbird.core.life import AUDIENCES, FIRST_DECAY_RATE, SCOPES
from bowerbird.core.value import NAME, TEXT, Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self

# Characters of a citation beside the id, so that several fit into a line of prose.
LONGEST_CITATION = 40
# Days; a century is the same as no fading.
LONGEST_HALF_LIFE = 36_500
# Key prefix under which a store counts comparisons that failed, by the class of the error.
UNCOMPARED = "uncompared:"
# What stands for every project where a memory is kept quiet.
EVERYWHERE = "*"


PRIORITIES = ("low", "normal", "high", "critical")


class Declared:
    """The declaration of a memory's field.

    `default` is that of drafts that do not give it, and of older versions, which lack it. `shape` is that
    of answers (core.value); empty if they leave it out. `given` describes it as callers give it, by the
    arguments of `surfaces.fields.Field`; None: only admission sets it.
    """

    __slots__ = ("default", "given", "shape")

    def __init__(self, default: "Any", shape: str, given: "dict[str, Any] | None") -> None:
        self.default = default
        self.shape = shape
        self.given = given


def field(shape: str, meaning: str = "", *, default: "Any" = None, **given: "Any") -> "Any":
    """Declares a field that callers may give; `meaning` explains it to them."""
    given["meaning"] = meaning
    return Declared(default, shape, given)


def internal(shape: str, default: "Any") -> "Any":
    """Declares a field that only admission sets."""
    return Declared(default, shape, None)


class Declaring(Value):  # noqa: PLW1641 what may change is no key
    """A value whose fields are said once, in its class; each has a default.

    `DECLARED` has those that are declared by `field` and `internal`, `USUAL` the defaults of all.
    """

    DECLARED: "ClassVar[dict[str, Declared]]" = {}  # noqa: RUF012 each class has its own
    USUAL: "ClassVar[dict[str, Any]]" = {}  # noqa: RUF012 the same

    def __init_subclass__(cls) -> None:
        declared, usual = dict(cls.DECLARED), dict(cls.USUAL)
        for name in cls.__annotations__:
            found = cls.__dict__[name]
            if found.__class__ is Declared:
                declared[name], found = found, found.default
            usual[name] = found
        cls.DECLARED, cls.USUAL, cls.__slots__ = declared, usual, tuple(usual)

    def __init__(self, **fields: "Any") -> None:
        """Raises TypeError for a field that is not there."""
        own = {**self.USUAL, **fields}
        if len(own) != len(self.USUAL):
            unknown = ", ".join(fields.keys() - self.USUAL.keys())
            raise TypeError(f"{type(self).__name__} has no field {unknown}")
        self.__dict__ = own

    # As of any value, by whole dictionaries at once.

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    def replace(self, **changes: "Any") -> "Self":
        """A copy with some fields changed. Raises TypeError for a field that is not there."""
        return type(self)(**{**vars(self), **changes})

    def raw_dict(self) -> "dict[str, Any]":
        """The fields unchanged, in the order of declaration."""
        return dict(vars(self))


class Plain(Declaring):
    """The fields that a version keeps as the draft gave them, cleaned.

    A field that is declared here, and named in `core.draft.About` for type checkers, is complete: every
    interface takes it, it is redacted and stored, added to a memory that is stated again, shown in
    answers, and `fields` filters by it. Its shape is text, texts, number?, flag or data?; the default of
    the last three is None.
    """

    files: "tuple[str, ...]" = field(
        "texts",
        "files it is about",
        default=(),
        low=None,
        high=TEXT,
        option=("--file", "--files"),
        metavar="PATH",
        whole=True,
    )
    modules: "tuple[str, ...]" = field(
        "texts", "modules it is about", default=(), option=("--module", "--modules"), metavar="NAME"
    )
    commit: str = field("text", "the commit it comes from", default="", metavar="HASH")
    work_unit: str = field("text", "the ticket or task it comes from", default="", metavar="NAME")
    methodology: str = field(
        "text", "the methodology of work that it was stored in", default="", metavar="NAME"
    )
    quiet_in: "tuple[str, ...]" = field(
        "texts",
        "projects in which hooks do not tell it, * for all: it answers only who asks",
        default=(),
        metavar="PROJECT",
        interfaces=("typed", "http"),
    )
    key: str = field(
        "text",
        "your own name for it: the same key again replaces its text and fields",
        default="",
        metavar="KEY",
    )


class Fields(Plain):
    """The fields of a version beside its text, which a revert restores.

    Those of `core.draft.Draft`, filled in. `half_life` is in days, 0 for never; None, in older versions,
    leaves it unchanged. `valid_from` is since when it holds, None: since it was said, and before a day to
    come it is not found; `valid_to` when it ended or will end, None: when its state says so.
    `author` is the member of the team who said it; empty: the owner of the store, or an agent of theirs;
    `disputed` who disputes it, while that is open.
    `anchors` are the stored anchors (`core.anchors`). `moved` are the uids of the projects that it was
    in, one after the other, up to the present one; empty: it was not moved. `review` says
    why a person should review it; empty if there is no need.
    """

    kind: str = field(
        "text",
        "the kind; default: derived from the wording",
        high=NAME,
        option=("--kind", "--type"),
        metavar="KIND",
        wire="type",
        low=1,
    )
    state: str = internal("text", "active")
    tags: "tuple[str, ...]" = field(
        "texts", "words to find it by", default=(), option=("--tags", "--tag"), metavar="TAGS"
    )
    keywords: "tuple[str, ...]" = field(
        "texts", "keywords, whether in the text or not", default=(), metavar="WORDS"
    )
    summary: str = field(
        "text", "for lists; default: the first sentence", default="", metavar="TEXT"
    )
    citation: str = field(
        "text",
        "label for citations, 40 characters at most",
        default="",
        high=LONGEST_CITATION,
        metavar="TEXT",
    )
    priority: str = field("text", default="", choices=PRIORITIES, metavar="P")
    confidence: float = field(
        "number", "confidence, 0 to 1", default=1.0, low=0.0, high=1.0, metavar="X"
    )
    half_life: "float | None" = field(
        "number?",
        "days without use after which confidence halves; 0: never",
        low=0.0,
        high=float(LONGEST_HALF_LIFE),
        metavar="DAYS",
    )
    expires: "int | None" = field(
        "moment?", "expires then: 2027-01-31, 12h, 30d, 2w, 3mo", metavar="WHEN"
    )
    valid_from: "int | None" = field(
        "moment?",
        "it holds from then on: 2024-03-15, 3mo; default: as its text says, else since it was said",
        metavar="WHEN",
    )
    valid_to: "int | None" = internal("moment?", None)
    scope: str = field("text", default="global", choices=SCOPES, metavar="SCOPE")
    audience: str = field("text", default=AUDIENCES[0], choices=AUDIENCES, metavar="WHO")
    payload: "dict[str, Any] | None" = field(
        "data?", "the payload of some kinds", metavar="K=V|JSON"
    )
    metadata: "dict[str, Any]" = field("data", "anything else, stored unchanged", metavar="K=V")
    pinned: bool = field("flag", "never fades, and is never replaced automatically", default=False)
    verified: bool = field(
        "flag", "the user confirmed it: it needs no review (user only)", default=False
    )
    review: str = field("text", "why it needs a review", default="", interfaces=("http",))
    needs_review: bool = internal("flag", default=False)
    author: str = internal("text-", "")
    disputed: str = internal("text-", "")
    anchors: "tuple[tuple[Any, ...], ...]" = internal("", ())
    moved: "tuple[str, ...]" = internal("", ())

    def __init__(self, **fields: "Any") -> None:
        super().__init__(**fields)
        own = self.__dict__
        for name in _LISTS:
            own[name] = tuple(own[name])
        own["tags"] = tuple(sorted(self.tags))
        own["anchors"] = tuple(map(tuple, self.anchors))
        own["moved"] = tuple(self.moved)
        own["metadata"] = self.metadata or {}


_LISTS = tuple(name for name, one in Fields.DECLARED.items() if one.shape == "texts")
# By name, and the half-life behind the others.
Fields.TABLE = tuple(
    (name, one.shape)
    for name, one in sorted(
        Fields.DECLARED.items(), key=lambda row: (row[0] == "half_life", row[0])
    )
    if one.shape
)


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
    itself that the older one is over; `opposed`: that not both can hold. `of_one_sort`: the cosine of
    the few words in which they differ, by what sort of thing these name; 1 if more than a few differ.
    """

    __slots__ = ("announced", "changed", "happened", "near", "new", "of_one_sort", "old", "opposed")

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
        of_one_sort: float = 1.0,
    ) -> None:
        self.old, self.new, self.near = old, new, near
        self.changed, self.happened = changed, happened
        self.announced, self.opposed = announced, opposed
        self.of_one_sort = of_one_sort


class Pair(Record):
    """A stored memory's text and a new one's, with their kinds and what the models know of the two.

    `alignment` is their word alignment, None if it was not computed; `near` the cosine by which the
    contextual model found the stored one, 0 if it did not embed both. `nearest`: no other memory is
    nearer to the new text.
    """

    old: str
    new: str
    old_kind: str
    new_kind: str
    alignment: "Alignment | None" = None
    near: float = 0.0
    nearest: bool = True


class Verdict(Record):
    """The relation of a new text to a stored one, and the reason.

    `relation` is same, covers (the stored text contains the new one), extends (the new one contains the
    stored text), supersedes (the stored one is over), contradicts, or empty if undecided. `clear`: they
    differ only in a value, so that the newer one may win.
    """

    relation: str
    reason: str
    clear: bool = False


UNDECIDED = Verdict("", "")


class Match(Record):
    """A memory that a draft was compared with: its relation to the draft, and why.

    `relation` is same, covers, supersedes, contradicts or related_to; `similarity` the cosine of the
    two, which selects candidates but decides nothing; `trust` is that of the known memory.
    """

    TABLE = (
        ("id", "text"),
        ("reason", "text"),
        ("relation", "text"),
        ("similarity", "score"),
        ("summary", "text"),
        ("trust", "text"),
    )

    id: str
    relation: str
    reason: str
    summary: str
    similarity: float
    trust: str = "normal"


class Decision(Record):
    """The result of admission.

    `decision` is created, known (the memory existed already), superseded (it replaced an older one) or
    quarantined (it awaits review). `reason` says why, `kind_reason` why this kind; `redacted` names the
    kinds of removed secrets; `changed` what a known memory gained by being written again; `review` why a
    person should look at it; `expires` until when it is valid; `note` what lowered its trust, and how a
    person can raise it; `new_project` the project that was created for it, because the store did not know
    the given name. With `dry_run` nothing was stored: what would be a new memory has no id.
    """

    id: str
    decision: str
    kind: str
    summary: str
    reason: str
    kind_reason: str = ""
    matched: tuple[Match, ...] = ()
    redacted: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    importance: float = 0.0
    trust: str = "normal"
    state: str = "active"
    needs_review: bool = False
    changed: tuple[str, ...] = ()
    review: str = ""
    expires: int | None = None
    note: str = ""
    new_project: str = ""
    took_ms: float = 0.0
    dry_run: bool = False
    TABLE = (
        ("id", "text"),
        ("summary", "text"),
        ("kind", "text"),
        ("kind_reason", "text"),
        ("decision", "text"),
        ("is_update", "flag"),
        ("reason", "text"),
        ("note", "text"),
        ("matched", [Match]),
        ("redacted", "texts"),
        ("changed", "texts"),
        ("tags", "texts"),
        ("keywords", "texts"),
        ("importance", "number"),
        ("trust", "text"),
        ("state", "text"),
        ("needs_review", "flag"),
        ("review", "text"),
        ("expires", "moment?"),
        ("took_ms", "ms"),
        ("new_project", "text-"),
        ("dry_run", "flag"),
    )

    @property
    def is_update(self) -> bool:
        """Whether the memory existed already."""
        return self.decision in {"known", "superseded", "updated"}
