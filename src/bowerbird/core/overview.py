"""What a person looks at to judge a memory as a whole: counts, coverage, fading, its score, its changes.

Times are UTC milliseconds, shares are 0 to 1.
"""

from bowerbird.core.value import Record
from bowerbird.core.ways import Leg, Point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Facets(Record):
    """How many entries pass a filter, by what they could be narrowed by.

    `modules` and `kinds` are the most frequent ones. What could not be counted within the time limit is
    named in `slow`, and is empty.
    """

    total: int
    kinds: dict[str, int]
    states: dict[str, int]
    trusts: dict[str, int]
    modules: dict[str, int]
    needs_review: int
    slow: tuple[str, ...] = ()
    TABLE = ("*",)


class Covered(Record):
    """One module of a project: its files, how many of them a memory is about, and its memories.

    A module is the folder of a file, two levels deep, or a name that memories give. `tied` counts the
    memories about each of its files, `stale` those of them whose files changed. `sessions` worked on
    it, the last at `worked`, 0 if none did. `reviewed` counts the memories that a person typed or
    confirmed.
    """

    name: str
    kinds: dict[str, int]
    files: int = 0
    covered: int = 0
    without: tuple[str, ...] = ()
    waiting: int = 0
    reviewed: int = 0
    tied: int = 0
    stale: int = 0
    sessions: int = 0
    worked: int = 0
    TABLE = (
        ("name", "text"),
        ("files", "whole"),
        ("covered", "whole"),
        ("without", "texts"),
        ("kinds", "counts"),
        ("waiting", "whole"),
        ("reviewed", "whole"),
        ("tied", "whole"),
        ("stale", "whole"),
        ("sessions", "whole"),
        ("worked", "moment?", lambda one: one.worked or None),
    )


class Modules(Record):
    """The modules of a project, the ones worked on most first; `more` were left out."""

    modules: tuple[Covered, ...] = ()
    more: int = 0
    TABLE = ("*",)


class Part(Record):
    """One part of the score: `good` of `all`; `share` is None if there are too few to judge by."""

    name: str
    weight: float
    good: int
    all: int
    share: float | None
    TABLE = ("*", ("share", "number?"))


class Score(Record):
    """The score of a memory, 0 to 100, with the formula that gives it.

    `score` is None as long as there is too little to judge by: `early` then says what is missing.
    `problem` stops the memory from working, and replaces the score. `before` is the score of a week ago.
    `active` were used in the last 30 days, `saved` are tokens by `saved_formula`. `oldest` is the age in
    days of what waits longest. `disputes` are the ids of what is disputed. `level` is that of
    `bower review`.
    """

    score: int | None
    formula: str
    parts: tuple[Part, ...]
    level: "dict[str, Any]"
    early: str = ""
    problem: str = ""
    before: int | None = None
    total: int = 0
    active: int = 0
    waiting: int = 0
    oldest: int = 0
    stale: int = 0
    disputes: tuple[str, ...] = ()
    saved: int = 0
    saved_formula: str = ""
    TABLE = (
        ("score", "whole?"),
        ("formula", "text"),
        ("parts", [Part]),
        ("early", "text"),
        ("problem", "text"),
        ("before", "whole?"),
        ("total", "whole"),
        ("active", "whole"),
        ("waiting", "whole"),
        ("oldest", "whole"),
        ("stale", "whole"),
        ("disputed", "whole", lambda one: len(one.disputes)),
        ("disputes", "texts"),
        ("saved", "whole"),
        ("saved_formula", "text"),
        ("level", "data"),
    )


class Done(Record):
    """One change of a memory, with its kind of today and what it said then; empty if it is gone.

    A link names its `relation` and the `other` memory, or a file; both are empty elsewhere.
    """

    seq: int
    at: int
    action: str
    actor: str
    reason: str
    entry: str
    operation: str
    kind: str = ""
    summary: str = ""
    trust: str = ""
    relation: str = ""
    other: str = ""
    TABLE = ("*", ("at", "moment"), ("relation", "text-"), ("other", "text-"))


class Activity(Record):
    """Changes of memories, the newest first; `next` continues the list, 0 at its end."""

    events: tuple[Done, ...] = ()
    next: int = 0
    TABLE = ("*",)


class Around(Record):
    """A memory and what it hangs together with, step by step; `total` counts those beyond the limit too.

    `places` are the positions of the points in a picture, from 0 to 1.
    """

    start: str
    depth: int
    points: tuple[Point, ...] = ()
    legs: tuple[Leg, ...] = ()
    total: int = 0
    places: tuple[tuple[float, float], ...] = ()
    TABLE = (
        "*",
        ("places", [(("x", "share", lambda one: one[0]), ("y", "share", lambda one: one[1]))]),
    )


class Pulse(Record):
    """What a server watches: the number of the last change, and counts of the project it looks at.

    `projects` has uid, name and memories of each project that holds any.
    """

    change: int
    memories: int = 0
    waiting: int = 0
    projects: "tuple[tuple[str, str, int], ...]" = ()


class FadingKind(Record):
    """How many memories of a kind halve their confidence in so many days without use."""

    kind: str
    half_life: float
    memories: int
    TABLE = ("*",)


class FadingMemory(Record):
    """A memory that will be pruned if it stays unused: the first day, in UTC milliseconds, and why."""

    id: str
    kind: str
    summary: str
    at: int
    why: str
    TABLE = ("*", ("at", "moment"))


# Days ahead in which it is counted what goes.
SOON = 30


class Faded(Record):
    """How sure memories still are: counts by tenth of current confidence, and what goes next.

    `kinds` are those that lose confidence, `leaving` the next memories to be pruned, the first first;
    `soon` are to go within SOON days, or `more` than that: no more than some thousands are looked at.
    """

    tenths: tuple[int, ...]
    kinds: tuple[FadingKind, ...] = ()
    leaving: tuple[FadingMemory, ...] = ()
    soon: int = 0
    more: bool = False
    TABLE = ("*", ("tenths", ["whole"]))


class Flagged(Record):
    """A memory that was called wrong: it waits for review now.

    `flags` counts those called wrong in the same session; `back` offers a more cautious level.
    """

    id: str
    review: str
    session: str
    flags: int
    back: bool
    level: int
    TABLE = ("*",)
