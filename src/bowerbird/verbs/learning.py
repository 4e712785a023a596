"""Learns from sessions: reads transcripts, and submits what it found to admission."""

import os
import time
from collections import Counter
from contextlib import suppress

from bowerbird.core.erased import erased_until
from bowerbird.core.errors import BadInput, ModelError, NotFound, StoreMissing, StoreOutdated
from bowerbird.core.events import PROMPTED
from bowerbird.core.learned import Learned, Proposal, Tallied
from bowerbird.core.origins import ACCEPTED, ON_ASKING, TAUGHT, TENTATIVE, origin_of
from bowerbird.core.query import Filter
from bowerbird.core.report import Skipped
from bowerbird.core.text import one_line
from bowerbird.core.types import GLOBAL, MEMORY, SHORT_ID
from bowerbird.host.places import plain_place, plain_project, project_of
from bowerbird.host.reading_facts import ReadingFacts
from bowerbird.retrieval.lookup import Lookup
from bowerbird.sessions.inject.selection import is_held
from bowerbird.sessions.learn import promote
from bowerbird.sessions.learn.commit_messages import sha_of
from bowerbird.sessions.learn.ledger import add_digest, read_digests
from bowerbird.sessions.learn.promote import digest, judged, named, replaced, withdrawn
from bowerbird.sessions.learn.recurrence import OF_SUB_AGENT
from bowerbird.sessions.learn.registry import RULES, SIGNALS
from bowerbird.sessions.learn.retractions import (
    fulfilled,
    named_by,
    retracted,
    revoked,
    without_exception,
    without_subject,
)
from bowerbird.sessions.learn.scratchpad import Note, Scratchpad
from bowerbird.sessions.learn.signals.commits import recorded_commit
from bowerbird.sessions.learn.transcript import began, recorded_session
from bowerbird.sessions.levels import CAUTIOUS, level_state
from bowerbird.sessions.outcomes import needed_more
from bowerbird.verbs.digesting import Digesting
from bowerbird.verbs.folder_trust import Trusting
from bowerbird.verbs.foreign_words import ForeignWords
from bowerbird.verbs.keeping import Keeping
from bowerbird.verbs.lesson_evidence import evidence_of, learned_at, lowered_by_hooks, quotes
from bowerbird.verbs.said_before import SaidBefore, met
from bowerbird.verbs.session_project import SessionProject, given_files, session_files
from bowerbird.verbs.stamping import lower, stamp
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.draft import About, Draft
    from bowerbird.core.memories import Decision
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.thinking import Extractor
    from bowerbird.core.types import Entry, Project
    from bowerbird.host.reading_facts import SessionFile
    from bowerbird.ingest.trail import ReadingFor
    from bowerbird.sessions.learn.lasting_statements import Encode
    from bowerbird.sessions.learn.promote import Judged
    from bowerbird.sessions.learn.steps import Digest, Lesson, RecordedSession
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

# Sessions that are listed as evidence of one memory.
_MOST_SESSIONS = 100
# Memories of one kind that are searched for those that a new one replaces.
_MOST_REPLACED = 1_000
# Files of a commit that its record is about.
_MOST_CHANGED = 12
# A session without a reported end is over after this long without events.
_LONGEST_PAUSE_S = 6 * 3600
# The decisions of admission that store a memory.
_KEPT = frozenset({"created", "superseded", "quarantined"})
_OTHERS = "it quotes a changed line of a checkout that is not marked as yours"
# Before the sentence that took a part of a memory back, in the reason of that change.
_PART_TAKEN = "its author took a part of it back: "
_NO_SESSION = "no recorded session"


