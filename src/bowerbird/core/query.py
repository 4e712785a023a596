"""A query with all its filters, as one frozen value.

Times are UTC milliseconds.
"""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.value import Advice, Do, Frozen, FrozenRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.operators import Matching
    from bowerbird.core.phases import Phase

# Maximum characters of a query: a book. Anything longer is not a query, and would take minutes to read.
MOST_CHARS = 1_000_000

# The orders of hits.
ORDERS = ("relevance", "recency")

# BM25 weights of an entry's text, context, path and tags.
FIELD_WEIGHTS = (1.0, 1.0, 0.5, 1.0)
# Confidence that an unresolved name in code means the definition that a query names: there may be others
# of that name.
BY_NAME = 0.3

_ASK = Advice("ask in words: ", Do("query", "'why is it red?'"))


def question(text: object, what: str = "question", remedy: str = _ASK) -> str:
    """The query text. Raises BadInput if it is not a text, is empty, or is too long."""
    if isinstance(text, str) and len(text) > MOST_CHARS:
        raise BadInput(
            f"the {what} has {len(text):,} characters; {MOST_CHARS:,} are read",
            "ask with the part that matters",
        )
    if isinstance(text, str) and text.strip():
        return text
    why = "empty" if isinstance(text, str) else f"a {type(text).__name__}, not a text"
    raise BadInput(f"the {what} is {why}", remedy)


def known_order(name: str) -> str:
    """One of ORDERS. Raises UnknownName."""
    if name not in ORDERS:
        raise UnknownName.among("order", name, [*ORDERS])
    return name


def several(what: str, given: object) -> tuple[str, ...]:
    """A list of texts: a single string is one text, not a sequence of letters. Raises BadInput."""
    if given is None or isinstance(given, str):
        return () if given is None else (given,)
    if isinstance(given, (list, tuple, set, frozenset)) and all(
        isinstance(one, str) for one in given
    ):
        return tuple(given)
    raise BadInput(f"{what} cannot be {given!r}", f"give {what} as texts, such as ['auth', 'ci']")


class Then(FrozenRecord):
    """What is otherwise today than at the moment of a filter, by row.

    Memories that were in another project by then, and those of them that were in the filter's; memories
    that were worded otherwise, and those of them that matched its operators.
    """

    elsewhere: tuple[int, ...] = ()
    here: tuple[int, ...] = ()
    reworded: tuple[int, ...] = ()
    matched: tuple[int, ...] = ()


AS_TODAY = Then()


class Filter(Frozen):
    """Which entries can be candidates at all; every field restricts them, None and () do not.

    Entries that expired before `now` are excluded; None ignores expiry. The state `expired` also admits
    entries that have expired but are not in that state yet. `fields` are names of
    fields that memories have, each with the values of which they have one. `as_of` (UTC milliseconds)
    selects the memories that held then, in one of the states at that time; `now` is that moment, too, and
    `then` says what is otherwise since.
    `coming` also admits what holds from a later day only, which `now` excludes otherwise.
    `waiting` leaves what review asks about, of two memories that
    contradict each other the newer, as they are one decision.
    """

    __slots__ = (
        "agents",
        "as_of",
        "coming",
        "exclude",
        "families",
        "fields",
        "kinds",
        "matching",
        "min_confidence",
        "min_trust",
        "modules",
        "needs_review",
        "now",
        "path",
        "projects",
        "sessions",
        "since",
        "sources",
        "states",
        "tags",
        "then",
        "until",
        "waiting",
    )

    def __init__(
        self,
        projects: tuple[str, ...] | None = None,
        families: tuple[str, ...] = (),
        kinds: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        states: tuple[str, ...] = ("active",),
        min_trust: str = "low",
        path: str | None = None,
        since: int | None = None,
        until: int | None = None,
        now: int | None = None,
        fields: "tuple[tuple[str, tuple[str, ...]], ...]" = (),
        sources: tuple[str, ...] = (),
        agents: tuple[str, ...] = (),
        sessions: tuple[str, ...] = (),
        modules: tuple[str, ...] = (),
        min_confidence: float = 0.0,
        needs_review: bool | None = None,
        exclude: tuple[str, ...] = (),
        matching: "Matching | None" = None,
        as_of: int | None = None,
        waiting: bool = False,
        coming: bool = False,
        then: Then = AS_TODAY,
    ) -> None:
        self.as_of = as_of
        self.then = then
        self.coming = coming
        self.projects = None if projects is None else tuple(projects)
        self.families = tuple(families)
        self.kinds = tuple(kinds)
        self.tags = tuple(tags)
        self.states = tuple(states)
        self.min_trust = min_trust
        self.path = path
        self.since = since
        self.until = until
        self.now = now
        self.fields = tuple(fields)
        self.sources = tuple(sources)
        self.agents = tuple(agents)
        self.sessions = tuple(sessions)
        self.modules = tuple(modules)
        self.min_confidence = min_confidence
        self.needs_review = needs_review
        self.exclude = tuple(exclude)
        self.matching = matching
        self.waiting = waiting


class Query(FrozenRecord):
    """One question with everything that shapes its answer.

    `budget` is a cap in tokens over the text of all hits, `min_score` a floor on relevance, `fast`
    searches by words alone, `explain` keeps each hit's contributions, `fuzzy` reads misspelt words
    (None), also others that are unknown (True), or none (False),
    `weak` keeps weak hits beside better ones, `phase` weighs memories for that part of the work,
    `sort` is one of ORDERS, `depth` multiplies the number of candidates,
    `without` leaves out stages (core.trace), `expand` also asks in the words of a language model.
    """

    text: str
    limit: int = 10
    budget: int | None = None
    filter: Filter = Filter()
    min_score: float = 0.0
    fast: bool = False
    explain: bool = False
    fuzzy: bool | None = None
    phase: "Phase | None" = None
    depth: float = 1.0
    without: tuple[str, ...] = ()
    weak: bool = True
    sort: str = ORDERS[0]
    expand: bool = False

    def candidates(self, at_all: int, for_a_hit: int = 0) -> int:
        """The number of candidates: a base for every question plus a number per requested hit."""
        return round(self.depth * (at_all + for_a_hit * self.limit))
