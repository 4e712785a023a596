"""Generates the tables of docs/HTTP.md from the table of verbs and the schemas that validate requests."""

from typing import Any

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
    """A section per route: description, request fields, and response."""
    described = document()
    shapes = described["components"]["schemas"]
    parts = []
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            lines = [f"### {method.upper()} {path}", "", f"{operation['summary']}.", ""]
            fields = fields_of(operation)
            if fields:
                lines += ["| field | takes | |", "|---|---|---|", *fields, ""]
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


def fields_of(operation: Json) -> list[str]:
    """The rows of a request's fields, required ones in bold."""
    rows = [
        row(one["name"], one["schema"], one["required"], one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody")
    if body:
        shape = body["content"]["application/json"]["schema"]
        needed = shape.get("required", ())
        for name, schema in shape.get("properties", {}).items():
            rows.append(row(name, schema, name in needed, schema.get("description", "")))
    return rows


def row(name: str, schema: Json, needed: bool, description: str) -> str:
    """One field as a row of the table."""
    shown = f"**`{name}`**" if needed else f"`{name}`"
    return f"| {shown} | {takes(schema)} | {description} |"


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
