"""Reads ByteRover's data about a project outside of its tree: usage signals and logs of changes.

All of it is optional: without it the notes are imported as they are.
"""

import json
import os
import posixpath

from bowerbird.core.migrated import Unmoved
from bowerbird.core.text import clean
from bowerbird.host.foreign import head
from bowerbird.ingest.walk import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Operation = dict[str, Any]

# These files hold a few numbers or one run's operations; a larger one is something else.
_MOST_BYTES = 4_000_000
TREE = "context-tree"
# The fields of an operation that describe the note, beside its time.
_FIELDS = (
    "type",
    "reason",
    "summary",
    "previousSummary",
    "impact",
    "confidence",
    "needsReview",
    "reviewStatus",
)


class Sidecars:
    """The signals and the log of one project. `errors` lists what was skipped, after reading."""

    def __init__(self, data: str, project: str) -> None:
        """`data` is ByteRover's own data folder, `project` the root of the project."""
        self._folder = os.path.join(data, "projects", called(project))
        self.errors: list[Unmoved] = []
        self._operations: dict[str, list[Operation]] | None = None

    def signals(self, path: str) -> "dict[str, Any]":
        """Importance, maturity, recency and counts of a note; empty if there are none."""
        file_path = os.path.join(self._folder, "keystore", "signals", *path.split("/"))
        value = self._object(file_path + ".json").get("value")
        return value if isinstance(value, dict) else {}

    def operations(self, path: str) -> "tuple[Operation, ...]":
        """The operations on a note of the tree, oldest first."""
        if self._operations is None:
            self._operations = {}
            for path_of, operation in self._logged():
                self._operations.setdefault(path_of, []).append(operation)
        return tuple(self._operations.get(path, ()))

    def _logged(self) -> "Iterator[tuple[str, Operation]]":
        folder = os.path.join(self._folder, "curate-log")
        try:
            names = [name for name in os.listdir(folder) if _number(name) is not None]
        except FileNotFoundError:
            return
        except OSError as error:
            self.errors.append(Unmoved(folder, reason(error)))
            return
        for name in sorted(names, key=_number):  # type: ignore[arg-type]
            run = self._object(os.path.join(folder, name))
            done = run.get("operations")
            at = run.get("completedAt") or run.get("startedAt")
            for one in done if isinstance(done, list) else ():
                if not isinstance(one, dict) or one.get("status", "success") != "success":
                    continue
                path = _path(one)
                if path:
                    yield path, {"at": at} | {key: one[key] for key in _FIELDS if key in one}

    def _object(self, path: str) -> "dict[str, Any]":
        """The JSON object in a file; empty, and reported, if it holds none."""
        try:
            return json_object(path)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            self.errors.append(Unmoved(clean(path), reason(error)))
        except ValueError as error:
            self.errors.append(Unmoved(clean(path), str(error)))
        return {}


def json_object(path: str) -> "dict[str, Any]":
    """The JSON object in a file. Raises OSError, and ValueError if it holds none."""
    data = head(path, _MOST_BYTES)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError("it holds no JSON object of a usual size")  # noqa: TRY004 of the text
    return value


def called(project: str) -> str:
    """ByteRover's name for the folder of a project: the parts of its path, joined by `--`."""
    parts = [part for part in project.replace("\\", "/").split("/") if part]
    return "--".join(part.replace("%", "%25").replace("--", "%2D%2D") for part in parts)


def _number(name: str) -> int | None:
    """The time in the name of a log."""
    stem = name.removeprefix("cur-").removesuffix(".json")
    return int(stem) if name == f"cur-{stem}.json" and stem.isascii() and stem.isdigit() else None


def _path(operation: "Operation") -> str:
    """The path in the tree of the note that an operation changed."""
    for key in ("filePath", "path"):
        named = operation.get(key)
        if isinstance(named, str) and named:
            named = named.replace("\\", "/")
            path = named.rpartition(f"/{TREE}/")[2]
            if path != named or key == "path":
                return posixpath.normpath(path if path.endswith(".md") else path + ".md")
    return ""
