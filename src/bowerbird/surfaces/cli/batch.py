"""Stores many memories: a file of JSON lines, each with a text and its fields."""

import json

from bowerbird.core.errors import BadInput, BowerbirdError, StoreError, UnknownName
from bowerbird.surfaces.cli.given import from_file, from_stdin
from bowerbird.surfaces.fields import HTTP, module
from bowerbird.surfaces.schema import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.ports.progress import Progress
    from bowerbird.surfaces.fields import Verb

# The remedy after Ctrl-C.
_AGAIN = "run it again: what was stored already is not stored twice"
# Fields that only the caller's identity may set, never the file.
_OF_INTERFACES = frozenset(("origin", "tainted"))
# Field names that are also accepted, as over HTTP.
_ALSO = {"content": "text", "type": "kind", "global": "everywhere"}
_REMEDY = "see bower help curate for the fields of a line"


def remember_all(
    bird: "Bowerbird", path: str, defaults: "dict[str, Any]", progress: "Progress | None"
) -> "dict[str, Any]":
    """Submits every line to admission; an invalid line is reported and the next one follows.

    Raises BadInput if the file cannot be read, StoreError if nothing can be written at all.
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
                row = decision.as_dict()
                del row["took_ms"]
                decisions.append({"line": number, **row})
            except StoreError:
                raise
            except KeyboardInterrupt:
                if decisions and decisions[-1]["line"] == number:
                    number += 1  # noqa: PLW2901 - this one is kept: the next was not begun
                row = {"line": number, "error": "stopped at this line", "remedy": _AGAIN}
                return _summary(decisions, [*errors, row]) | {"stopped": True}
            except BowerbirdError as error:
                row = {"line": number, "error": error.message, "remedy": error.remedy}
                errors.append(row)
            if progress is not None:
                progress.advance(1)
    finally:
        if progress is not None:
            progress.finish()
    return _summary(decisions, errors)


def _summary(decisions: "list[dict[str, Any]]", errors: "list[dict[str, Any]]") -> "dict[str, Any]":
    counts: dict[str, int] = {}
    for one in decisions:
        counts[one["decision"]] = counts.get(one["decision"], 0) + 1
    new_project = next(filter(None, [one.pop("new_project", "") for one in decisions]), "")
    data = {"decisions": decisions, "errors": errors, "counts": counts, "dry_run": False}
    for one in decisions:
        data["dry_run"] = one.pop("dry_run")
    return data | {"new_project": new_project} if new_project else data


def _lines(path: str) -> list[tuple[int, str]]:
    text = from_stdin(-1) if path == "-" else from_file(path, -1)
    # Only line feeds end a line: JSON texts may contain other separators.
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _arguments(line: str) -> "dict[str, Any]":
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadInput(f"no JSON: {error}", "one object a line") from error
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict) or len({"content", "text"} & value.keys()) != 1:
        raise BadInput("no object with one content", 'write: {"content": "…", "kind": "fact"}')
    verb = _line()
    known = {field.name: field for field in verb.fields}
    given: dict[str, Any] = {}
    for name, entered in value.items():
        field = known.get(_ALSO.get(name) or name)
        if field is None:
            raise UnknownName.among("field", name, [*known, *_ALSO])
        if entered is not None:
            alone = field.shape == "texts" and isinstance(entered, str)
            given[field.name] = [entered] if alone else entered
    return {name: one for name, one in checked(verb, HTTP, given, _REMEDY).items() if name in given}


def _line() -> "Verb":
    """The verb whose fields a line may have."""
    verb: Verb = module("curate").VERB
    own = [one.replace(wire="") for one in verb.at(HTTP)[1:] if one.name not in _OF_INTERFACES]
    return verb.replace(fields=tuple(own), reach="")
