"""What verbs take and give as JSON Schema, and the check of what was given by the same fields."""

import re

from bowerbird.core.decode import PARTS
from bowerbird.core.errors import BadInput, UnknownName, UsageError
from bowerbird.core.given import require_text
from bowerbird.core.kinds import KINDS
from bowerbird.core.value import optional
from bowerbird.surfaces.fields import FAR, HTTP, ID
from bowerbird.surfaces.fields import KINDS as ANY_KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from bowerbird.core.value import Table, Value
    from bowerbird.surfaces.fields import Field, Verb

    Schema = dict[str, Any]
    Refer = Callable[[type[Value]], Schema]

# What a pattern asks for, in words.
_PATTERNS = {ID: "give an id as it was returned, or six or more of its first characters"}
# As many faults of a call as are told at once, and characters of what was given wrongly.
_MOST_FAULTS = 5
_GIVEN_BACK = 60
_LONGEST_TIME = 40
_WORDS: "dict[str, Schema]" = {
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "score": {"type": "number"},
    "share": {"type": "number"},
    "ms": {"type": "number"},
    "flag": {"type": "boolean"},
    "moment": {"type": "string"},
    "data": {"type": "object"},
    "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
    "words": {"type": "object", "additionalProperties": {"type": "string"}},
}


def taken(verb: "Verb", interface: str, kinds: "Iterable[str]" = KINDS) -> "Schema":
    """What a verb takes in an interface, with the kinds that there are there."""
    fields = verb.at(interface)
    needed = [one.called(interface) for one in fields if one.needed]
    properties = {one.called(interface): field_schema(one, interface, kinds) for one in fields}
    found: Schema = {"type": "object", "properties": properties}
    return found | ({"required": needed} if needed else {}) | {"additionalProperties": False}


def field_schema(field: "Field", interface: str, kinds: "Iterable[str]" = KINDS) -> "Schema":
    """One field. Over HTTP null is as good as nothing."""
    found = _one(field, kinds)
    if field.shape.startswith("texts"):
        least = {"minItems": 1} if field.needed else {}
        found = {"type": "array", "items": found, "maxItems": field.most} | least
    if _may_be_null(field, interface):
        parts = found.pop("anyOf", [found])
        found = {"anyOf": [*parts, {"type": "null"}]}
    if field.default is not None:
        default = field.default
        found["default"] = [*default] if isinstance(default, tuple) else default
    meaning = field.meaning
    if field.shape == "when":
        meaning = f"{meaning}; a number counts UTC milliseconds"
    return found | ({"description": meaning} if meaning else {})


def _may_be_null(field: "Field", interface: str) -> bool:
    """Whether null is as good as nothing."""
    return interface == HTTP and (not field.needed or field.shape[-1:] == "?")


def _one(field: "Field", kinds: "Iterable[str]") -> "Schema":
    """A field, or one of several."""
    shape = field.shape.rstrip("?")
    if shape == "when":
        whole = {"type": "integer", "minimum": -FAR, "maximum": FAR}
        return {"anyOf": [whole, {"type": "string", "maxLength": _LONGEST_TIME}]}
    found = dict(_WORDS["text" if shape == "texts" else shape])
    low, high = ("minLength", "maxLength") if found["type"] == "string" else ("minimum", "maximum")
    bounds = {low: field.low, high: field.high, "pattern": field.pattern or None}
    found |= {key: value for key, value in bounds.items() if value is not None}
    return found | ({"enum": names(field, kinds)} if field.choices else {})


def names(field: "Field", kinds: "Iterable[str]") -> "list[str]":
    """All that may be given for a field."""
    return [*(kinds if field.choices == ANY_KIND else field.choices)]


def checked(
    verb: "Verb", interface: str, given: "Schema", remedy: str, kinds: "Iterable[str]" = KINDS
) -> "Schema":
    """What was given, by the names that `run` reads.

    Raises BadInput with every fault by its field, UnknownName where each is a name that is not known.
    """
    known = {one.called(interface): one for one in verb.at(interface)}
    found: Schema = {}
    faults: list[UsageError] = []
    for name, value in given.items():
        field = known.get(name)
        if field is None:
            faults.append(BadInput(f"{name[:_GIVEN_BACK]}: unknown field"))
        elif value is not None or not _may_be_null(field, interface):
            try:
                _require(name, field, value, kinds)
                found[field.name] = int(value) if field.shape == "whole" else value
            except UsageError as error:
                faults.append(error)
    faults += [
        BadInput(f"{name}: it has to be given")
        for name, one in known.items()
        if one.needed and name not in given
    ]
    if faults:
        unknown = all(isinstance(one, UnknownName) for one in faults)
        message = "; ".join(one.message for one in faults[:_MOST_FAULTS])
        raise (UnknownName if unknown else BadInput)(message, remedy)
    return verb.filled(found, interface)


