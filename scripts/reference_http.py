"""Generates the tables of docs/HTTP.md from the table of verbs and the schemas that validate requests."""

from typing import Any

from bowerbird.surfaces.cli.table import commands
from bowerbird.surfaces.fields import TYPED
from bowerbird.surfaces.http.openapi import document

Json = dict[str, Any]

START = "<!-- Written by scripts/reference.py from the code; change that, then run it again. -->"
END = "<!-- The end of what is written. -->"


def renewed(text: str) -> str:
    """The page with regenerated tables."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{tables()}\n{END}{after}"


def tables() -> str:
    """A section per route: description, request fields, and response.

    A field is explained where the command of the route has no option of that name, and once.
    """
    described = document()
    shapes = described["components"]["schemas"]
    typed = {one.VERB.name: {field.name for field in one.VERB.at(TYPED)} for one in commands()}
    explained: set[str] = set()
    parts = []
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            lines = [f"### {method.upper()} {path}", "", f"{operation['summary']}.", ""]
            fields = fields_of(operation)
            if fields:
                names = ", ".join(shown(name, needed=needed) for name, _, needed, _ in fields)
                lines += [f"Takes {names}.", ""]
            known = typed.get(operation["operationId"], set())
            rows = [row(*field) for field in fields if field[0] not in known]
            rows = [line for line in rows if line not in explained]
            explained.update(rows)
            if rows:
                lines += ["| field | takes | |", "|---|---|---|", *rows, ""]
            answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
            shape = answer["$ref"].rpartition("/")[2]
            names = ", ".join(f"`{name}`" for name in shapes[shape]["properties"])
            later = operation["responses"].get("202")
            if later:
                ref = later["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                begun = ", ".join(f"`{name}`" for name in shapes[ref]["properties"])
                names += f"; with 202, {later['description']}, {begun}"
            lines += [f"Answers with {names}.", ""]
            parts.append("\n".join(lines))
    return "\n".join(parts)


def fields_of(operation: Json) -> list[tuple[str, Json, bool, str]]:
    """The fields of a request: name, schema, whether it is required, and description."""
    fields = [
        (one["name"], one["schema"], one["required"], one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody")
    if body:
        shape = body["content"]["application/json"]["schema"]
        needed = shape.get("required", ())
        for name, schema in shape.get("properties", {}).items():
            fields.append((name, schema, name in needed, schema.get("description", "")))
    return fields


def shown(name: str, *, needed: bool) -> str:
    """A field's name, in bold if it is required."""
    return f"**`{name}`**" if needed else f"`{name}`"


def row(name: str, schema: Json, needed: bool, description: str) -> str:
    """One field as a row of the table."""
    return f"| {shown(name, needed=needed)} | {takes(schema)} | {description} |"


def takes(schema: Json) -> str:
    """A short description of a field's type."""
    if "anyOf" in schema:
        kinds = (takes(one) for one in schema["anyOf"] if one.get("type") != "null")
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return ", ".join(schema["enum"])
    if schema.get("type") == "array":
        return f"a list: {takes(schema['items'])}"
    words = {"string": "text", "integer": "whole number", "number": "number"}
    words |= {"boolean": "true or false", "object": "object"}
    phrase = words.get(schema.get("type", ""), "anything")
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is not None and abs(high) < 1 << 62:
        return f"{phrase}, {low:g} to {high:g}"
    return phrase
