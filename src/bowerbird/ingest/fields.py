"""Reads fields of decoded JSON objects that may hold a value of any type."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def text_at(record: "dict[str, Any]", *keys: str) -> str:
    """The first of these fields that is a nonempty string, else an empty one."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def table_at(record: "dict[str, Any]", key: str) -> "dict[str, Any]":
    """The object in a field, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def tables_at(record: "dict[str, Any]", key: str) -> "list[dict[str, Any]]":
    """The objects of the list in a field; other values are left out."""
    value = record.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
