"""Learning from sessions: transcripts in, proposals out, through admission like any other."""

import os

from bowerbird.agent.learn.ledger import Ledger
from bowerbird.agent.learn.promote import PROPOSED, REPEATED, digest, judged, named
from bowerbird.agent.learn.registry import SIGNALS
from bowerbird.agent.learn.signals.commits import commit_after
from bowerbird.agent.learn.transcript import ENDINGS, began, told
from bowerbird.core.answers import Skipped
from bowerbird.core.learned import Learned, Lesson, Tallied
from bowerbird.core.origins import origin_of
from bowerbird.wiring.held import HeldIn
from bowerbird.wiring.keeping import Keeping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.agent.learn.promote import Judged
    from bowerbird.agent.learn.steps import Digest, Told
    from bowerbird.core.config import Config
    from bowerbird.core.draft import About
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.types import Project
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

# Sessions that are told as evidence of one memory.
_MOST_SESSIONS = 10


class Learning:
    """One run over some transcripts."""

    def __init__(
        self,
        config: "Config",
        opened: "Opened",
        reach: "Reach",
        acting: "Acting",
        *,
        dry_run: bool,
    ) -> None:
        self._reach = reach
        self._acting = acting
        self._keeping = Keeping(config, opened, reach, acting)
        self._dry_run = dry_run
        self._unsure = config["agent.signals"] == "all"
        self._ledger = Ledger(opened.path)
        self._known: dict[str, Digest] = {}
        self._held_in = HeldIn(opened, reach.project_of)
        self._lessons: list[Lesson] = []
        self._again = 0
        self._done = 0

    def learn(self, paths: "Sequence[str]", progress: "Progress | None") -> Learned:
        """Every session below the paths that was not learned from yet, the oldest first."""
        self._known = self._ledger.digests()
        files = sorted(
            {os.path.abspath(path) for path in _files(paths)}, key=lambda path: (began(path), path)
        )
        skipped = []
        if progress is not None:
            progress.start("learning", len(files))
        for path in files:
            if why := self._one(path):
                skipped.append(Skipped(path, why))
            if progress is not None:
                progress.advance(1, os.path.basename(path))
        if progress is not None:
            progress.finish()
        return Learned(
            self._done,
            self._again,
            tuple(self._lessons),
            self._tallied(),
            tuple(skipped),
            dry_run=self._dry_run,
        )

    def _one(self, path: str) -> str:
        """Learn from one file; why that cannot be, or empty."""
        try:
            session = told(path)
        except OSError as error:
            return error.strerror or str(error)
        if session is None or all(step.event.sub for step in session.steps):
            return "no recorded session"
        before = self._known.get(session.id)
        if before is not None and before.steps >= len(session.steps):
            self._again += 1
            return ""
        project = self._project(session.folder)
        if project is None:
            return f"its folder belongs to no project: {session.folder}"
        past = [
            one
            for one in self._known.values()
            if one.project == project.uid and one.session != session.id
        ]
        if before is not None:
            # What it gave before it went on is not given again.
            past.append(before.replace(touched={}, marks={}))
        kept = [*(before.kept if before is not None else ())]
        again = [*(before.again if before is not None else ())]
        for one in judged(session, past, unsure=self._unsure):
            self._lessons.append(self._lesson(one, session, path, project))
            if one.decision == PROPOSED:
                kept.append(named(one.candidate))
            elif one.decision == REPEATED:
                again.append(named(one.candidate))
        self._known[session.id] = digest(session, project.uid, kept, again)
        if not self._dry_run:
            self._ledger.add(self._known[session.id])
        self._done += 1
        return ""

    def _project(self, folder: str) -> "Project | None":
        if self._reach.named or not os.path.isabs(folder):
            return self._reach.project
        return self._held_in(folder, "")

    def _lesson(self, one: "Judged", session: "Told", path: str, project: "Project") -> Lesson:
        candidate, decision, id = one.candidate, one.decision, ""
        if decision == PROPOSED and not self._dry_run:
            about: About = {
                "kind": candidate.kind,
                "source": candidate.source,
                "origin": origin_of(candidate.source),
                "session": session.id,
                "files": candidate.files,
                "confidence": one.confidence,
                "tainted": candidate.outside,
                "payload": candidate.payload,
                "commit": commit_after(session, max(candidate.lines, default=0)),
                "metadata": {
                    "learned": {
                        "signal": candidate.signal,
                        "key": named(candidate),
                        "sessions": [*candidate.sessions[-_MOST_SESSIONS:]],
                        "transcript": path,
                        "lines": [*candidate.lines],
                    }
                },
            }
            if one.signal.waits:
                about["review"] = f"learned from a session ({candidate.signal}), seen by nobody yet"
            draft = self._acting.draft(candidate.text, about)
            decided = self._keeping.admission(project).admit(draft)
            decision, id = decided.decision, decided.id
        return Lesson(
            *(candidate.signal, decision, id, candidate.kind, candidate.text),
            one.confidence,
            session.id,
            candidate.sessions,
            path,
            candidate.lines,
            outside=candidate.outside,
        )

    def _tallied(self) -> tuple[Tallied, ...]:
        kept = {PROPOSED, "created", "superseded", "quarantined"}
        found = []
        for signal in SIGNALS:
            own = [one for one in self._lessons if one.signal == signal.name]
            number = sum(one.decision in kept for one in own)
            tallied = Tallied(
                signal.name,
                len(own),
                number,
                on=signal.on or self._unsure,
                precision=signal.precision,
            )
            found.append(tallied)
        return tuple(found)


def _files(paths: "Sequence[str]") -> "Iterator[str]":
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                yield from (os.path.join(folder, name) for name in names if name.endswith(ENDINGS))
        else:
            yield path
