"""What a language model is asked, and what it answers."""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The tiers of models, from the cheapest. A task names the one that is enough for it.
LITE, FAST, PRO = TIERS = ("lite", "fast", "pro")


class Task(Record):
    """What is done with a text: the model's instructions, and the JSON schema of the answer.

    `most_tokens` is the length of the answer. A task whose instructions changed is another one for a
    cache.
    """

    name: str
    tier: str
    instructions: str
    schema: "dict[str, Any]"
    most_tokens: int


class Prompt(Record):
    """One request: instructions, the data as a message, and the schema that the answer has."""

    instructions: str
    message: str
    schema: "dict[str, Any]"
    name: str
    most_tokens: int


class Said(Record):
    """What a model answered, and the tokens that its provider counted; 0 if it does not say.

    `whole` is false if the answer was cut off, `refused` true if the model would not answer.
    """

    text: str
    read: int = 0
    written: int = 0
    whole: bool = True
    refused: bool = False


def object_of(**properties: "Any") -> "dict[str, Any]":
    """The schema of an object with exactly these fields, as every provider's strict mode takes it."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def list_of(item: "dict[str, Any]", most: int = 0, least: int = 0) -> "dict[str, Any]":
    """The schema of a list of so many items; `most` = 0: of any number."""
    bounds = {"minItems": least, "maxItems": most} if most else {}
    return {"type": "array", "items": item, **bounds}


def text_of(most: int) -> "dict[str, Any]":
    """The schema of a text of at most so many characters."""
    return {"type": "string", "maxLength": most}


def whole_from(least: int, most: int) -> "dict[str, Any]":
    """The schema of a whole number in a range."""
    return {"type": "integer", "minimum": least, "maximum": most}


def one_of(*words: str) -> "dict[str, Any]":
    """The schema of a text that is one of some words."""
    return {"type": "string", "enum": [*words]}


TEXT: "dict[str, Any]" = {"type": "string"}
WHOLE: "dict[str, Any]" = {"type": "integer"}
NUMBER: "dict[str, Any]" = {"type": "number"}
# A grammar of llama.cpp holds a model to them, so that a small one comes to an end. The strict modes of
# OpenAI and Anthropic refuse a schema with them.
_BOUNDS = frozenset(("minItems", "maxItems", "maxLength", "minimum", "maximum"))


def unbounded(schema: "dict[str, Any]") -> "dict[str, Any]":
    """A schema without its lengths and ranges."""
    found = {name: value for name, value in schema.items() if name not in _BOUNDS}
    if "properties" in found:
        parts = found["properties"].items()
        found["properties"] = {name: unbounded(part) for name, part in parts}
    if "items" in found:
        found["items"] = unbounded(found["items"])
    return found


def mismatch(value: "Any", schema: "dict[str, Any]", where: str = "the answer") -> str:
    """Where a value is not of the kinds that a schema says; empty if it is. Bounds are not checked."""
    kind = schema["type"]
    if kind == "object":
        if not isinstance(value, dict) or value.keys() != schema["properties"].keys():
            return f"{where} must be an object with the fields {', '.join(schema['properties'])}"
        parts = schema["properties"].items()
        found = (mismatch(value[name], part, f"{where}.{name}") for name, part in parts)
    elif kind == "array":
        if not isinstance(value, list):
            return f"{where} must be a list"
        found = (mismatch(one, schema["items"], f"{where}[{at}]") for at, one in enumerate(value))
    elif kind == "string":
        wrong = not isinstance(value, str)
        if not wrong and "enum" in schema and value not in schema["enum"]:
            return f"{where} must be one of {', '.join(schema['enum'])}"
        return f"{where} must be a text" if wrong else ""
    else:
        types = (int,) if kind == "integer" else (int, float)
        wrong = isinstance(value, bool) or not isinstance(value, types)
        return f"{where} must be a {'whole ' if kind == 'integer' else ''}number" if wrong else ""
    return next(filter(None, found), "")
