"""Validates the structures that some kinds of memory carry.

A kind's `payload` maps field to shape, one of `core.kinds.SHAPES`.
"""

from bowerbird.core.errors import BadInput, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.kinds import Kind

_SHAPES = {
    "text": "a text",
    "texts": "a list of texts",
    "number": "a number of 0 or more",
    "count": "a whole number of 0 or more",
    "steps": "a list of steps, each a text or {description, canonical_file, canonical_line}",
}


def validated(kind: "Kind", payload: "dict[str, Any] | None") -> "dict[str, Any] | None":
    """The payload of a memory of that kind, normalised.

    Raises BadInput for a missing or invalid field, UnknownName for an unknown one.
    """
    if payload is None:
        return None
    if kind.payload is None:
        raise BadInput(
            f"the kind {kind.name} carries no payload", "put what you have into its metadata"
        )
    payload = _with_ratio(kind, payload)
    for name in payload:
        if name not in kind.payload:
            raise UnknownName.among(f"field of {kind.name}", name, list(kind.payload))
    result: dict[str, Any] = {}
    for name, wanted in kind.payload.items():
        shape = wanted.rstrip("!")
        if name not in payload:
            if wanted.endswith("!"):
                raise BadInput(
                    f"a {kind.name} needs {name}", f"give {name}: {_SHAPES.get(shape, shape)}"
                )
            continue
        result[name] = _shaped(kind.name, name, shape, payload[name])
    return result


def described(kind: "Kind") -> list[str]:
    """A description of each field of a kind's structure, required ones first."""
    fields = sorted((kind.payload or {}).items(), key=lambda field: not field[1].endswith("!"))
    return [
        f"{name}: {_SHAPES[shape.rstrip('!')]}" + ("" if shape.endswith("!") else ", if known")
        for name, shape in fields
    ]


def _with_ratio(kind: "Kind", payload: "dict[str, Any]") -> "dict[str, Any]":
    """A calibration has its ratio, or the two numbers that give it."""
    if kind.name != "task_calibration" or "ratio" in payload:
        return payload
    actual, planned = payload.get("average_actual_steps"), payload.get("average_planned_steps")
    if not _is_number(actual) or not _is_number(planned) or not planned:
        return payload
    return {**payload, "ratio": round(actual / planned, 3)}


def _shaped(kind: str, name: str, shape: str, value: "Any") -> "Any":
    if shape == "text" and isinstance(value, str) and value.strip():
        return value.strip()
    if shape == "texts" and isinstance(value, (list, tuple)) and value:
        if all(isinstance(one, str) and one.strip() for one in value):
            return [one.strip() for one in value]
    elif shape in {"number", "count"}:
        number = _number(value)
        if _is_number(number) and number >= 0 and (shape == "number" or isinstance(number, int)):
            return number
    elif shape == "steps" and isinstance(value, (list, tuple)) and value:
        return [_step(kind, number, step) for number, step in enumerate(value, 1)]
    raise BadInput(f"{name} of a {kind} is {value!r}", f"it holds {_SHAPES.get(shape, shape)}")


def _step(kind: str, number: int, step: "Any") -> "dict[str, Any]":
    given = {"description": step} if isinstance(step, str) else step
    if not isinstance(given, dict):
        raise BadInput(f"step {number} of a {kind} is {step!r}", f"it holds {_SHAPES['steps']}")
    known = {"order", "description", "canonical_file", "canonical_line"}
    for name in given:
        if name not in known:
            raise UnknownName.among("field of a step", name, sorted(known))
    result = {
        "order": number,
        "description": _shaped(kind, "description", "text", given.get("description")),
    }
    if "canonical_file" in given:
        result["canonical_file"] = _shaped(kind, "canonical_file", "text", given["canonical_file"])
    if "canonical_line" in given:
        result["canonical_line"] = _shaped(kind, "canonical_line", "count", given["canonical_line"])
    return result


def _number(value: "Any") -> "Any":
    """The number in a text, as from a command line; anything else unchanged."""
    for read in (int, float) if isinstance(value, str) else ():
        try:
            return read(value)
        except ValueError:
            continue
    return value


def _is_number(value: "Any") -> bool:
    finite = isinstance(value, int) or (isinstance(value, float) and value - value == 0.0)
    return finite and not isinstance(value, bool)
