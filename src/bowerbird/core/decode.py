"""Values out of what doors tell of them: the way back of `Value.as_dict`, for clients of a server."""

from datetime import datetime

from bowerbird.core.answers import Hit, Report
from bowerbird.core.grounds import Grounds
from bowerbird.core.health import Failure
from bowerbird.core.history import History, Version
from bowerbird.core.memories import Details, Fields
from bowerbird.core.trace import Trace
from bowerbird.core.types import Entry
from bowerbird.core.value import Note, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Data = dict[str, Any]
    V = TypeVar("V", bound=Value)

# Types that a table calls by name, since their modules are strangers to its own.
PARTS: "dict[str, type[Value]]" = {
    "details": Details,
    "entry": Entry,
    "fields": Fields,
    "failure": Failure,
    "grounds": Grounds,
    "history": History,
    "report": Report,
}
# What no door tells: it means nothing outside of the store.
_UNTOLD: "dict[type[Value], Data]" = {
    Details: {"decay_rate": 0.0, "half_life": None, "tainted": False},
    Entry: {"row": 0, "summary": "", "state": "active"},
    Hit: {"matched": ()},
    Version: {"memory": "", "hlc": ""},
}


def decode(kind: "type[V]", data: "Data") -> "V":
    """A value out of what was told of it. Raises TypeError and KeyError for what is no such value."""
    given: Data = {}
    parts: set[str] = set()
    for name, shape, *where in kind.TABLE:
        part, _, inner = (where[0] if where else name).partition(".")
        if part in PARTS and (inner or not name):
            parts.add(part)
        elif part == "trace":
            given[part] = _trace(data[name])
        elif name in data and part in kind.__slots__:
            given[part] = _read(data[name], shape)
    for part in parts:
        # A passage has no details: those of a memory begin with its version.
        known = part != "details" or "version" in data
        given[part] = decode(PARTS[part], data) if known else None
    return kind(**_UNTOLD.get(kind, {}) | given)


def _read(told: "Any", shape: "Any") -> "Any":
    if isinstance(shape, list):
        return tuple(_read(one, shape[0]) for one in told)
    if isinstance(shape, type):
        return decode(shape, told)
    if shape.rstrip("?-") in PARTS:
        return decode(PARTS[shape.rstrip("?-")], told)
    if shape.startswith("moment"):
        return None if told is None else _moment(told)
    return tuple(told) if isinstance(told, list) else told


def _moment(told: str) -> int:
    return round(datetime.fromisoformat(told).timestamp() * 1000)


def _trace(degraded: "list[str]") -> Trace:
    """Of how an answer came about a server tells only what did not go as usual."""
    trace = Trace()
    for line in degraded:
        name, _, why = line.partition(": ")
        trace.remark(name, Note("degraded", why))
    return trace
