"""What sessions of a project heard from others, kept for later ones: names, and the files with them."""

import os
from contextlib import suppress

from bowerbird.core.errors import StoreMissing, StoreOutdated
from bowerbird.core.foreign_file import WRITTEN
from bowerbird.guard.heard import Heard
from bowerbird.host.foreign import whole
from bowerbird.host.places import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bowerbird.core.types import Project
    from bowerbird.host.reading_facts import ReadingFacts
    from bowerbird.sessions.learn.steps import RecordedSession
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

# Names and runs of words that are kept of one session, some 40 kB.
_MOST = 2_000
# Bytes of a file whose names are looked at.
_LARGEST = 300_000


class ForeignWords:
    """The words of others in one store."""

    def __init__(self, opened: "Opened", reach: "Reach") -> None:
        self._opened = opened
        self._reach = reach

    def known(self, project: str, names: "Collection[str]") -> "Collection[str]":
        """Those of some names that a project, by its uid, first heard from others."""
        uid = self._reach.project.uid if self._reach.named else project
        with suppress(StoreMissing, StoreOutdated), self._opened.reading() as store:
            return store.foreign_names.known(uid, names)
        return ()

    def repeated(self, text: str) -> bool:
        """Whether a text of an agent repeats a name that this project first heard from others."""
        uid = self._reach.project.uid
        heard = Heard(lambda names: self.known(uid, names), is_word=self._opened.in_vocabulary)
        return heard.repeats(text)

    def note(
        self,
        session: "RecordedSession",
        project: "Project",
        facts: "ReadingFacts",
        acting: "Acting",
    ) -> None:
        """Keep what a session heard from others, and drop what a person typed in it."""
        if session.heard is None:
            return
        files = [*_files(session, facts)]
        for path, _ in files:
            with suppress(OSError, ValueError):
                session.heard.others(whole(path, _LARGEST).decode("utf-8", "replace"))
        learned = session.heard.learned(_MOST)
        adopted = session.heard.adopted
        at = max((step.at for step in session.steps), default=0)
        if learned or adopted:
            store = acting.writer()
            with store.transaction():
                number = store.projects.ensure(project)
                store.foreign_names.drop(number, adopted)
                store.foreign_names.add(number, learned, at)
        if files:
            facts.brought.note(files, session.id, at)


def _files(session: "RecordedSession", facts: "ReadingFacts") -> "Iterator[tuple[str, str]]":
    """The files that hold words of others since a session, each with how it came about."""
    yield from ((path, how) for path, how in session.brought if os.path.exists(path))
    root = project_of(session.folder).root if os.path.isdir(session.folder) else None
    if root:
        for path in facts.names_in(root).changed(session.windows):
            yield path, WRITTEN