class Learning:
    """One run over a set of transcripts."""

    def __init__(
        self,
        config: "Config",
        opened: "Opened",
        reach: "Reach",
        acting: "Acting",
        *,
        dry_run: bool,
        ended: bool = True,
        sort: str = "",
        extractor: "Extractor[RecordedSession, Digest, Lesson]" = RULES,
    ) -> None:
        """With `ended` false, findings go to the session's scratchpad, because it may continue.

        `sort` is the type of the sessions (agent.learn.session_types); if empty it is detected.
        """
        self._reach = reach
        self._acting = acting
        self._opened = opened
        self._keeping = Keeping(config, opened, reach, acting)
        self._digesting = Digesting(acting, self._keeping)
        self._whose = Trusting(opened).whose
        self._dry_run = dry_run
        self._ended = ended
        self._sort = sort
        self._extractor = extractor
        self._level = config["agent.level"]
        self._asks = config["learn.ask"] != "off"
        self._allow = allowed(config)
        self._cautious = True
        self._scratchpad = Scratchpad(opened.path)
        self._outcomes = opened.outcomes
        self._known: dict[str, Digest] = {}
        self._erased: dict[str, int] = {}
        self._session_project = SessionProject(opened, reach.project_of)
        self._words = ForeignWords(opened, reach)
        self._facts = ReadingFacts(
            os.environ, opened.foreign_files, self._words.known, opened.in_vocabulary
        )
        self._file: SessionFile | None = None
        self._skipped: list[Skipped] = []
        self._lessons: list[Proposal] = []
        self._digests: list[str] = []
        self._again = 0
        self._done = 0

    def learn(self, paths: "Sequence[str]", progress: "Progress | None") -> Learned:
        """Learns from each session below the paths that was not processed yet, oldest first."""
        self._known = self._kept()
        given = given_files(paths)
        files = sorted(given, key=lambda path: (began(path), path))
        others: Counter[str] = Counter()
        if progress is not None:
            progress.start("learning", len(files))
        for path in files:
            why = self._one(path)
            if why == _NO_SESSION and given[path] != path:
                others[given[path]] += 1
            elif why:
                self._skipped.append(Skipped(path, why))
            if progress is not None:
                progress.advance(1, os.path.basename(path))
        self._skipped += [
            Skipped(folder, f"{_NO_SESSION}: {number:,} of its files")
            for folder, number in others.items()
        ]
        self._end_others()
        kept = [one.id for one in self._lessons if one.decision in _KEPT]
        self._keeping.read([*kept, *self._digests])
        if kept:
            self._keeping.judge_later()
        if progress is not None:
            progress.finish()
        return Learned(
            self._done,
            self._again,
            tuple(self._lessons),
            self._tallied(),
            tuple(self._skipped),
            dry_run=self._dry_run,
        )

    def _end_others(self) -> None:
        """Learns from the sessions that went on and have paused for too long."""
        if self._ended:
            return
        self._ended = True
        for path in self._scratchpad.left(time.time() - _LONGEST_PAUSE_S):
            self._one(path)

    def _one(self, path: str) -> str:
        """Learns from one file. Returns why it was skipped, or an empty string."""
        try:
            session = recorded_session(path, self._facts.reading_for)
        except OSError as error:
            return error.strerror or str(error)
        if session is None or all(step.event.sub for step in session.steps):
            return _NO_SESSION
        until = erased_until(self._erased, session.id)
        session.drop_until(until)
        self._file = self._facts.session_file(path, self._opened.path)
        project = self._project(session.folder if self._file.own else os.path.dirname(path))
        if project is None:
            return _homeless(session)
        shown = lowered_by_hooks(session, self._opened)
        before = self._known.get(session.id)
        if not session.steps or (before is not None and before.steps >= len(session.steps)):
            self._again += 1
            if before is None or before.told or self._dry_run:
                return ""
            return self._told(session, before, project)
        session.sort = self._sort
        session.goes_on = not self._ended
        session.encode = self._sentence_encoder(session)
        session.said_before = self._said_before(project)
        past = self._before(session, project)
        past += _sub_agents(session, path, project, self._facts.reading_for, until)
        outcomes = [*self._outcomes.of(project.uid)]
        # In the first sessions of a project everything that is learned waits for review.
        self._cautious = level_state(len(past) + 1, outcomes, self._level).level == CAUTIOUS
        try:
            found = judged(
                session,
                past,
                ended=self._ended,
                more=needed_more(outcomes),
                allow=self._allow,
                extractor=self._extractor,
            )
        except ModelError as error:
            return f"{error.message}; it is read again the next time"
        if self._is_of_no_project(project, found):
            return _homeless(session)
        found += self._restored(session, found)
        self._lessons += self._admitted(found, session, path, project, shown)
        kept = [named(one.lesson) for one in found if one.decision == promote.PROPOSED]
        again = [named(one.lesson) for one in found if one.decision == promote.REPEATED]
        waiting = [named(one.lesson) for one in found if one.decision == promote.MORE]
        if before is not None:
            kept, again = [*before.kept, *kept], [*before.again, *again]
        digested = digest(session, project.uid, kept, again, waiting)
        self._known[session.id] = digested
        if not self._dry_run:
            withdrawn = self._withdraw(session, project)
            stamp(session, project, self._opened, self._acting)
            lower(session, project, self._opened, self._acting)
            self._words.note(session, project, self._facts, self._acting)
            self._digests += self._digested(session, project, withdrawn)
            self._check_asked(session)
            digested.told = True
            self._note(session, path, found, digested, changed=bool(kept))
        self._done += 1
        return ""

    def _before(self, session: "RecordedSession", project: "Project") -> "list[Digest]":
        """The digests of a project's other sessions, and of what this one said before."""
        known = self._known.values()
        past = [one for one in known if one.project == project.uid and one.session != session.id]
        if (before := self._known.get(session.id)) is not None:
            # Lessons of a session's earlier part are not proposed again.
            past.append(before.replace(touched=(), marks={}))
        return past

    def _kept(self) -> "dict[str, Digest]":
        """The digests of the sessions that were processed; a store that is not there is not made."""
        try:
            store = self._opened.reader()
        except StoreMissing:
            return {}
        except StoreOutdated:
            if self._dry_run:
                raise
            store = self._acting.writer()
        self._erased = store.erasing.noted_sessions()
        return read_digests(store)

    def _keep(self, digest: "Digest") -> None:
        store = self._acting.writer()
        with store.transaction():
            add_digest(store, digest)

    def _told(self, session: "RecordedSession", before: "Digest", project: "Project") -> str:
        """Stores the digest of a session that was processed before there were digests."""
        self._digests += self._digested(session, project)
        self._known[session.id] = told = before.replace(told=True)
        self._keep(told)
        return ""

    def _check_asked(self, session: "RecordedSession") -> None:
        """Checks what the agent kept because it was asked."""
        if self._asks and self._is_own:
            from bowerbird.verbs.asked_memories import check_asked

            check_asked(session, self._opened, self._keeping)

    def _note(
        self,
        session: "RecordedSession",
        path: str,
        found: "Sequence[Judged]",
        digest: "Digest",
        *,
        changed: bool,
    ) -> None:
        """Stores the digest of a session that has ended, and the findings of one that goes on."""
        if self._ended:
            self._keep(digest)
            self._scratchpad.drop(session.id)
            if self._opened.thinker("lessons") is not None:
                store = self._acting.writer()
                with store.transaction():
                    store.unread_sessions.put(session.id, path)
            return
        if changed:
            # The session is read again, with all its steps, when it has ended.
            self._keep(digest.replace(steps=0))
        waiting = [one for one in found if one.decision == promote.WAITING]
        self._scratchpad.checkpoint(
            session.id, path, [Note(one.lesson, one.worth) for one in waiting]
        )

    def _restored(self, session: "RecordedSession", found: "Sequence[Judged]") -> "list[Judged]":
        """Findings of the scratchpad that the transcript of an ended session no longer contains."""
        if self._dry_run or not self._ended:
            return []
        known = {(one.lesson.signal, one.lesson.key) for one in found}
        notes = self._scratchpad.notes(session.id)
        left = [one.lesson for one in notes if (one.lesson.signal, one.lesson.key) not in known]
        room = promote.room(session, found)
        return promote.restored(left[:room])

    def _withdraw(self, session: "RecordedSession", project: "Project") -> list[str]:
        """Forgets what the author of a session took back: what it stated itself, or an earlier one.

        Returns what an earlier one stated, as its digest tells it.
        """
        if keys := withdrawn(session):
            found = self._taught(project, (session.id,))
            if gone := [one.id for one in found if _key(one) in keys]:
                self._keeping.forget(gone, "its author took it back in the same session", "")
        # A transcript of others has no say over what this person told.
        steps = session.steps if self._is_own else []
        asked = [one for one in steps if one.event.what == PROMPTED and not one.event.sub]
        prompts = [one.event.text for one in asked]
        try:
            kept = [*self._taught(project), *self._taught(GLOBAL)]
            kept = [one for one in kept if one.session != session.id]
        except StoreMissing:
            return []
        for sentence, over in fulfilled(prompts, kept):
            if not over.pinned:
                self._keeping.forget([over.id], f"what it waited for is over: {sentence}", "")
                kept.remove(over)
        told, ended = [], []
        for step in asked:
            # A session that goes on is read again: what was said after the prompt stays.
            before = [one for one in kept if not step.at or one.created <= step.at]
            for sentence, over, rest in self._ended_by(step.event.text, before):
                if rest:
                    self._keeping.edit(over.id, rest, {}, f"{_PART_TAKEN}{sentence}")
                    told.append(f"{_taken_back(over)}, but for “{one_line(rest)}”")
                else:
                    ended.append((sentence, over))
                kept.remove(over)
        for sentence, over in ended:
            self._keeping.forget([over.id], f"its author took it back: {sentence}", "")
        return [*told, *(_taken_back(one) for _, one in ended)]

    def _ended_by(self, prompt: str, before: "Sequence[Entry]") -> "list[tuple[str, Entry, str]]":
        """The memories that a prompt ends: behind the sentence, and before what stays of the text."""
        found = [
            (sentence, one, without_exception(one.text, sentence))
            for sentence, one in revoked([prompt], before)
        ]
        for sentence, subject, said in retracted([prompt]):
            left = [one for one in before if all(one is not over for _, over, _ in found)]
            memory = named_by(subject, left, in_part=said, met=self._met)
            if memory is not None:
                found.append((sentence, memory, without_subject(memory.text, subject)))
        return [one for one in found if not self._gave_part(one[1], one[0])]

    def _gave_part(self, memory: "Entry", sentence: str) -> bool:
        """Whether a sentence took a part of a memory back already: a session is read more than once."""
        changes = self._opened.reader().audit.of(memory.id)
        return any(one.reason == f"{_PART_TAKEN}{sentence}" for one in changes)

    def _taught(self, project: "Project", sessions: "tuple[str, ...]" = ()) -> "Sequence[Entry]":
        """Memories in a person's words, of a project, or of some of its sessions."""
        filter = Filter(
            projects=(project.uid,), families=(MEMORY,), sources=(TAUGHT,), sessions=sessions
        )
        return Lookup(self._opened.reader(), None, self._acting.show).list(
            filter, _MOST_REPLACED, 0
        )

    def _said_before(self, project: "Project") -> SaidBefore | None:
        """What this person said before; None where the session is not theirs, or nothing is stored."""
        if not self._is_own or self._dry_run:
            return None
        try:
            taught = self._taught(project)
        except StoreMissing:
            return None
        held = [one for one in taught if one.state == "active" and not is_held(one)]
        return SaidBefore(held, self._opened, self._keeping, self._acting, project)

    def _met(self, subject: str, texts: "Sequence[str]") -> "Sequence[float]":
        """How near the words of a subject are to those of some texts, in whatever language."""
        return met(self._opened, subject, texts)

    def _sentence_encoder(self, session: "RecordedSession") -> "Encode | None":
        """How sentences are said, by the contextual model of the package; None if it cannot be read.

        Whichever model embeds the store: the weights of what is recognised belong to this one. What was
        read at the end of a turn is not read again.
        """
        try:
            keep = not self._ended and not self._dry_run
            beside = self._scratchpad.vectors(session.id, begin=keep)
            return self._opened.manner(beside, keep=keep)
        except ModelError:
            return None

    def _project(self, folder: str) -> "Project | None":
        if self._reach.named or not os.path.isabs(folder):
            return self._reach.project
        found = self._session_project(folder, "")
        if found is None and self._is_own and os.path.isdir(folder):
            return plain_place(folder)
        # A file of others chooses no project by what it says: it belongs to where it is, or to here.
        return self._reach.project if found is None and not self._is_own else found

    def _is_of_no_project(self, project: "Project", found: "Sequence[Judged]") -> bool:
        """Whether a plain folder is no project, nor becomes one by what is said in it for good."""
        said = any(one.decision == promote.PROPOSED for one in found)
        return not said and self._is_own and not self._reach.named and self._is_new(project)

    def _is_new(self, project: "Project") -> bool:
        if project.root is None or project_of(project.root).uid:
            return project.uid == GLOBAL.uid
        try:
            return plain_project(project.root, self._opened.reader().projects) is None
        except StoreMissing:
            return True

    def _digested(
        self, session: "RecordedSession", project: "Project", withdrawn: "Sequence[str]" = ()
    ) -> "list[str]":
        """The digest of a session; what one outside of all projects was about is told in none."""
        if project.uid == GLOBAL.uid:
            return []
        return self._digesting.keep(session, project, withdrawn, own=self._is_own)

    @property
    def _is_own(self) -> bool:
        """Whether the transcript that is read now is the user's own."""
        return self._file is None or self._file.own

    def _admitted(
        self,
        found: "Sequence[Judged]",
        session: "RecordedSession",
        path: str,
        project: "Project",
        shown: str,
    ) -> list[Proposal]:
        """Submits the selected lessons to admission in one transaction; returns the others unchanged."""
        proposed = [one for one in found if one.decision == promote.PROPOSED]
        decided: dict[int, Decision] = {}
        if proposed and not self._dry_run:
            # What others' transcripts say of all projects is of theirs.
            wide = [one for one in proposed if one.lesson.everywhere and self._is_own]
            for some, place in (
                ([one for one in proposed if one not in wide], project),
                (wide, GLOBAL),
            ):
                drafts = [self._draft(one, session, path, shown) for one in some]
                done = self._keeping.admission(drafts, place).admit_all(drafts) if some else []
                decided |= {id(one): decision for one, decision in zip(some, done, strict=True)}
            for one in proposed:
                decision = decided[id(one)]
                if one.lesson.replaces and decision.state == "active":
                    self._replace(one.lesson, decision.id, project)
                if one.lesson.ends and decision.state == "active":
                    self._end(one.lesson.ends, decision.id, _said(session, one.lesson))
        return [
            Proposal(
                one.lesson.signal,
                decided[id(one)].decision if id(one) in decided else one.decision,
                decided[id(one)].id if id(one) in decided else "",
                one.lesson.kind,
                one.lesson.text,
                one.confidence,
                session.id,
                one.lesson.sessions,
                path,
                one.lesson.lines,
                outside=one.lesson.outside,
            )
            for one in found
        ]

    def _replace(self, lesson: "Lesson", id: str, project: "Project") -> None:
        """Supersedes the memories whose place a new one takes; not those that a person confirmed."""
        changes, keys = self._keeping.changes(), replaced(lesson)
        filter = Filter(projects=(project.uid,), families=(MEMORY,), kinds=(lesson.kind,))
        lookup = Lookup(self._opened.reader(), None, self._acting.show)
        for entry in lookup.list(filter, _MOST_REPLACED, 0):
            fields = entry.details.fields if entry.details is not None else None
            if fields is None or _key(entry) not in keys or fields.pinned or fields.verified:
                continue
            with suppress(BadInput):  # it is trusted more than the new one
                changes.link(id, entry.id, "supersedes", 1.0, 1.0, "")

    def _end(self, over: str, id: str, said: int) -> None:
        """Supersedes what a person said before by what they said later of the same."""
        changes = self._keeping.changes()
        with suppress(BadInput, NotFound):  # it is trusted more than the new one, or gone
            entry = changes.memory(over)
            if (
                entry.id != id
                and entry.state == "active"
                and not entry.pinned
                and entry.created <= said
            ):
                changes.link(id, entry.id, "supersedes", 1.0, 1.0, "")

    def _draft(self, one: "Judged", session: "RecordedSession", path: str, shown: str) -> "Draft":
        """The draft of a lesson, in the name of those whose words and work it rests on.

        `shown` is the lowest trust that the session was shown, as far as no step of it is known for that.
        """
        own = self._is_own
        about = self._about(one, session, path)
        lesson = one.lesson
        # A change quotes a line of the project's file, which others may have written.
        others = "changed_file" in (lesson.payload or {}) and not self._owned(session.folder)
        lesson = lesson.replace(outside=lesson.outside or others)
        evidence = evidence_of(lesson, session, own=own, shown=shown)
        if evidence.reason or others:
            about["review"] = _OTHERS if others else evidence.reason
        elif lesson.tentative:
            about["review"] = ON_ASKING
        marks = {TENTATIVE: about.get("review") == ON_ASKING, ACCEPTED: lesson.accepted and own}
        metadata = about["metadata"] or {}
        marked = metadata["learned"] | {name: True for name, is_so in marks.items() if is_so}
        about["metadata"] = {"learned": marked}
        # Not the caller's claim but the record's: what a person typed is theirs, whoever runs this.
        return self._acting.draft(lesson.text, about).replace(
            origin=evidence.origin,
            source=lesson.source if evidence.origin == origin_of(lesson.source) else "",
            lineage=evidence.lineage,
            tainted=evidence.tainted,
        )

    def _about(self, one: "Judged", session: "RecordedSession", path: str) -> "About":
        lesson = one.lesson
        commit, files = self._committed(lesson, session)
        about: About = {
            "kind": lesson.kind,
            "session": session.id,
            "occurred": _said(session, lesson) or None,
            "files": files,
            "confidence": one.confidence,
            "payload": lesson.payload,
            "commit": commit,
            "metadata": {
                "learned": {
                    "signal": lesson.signal,
                    "key": named(lesson),
                    "worth": one.worth,
                    "sessions": [*lesson.sessions[-_MOST_SESSIONS:]],
                    "transcript": path,
                    "lines": [*lesson.lines],
                    "at": learned_at(lesson, session),
                    "quotes": quotes(lesson, session),
                }
            },
        }
        # A level governs what was inferred: what a person typed is theirs, and waits for nobody.
        unreviewed = lesson.source == TAUGHT or (lesson.recorded and not lesson.outside)
        if (one.signal.waits or self._cautious) and not unreviewed:
            about["review"] = f"learned from a session ({lesson.signal}), not reviewed yet"
        return about

    def _committed(
        self, lesson: "Lesson", session: "RecordedSession"
    ) -> "tuple[str, Sequence[str]]":
        """The commit with the work of a lesson, and the files that the lesson is about.

        A record of a commit is about what that changed, as the repository tells; git may have printed
        neither. One of many files is about none of them.
        """
        printed = sha_of(session, max(lesson.lines, default=0))
        landed = recorded_commit(session, lesson)
        if landed is None or not self._is_own or not os.path.isabs(session.folder):
            return printed, lesson.files
        from bowerbird.code.git_objects import History  # start-up: few sessions commit

        history = History(session.folder)
        began_at = min((step.at for step in session.steps if step.at), default=0)
        commit = landed.sha or history.called(landed.subject, began_at)
        return commit or printed, (
            commit and history.changed(commit, _MOST_CHANGED)
        ) or lesson.files

    def _owned(self, folder: str) -> bool:
        """Whether the files of a session's folder are trusted as the user's own."""
        if not os.path.isabs(folder):
            return False
        return self._whose.of(folder).trusted

    def _tallied(self) -> tuple[Tallied, ...]:
        kept = {promote.PROPOSED, *_KEPT}
        found = []
        for signal in SIGNALS:
            own = [one for one in self._lessons if one.signal == signal.name]
            number = sum(one.decision in kept for one in own)
            found.append(Tallied(signal.name, len(own), number, signal.precision))
        return tuple(found)


