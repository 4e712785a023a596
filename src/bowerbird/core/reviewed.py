"""Memories that await review, or the decisions on them."""

import re

from bowerbird.core.answers import Entries
from bowerbird.core.types import ALIVE
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.learned import Evidence
    from bowerbird.core.types import Entry

# A run of characters as a row of a table.
SPAN: "Any" = (("from", "whole", lambda span: span[0]), ("to", "whole", lambda span: span[1]))


# What a reason quotes of two texts.
_QUOTED = re.compile("“([^”]*)”")
_WORD = re.compile(r"\w+")
# The reason of a rejection for which none was given.
REJECTED = "rejected in review"
# The confidence that a confirmation gives at least.
CONFIRMED = 0.9


def worth_of(metadata: "Any", confidence: float) -> float:
    """How much a memory that waits is worth reading: a lesson's worth, else its confidence."""
    learned = metadata.get("learned") if isinstance(metadata, dict) else None
    noted = learned.get("worth") if isinstance(learned, dict) else None
    return float(noted) if isinstance(noted, (int, float)) else confidence


class Effect(Record):
    """What a verdict on a memory that waits does.

    `code` is one of: keeps (it holds, and waits no more), retires (the same, and the other one is
    superseded by it), pinned (it holds, and the other one, being pinned, waits), releases (it leaves
    quarantine), forgets, holds_back (it is kept, and agents do not get it unasked). `confidence` is the
    memory's afterwards, None if that does not change.
    """

    verdict: str
    code: str
    says: str
    confidence: float | None = None
    TABLE = ("*", ("confidence", "share?"))


class Case(Record):
    """A memory that waits for review, and why, as data.

    `code` is one of: contradicts, disputed (by somebody of the team), held (back by a verdict), flagged,
    unverified (it rests on text of others), learned (by a rule, from a session), asked. `says` is the
    same in words. `other` is the one that it contradicts;
    `differs` and `other_differs` are then the runs of words, as positions of characters, that only one of
    the two texts has. `also` are the ids of further memories that its confirmation retires, too.
    `postponed`: a person left it for later.
    """

    entry: "Entry"
    code: str
    says: str
    effects: tuple[Effect, ...]
    other: "Entry | None" = None
    differs: "tuple[tuple[int, int], ...]" = ()
    other_differs: "tuple[tuple[int, int], ...]" = ()
    evidence: "Evidence | None" = None
    also: tuple[str, ...] = ()
    postponed: bool = False
    TABLE = (
        "*",
        ("entry", "entry"),
        ("other", "entry?"),
        ("differs", [SPAN]),
        ("other_differs", [SPAN]),
        ("evidence", "evidence?"),
    )


class Waiting(Record):
    """Memories that wait, the worthiest first, then those left for later; `total` counts all."""

    cases: tuple[Case, ...] = ()
    total: int = 0
    TABLE = ("*",)


class Settled(Record):
    """A memory that waited until another statement settled its contradiction, without a verdict.

    `by` is that statement, `by_summary` its words; `state` is the memory's own by now. Reverting
    the change
    of `by` lets it wait again.
    """

    id: str
    summary: str
    state: str
    by: str
    by_summary: str
    at: int
    reason: str
    trust: str = "normal"
    TABLE = ("*", ("at", "moment"))


class LeftBehind(Record):
    """What else a memory said that ended when another was confirmed, which says nothing of it."""

    id: str
    text: str
    TABLE = ("*",)


class Reviewed(Record):
    """Memories that await review or were reviewed, with the number of each verdict.

    `settled` are those that lately ceased to wait because of another statement. `left` counts those
    that were skipped and still wait, `more` those that wait beyond the listed ones. `replaced` are those
    that a rejected one had replaced, by id: nothing holds in their place. `left_behind` is what else
    those said that the confirmed ones replace. `level` is the confidence required for unasked
    injection in this project, and why (agent.levels.LevelState).
    """

    entries: Entries
    level: "dict[str, Any]"
    verdicts: "dict[str, int]"
    left: int = 0
    more: int = 0
    settled: "tuple[Settled, ...]" = ()
    replaced: tuple[str, ...] = ()
    left_behind: tuple[LeftBehind, ...] = ()
    TABLE = (
        ("entries", ["entry"]),
        ("count", "whole"),
        ("verdicts", "counts"),
        ("left", "whole"),
        ("more", "whole"),
        ("settled", [Settled]),
        ("replaced", "texts"),
        ("left_behind", [LeftBehind]),
        ("level", "data"),
    )

    @property
    def count(self) -> int:
        """The number of memories."""
        return len(self.entries)


def quotes(reason: str, *texts: str) -> bool:
    """Whether all that a reason quotes is in these texts still: one may have been edited since."""
    said = {word for text in texts for word in _WORD.findall(text.casefold())}
    return all(said.issuperset(_WORD.findall(one.casefold())) for one in _QUOTED.findall(reason))


def waits(entry: "Entry") -> bool:
    """Return whether a memory awaits review."""
    return entry.state in ALIVE and (entry.state != "active" or bool(entry.review))
