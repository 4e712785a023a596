"""The contents of a store as JSON lines: one for each memory with all its versions, and for each row.

The same contents give the same lines, whichever copy of the store they are read from. What is read is
checked: a line that no store can hold is left out, and told.
"""

import json
import re

from bowerbird.core.draft import LONGEST
from bowerbird.core.exchange import SORTS, Contents, Held, Refused
from bowerbird.core.history import Version
from bowerbird.core.memories import Fields
from bowerbird.core.states import STATE_TABLE
from bowerbird.core.types import TRUSTS
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.core.erased import Traces
    from bowerbird.core.exchange import Row

# The first line of every export; a later format has a higher number.
FORMAT = 1
HEADER = {"bowerbird": "export", "format": FORMAT}
_MEMORY = "memory"
_KIND = "row"
_OF_MEMORY = (
    ("id", "text"),
    ("project", "text"),
    ("trust", "text"),
    ("said", "whole"),
    ("origin", "text"),
    ("source", "text"),
    ("agent", "text"),
    ("session", "text"),
    ("tainted", "flag"),
    ("importance", "number"),
    ("decay_rate", "number"),
    ("half_life", "number?"),
    ("accessed", "whole"),
    ("head", "text"),
)
_OF_VERSION = (
    ("id", "text"),
    ("parents", "texts"),
    ("text", "text"),
    ("fields", "data"),
    ("actor", "text"),
    ("reason", "text"),
    ("created", "whole"),
    ("stamp", "text"),
)
_LARGEST = (1 << 63) - 1
# Milliseconds, a counter and the replica: core.hlc.
_STAMP = re.compile(r"\d{13}-[0-9a-f]{4}-[\w-]{1,64}", re.ASCII)
# What names a memory: core.ids.
_IDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TEXTS = re.compile(r'"text":("(?:[^"\\]|\\.)*")')


class Misshapen(ValueError):
    """A line that no store can hold."""


def lines(contents: "Contents") -> "Iterator[str]":
    """The contents of a store, a line each, the header first."""
    yield _line(HEADER)
    for sort in ("project", "alias"):
        yield from _of_sort(contents, sort)
    for memory in contents.memories:
        yield _line({_KIND: _MEMORY} | _plain(memory))
    for sort in SORTS:
        if sort not in ("project", "alias"):
            yield from _of_sort(contents, sort)


def _of_sort(contents: "Contents", sort: str) -> "Iterator[str]":
    flags = [name for name, shape in SORTS[sort].columns if shape == "flag"]
    rows = contents.named(sort)
    if sort == "event":
        # As any copy orders them: the ids of operations ascend in time.
        rows = sorted(rows, key=lambda row: row["operation"])
    for row in rows:
        yield _line({_KIND: sort} | row | {name: bool(row[name]) for name in flags})


def _line(value: "dict[str, Any]") -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _plain(memory: "Held") -> "dict[str, Any]":
    found = {name: getattr(memory, name) for name, _ in _OF_MEMORY}
    found["tags"] = memory.tags
    found["uses"] = memory.uses
    found["versions"] = [
        {
            "id": one.id,
            "parents": one.parents,
            "text": one.text,
            "fields": one.fields.raw_dict(),
            "actor": one.actor,
            "reason": one.reason,
            "created": one.created,
            "stamp": one.hlc,
        }
        for one in memory.versions
    ]
    return found


class Parsed(Record):
    """The contents that lines hold, and those lines that could not be read."""

    contents: "Contents"
    refused: "tuple[Refused, ...]"


def is_export(first: str) -> bool:
    """Whether a first line is that of an export."""
    try:
        found = json.loads(first)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("bowerbird") == HEADER["bowerbird"]


def holds(given: "Iterable[str]", traces: "Traces") -> bool:
    """Whether an export holds what is erased."""
    texts = {json.dumps(one, ensure_ascii=False) for one in traces.texts}
    named = [json.dumps(one) for one in (*traces.sessions, traces.project) if one]
    for line in given:
        if any(one in line for one in named) or not traces.ids.isdisjoint(_IDS.findall(line)):
            return True
        if not texts.isdisjoint(_TEXTS.findall(line)):
            return True
    return False