def _taken_back(entry: "Entry") -> str:
    return f"“{one_line(entry.text)}” (bower revert {entry.id[:SHORT_ID]})"


def _key(entry: "Entry") -> str:
    """The key of the lesson that a memory was learned as; empty if it was not learned."""
    fields = entry.details.fields if entry.details is not None else None
    learned = fields.metadata.get("learned") if fields is not None else None
    return str(learned.get("key") or "") if isinstance(learned, dict) else ""


def _homeless(session: "RecordedSession") -> str:
    return (
        f"its folder belongs to no project, and nothing was said there for good: {session.folder}"
    )


def _said(session: "RecordedSession", lesson: "Lesson") -> int:
    """When the last line of a lesson's evidence was written, else the session's last; 0 if unknown."""
    last = max(lesson.lines, default=0)
    times = [step.at for step in session.steps if not last or step.line <= last]
    return max(times, default=0)


def _sub_agents(
    session: "RecordedSession",
    path: str,
    project: "Project",
    reading_for: "ReadingFor",
    until: int,
) -> "list[Digest]":
    """The digests of a session's sub-agents; their transcripts are in a folder named like the session."""
    found = []
    for other in (
        session_files([folder]) if os.path.isdir(folder := path.partition(".jsonl")[0]) else ()
    ):
        try:
            one = recorded_session(other, reading_for)
        except OSError:
            continue
        if one is not None:
            one.drop_until(until)
        if one is not None and one.steps:
            digested = digest(one, project.uid)
            name = os.path.basename(other)
            found.append(digested.replace(session=session.id + OF_SUB_AGENT + name))
    return found
