"""Parses structured values of a command line: JSON, or one ``key=value`` after another."""

import json
from contextlib import suppress

from bowerbird.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def payload(given: "Sequence[str]") -> "dict[str, Any] | None":
    """The payload of a memory: objects and pairs, later ones override earlier ones; None without any.

    The value of a pair is a list or an object if it parses as one, else a text: numeric fields convert
    it, and a version stays 1.10. Raises BadInput.
    """
    found: dict[str, Any] = {}
    for one in given:
        if one.lstrip().startswith("{"):
            found |= _object(one)
            continue
        key, value = pair(one, "--payload")
        found[key] = value
        if value.lstrip().startswith(("[", "{", '"')):
            with suppress(ValueError):
                found[key] = json.loads(value)
    return found or None


def pair(text: str, option: str) -> tuple[str, str]:
    """Splits ``key=value``. Raises BadInput."""
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise BadInput(f"{option} {text!r} is no key=value", f"write: {option} ticket=SHOP-12")
    return key.strip(), value


def _object(text: str) -> "dict[str, Any]":
    try:
        value = json.loads(text)
    except ValueError as error:
        raise BadInput(
            f"--payload is no JSON: {error}", """write: --payload '{"steps": ["…"]}'"""
        ) from error
    if not isinstance(value, dict):
        raise BadInput("--payload holds no JSON object", "give it fields: {…}")
    return value
