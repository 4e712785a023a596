"""User-defined kinds, as a configuration file declares them: ``[kinds.house_rule]``."""

from bowerbird.core.errors import BadConfig, BadInput, UnknownName
from bowerbird.core.kinds import Kind, Kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The prefix of a kind's name in dotted keys.
PREFIX = "kinds."
_WANTED = {
    "meaning": (str, "a text"),
    "importance": ((int, float), "a number from 0 to 1"),
    "half_life": (int, "a whole number of days"),
    "scope": (str, "a text"),
    "prunable": (bool, "true or false"),
}


def declared(values: "Mapping[str, Any]", where: str) -> Kinds:
    """The kinds declared among a file's dotted keys, with the built-in ones.

    Raises BadConfig, naming the file, for an invalid declaration.
    """
    kinds = Kinds()
    tables: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        if key.startswith(PREFIX):
            name, _, field = key.removeprefix(PREFIX).partition(".")
            tables.setdefault(name, {})[field] = value
    for name, table in tables.items():
        try:
            kinds.register(_kind(name, table))
        except (BadInput, UnknownName) as error:
            raise BadConfig(f"{error.message} ({where})", error.remedy) from error
    return kinds


def _kind(name: str, table: "dict[str, Any]") -> Kind:
    """The kind that a table declares. Raises BadInput and UnknownName."""
    fields: dict[str, Any] = {}
    payload: dict[str, str] = {}
    for field, value in table.items():
        if not field:
            raise BadInput(f"the kind {name} is not a table", f"write: [kinds.{name}]")
        if field == "payload":
            raise BadInput(
                f"payload of the kind {name} is {value!r}",
                'name its fields: payload = { since = "text!" }',
            )
        if field.startswith("payload."):
            payload[field.removeprefix("payload.")] = _checked(name, field, value, str, "a shape")
        elif field in _WANTED:
            fields[field] = _checked(name, field, value, *_WANTED[field])
        else:
            known = [*_WANTED, "payload"]
            raise UnknownName.among(f"setting of the kind {name}", field, known)
    if "meaning" not in fields:
        raise BadInput(f"the kind {name} has no meaning", 'say what it is: meaning = "…"')
    return Kind(name, payload=payload or None, **fields)


def _checked(name: str, field: str, value: "Any", types: "Any", wanted: str) -> "Any":
    """The value. Raises BadInput if it has another type; JSON's booleans do not count as numbers."""
    if isinstance(value, types) and (types is bool or not isinstance(value, bool)):
        return value
    raise BadInput(f"{field} of the kind {name} is {value!r}", f"give it {wanted}")
