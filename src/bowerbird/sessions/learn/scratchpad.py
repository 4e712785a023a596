"""Observations of unfinished sessions: JSON lines in a file per session, beside the store.

A line is appended at the end of each turn, so that it survives a crash. When the session has ended, its
digest is in the ledger, and the file is deleted.
"""

import json
import os
import re
from contextlib import suppress

from bowerbird.core.value import Record
from bowerbird.guard.redact import ALLOW_NOTHING, redact, redact_sentences
from bowerbird.host.foreign import whole
from bowerbird.host.places import append_to, make_folder, private_file
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.observe.journal import file_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SUFFIX = ".scratchpad"
_END = ".jsonl"
# Ends the name of the vectors of a session's sentences (`storage.question_vectors`).
VECTORS = ".asked"
# The path of the transcript, in the first line.
_TRANSCRIPT = "transcript"
# Bytes per session; the notes of lowest worth are dropped first.
LARGEST = 50_000_000
# Two notes that share this part of their words are the same.
_SAME = 0.85


class Note(Record):
    """A lesson as it was noted: its `worth`, and which of a session's agents met it."""

    lesson: Lesson
    worth: float
    agents: tuple[str, ...] = ()


class Scratchpad:
    """The unfinished sessions of one store."""

    def __init__(self, store: str, largest: int = LARGEST) -> None:
        self.folder = store + SUFFIX
        self._largest = largest

    def checkpoint(self, session: str, transcript: str, notes: "Iterable[Note]") -> int:
        """Append the new notes, and return their number. Raises OSError."""
        known = {_named(one) for one in self._lines(session)}
        new = [one for one in notes if _named(one) not in known]
        make_folder(self.folder)
        path = self._path(session)
        begun = os.path.exists(path)
        header = b"" if begun else json.dumps({_TRANSCRIPT: transcript}).encode() + b"\n"
        handle = append_to(path)
        try:
            # A line truncated by a crash must not corrupt the next one.
            os.write(handle, b"\n" + header + b"".join(map(_line, new)))
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > self._largest:
            self._evict(session)
        return len(new)

    def notes(self, session: str) -> list[Note]:
        """Return the notes without duplicates, the highest worth first."""
        merged: list[Note] = []
        for one in sorted(self._lines(session), key=lambda one: -one.worth):
            same = next((other for other in merged if _same(other, one)), None)
            if same is None:
                merged.append(one)
            else:
                same.agents = tuple(dict.fromkeys((*same.agents, *one.agents)))
        return merged

    def left(self, before: float) -> list[str]:
        """Return the transcripts of sessions without an end, last noted before `before`, in seconds."""
        found = []
        with suppress(FileNotFoundError):
            for one in os.scandir(self.folder):
                if one.name.endswith(_END) and one.stat().st_mtime < before:
                    with suppress(ValueError, IndexError, KeyError, TypeError):
                        header = json.loads(whole(one.path, 2 * LARGEST).split(b"\n")[1])
                        found.append(str(header[_TRANSCRIPT]))
        return found

    def vectors(self, session: str, *, begin: bool = False) -> str:
        """Return beside what the vectors of a session's sentences are kept; `begin`: they will be."""
        if begin:
            make_folder(self.folder)
        return os.path.join(self.folder, file_name(session))

    def drop(self, session: str) -> None:
        """Delete the notes of a session that has ended, and the vectors of its sentences."""
        for path in (self._path(session), self.vectors(session) + VECTORS):
            with suppress(FileNotFoundError):
                os.unlink(path)

    def drop_vectors(self) -> None:
        """Delete the vectors of all sessions: they say what a text was about. They are read again."""
        with suppress(FileNotFoundError):
            for name in os.listdir(self.folder):
                if name.endswith(VECTORS):
                    with suppress(FileNotFoundError):
                        os.unlink(os.path.join(self.folder, name))

    def _evict(self, session: str) -> None:
        """Keep the notes of highest worth, in half of the space."""
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
        new = path + ".new"
        handle = private_file(new, os.O_WRONLY | os.O_TRUNC)
        with open(handle, "wb") as file:
            file.write(first + b"".join(kept))
        os.replace(new, path)

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
        redact_sentences({"worth": note.worth, "agents": note.agents, **note.lesson.raw_dict()}),
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return redact(encoded, ALLOW_NOTHING).text.encode("utf-8", "replace") + b"\n"


def _note(data: "dict[str, Any]") -> Note:
    worth, agents = float(data.pop("worth")), tuple(data.pop("agents"))
    data.setdefault("replaces", ())  # notes of before it have none
    for name in ("lines", "sessions", "files", "replaces"):
        data[name] = tuple(data[name])
    return Note(Lesson(**data), worth, agents)


def _same(one: Note, other: Note) -> bool:
    ours, theirs = (
        frozenset(re.findall(r"\w+", note.lesson.text.lower())) for note in (one, other)
    )
    shared = len(ours & theirs)
    return one.lesson.kind == other.lesson.kind and shared > _SAME * max(len(ours), len(theirs))
