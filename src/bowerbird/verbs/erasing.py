"""Wires erasing: the memories in the store, then every copy of their words that is ours.

Those are the journal of hooks, the scratchpads of open sessions, and rescued transcripts. Backups are
listed, not changed: they would no longer be what was backed up. Memories and files that quote the words
are listed, too: whether they have to go is their owner's decision.
"""

import json
import os

from bowerbird.core.blanking import blank_lines
from bowerbird.core.history import Erased, Quoting
from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.types import PASSAGE, STATES
from bowerbird.ingest.rescue import without_lines
from bowerbird.lifecycle.erase import erase
from bowerbird.lifecycle.remnants import Remnants
from bowerbird.sessions.learn.scratchpad import SUFFIX as SCRATCHPAD
from bowerbird.sessions.observe.journal import SUFFIX as JOURNAL
from bowerbird.verbs.rescuing import archive_folder
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bowerbird.core.history import Gone
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.lifecycle.changes import Changes


# Passages that are read to tell which files quote an erased memory.
_PASSAGES = 100


class Erasing(Verbs):
    """Deletes memories for good."""

    def erase(
        self, changes: "Changes", ids: "Sequence[str]", progress: "Progress | None"
    ) -> "Erased":
        """Deletes memories from the store, its word indexes and log, and from the files beside it.

        Returns the space to the disk. Raises Denied, NotFound, and the store errors.
        """
        self._acting.who.require_owner("erase")
        writer = self._acting.writer()
        texts = [one.text for id in ids for one in writer.audit.versions(changes.changeable(id).id)]

        def gone() -> "Sequence[Gone]":
            return erase(self._acting.writer(), changes, ids, self._acting.actor(""))

        done = tuple(self._opened.freeing(gone))
        writer = self._acting.writer()
        writer.upkeep.reword(progress)
        writer.upkeep.give_back()
        writer.upkeep.fold()
        said = {word for text in texts for word in words(text) if not word.isdecimal()}
        remnants = Remnants(texts, said - set(writer.words.counts(said)))
        lines = sum(blank_lines(path, _holding(remnants)) for path in self._side_files())
        archives = without_lines(archive_folder(), _holding(remnants))
        copies = self._opened.backend.copies(self._opened.path)
        quoting = (*_memories(writer, remnants), *_files(writer, remnants))
        return Erased(done, lines, archives, tuple(copies), quoting)

    def _side_files(self) -> "Iterator[str]":
        """The files of the hooks' journal and of the scratchpads."""
        for suffix in (JOURNAL, SCRATCHPAD):
            folder = self._opened.path + suffix
            try:
                names = os.listdir(folder)
            except OSError:
                continue  # no session was recorded
            paths = (os.path.join(folder, name) for name in names)
            yield from (path for path in paths if os.path.isfile(path) and not os.path.islink(path))


def _memories(store: "Store", remnants: Remnants) -> "list[Quoting]":
    """The memories that quote, in whatever state and version: a session's digest, above all."""
    found = [
        one.memory
        for one in store.audit.everything()
        if any(map(remnants.quoted, (one.text, *_texts(one.fields.raw_dict()))))
    ]
    entries = [entry for id in dict.fromkeys(found) for entry in store.entries.get(id)]
    return [Quoting(entry.id, entry.kind) for entry in entries]


def _files(store: "Store", remnants: Remnants) -> "list[Quoting]":
    """The files with a passage that quotes, each by its first such passage."""
    if not remnants.phrases:
        return []
    filter = Filter(families=(PASSAGE,), states=STATES)
    rows = [row for row, _ in store.candidates.lexical(remnants.phrases, filter, _PASSAGES)]
    found: dict[str, Quoting] = {}
    for entry in store.entries.load(rows).values():
        if entry.path and remnants.quoted(entry.text):
            found.setdefault(entry.path, Quoting(entry.id, entry.kind, entry.path))
    return list(found.values())


def _holding(remnants: Remnants) -> "Callable[[str], bool]":
    """Whether a line of JSON, or any other, holds remnants in one of its texts."""

    def holding(line: str) -> bool:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return remnants.within(line)
        return any(map(remnants.within, _texts(found)))

    return holding


def _texts(value: "object") -> "Iterator[str]":
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            left += one.values()
