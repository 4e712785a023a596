"""Many memories at once: a file of JSON lines, each a text with what is known about it."""

import json

from bowerbird.core.errors import BadInput, BowerbirdError, StoreError, UnknownName
from bowerbird.surfaces.cli.given import from_file, from_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.ports.progress import Progress

# After Ctrl-C.
_AGAIN = "run it again: what was kept is known by then"
# Fields of a line, with the types that each takes and the argument of `remember` that it becomes.
# Who says so is told by the circumstances, never by the file.
_TEXTS: "tuple[type, ...]" = (list, str)
_FIELDS: "dict[str, tuple[str, tuple[type, ...]]]" = {
    "text": ("text", (str,)),
    "kind": ("kind", (str,)),
    "type": ("kind", (str,)),
    "tags": ("tags", _TEXTS),
    "importance": ("importance", (float, int)),
    "priority": ("priority", (str,)),
    "expires": ("expires", (str, int)),
    "confidence": ("confidence", (float, int)),
    "payload": ("payload", (dict,)),
    "metadata": ("metadata", (dict,)),
    "files": ("files", _TEXTS),
    "modules": ("modules", _TEXTS),
    "scope": ("scope", (str,)),
    "audience": ("audience", (str,)),
    "session": ("session", (str,)),
    "summary": ("summary", (str,)),
    "keywords": ("keywords", _TEXTS),
    "citation": ("citation", (str,)),
    "commit": ("commit", (str,)),
    "work_unit": ("work_unit", (str,)),
    "pinned": ("pinned", (bool,)),
    "verified": ("verified", (bool,)),
    "review": ("review", (str,)),
    "global": ("everywhere", (bool,)),
}


def remember_all(
    bird: "Bowerbird", path: str, defaults: "dict[str, Any]", progress: "Progress | None"
) -> "dict[str, Any]":
    """Hand every line to admission; a line that cannot be taken is told and the next one goes on.

    Raises BadInput for a file that cannot be read, StoreError where nothing can be written at all.
    """
    lines = _lines(path)
    decisions: list[dict[str, Any]] = []
    errors: list[dict[str, Any]] = []
    if progress is not None:
        progress.start("remembering", len(lines))
    try:
        for number, line in lines:
            try:
                decision = bird.remember(**(defaults | _arguments(line)))
                told = decision.as_dict()
                del told["took_ms"]
                decisions.append({"line": number, **told})
            except StoreError:
                raise
            except KeyboardInterrupt:
                if decisions and decisions[-1]["line"] == number:
                    number += 1  # noqa: PLW2901 - this one is kept: the next was not begun
                told = {"line": number, "error": "stopped at this line", "remedy": _AGAIN}
                return _told(decisions, [*errors, told]) | {"stopped": True}
            except BowerbirdError as error:
                told = {"line": number, "error": error.message, "remedy": error.remedy}
                errors.append(told)
            if progress is not None:
                progress.advance(1)
    finally:
        if progress is not None:
            progress.finish()
    return _told(decisions, errors)


def _told(decisions: "list[dict[str, Any]]", errors: "list[dict[str, Any]]") -> "dict[str, Any]":
    counts: dict[str, int] = {}
    for one in decisions:
        counts[one["decision"]] = counts.get(one["decision"], 0) + 1
    made = next(filter(None, [one.pop("new_project", "") for one in decisions]), "")
    data = {"decisions": decisions, "errors": errors, "counts": counts}
    return data | {"new_project": made} if made else data


def _lines(path: str) -> list[tuple[int, str]]:
    text = from_stdin(-1) if path == "-" else from_file(path, -1)
    # Line feeds alone end a line: JSON texts may hold the other separators.
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _arguments(line: str) -> "dict[str, Any]":
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadInput(f"no JSON: {error}", "one object a line") from error
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict) or "text" not in value:
        raise BadInput("no object with a text", 'write: {"text": "…", "kind": "fact"}')
    return dict(_checked(value))


def _checked(value: "dict[str, Any]") -> "Iterator[tuple[str, Any]]":
    for name, given in value.items():
        if name not in _FIELDS:
            raise UnknownName.among("field", name, list(_FIELDS))
        argument, types = _FIELDS[name]
        if given is None:
            continue
        # Python counts booleans among the whole numbers; JSON does not.
        if not isinstance(given, types) or (isinstance(given, bool) and bool not in types):
            wanted = " or ".join(_NAMES[one] for one in types)
            raise BadInput(f"{name} is {given!r}", f"give it {wanted}")
        yield argument, _texts(given) if types is _TEXTS else given


def _texts(given: "Any") -> list[str]:
    return [given] if isinstance(given, str) else [str(one) for one in given]


_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
