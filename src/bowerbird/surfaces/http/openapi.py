"""The OpenAPI document, generated from the verbs' fields and the tables of their results."""

from bowerbird.core.health import Failure
from bowerbird.core.kinds import KINDS
from bowerbird.core.value import Value
from bowerbird.core.version import VERSION
from bowerbird.surfaces.fields import HTTP, ID
from bowerbird.surfaces.http.service import BASE, SERVED
from bowerbird.surfaces.schema import field_schema, given_schema, taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.surfaces.fields import Verb

    Json = dict[str, Any]


class Health(Value):
    """That the server runs."""

    __slots__ = ("status", "version")
    TABLE = (("status", "text"), ("version", "text"))

    def __init__(self) -> None:
        self.status = "ok"
        self.version = VERSION


# Errors that any request may return. Further ones are added per verb.
_REFUSED = {
    "401": "missing or unknown token",
    "403": "not allowed with this token, or meant for another host",
    "400": "the body is not JSON, or a field is not text",
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


class Document:
    """Builds the document; collects the schemas that the routes refer to."""

    def __init__(self, kinds: "Iterable[str]") -> None:
        self._kinds = kinds
        self.schemas: Json = {}

    def refer(self, kind: type[Value]) -> "Json":
        """A reference to a value's schema, which is added once."""
        if kind.__name__ not in self.schemas:
            self.schemas[kind.__name__] = {}
            about = (kind.__doc__ or "").partition("\n\n")[0].strip()
            shape = given_schema(kind.TABLE, self.refer)
            schema = {"title": kind.__name__, "description": about, "additionalProperties": False}
            self.schemas[kind.__name__] = schema | shape
        return {"$ref": f"#/components/schemas/{kind.__name__}"}

    def operation(self, verb: "Verb") -> "Json":
        """The operation of one verb: its parameters, result and errors."""
        meanings = dict(_REFUSED)
        method, path = verb.route or ("", "")
        # What is read by its name may not be there; to search for nothing is no error.
        named = verb.queue == "read" and any(one.needed for one in verb.fields)
        if "{id}" in path or verb.writes or verb.queue == "after" or named:
            meanings["404"] = "no such entry, or nothing there yet"
        if verb.begun is not None:
            meanings["409"] = "another run is under way"
        operation: Json = {"operationId": verb.name, "summary": verb.meaning}
        if method == "GET":
            operation["parameters"] = [*_in_path(path), *_in_address(verb)]
        else:
            meanings |= _OF_BODIES
            operation["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": self._asked(verb)}},
            }
        if verb.writes:
            meanings["507"] = "the disk is full"
        good = {"200": self._body("done", verb.gives)}
        if verb.begun is not None:
            good["202"] = self._body("accepted: it continues in the background", verb.begun)
        failures = {status: self._body(meanings[status], Failure) for status in sorted(meanings)}
        return operation | {"responses": good | failures}

    def _asked(self, verb: "Verb") -> "Json":
        shape = taken(verb, HTTP)
        if "type" in shape["properties"]:
            # Any type is accepted; the known ones are examples.
            shape["properties"]["type"]["examples"] = [*self._kinds]
        return shape

    def _body(self, about: str, kind: type[Value]) -> "Json":
        return {"description": about, "content": {"application/json": {"schema": self.refer(kind)}}}

    def health(self) -> "Json":
        """The operation that needs no token."""
        return {
            "operationId": "health",
            "summary": "That the server runs; asked without a token",
            "security": [],
            "responses": {
                "200": self._body("it runs", Health),
                "403": self._body(_REFUSED["403"], Failure),
            },
        }


def document(kinds: "Iterable[str]" = KINDS) -> "Json":
    """The whole document, OpenAPI 3.1, with the types of memories that this store knows."""
    document = Document(kinds)
    paths: Json = {"/health": {"get": document.health()}}
    for verb, _ in SERVED:
        method, path = verb.route
        paths.setdefault(BASE + path, {})[method.lower()] = document.operation(verb)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bowerbird", "version": VERSION, "description": "Memory for AI agents."},
        "paths": paths,
        "components": {
            "schemas": document.schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _in_path(path: str) -> "list[Json]":
    if "{id}" not in path:
        return []
    about = "an entry's id, or its first characters"
    schema = {"type": "string", "pattern": ID}
    return [{"name": "id", "in": "path", "required": True, "schema": schema, "description": about}]


def _in_address(verb: "Verb") -> "list[Json]":
    """The fields of a verb as query parameters, which cannot be null."""
    found = []
    for field in verb.at(HTTP):
        schema = field_schema(field, "")
        about = schema.pop("description", None)
        parameter = {
            "name": field.called(HTTP),
            "in": "query",
            "required": field.needed,
            "schema": schema,
        }
        found.append(parameter | ({"description": about} if about else {}))
    return found
