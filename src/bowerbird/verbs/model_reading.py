"""Works off what waits for a language model: pairs of memories to judge, and sessions to read.

Both are queues in the store, for whoever has the time: a hook after its answer, a server, `bower learn`.
Nothing is locked and no snapshot is held while a model is asked. What it proposed and passed its checks
is submitted to admission like the rules' lessons.
"""

import os

from bowerbird.core.erased import erased_until
from bowerbird.core.errors import ModelError, ModelWaits
from bowerbird.core.learned import Proposal, Thought
from bowerbird.core.query import Filter, Query
from bowerbird.core.report import Skipped
from bowerbird.core.types import GLOBAL, MEMORY
from bowerbird.guard.redact import redact
from bowerbird.host.locks import lock
from bowerbird.host.places import append_to, make_folder
from bowerbird.sessions.inject.instruction_files import InstructionFiles
from bowerbird.sessions.learn.model_lessons import MOST_KNOWN, ModelLessons
from bowerbird.sessions.learn.promote import judged
from bowerbird.sessions.learn.session_lines import USER, session_lines
from bowerbird.sessions.learn.transcript import recorded_session
from bowerbird.verbs.asking import Asking
from bowerbird.verbs.learning import Learning
from bowerbird.verbs.lesson_evidence import lowered_by_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.ports.thinking import Thinking
    from bowerbird.core.types import Project
    from bowerbird.sessions.learn.steps import RecordedSession
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

# Sessions of one run, and how often one is read in which the model fails: once more, as nothing is lost.
MOST = 10
TRIES = 2
# Characters of what a person typed by which the known memories are found.
_LONGEST_QUESTION = 1_500
_DROPPED = "dropped"


class ModelReading(Learning):
    """One run over what waits."""

    def __init__(
        self, config: "Config", opened: "Opened", reach: "Reach", acting: "Acting"
    ) -> None:
        super().__init__(config, opened, reach, acting, dry_run=False)
        self._asking = Asking(config, opened, reach, acting)

    def run(self) -> Thought:
        """Judges and reads what waits; without a model or a store nothing does.

        Raises BadConfig and UnknownName for wrong settings; failures of the model are in the result.
        """
        reader = self._opened.thinker("lessons")
        if self._opened.thinker() is None or not self._opened.exists():
            return Thought()
        # One process at a time: two would ask, and pay for, the same.
        make_folder(os.path.dirname(self._opened.thinking_lock))
        handle = append_to(self._opened.thinking_lock)
        try:
            if not lock(handle, wait=False):
                return Thought(notes=("another process is asking the language model",))
            return self._run(reader)
        finally:
            os.close(handle)

    def _run(self, reader: "Thinking | None") -> Thought:
        pairs = self._keeping.judge_later(slowly=True)
        if reader is None:
            return Thought(pairs)
        queue, read = self._acting.writer().unread_sessions, 0
        for session, path in queue.next(MOST):
            failed = self._read(session, path, reader)
            if failed:
                self._skipped.append(Skipped(path, failed))
                break  # the next ones would fail in the same way
            read += 1
        self._keeping.read([one.id for one in self._lessons if one.id])
        lessons, skipped = tuple(self._lessons), tuple(self._skipped)
        return Thought(pairs, read, lessons, skipped, queue.count(), tuple(reader.notes))

    def _read(self, id: str, path: str, thinker: "Thinking") -> str:
        """Reads one session by the model. Returns why that failed, or an empty string."""
        store = self._acting.writer()
        try:
            session = recorded_session(path, self._facts.reading_for)
            if session is not None:
                session.drop_until(erased_until(store.erasing.noted_sessions(), session.id))
            found = [] if session is None else self._proposed(session, path, thinker)
        except ModelWaits as error:
            return error.message
        except ModelError as error:
            with store.transaction():
                store.unread_sessions.failed(id, TRIES)
            return f"{error.message}; it is read again the next time"
        except OSError as error:  # the agent has deleted its transcript
            found = []
            self._skipped.append(Skipped(path, (error.strerror or str(error)).lower()))
        with store.transaction():
            store.unread_sessions.take(id)
        self._lessons += found
        return ""

    def _proposed(
        self, session: "RecordedSession", path: str, thinker: "Thinking"
    ) -> "list[Proposal]":
        self._file = self._facts.session_file(path, self._opened.path)
        project = self._project(session.folder if self._file.own else os.path.dirname(path))
        if project is None:
            return []
        shown = lowered_by_hooks(session, self._opened)
        told = InstructionFiles(project.root or session.folder, os.path.expanduser("~"))
        extractor = ModelLessons(thinker, self._near(session, project), told.say)
        found = judged(session, [], extractor=extractor)
        done = self._admitted(found, session, path, project, shown)
        return [
            *done,
            *(
                Proposal(
                    one.lesson.signal,
                    f"{_DROPPED}: {one.dropped}",
                    "",
                    one.lesson.kind,
                    redact(one.lesson.text).text,
                    0.0,
                    session.id,
                    one.lesson.sessions,
                    path,
                    one.lesson.lines,
                    outside=one.lesson.outside,
                )
                for one in extractor.proposed
                if one.dropped
            ),
        ]

    def _near(self, session: "RecordedSession", project: "Project") -> list[str]:
        """The memories nearest to what the person typed, trusted enough to be told."""
        typed = "\n".join(one.text for one in session_lines(session) if one.who == USER)
        if not typed.strip():
            return []
        filter = Filter(projects=(project.uid, GLOBAL.uid), families=(MEMORY,), min_trust="normal")
        query = Query(typed[:_LONGEST_QUESTION], limit=MOST_KNOWN, filter=filter)
        return [hit.text for hit in self._asking.answer(query)]
