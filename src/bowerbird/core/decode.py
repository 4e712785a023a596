"""Decodes values from JSON: the inverse of `Value.as_dict`, for clients of a server."""

from datetime import datetime

from bowerbird.core.anchors import Anchor
from bowerbird.core.answers import Linked, Status
from bowerbird.core.details import Details
from bowerbird.core.exchange import Received
from bowerbird.core.graph import Linking, Node, Reached, Taken
from bowerbird.core.grounds import Grounds
from bowerbird.core.health import Failure
from bowerbird.core.history import History
from bowerbird.core.learned import Evidence
from bowerbird.core.memories import Fields
from bowerbird.core.model_choice import ModelChange
from bowerbird.core.model_use import ModelRole
from bowerbird.core.overview import Faded
from bowerbird.core.report import Report
from bowerbird.core.trace import Trace
from bowerbird.core.types import MEMORY, Entry
from bowerbird.core.value import Note, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Data = dict[str, Any]
    V = TypeVar("V", bound=Value)

# Types that a table refers to by name, because it does not import their modules.
PARTS: "dict[str, type[Value]]" = {
    "anchor": Anchor,
    "details": Details,
    "entry": Entry,
    "evidence": Evidence,
    "faded": Faded,
    "fields": Fields,
    "failure": Failure,
    "grounds": Grounds,
    "history": History,
    "linked": Linked,
    "linking": Linking,
    "model_change": ModelChange,
    "model_role": ModelRole,
    "node": Node,
    "received": Received,
    "report": Report,
    "taken": Taken,
}


def decode(kind: "type[V]", data: "Data") -> "V":
    """Decodes a value from its dict. Raises TypeError and KeyError if the dict does not describe one."""
    given: Data = {}
    if kind is Entry:
        # A row number means nothing outside the store. If a memory's summary equals its text, only the
        # text is sent; a passage has no summary.
        given = {"row": 0, "summary": data["text"] if data["family"] == MEMORY else ""}
    if kind is Node or kind is Reached:
        # Nor does a node's id.
        given = {"id": 0} if kind is Node else {"by": 0}
    if kind is Details:
        # Memories that never fade have no half-life, which the field represents as 0.
        given = {"half_life": data["half_life"] or None}
    if kind is Status:
        # A server reveals the path of its store only to the user.
        given = {"db_path": ""}
    parts: set[str] = set()
    for name, shape, *where in kind.TABLE:
        way = where[0] if where else name
        if name == "remarks":
            given |= _remarked(kind, data[name])
            continue
        part, _, inner = way.partition(".")
        if part in PARTS and (inner or not name):
            parts.add(part)
        elif name in data and part in kind.__slots__ and not inner:
            given[part] = _read(data[name], shape)
    for part in parts:
        # A passage has no details: those of a memory begin with its version.
        known = part != "details" or "version" in data
        given[part] = decode(PARTS[part], data) if known else None
    return kind(**given)


def _read(data: "Any", shape: "Any") -> "Any":
    if isinstance(shape, list):
        return tuple(_read(one, shape[0]) for one in data)
    if isinstance(shape, type):
        return decode(shape, data)
    if shape.rstrip("?-") in PARTS:
        return None if data is None else decode(PARTS[shape.rstrip("?-")], data)
    if shape.startswith("moment"):
        return None if data is None else _moment(data)
    return tuple(data) if isinstance(data, list) else data


def _moment(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def noted(data: "Data") -> tuple[Note, ...]:
    """The notes of an answer."""
    return tuple(Note(one["kind"], one["text"]) for one in data["remarks"])


def _remarked(kind: "type[Value]", remarks: "list[Data]") -> "Data":
    """Restores the remarks of a value; a server sends nothing else about how an answer was made."""
    if "trace" not in kind.__slots__:
        return {"notes": noted({"remarks": remarks})}
    trace = Trace()
    for one in remarks:
        trace.remark(one.get("by", ""), Note(one["kind"], one["text"]))
    return {"trace": trace}