def parsed(given: "Iterable[str]") -> Parsed:
    """Reads an export. Its header has been recognised by `is_export`."""
    memories: list[Held] = []
    rows: dict[str, list[Row]] = {sort: [] for sort in SORTS}
    refused: list[Refused] = []
    for number, line in enumerate(given, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            if not isinstance(value, dict):
                raise Misshapen("it is no object")
            kind = value.pop(_KIND, None)
            if kind == _MEMORY:
                memories.append(_memory(value))
            elif kind in SORTS:
                sort = SORTS[kind]
                rows[kind].append(tuple(_checked(value, sort.columns).values()))
            elif "bowerbird" not in value:
                raise Misshapen(f"no row {kind!r} is known")
            elif value.get("format") != FORMAT:
                raise Misshapen("it was written by a newer version: update bowerbird")
        except (ValueError, RecursionError) as error:
            refused.append(Refused(f"line {number}", str(error) or "it is nested too deeply"))
    return Parsed(Contents(memories, rows), tuple(refused))


def _memory(value: "dict[str, Any]") -> Held:
    tags, uses, versions = (value.pop(name, None) for name in ("tags", "uses", "versions"))
    own = _checked(value, _OF_MEMORY)
    if own["trust"] not in TRUSTS:
        raise Misshapen(f"no trust {own['trust']!r} is known")
    if not isinstance(versions, list) or not versions:
        raise Misshapen("it has no versions")
    found = tuple(_version(own["id"], one) for one in versions)
    if own["head"] not in {one.id for one in found}:
        raise Misshapen("its head is not among its versions")
    for one in _list(tags, "tags"):
        if not (isinstance(one, list) and len(one) == 3 and isinstance(one[1], bool)):  # noqa: PLR2004 name, presence, stamp
            raise Misshapen("a tag is a name, whether it is present, and a stamp")
        _stamp(one[2])
        _text(one[0], "tags")
    if not isinstance(uses, dict):
        raise Misshapen("uses are no object")
    for replica, count in uses.items():
        _text(replica, "uses")
        _whole(count, "uses")
    return Held(**own, tags=tuple(map(tuple, tags or ())), uses=uses, versions=found)


def _version(memory: str, value: "Any") -> Version:
    if not isinstance(value, dict):
        raise Misshapen("a version is no object")
    own = _checked(value, _OF_VERSION)
    if len(own["text"]) > LONGEST or not own["text"].strip():
        raise Misshapen(f"a text has 1 to {LONGEST:,} characters")
    _stamp(own["stamp"])
    fields = own["fields"]
    unknown = fields.keys() - Fields.USUAL.keys()
    if unknown:
        raise Misshapen(
            f"no field {min(unknown)} is known; a newer version wrote it: update bowerbird"
        )
    for name, one in fields.items():
        _field(name, one)
    state = fields.get("state", "active")
    if state not in STATE_TABLE:
        raise Misshapen(f"no state {state!r} is known")
    return Version(
        own["id"],
        memory,
        tuple(own["parents"]),
        own["text"],
        Fields(**fields),
        own["actor"],
        own["reason"],
        own["created"],
        own["stamp"],
    )


def _field(name: str, value: "Any") -> None:
    # A hyphen says that answers leave out an empty one.
    shape = Fields.DECLARED[name].shape.rstrip("-")
    if shape:
        _one(value, "whole?" if shape == "moment?" else shape, name)
        return
    if name != "anchors":  # projects that it was in
        _texts(value, name)
        return
    for anchor in _list(value, name):  # anchors: path, symbol, hash, size, time, first line, lines
        shapes = ("text", "text", "text", "whole", "whole", "whole", "whole")
        if not isinstance(anchor, list) or len(anchor) != len(shapes):
            raise Misshapen(f"{name}: an anchor has {len(shapes)} values")
        for part, its in zip(anchor, shapes, strict=True):
            _one(part, its, name)


def _checked(value: "dict[str, Any]", columns: "tuple[tuple[str, str], ...]") -> "dict[str, Any]":
    """The values of these columns alone, in their order. Raises Misshapen for any other value."""
    for name, shape in columns:
        _one(value.get(name), shape, name)
    stamp = value.get("stamp")
    if stamp is not None and "stamp" in dict(columns):
        _stamp(stamp)
    return {name: value.get(name) for name, _ in columns}


def _one(value: "Any", shape: str, name: str) -> None:
    if value is None and shape.endswith("?"):
        return
    _CHECKS[shape.rstrip("?")](value, name)


def _texts(value: "Any", name: str) -> None:
    for one in _list(value, name):
        _text(one, name)


def _number(value: "Any", name: str) -> None:
    # No comparison holds for what is no number.
    if type(value) not in (int, float) or not abs(value) < _LARGEST:
        raise Misshapen(f"{name} is no number")


def _flag(value: "Any", name: str) -> None:
    if not isinstance(value, bool):
        raise Misshapen(f"{name} is neither true nor false")


def _data(value: "Any", name: str) -> None:
    if not isinstance(value, dict):
        raise Misshapen(f"{name} is no object")
    _text(json.dumps(value, ensure_ascii=False), name)


def _list(value: "Any", name: str) -> "list[Any]":
    if not isinstance(value, list):
        raise Misshapen(f"{name} is no list")
    return value


def _text(value: "Any", name: str) -> None:
    if not isinstance(value, str):
        raise Misshapen(f"{name} is no text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Misshapen(f"{name} holds half a character") from None


def _whole(value: "Any", name: str) -> None:
    if type(value) is not int or not -_LARGEST <= value <= _LARGEST:
        raise Misshapen(f"{name} is no whole number")


def _stamp(value: "Any") -> None:
    if not (isinstance(value, str) and _STAMP.fullmatch(value)):
        raise Misshapen(f"{value!r:.40} is no stamp")


_CHECKS = {
    "text": _text,
    "texts": _texts,
    "whole": _whole,
    "number": _number,
    "flag": _flag,
    "data": _data,
}
