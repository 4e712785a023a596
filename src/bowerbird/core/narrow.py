"""Validates the filters of a search or a list as callers give them, and converts them to a Filter."""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.ids import id_prefix
from bowerbird.core.life import AUDIENCES, DAY, SCOPES
from bowerbird.core.operators import matching
from bowerbird.core.path_text import as_text
from bowerbird.core.query import question, several
from bowerbird.core.text import normal_tags
from bowerbird.core.types import ALIVE, MEMORY, STATES, known_trust
from bowerbird.core.when import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike
    from typing import Any, TypedDict

    from bowerbird.core.query import Filter

    class Narrowing(TypedDict, total=False):
        """The filters of `Bowerbird.query` and `.list`; an omitted filter matches everything.

        kinds, states, scopes, audiences, sources, agents, sessions: with one of the given. States are
        any of core.types.STATES, active by default; `expired` includes what is past its day.
        tags, modules: with all of the given.
        fields: memories with this value of a field, as name=value; of several of one name, with one.
        path: passages of files whose path holds this text or matches this pattern, from their project's
        own folder on, or which are or lie below this absolute path; memories by their files.
        since, until: what was said then: UTC milliseconds, or 7d, 2w, 2024-03-15.
        as_of: what held at that moment, or by the end of that day, in the words of then; same forms.
        min_trust: one of core.types.TRUSTS.
        min_confidence: memories at least so sure, 0 to 1.
        needs_review: only memories that await review, or only others.
        waiting: only what review asks about: as needs_review, in quarantine or not, but of two memories
        that contradict each other the newer.
        exclude: not these; each is an id or an id prefix.
        memories_only: no passages.
        coming: also what holds from a later day only, as it is by default; it is told as that.
        matching: what holds some words and not others: redis AND (timeout OR "timed out") NOT stag*
        """

        kinds: Sequence[str]
        tags: Sequence[str]
        path: str | PathLike[str] | None
        since: int | str | None
        until: int | str | None
        as_of: int | str | None
        states: Sequence[str]
        scopes: Sequence[str]
        audiences: Sequence[str]
        sources: Sequence[str]
        agents: Sequence[str]
        sessions: Sequence[str]
        modules: Sequence[str]
        fields: Sequence[str]
        min_trust: str
        min_confidence: float
        needs_review: bool | None
        waiting: bool
        exclude: Sequence[str]
        memories_only: bool
        coming: bool
        matching: str | None


_KNOWN = {"states": STATES, "scopes": SCOPES, "audiences": AUDIENCES}
# Arguments with the values of one stored field.
_OF_FIELDS = {"scopes": "scope", "audiences": "audience"}
_NAMES = frozenset(("kinds", "sources", "agents", "sessions", "modules", *_KNOWN))
# The latest time that a store can hold.
_LAST = (1 << 63) - 1


def narrowed(filter: "Filter", by: "Narrowing", now: int) -> "Filter":
    """Adds conditions to a filter; ages are relative to `now`, in UTC milliseconds.

    `by` may contain known conditions only: see `require_known`. Raises BadInput and UnknownName.
    """
    read = dict(_read(name, given, now) for name, given in by.items())
    stored = dict(read.get("fields", ()))
    for name in _OF_FIELDS.keys() & read.keys():
        if values := read.pop(name):
            stored[_OF_FIELDS[name]] = (*stored.get(_OF_FIELDS[name], ()), *values)
    if stored:
        read["fields"] = (*stored.items(),)
    if read.get("as_of") is not None:
        # What expired since then had not.
        read["now"] = read["as_of"]
    if read.get("waiting"):
        read.setdefault("states", ALIVE)
    found = filter.replace(**read)
    if found.since is not None and found.until is not None and found.since > found.until:
        raise BadInput("since lies after until", "give an earlier since, or a later until")
    return found


def require_known(by: "Iterable[str]", own: "Iterable[str]" = ()) -> None:
    """Raise UnknownName for a name that nothing is narrowed by; suggests one of those, or of `own`."""
    for name in by:
        if name not in _ARGUMENTS:
            raise UnknownName.among("argument", name, [*_ARGUMENTS, *own])


def _read(name: str, given: "Any", now: int) -> "tuple[str, Any]":
    """A field of the filter with its validated value."""
    if name in _NAMES:
        return name, _known(name, several(name, given))
    if name in {"since", "until"}:
        return name, moment_of(given, now, end_of_day=name == "until")
    if name == "as_of":
        return name, as_of(given, now)
    if name == "memories_only":
        return "families", (MEMORY,) if given else ()
    return name, _READERS[name](given)


def _known(name: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Validates names; no states means active ones."""
    for one in given:
        if one not in _KNOWN.get(name, (one,)):
            raise UnknownName.among(name[:-1], one, [*_KNOWN[name]])
    return given or (STATES[:1] if name == "states" else ())


def moment_of(given: "int | str | None", now: int, *, end_of_day: bool = False) -> int | None:
    """UTC milliseconds from a number or from a time as people write it."""
    if given is None or (type(given) is int and -_LAST <= given <= _LAST):
        return given
    try:
        if isinstance(given, str):
            return moment(given, now, end_of_day=end_of_day)
    except ValueError:
        pass
    raise BadInput(
        f"{given!r} is not a time",
        "give a date such as 2024-03-15 or “1 March 2026”, or an age: 12h, 7d, 2w, 3mo, 1y",
    )


def as_of(given: "int | str | None", now: int) -> int | None:
    """The moment as of which memories are asked for: today is now, a day to come its end."""
    found = moment_of(given, now, end_of_day=True)
    return now if found is not None and now < found <= now + DAY else found


def _path(given: "str | PathLike[str]") -> str:
    try:
        path = as_text(given)
    except TypeError:
        raise BadInput(f"path cannot be {given!r}", "give it a text") from None
    if not path:
        raise BadInput("the path is empty", "give a part of a path, or leave it out")
    return path


def _stored(given: "Sequence[str]") -> "tuple[tuple[str, tuple[str, ...]], ...]":
    """The values by field. Raises BadInput."""
    found: dict[str, tuple[str, ...]] = {}
    for one in several("fields", given):
        name, sign, value = one.partition("=")
        if not sign:
            raise BadInput(f"{one!r} is no name=value", "write: work_unit=SHOP-12")
        found[name] = (*found.get(name, ()), value)
    return (*found.items(),)


def _share(given: float) -> float:
    if type(given) not in {int, float} or not 0.0 <= given <= 1.0:
        raise BadInput(f"min_confidence cannot be {given!r}", "give it a number from 0 to 1")
    return given


def _flag(given: bool | None) -> bool | None:
    if given is not None and type(given) is not bool:
        raise BadInput(f"needs_review cannot be {given!r}", "give it True, False or None")
    return given


_READERS: "dict[str, Callable[[Any], Any]]" = {
    "tags": lambda given: tuple(normal_tags(several("tags", given))),
    "fields": _stored,
    "exclude": lambda given: tuple(id_prefix(id) for id in several("exclude", given)),
    "path": lambda given: None if given is None else _path(given),
    "matching": lambda given: None if given is None else matching(question(given)),
    "min_trust": known_trust,
    "min_confidence": _share,
    "needs_review": _flag,
    "waiting": bool,
    "coming": bool,
}
_ARGUMENTS = (*_NAMES, *_READERS, "memories_only", "since", "until", "as_of")
