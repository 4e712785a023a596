"""Values made out of a server's answers: the same that a Bowerbird gives."""

from datetime import datetime

from bowerbird.core.history import Version
from bowerbird.core.memories import Details, Fields
from bowerbird.core.trace import Trace
from bowerbird.core.types import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    from bowerbird.core.value import Value

    Data = dict[str, Any]
    V = TypeVar("V", bound=Value)

_MOMENTS = frozenset({"created", "at", "updated", "accessed", "expires", "pruned_at"})


def made(kind: "type[V]", data: "Data", **more: "Any") -> "V":
    """A value out of those fields of an answer that it has."""
    given = {name: _read_back(name, data[name]) for name in kind.__slots__ if name in data}
    return kind(**given | more)


def _read_back(name: str, value: "Any") -> "Any":
    if name in _MOMENTS and isinstance(value, str):
        return int(datetime.fromisoformat(value).timestamp() * 1000)
    return tuple(value) if isinstance(value, list) else value


def entry(data: "Data") -> Entry:
    """An entry; its row means nothing outside the store's file."""
    details = None
    if "version" in data:
        fields = made(Fields, data)
        rest = {"decay_rate": 0.0, "half_life": None, "tainted": False}
        details = made(Details, data, fields=fields, **rest)
    known = {"summary": data.get("summary", ""), "state": data.get("state", "active")}
    return made(Entry, {**data, **known, "source": ""}, row=0, details=details)


def version(data: "Data", memory: str) -> Version:
    """What a memory was once."""
    return made(Version, data, id=data["version"], memory=memory, fields=made(Fields, data), hlc="")


def trace(degraded: "Sequence[str]") -> Trace:
    """What could not be done, and why."""
    told = Trace()
    for line in degraded:
        name, _, why = line.partition(": ")
        told.skip(name, why)
    return told
