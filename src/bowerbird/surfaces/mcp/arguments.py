"""Whether a tool takes what it was given: the few words of JSON Schema that the catalogue speaks.

jsonschema costs 90 ms of CPU to import. It is asked only for what does not fit here: it is the judge,
and words what is wrong.
"""

import re

from bowerbird.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.surfaces.mcp.tool import Schema, Tool

    Keyword = Callable[[Any, Any, Schema], bool]

# Characters of what was given wrongly that are told back.
_GIVEN_BACK = 60


def check(tool: "Tool", given: "dict[str, Any]") -> None:
    """Raises BadInput for arguments that the tool does not take."""
    schema = tool.told()["inputSchema"]
    if not fits(schema, given):
        _judge(tool, schema, given)


def fits(schema: "Schema", value: object) -> bool:
    """Whether a value is as a schema of the catalogue says."""
    return all(_KEYWORDS[word](value, said, schema) for word, said in schema.items())


def _judge(tool: "Tool", schema: "Schema", given: "dict[str, Any]") -> None:
    from jsonschema import Draft202012Validator  # start-up: 90 ms of CPU, for wrong calls alone
    from jsonschema.exceptions import best_match  # start-up: as above

    wrong = best_match(Draft202012Validator(schema).iter_errors(given))
    if wrong is None:
        return
    where = ".".join(str(step) for step in wrong.absolute_path)
    takes = ", ".join(
        name if name in tool.required else f"{name} (optional)" for name in tool.takes
    )
    # What was given comes back in an agent's own tokens: its beginning is enough.
    given_back = repr(wrong.instance)
    told = wrong.message.replace(given_back, given_back[:_GIVEN_BACK])
    if wrong.validator == "maxLength":
        told = f"{len(wrong.instance):,} characters is too long; {wrong.validator_value:,} fit"
    message = f"{where}: {told}" if where else told
    raise BadInput(f"{tool.name}: {message}", f"it takes: {takes or 'nothing'}")


def _number(value: "Any") -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole(value: "Any") -> bool:
    return _number(value) and (isinstance(value, int) or value.is_integer())


def _known(value: "Any", said: "Any", schema: "Schema") -> bool:
    return bool(said) or value.keys() <= schema["properties"].keys()


_TYPES: "dict[str, Callable[[Any], bool]]" = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _whole,
    "number": _number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}
# `type` stands first in every schema, so that the others meet what they are about.
_KEYWORDS: "dict[str, Keyword]" = {
    "type": lambda value, said, _: _TYPES[said](value),
    "enum": lambda value, said, _: value in said,
    "minLength": lambda value, said, _: len(value) >= said,
    "maxLength": lambda value, said, _: len(value) <= said,
    "pattern": lambda value, said, _: re.search(said, value) is not None,
    "minimum": lambda value, said, _: not value < said,
    "maximum": lambda value, said, _: not value > said,
    "maxItems": lambda value, said, _: len(value) <= said,
    "items": lambda value, said, _: all(fits(said, one) for one in value),
    "properties": lambda value, said, _: all(
        fits(one, value[name]) for name, one in said.items() if name in value
    ),
    "required": lambda value, said, _: all(name in value for name in said),
    "additionalProperties": _known,
    "description": lambda *_: True,
    "default": lambda *_: True,
}
