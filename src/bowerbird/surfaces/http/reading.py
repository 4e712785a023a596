"""A request's fields out of its body or its address, checked; what is wrong is told by name."""

import re
from urllib.parse import parse_qsl

from pydantic import ValidationError

from bowerbird.surfaces.http.failure import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.http.asked import Ask

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_NUMBER = re.compile(r"-?[0-9]{1,19}\.[0-9]{1,19}")
_BOOLEANS = {"true": True, "false": False}
# NUL as JSON writes it, behind no backslash that is a character of the text.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
# As many faults of a request as are told at once.
_TOLD = 5


def from_body(ask: "type[Ask]", body: bytes) -> "Ask":
    """The fields of a JSON body. Raises Refused: 400 for what is no JSON or no text, else 422."""
    if _NUL.search(body):
        raise _no_text()
    try:
        return ask.model_validate_json(body or b"{}")
    except ValidationError as error:
        raise _refused(error) from None


def from_address(ask: "type[Ask]", query: bytes) -> "Ask":
    """The fields behind the question mark; a list is a field that stands there several times.

    Raises Refused: 400 for what is no text, else 422.
    """
    fields: dict[str, Any] = {}
    for name, text in _fields(query):
        known = ask.model_fields.get(name)
        if known is not None and known.annotation is not None and _is_list(known.annotation):
            fields.setdefault(name, []).append(text)
        elif name in fields:
            raise Refused(422, f"{name} stands there twice", "give it once")
        else:
            fields[name] = text if known is None else _value(text, known.annotation)
    try:
        return ask.model_validate(fields)
    except ValidationError as error:
        raise _refused(error) from None


def _fields(query: bytes) -> list[tuple[str, str]]:
    try:
        given = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise _no_text() from None
    if any("\0" in name + text for name, text in given):
        raise _no_text()
    return given


def _no_text() -> Refused:
    return Refused(
        400, "a text holds NUL, half a character or what is no UTF-8", "leave that character out"
    )


def _is_list(annotation: "Any") -> bool:
    return getattr(annotation, "__origin__", None) is list


def _value(text: str, annotation: "Any") -> "Any":
    """A text as the field means it; what does not fit is left for the check to refuse."""
    wanted = str(annotation)
    if "bool" in wanted:
        return _BOOLEANS.get(text, text)
    if ("int" in wanted or "float" in wanted) and _WHOLE.fullmatch(text):
        return int(text)
    if "float" in wanted and _NUMBER.fullmatch(text):
        return float(text)
    return text


def _refused(error: ValidationError) -> Refused:
    """What is wrong, by field, without repeating what was given."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    if found and found[0]["type"] == "json_invalid":
        return Refused(400, "the body is no JSON", "send an object in JSON, in UTF-8")
    told = [
        f"{_place(one['loc'])}: {one['msg'].lower().removeprefix('value error, ')}"
        for one in found[:_TOLD]
    ]
    return Refused(422, "; ".join(told), "see /api/v1/openapi.json for the fields")


def _place(loc: "tuple[int | str, ...]") -> str:
    return ".".join(str(part) for part in loc)[:100] or "the body"
