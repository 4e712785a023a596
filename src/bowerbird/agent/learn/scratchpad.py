"""What was seen in sessions that have not ended: lines of JSON in a file a session, beside the store.

A line is appended at the end of each piece of work, and what stands there is there after a crash. When
the session has ended, what became of it stands in the ledger, and the file goes.
"""

import json
import os
import re
from contextlib import suppress

from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.observe.journal import file_name
from bowerbird.core.foreign import whole
from bowerbird.core.places import append_to, make_folder
from bowerbird.core.value import Value
from bowerbird.guard.redact import ALLOW_NOTHING, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SUFFIX = ".scratchpad"
_END = ".jsonl"
# Where the session is recorded, in the first line.
_TRANSCRIPT = "transcript"
# All that is kept of one session; the notes that are worth least go first.
LARGEST = 50_000_000
# Two notes that share this part of their words are one.
_SAME = 0.85


class Note(Value):
    """A lesson as it was noted: what it is `worth`, and which of a session's agents met it."""

    __slots__ = ("agents", "lesson", "worth")

    def __init__(self, lesson: Lesson, worth: float, agents: tuple[str, ...] = ()) -> None:
        self.lesson = lesson
        self.worth = worth
        self.agents = agents


class Scratchpad:
    """The sessions of one store that go on."""

    def __init__(self, store: str, largest: int = LARGEST) -> None:
        self.folder = store + SUFFIX
        self._largest = largest

    def checkpoint(self, session: str, transcript: str, notes: "Iterable[Note]") -> int:
        """Append what is not noted yet; how many notes that were. Raises OSError."""
        known = {_named(one) for one in self._lines(session)}
        new = [one for one in notes if _named(one) not in known]
        make_folder(self.folder)
        path = self._path(session)
        begun = os.path.exists(path)
        header = b"" if begun else json.dumps({_TRANSCRIPT: transcript}).encode() + b"\n"
        handle = append_to(path)
        try:
            # A line that a crash cut short must not take the next one with it.
            os.write(handle, b"\n" + header + b"".join(map(_line, new)))
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > self._largest:
            self._evict(session)
        return len(new)

    def notes(self, session: str) -> list[Note]:
        """What was noted, each thing once, what is worth most first."""
        merged: list[Note] = []
        for one in sorted(self._lines(session), key=lambda one: -one.worth):
            same = next((other for other in merged if _same(other, one)), None)
            if same is None:
                merged.append(one)
            else:
                same.agents = tuple(dict.fromkeys((*same.agents, *one.agents)))
        return merged

    def left(self, before: float) -> list[str]:
        """The transcripts of sessions that nobody told the end of, last noted `before`, in seconds."""
        found = []
        with suppress(FileNotFoundError):
            for one in os.scandir(self.folder):
                if one.name.endswith(_END) and one.stat().st_mtime < before:
                    with suppress(ValueError, IndexError, KeyError, TypeError):
                        header = json.loads(whole(one.path, 2 * LARGEST).split(b"\n")[1])
                        found.append(str(header[_TRANSCRIPT]))
        return found

    def drop(self, session: str) -> None:
        """The session has ended, and what it taught stands elsewhere."""
        with suppress(FileNotFoundError):
            os.unlink(self._path(session))

    def _evict(self, session: str) -> None:
        """Keep what is worth most, in half of the room."""
        room = self._largest // 2
        kept = []
        for one in sorted(self._lines(session), key=lambda one: -one.worth):
            line = _line(one)
            room -= len(line)
            if room < 0:
                break
            kept.append(line)
        path = self._path(session)
        first = b"\n".join(whole(path, 2 * LARGEST).split(b"\n")[:2]) + b"\n"
        with open(path + ".new", "wb") as file:
            file.write(first + b"".join(kept))
        os.replace(path + ".new", path)

    def _lines(self, session: str) -> list[Note]:
        found = []
        try:
            data = whole(self._path(session), 2 * LARGEST)
        except FileNotFoundError:
            return []
        for raw in data.splitlines():
            with suppress(ValueError, TypeError, KeyError):
                found.append(_note(json.loads(raw)))
        return found

    def _path(self, session: str) -> str:
        return os.path.join(self.folder, file_name(session) + _END)


def _named(note: Note) -> tuple[str, str, tuple[str, ...]]:
    return note.lesson.signal, note.lesson.key, note.agents


def _line(note: Note) -> bytes:
    encoded = json.dumps(
        {"worth": note.worth, "agents": note.agents, **note.lesson.raw_dict()},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return redact(encoded, ALLOW_NOTHING).text.encode("utf-8", "replace") + b"\n"


def _note(data: "dict[str, Any]") -> Note:
    worth, agents = float(data.pop("worth")), tuple(data.pop("agents"))
    for name in ("lines", "sessions", "files"):
        data[name] = tuple(data[name])
    return Note(Lesson(**data), worth, agents)


def _same(one: Note, other: Note) -> bool:
    ours, theirs = (
        frozenset(re.findall(r"\w+", note.lesson.text.lower())) for note in (one, other)
    )
    shared = len(ours & theirs)
    return one.lesson.kind == other.lesson.kind and shared > _SAME * max(len(ours), len(theirs))
