"""Parses a request's fields from its body or query string; the verb's fields validate them."""

import json
import re
from urllib.parse import parse_qsl

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.fields import HTTP
from bowerbird.surfaces.http.failure import Refused
from bowerbird.surfaces.schema import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.fields import Field, Verb

    Data = dict[str, Any]

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_NUMBER = re.compile(r"-?[0-9]{1,19}\.[0-9]{1,19}")
_BOOLEANS = {"true": True, "false": False}
_REMEDY = "see /api/v1/openapi.json for the fields"


def from_body(verb: "Verb", body: bytes) -> "Data":
    """The fields of a JSON body. Raises Refused with 400 if it is not JSON or not text, and BadInput."""
    try:
        given = json.loads((body or b"{}").decode(), parse_constant=_no_number)
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeError:
        raise _no_text() from None
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON", "send an object in JSON, in UTF-8") from None
    if "\\u0000" in text and _holds_nul(given):
        raise _no_text()
    if not isinstance(given, dict):
        raise Refused(422, "the body: give an object", _REMEDY)
    return checked(verb, HTTP, _called(verb, given), _REMEDY)


def _called(verb: "Verb", given: "Data") -> "Data":
    """A body whose fields have the names of HTTP: those of Python and of a batch are read as well.

    So `text` is what HTTP calls `content`. Raises BadInput for a field given by both names.
    """
    renamed = {one.name: one.called(HTTP) for one in verb.at(HTTP) if one.called(HTTP) != one.name}
    for name in given.keys() & renamed.keys() - {one.called(HTTP) for one in verb.at(HTTP)}:
        if renamed[name] in given:
            raise BadInput(f"{renamed[name]} is given twice, as {name} too", "give it once")
        given[renamed[name]] = given.pop(name)
    return given


def from_address(verb: "Verb", query: bytes) -> "Data":
    """The fields of the query string; a repeated field is a list.

    Raises Refused with 400 if it is not text, else BadInput.
    """
    known = {field.called(HTTP): field for field in verb.at(HTTP)}
    given: Data = {}
    for name, text in _fields(query):
        field = known.get(name)
        if field is not None and field.shape == "texts":
            given.setdefault(name, []).append(text)
        elif name in given:
            raise Refused(422, f"{name} is given twice", "give it once")
        else:
            given[name] = text if field is None else _value(text, field)
    return checked(verb, HTTP, given, _REMEDY)


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


def _no_number(name: str) -> None:
    raise ValueError(name)


def _holds_nul(given: "Any") -> bool:
    if isinstance(given, dict):
        return any(_holds_nul(key) or _holds_nul(value) for key, value in given.items())
    if isinstance(given, list):
        return any(map(_holds_nul, given))
    return isinstance(given, str) and "\0" in given


def _value(text: str, field: "Field") -> "Any":
    """The value of a text by its field's type; an invalid one is left for the validation to refuse."""
    if field.shape == "flag":
        return _BOOLEANS.get(text, text)
    if field.shape in {"whole", "number", "when"} and _WHOLE.fullmatch(text):
        return int(text)
    if field.shape == "number" and _NUMBER.fullmatch(text):
        return float(text)
    return text
