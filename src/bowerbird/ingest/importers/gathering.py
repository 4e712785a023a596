"""Collects what an importer finds as notes, and why something could not be taken."""

import json
import os

from bowerbird.core.draft import LONGEST, Draft
from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import kind_called
from bowerbird.core.migrated import Found, Note, Unmoved
from bowerbird.core.text import clean
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Unpack

    from bowerbird.core.draft import About

_PLAIN = "save it as text in UTF-8"


class Gathering:
    """The notes of one tool; `root` is the file or folder that is read, `most` the bytes of a file."""

    def __init__(self, tool: str, root: str, most: int) -> None:
        self.root = os.path.realpath(root)
        self._tool = tool
        self._most = most
        self._notes: list[Note] = []
        self._errors: list[Unmoved] = []
        self._links: dict[str, list[str]] = {}

    def add(
        self, path: str, text: str, kept: "dict[str, Any] | None" = None, **about: "Unpack[About]"
    ) -> None:
        """Takes a note; `kept` is what only its tool knows about it. Empty ones are left out."""
        body = clean(text).strip()
        if not body:
            return
        if len(body) > LONGEST:
            self.refuse(path, f"it has {len(body):,} characters; a memory holds {LONGEST:,}")
            return
        about["metadata"] = {self._tool: kept or {}}
        if not about.get("kind"):
            labels = (str((kept or {}).get("type", "")), *(about.get("tags") or ()))
            about["kind"] = next(filter(None, map(kind_called, labels)), None)
        self._notes.append(Note(path, Draft(body, **about)))

    def link(self, path: str, target: str) -> None:
        """Relates two notes by their paths."""
        self._links.setdefault(path, []).append(target)

    def refuse(self, path: str, why: str, remedy: str = "") -> None:
        """Tells that something could not be taken."""
        self._errors.append(Unmoved(clean(path), why, remedy))

    def text(self, path: str) -> str:
        """A file's text; empty, and told, if it cannot be read."""
        try:
            return whole(path, self._most).decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            self.refuse(path, "it is no text in UTF-8", _PLAIN)
        except OSError as error:
            self.refuse(path, (error.strerror or str(error)).lower())
        return ""

    def found(self, *, or_nothing: bool = False) -> Found:
        """All that was taken, in the order in which it was found.

        Raises BadInput for nothing at all, unless it may be `or_nothing`.
        """
        if not (self._notes or self._errors or or_nothing):
            raise BadInput(
                f"nothing of {self._tool} is in {self.root}", "name another file or folder"
            )
        notes = tuple(
            note.replace(links=tuple(dict.fromkeys(self._links.get(note.path, ()))))
            for note in self._notes
        )
        return Found(clean(self.root), notes, tuple(self._errors))


def loaded(text: str) -> "Any":
    """A JSON value; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def texts(value: "Any") -> list[str]:
    """The texts of a list, or of a list as JSON; a single text is one."""
    if isinstance(value, str):
        inner = loaded(value) if value.lstrip().startswith("[") else None
        return texts(inner) if isinstance(inner, list) else [value] if value.strip() else []
    if not isinstance(value, list):
        return []
    return [one for one in value if isinstance(one, str) and one.strip()]


def tags_of(names: "list[str]") -> tuple[str, ...]:
    """Names as tags, without those of no letter."""
    return tuple(dict.fromkeys(one for one in names if any(map(str.isalnum, one))))
