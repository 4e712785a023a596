"""Work units: the state that was recorded for one, and what happens to it when it ends."""

from bowerbird.core.query import Filter
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.lookup import Lookup
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.methodologies import methodology_or_native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.core.draft import About
    from bowerbird.core.memories import Decision
    from bowerbird.core.methodologies import Methodology
    from bowerbird.core.types import Entry

# The kinds that record the state of a work unit and its outcome.
STATE = "work_state"
OUTCOME = "work_unit_outcome"
# Memories read at a time while those of a work unit are searched.
_LISTED = 200
# The separator before a part of a work unit: `spec-42/3` is a part of `spec-42`.
_PART = "/"


def left_on(lookup: "Lookup", filter: Filter, unit: str, kinds: tuple[str, ...]) -> "list[Entry]":
    """Memories of a work unit, of its parts and of the units that contain it, newest first.

    Of the given kinds, or of any if empty.
    """
    own = filter.replace(kinds=kinds or filter.kinds, families=(MEMORY,))
    return [one for one in _listed(lookup, own) if _about(one, unit) or _above(one, unit)]


class Settling(Verbs):
    """Applies the consequences of a recorded state or outcome of a work unit."""

    def settle(
        self,
        done: "Decision",
        unit: str,
        keep: "Callable[..., object]",
        forget: "Callable[..., object]",
    ) -> "Decision":
        """Forgets older states of the work unit and its parts.

        After an outcome the methodology may store more; if that fails, the answer says so.
        """
        lookup = Lookup(self._opened.reader(), self._reach.bounds, self._acting.show)
        filter = Filter(projects=self._reach.changed, kinds=(STATE,), families=(MEMORY,))
        old = [
            one.id
            for one in _listed(lookup, filter)
            if _about(one, unit) and not one.pinned and one.id != done.id
        ]
        if old:
            ended = done.kind == OUTCOME
            why = f"the work on {unit} has ended" if ended else f"{unit} has moved since"
            forget(old, why, "")
        if done.kind != OUTCOME:
            return done
        way = methodology_or_native(self._config)
        try:
            for text, about in _following(way, unit, lookup.get(done.id).text):
                keep(text, about, everywhere=False)
        except Exception as error:  # noqa: BLE001 it is somebody else's code
            return done.replace(note=f"what {way.name} does at the end of work failed: {error}")
        return done


def _following(way: "Methodology", unit: str, outcome: str) -> "Iterator[tuple[str, About]]":
    """What a methodology stores after an outcome; nothing for states."""
    for text, kind in way.ended(unit, outcome) if way.ended is not None else ():
        if kind not in (STATE, OUTCOME):
            yield text, {"kind": kind, "work_unit": unit}


def _listed(lookup: "Lookup", filter: Filter) -> "Iterator[Entry]":
    """All entries that match, newest first, read in batches."""
    offset = 0
    while page := lookup.list(filter, _LISTED, offset):
        yield from page
        offset += len(page)


def _about(entry: "Entry", unit: str) -> bool:
    own = _unit(entry)
    return own == unit or own.startswith(unit + _PART)


def _above(entry: "Entry", unit: str) -> bool:
    own = _unit(entry)
    return bool(own) and unit.startswith(own + _PART)


def _unit(entry: "Entry") -> str:
    return entry.details.fields.work_unit if entry.details is not None else ""
