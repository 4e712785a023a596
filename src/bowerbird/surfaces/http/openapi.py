"""The OpenAPI document, made of the table of verbs and of the shapes that check the requests."""

from pydantic.json_schema import models_json_schema

from bowerbird.core.kinds import KINDS
from bowerbird.core.version import VERSION
from bowerbird.surfaces.birds import AFTER
from bowerbird.surfaces.http.answered import Failure
from bowerbird.surfaces.http.answered_upkeep import Health
from bowerbird.surfaces.http.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.surfaces.http.verbs import Verb

    Json = dict[str, Any]

_REF = "#/components/schemas/{model}"
# What any request may meet. What else may happen is documented beside it.
_REFUSED = {
    "401": "no token, or not one of ours",
    "403": "not allowed with this token, or meant for another host",
    "400": "a body that is no JSON, or a field that is no text",
    "422": "a field that cannot be taken",
    "429": "too many requests of this token at once",
    "500": "a fault of the server or of its store",
    "503": "too busy, or the store cannot be used now: ask again",
    "504": "it took too long",
}
_OF_BODIES = {
    "408": "the body took too long",
    "413": "the body is too large",
    "415": "not JSON by its content type",
}


def document(kinds: "Iterable[str]" = KINDS) -> "Json":
    """The whole document, OpenAPI 3.1, with the kinds that there are here."""
    asked = [(verb.ask, "validation") for verb in VERBS]
    answered = [(verb.answer, "serialization") for verb in VERBS]
    begun = [(verb.begun, "serialization") for verb in VERBS if verb.begun is not None]
    shapes = [*asked, *answered, *begun, (Failure, "serialization"), (Health, "serialization")]
    refs, made = models_json_schema(shapes, ref_template=_REF)  # type: ignore[arg-type]
    # Any text may be sent; those are taken.
    made["$defs"]["Curate"]["properties"]["type"]["examples"] = [*kinds]
    paths: Json = {
        "/health": {
            "get": {
                "operationId": "health",
                "summary": "That the server runs; asked without a token",
                "security": [],
                "responses": {
                    "200": _body("it runs", refs[Health, "serialization"]),
                    "403": _body(_REFUSED["403"], refs[Failure, "serialization"]),
                },
            }
        }
    }
    for verb in VERBS:
        operations = paths.setdefault("/api/v1" + verb.path, {})
        operations[verb.method.lower()] = _operation(verb, refs, made["$defs"])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bowerbird", "version": VERSION, "description": "Memory for AI agents."},
        "paths": paths,
        "components": {
            "schemas": made["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(verb: "Verb", refs: "Any", shapes: "Json") -> "Json":
    failure = refs[Failure, "serialization"]
    told = dict(_REFUSED)
    if "{id}" in verb.path or verb.writes or verb.lane == AFTER or verb.name == "at":
        told["404"] = "no such entry, or nothing there yet"
    if verb.begun is not None:
        told["409"] = "another run is under way"
    operation: Json = {
        "operationId": verb.name,
        "summary": (verb.run.__doc__ or "").strip().rstrip("."),
        "description": " ".join((verb.ask.__doc__ or "").split()),
    }
    asked = refs[verb.ask, "validation"]
    if verb.method == "GET":
        operation["parameters"] = [*_in_path(verb), *_in_address(shapes[_name(asked)])]
    else:
        told |= _OF_BODIES
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": asked}},
        }
    if verb.writes:
        told["507"] = "the disk is full"
    good = {"200": _body((verb.answer.__doc__ or "").strip(), refs[verb.answer, "serialization"])}
    if verb.begun is not None:
        good["202"] = _body("not done yet; it goes on", refs[verb.begun, "serialization"])
    operation["responses"] = good | {
        status: _body(told[status], failure) for status in sorted(told)
    }
    return operation


def _in_path(verb: "Verb") -> "list[Json]":
    if "{id}" not in verb.path:
        return []
    schema = {"type": "string", "pattern": "^[0-9a-f-]{6,36}$"}
    about = "an entry's id, or its first characters"
    return [{"name": "id", "in": "path", "required": True, "schema": schema, "description": about}]


def _in_address(shape: "Json") -> "list[Json]":
    """The fields of a shape as parameters behind the question mark."""
    return [
        {
            "name": name,
            "in": "query",
            "required": name in shape.get("required", ()),
            "schema": _without_null({k: v for k, v in schema.items() if k != "description"}),
            **({"description": schema["description"]} if "description" in schema else {}),
        }
        for name, schema in shape["properties"].items()
    ]


def _without_null(schema: "Json") -> "Json":
    """What is left out of an address is null; there is no other way to write it there."""
    if "anyOf" not in schema:
        return schema
    rest = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    kept = [one for one in schema["anyOf"] if one.get("type") != "null"]
    return rest | (kept[0] if len(kept) == 1 else {"anyOf": kept})


def _body(description: str, schema: "Json") -> "Json":
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _name(ref: "Json") -> str:
    return str(ref["$ref"]).rpartition("/")[2]