def _require(name: str, field: "Field", value: "Any", kinds: "Iterable[str]") -> None:
    """Raise BadInput, or UnknownName, for a value that does not fit."""
    if not field.shape.startswith("texts"):
        _require_one(name, field, value, kinds)
        return
    if not isinstance(value, list):
        raise BadInput(f"{name}: give a list")
    if field.needed and not value:
        raise BadInput(f"{name}: it is empty")
    if len(value) > field.most:
        raise BadInput(f"{name}: {len(value):,} are too many; {field.most} fit")
    for number, one in enumerate(value):
        _require_one(f"{name}.{number}", field, one, kinds)


def _require_one(name: str, field: "Field", value: "Any", kinds: "Iterable[str]") -> None:
    shape = "text" if field.shape == "texts" else field.shape.rstrip("?")
    if not _FITS[shape](value):
        raise BadInput(f"{name}: give {_meant(field, shape)}")
    if field.choices and value not in names(field, kinds):
        raise UnknownName(f"{name}: give one of {', '.join(names(field, kinds))}")
    if isinstance(value, str):
        high = _LONGEST_TIME if shape == "when" else field.high
        if high is not None and len(value) > high:
            raise BadInput(f"{name}: {len(value):,} characters are too long; {high:,} fit")
        require_text(name, value)
        if field.low and shape == "text" and len(value) < field.low:
            raise BadInput(f"{name}: it is empty")
        if field.pattern and re.search(field.pattern, value) is None:
            message = _PATTERNS.get(field.pattern) or f"give {field.meaning or field.pattern}"
            raise BadInput(f"{name}: {message}")
    elif (field.low is not None and value < field.low) or (
        field.high is not None and value > field.high
    ):
        raise BadInput(f"{name}: give {_meant(field, shape)}")


def _meant(field: "Field", shape: str) -> str:
    """What a field holds, with the bounds of a number."""
    if field.low is None or shape not in {"whole", "number"}:
        return _MEANT[shape]
    to = "" if field.high is None or field.high >= FAR else f" to {field.high:,.12g}"
    return f"{_MEANT[shape]} from {field.low:,.12g}{to}"


def _number(value: "Any") -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124 NaN


def _whole(value: "Any") -> bool:
    return _number(value) and abs(value) <= FAR and (isinstance(value, int) or value.is_integer())


_FITS: "dict[str, Callable[[Any], bool]]" = {
    "text": lambda value: isinstance(value, str),
    "whole": _whole,
    "number": _number,
    "flag": lambda value: isinstance(value, bool),
    "data": lambda value: isinstance(value, dict),
    "when": lambda value: isinstance(value, str) or _whole(value),
}
_MEANT = {
    "text": "a text",
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "data": "an object",
    "when": "a date, an age such as 7d, or UTC milliseconds",
}


def given_schema(table: "Table", refer: "Refer") -> "Schema":
    """What a table tells, each row with the meaning at its end; `refer` tells of another value."""
    properties: Schema = {}
    required = _rows(table, refer, properties)
    found: Schema = {"type": "object", "properties": properties}
    return found | ({"required": required} if required else {})


def _rows(table: "Table", refer: "Refer", properties: "Schema") -> "list[str]":
    """Put the rows of a table to the properties; the names of those that are always there."""
    required = []
    for name, shape, *more in table:
        if name:
            meaning = {"description": more[1]} if len(more) > 1 else {}
            properties[name] = _shape(shape, refer) | meaning
            required += [] if optional(shape) else [name]
        else:
            part: Schema = {}
            inner = _rows(PARTS[shape.rstrip("?")].TABLE, refer, part)
            # What both tell is as the outer one tells it: it is there without the part, too.
            properties |= {key: one for key, one in part.items() if key not in properties}
            required += inner if shape[-1:] != "?" else []
    return required


def _shape(shape: "Any", refer: "Refer") -> "Schema":
    if isinstance(shape, list):
        items = [_shape(one, refer) for one in shape if one != "-"]
        return {"type": "array", "items": items[0] if len(items) == 1 else {"anyOf": items}}
    if isinstance(shape, tuple):
        return given_schema(shape, refer)
    if isinstance(shape, type):
        return refer(shape)
    bare = shape.rstrip("?-")
    found = refer(PARTS[bare]) if bare in PARTS else dict(_WORDS[bare])
    return {"anyOf": [found, {"type": "null"}]} if shape[-1:] == "?" else found
