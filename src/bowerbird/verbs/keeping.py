"""Wires the verbs that write memories: admission, manual changes, migration, pruning."""

import re
from contextlib import suppress
from time import perf_counter

from bowerbird.core.errors import BadInput, ModelError, UnknownName
from bowerbird.core.memories import Decision, Fields
from bowerbird.core.types import GLOBAL, TRUSTS
from bowerbird.core.value import Advice, Note
from bowerbird.core.who import STEWARD
from bowerbird.guard.trust import reaches
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.code.anchoring import Anchoring
    from bowerbird.core.consolidated import Consolidated
    from bowerbird.core.dispute import Dispute
    from bowerbird.core.draft import About, Draft
    from bowerbird.core.history import Edited, Ended, Gone, Relocated, Reverted
    from bowerbird.core.memories import Belief
    from bowerbird.core.migrated import Found, Migrated
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.thinking import Judge
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.reviewed import LeftBehind
    from bowerbird.core.types import Entry, Project
    from bowerbird.lifecycle.admit import Admission
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.lifecycle.dispute import Disputing
    from bowerbird.lifecycle.edit import Editor
    from bowerbird.lifecycle.ending import Ending
    from bowerbird.lifecycle.judge import Judgement
    from bowerbird.lifecycle.prune import Prune

    # Uids of projects; None: all.
    _Within = tuple[tuple[str, ...] | None, tuple[str, ...] | None]

# Matches texts that may name a file or a symbol, as `code.naming` recognises them.
_CODE = re.compile(r"[`_#]|\w\.\w|::|\(\)|[a-z][A-Z]")
# What a draft with the key of a memory gives it.
_PUT = ("text", *(one for one, about in Fields.DECLARED.items() if about.given and one != "key"))
# The methodology of settings that name none (`core.methodologies`).
_NATIVE = "native"
# Patterns of a consolidation that are read by the contextual model at once.
_MOST_READ = 10
# Kinds of which the newest memory of a work unit replaces older ones.
_ON_UNITS = ("work_state", "work_unit_outcome")
# Memories that wait and are looked through for disputes.
MOST_DISPUTES = 1_000


class Keeping(Verbs):
    """The verbs that write memories."""

    def remember(self, text: str, about: "About", *, everywhere: bool) -> "Decision":
        """Submit a draft to admission."""
        acting = self._acting
        acting.who.require_shared(everywhere, "everywhere")
        new = "" if everywhere else self._reach.new_in(self._acting.writer())
        draft = self._draft(text, about)
        admission = self.admission([draft])
        if draft.key:
            done = self._put(draft, admission, everywhere=everywhere)
        else:
            done = admission.admit(draft, everywhere=everywhere)
        if admission.left_open:
            self.judge_later()
        unit = "" if everywhere or done.state != "active" else about.get("work_unit")
        if unit and done.kind in _ON_UNITS:
            from bowerbird.verbs.work_units import Settling

            settling = Settling(self._config, self._opened, self._reach, acting)
            done = settling.settle(done, unit, self.remember, self.forget)
        return acting.annotated(done).replace(new_project=new)

    def _put(self, draft: "Draft", admission: "Admission", *, everywhere: bool) -> "Decision":
        """Stores a draft under its key, or gives the memory that has it the text and all fields."""
        done = admission.admit_keyed(draft, everywhere=everywhere)
        if isinstance(done, Decision):
            return done
        editor = self._editor(self._code([draft]))
        edited = editor.edit(done, draft, _PUT, "stored again under its key")
        self.read([done.id] if "text" in edited.changed else [])
        what = "has another text or other fields now" if edited.changed else "says that already"
        return Decision(
            id=done.id,
            decision="updated" if edited.changed else "known",
            kind=edited.kind,
            summary=edited.summary,
            reason=f"the memory with this key {what}",
            kind_reason="as it is kept",
            redacted=edited.redacted,
            tags=edited.tags,
            importance=done.importance or 0.0,
            trust=edited.trust,
            state=edited.state,
            needs_review=edited.needs_review,
            changed=edited.changed,
            review=edited.review,
            expires=edited.expires,
        )

    def foresee(self, text: str, about: "About", *, everywhere: bool) -> "Decision":
        """What admission would decide about a draft now. Changes nothing."""
        self._acting.who.require_shared(everywhere, "everywhere")
        draft = self._draft(text, about)
        return self._acting.annotated(self.admission([draft]).foresee(draft, everywhere=everywhere))

    def tied(self, file: str) -> str:
        """The path of what a memory that names this file is about; empty where it is tied to none."""
        from bowerbird.verbs.anchors import anchoring

        code = anchoring(self._acting.writer(), self._reach, self._acting, history=False)
        return next((one.path for one in code.taken([file], "")), "")

    def _draft(self, text: str, about: "About") -> "Draft":
        """A draft in the caller's name; an agent's waits if it repeats what earlier sessions read."""
        draft = self._acting.draft(text, about)
        if not draft.methodology and self._config["agent.methodology"] != _NATIVE:
            draft = draft.replace(methodology=self._config["agent.methodology"])
        if not self._acting.who.reader or not self._acting.writer().foreign_names.any:
            return draft
        from bowerbird.guard.trust import REPEATS, TAINTED
        from bowerbird.verbs.foreign_words import ForeignWords

        if not ForeignWords(self._opened, self._reach).repeated(text):
            return draft
        lineage = (*draft.lineage, TAINTED)
        return draft.replace(lineage=lineage, review=draft.review or REPEATS)

    def migrate(
        self,
        what: str,
        path: str,
        actor: str,
        *,
        dry_run: bool,
        with_sources: bool,
        progress: "Progress | None",
        project: "Project | None" = None,
        mine: bool = False,
    ) -> "Migrated":
        """Admits the notes of another memory tool. A dry run creates no store.

        They come into `project`, else into the present one. `mine`: a person says that they are theirs.
        """
        from bowerbird.verbs.migration import owned, read

        actor = self._acting.who.actor or actor
        found = read(what, self._config, path, actor, with_sources=with_sources)
        if mine:
            found = owned(found)
        return self.take(found, actor, progress, dry_run=dry_run, project=project)

    def take(
        self,
        found: "Found",
        actor: str,
        progress: "Progress | None",
        *,
        dry_run: bool,
        project: "Project | None" = None,
    ) -> "Migrated":
        """Admits notes that were read. A dry run creates no store."""
        from bowerbird.verbs.migration import Known, foreseen, migrate

        found = self._acting.lowered(found)
        opened = self._opened
        into = project or self._reach.project
        here = into, allowed(self._config), opened.kinds(), opened.clock
        if dry_run:
            return foreseen(found, opened.reader, here)
        writer = self._acting.writer()
        new = self._reach.new_in(writer) if into.uid == self._reach.project.uid else ""
        admission = self.admission([note.draft for note in found.notes], into)
        known = Known(writer, *here)
        done = migrate(found, admission, self.changes(), known, actor or "import", progress)
        kept = [one.decision.id for one in done.moved if one.decision.decision != "known"]
        with suppress(KeyboardInterrupt):  # all is kept: what is not read now is read later
            self.read_first(kept)
        return done.replace(new_project=new)

    def admission(self, drafts: "Sequence[Draft]", project: "Project | None" = None) -> "Admission":
        """The admission of some drafts into the current project, or into another one."""
        from bowerbird.lifecycle.admit import Admission

        return Admission(
            self._acting.writer(),
            self._opened.embedder(),
            project or self._reach.project,
            allowed(self._config),
            self._opened.kinds(),
            self._opened.clock,
            self._judge(),
            contextual=self._opened.understanding(),
            code=self._code(drafts),
            person=self._reach.personal(self._acting.writer()),
        )

    def _code(self, drafts: "Sequence[Draft]") -> "Anchoring | None":
        """The code that memories are anchored to; None if the drafts name no file and no symbol."""
        # Drafts are validated by admission: until then a text may be anything.
        if not any(one.files or _CODE.search(str(one.text)) for one in drafts):
            return None
        from bowerbird.verbs.anchors import anchoring

        history = any(one.commit for one in drafts)
        return anchoring(self._acting.writer(), self._reach, self._acting, history=history)

    def changes(self, *, write: bool = True) -> "Changes":
        """Manual changes of memories; without `write` only their history can be read."""
        from bowerbird.lifecycle.changes import Changes

        # Without a store there is nothing to change, and none is created.
        self._opened.require()
        store = self._acting.writer() if write else self._opened.reader()
        return Changes(
            store, self._opened.clock, self._acting, self._reach.bounds, allowed(self._config)
        )

    def disputing(self, *, write: bool = True) -> "Disputing":
        """Disputes of memories; without `write` they can only be read."""
        from bowerbird.lifecycle.dispute import Disputing

        return Disputing(self.changes(write=write))

    def say(self, id: str, text: str) -> "Dispute":
        """Opens a dispute, or adds to its thread."""
        done = self.disputing().say(id, text, "")
        self._acting.show([done.trust])
        return done

    def close_dispute(self, id: str, verdict: str, text: str) -> "Dispute":
        """Ends a dispute, as a steward decides."""
        from bowerbird.core.dispute import VERDICTS

        self._acting.who.require_role(STEWARD, "closing a dispute")
        if verdict not in VERDICTS:
            raise UnknownName.among("verdict", verdict, [*VERDICTS])
        done = self.disputing().close(id, verdict, text, "")
        self._acting.show([done.trust])
        return done

    def thread(self, id: str) -> "Dispute":
        """A memory with the thread of its disputes."""
        disputing = self.disputing(write=False)
        with self._opened.reader().reading():
            found = disputing.shown(id)
        self._acting.show([found.trust])
        return found

    def disputes(self) -> "tuple[Dispute, ...]":
        """The open disputes of what the caller sees, the oldest first; none without a store."""
        if not self._opened.exists():
            return ()
        from bowerbird.core.query import Filter

        filter = Filter(projects=self._reach.seen, needs_review=True, now=self._opened.clock())
        disputing = self.disputing(write=False)
        store = self._opened.reader()
        with store.reading():
            waiting = store.entries.list(filter, MOST_DISPUTES)
            found = [disputing.of(one) for one in waiting if one.disputed]
        self._acting.show({one.trust for one in found})
        return tuple(sorted(found, key=lambda one: one.thread[-1].at if one.thread else 0))

    def move(self, ids: "Sequence[str]", project: str, reason: str, actor: str) -> "Relocated":
        """Puts memories into another project, which is named, or the global one."""
        from bowerbird.lifecycle.move import move

        there = self._reach.known(project)
        elsewhere = there.uid != self._reach.project.uid
        self._reach.refuse_beyond(elsewhere, "--to", "who may reach both asks for all projects")
        self._acting.who.require_shared(there.uid == GLOBAL.uid, "--to global")
        return move(self.changes(), ids, there, reason, actor)

    def ending(self) -> "Ending":
        """Ends memories by hand."""
        from bowerbird.lifecycle.ending import Ending

        return Ending(self.changes())

    def deprecate(
        self, ids: "Sequence[str]", since: "int | str | None", reason: str, actor: str
    ) -> "Ended":
        """Marks memories as out of date, from a moment on, which may lie ahead."""
        if since is not None:
            from bowerbird.core.narrow import as_of

            now = self._opened.clock()
            over = as_of(since, now)
            # A day is over when the next begins.
            since = over if over is None or over == now else over + 1
        return self.ending().deprecate(ids, since, reason, actor)

    def confirm_both(self, id: str, other: str, about: "About") -> None:
        """Confirms two memories that contradict each other, in the caller's name."""
        from bowerbird.lifecycle.complete import complete
        from bowerbird.lifecycle.confirm import confirm_both

        allow, now = allowed(self._config), self._opened.clock()

        def said(entry: "Entry") -> "Belief":
            draft = self._acting.draft(entry.text, {"kind": entry.kind, **about})
            return complete(draft, allow, now, self._opened.kinds()).belief

        actor = self._acting.actor(about.get("actor", ""))
        confirm_both(self.changes(), (id, other), said, actor)

    def meanwhile(self, entry: "Entry") -> str:
        """Whether agents get a memory while it waits: held, asked or told."""
        from bowerbird.sessions.inject.selection import is_tentative, trusted

        return "asked" if is_tentative(entry) else "told" if trusted(entry) else "held"

    def left_behind(self, id: str, text: str | None) -> "list[LeftBehind]":
        """What else those say that a memory would retire if it were confirmed, maybe in other words."""
        from bowerbird.core.reviewed import LeftBehind
        from bowerbird.lifecycle.other_value import left_behind

        words = self.with_its_value(id) if text is None else text
        entry, retired = self._would_retire(id)
        found = ((one.id, left_behind(words or entry.text, one.text)) for one in retired)
        return [LeftBehind(other, rest) for other, rest in found if rest]

    def _would_retire(self, id: str) -> "tuple[Entry, list[Entry]]":
        """A memory, and those that it retires if a person confirms it."""
        from bowerbird.lifecycle.restate import retired_by

        store = self._acting.writer()
        with store.reading():
            entry = self.changes().memory(id)
            # Whoever confirms it is a person, whose word is trusted as much as any.
            return entry, retired_by(store, entry.replace(trust=TRUSTS[-1]))

    def with_its_value(self, id: str) -> str | None:
        """The text of the one memory that this one would retire, with the value that this one says."""
        from bowerbird.lifecycle.other_value import put_in

        entry, retired = self._would_retire(id)
        if len(retired) != 1 or entry.valid_from is not None:
            return None
        (other,) = retired
        of_theirs = reaches(other.trust, entry.trust) and other.speaker == entry.speaker
        return (put_in(entry.text, other.text) or None) if of_theirs else None

    def edit(
        self,
        id: str,
        text: str | None,
        about: "About",
        reason: str,
        *,
        stale: bool | None = None,
        confirming: bool = False,
    ) -> "Edited":
        """Changes the text or fields of a memory, in the caller's name, who may confirm it by that."""
        from bowerbird.lifecycle.edit import ANCHORED
        from bowerbird.verbs.anchors import anchoring

        entry = self.changes().changeable(id)
        store, acting = self._acting.writer(), self._acting
        draft = acting.draft(entry.text if text is None else text, {"kind": entry.kind, **about})
        given = {*about, *(() if text is None else ("text",))}
        if stale is not None:
            given.add("stale" if stale else "fresh")
        code = None
        if ANCHORED & given:
            code = anchoring(store, self._reach, acting, history=bool(draft.commit))
        editor = self._editor(code)
        judged = [] if text is None else self._about_edited(entry, draft)
        done = editor.edit(entry, draft, given, reason, confirming=confirming, judged=judged)
        acting.show([done.trust])
        if "text" in done.changed:
            self.read([done.id])
        return done

    def _about_edited(self, entry: "Entry", draft: "Draft") -> "list[Judgement]":
        """How the text that a memory is to have relates to others; one with a key stands for itself."""
        store = self._acting.writer()
        with store.reading():
            keyed = store.memories.head(entry.id).fields.key
            projects = {one.uid: one for one in store.projects.all()}
        if keyed or entry.state != "active":
            return []
        admission = self.admission([], projects.get(entry.project, GLOBAL))
        return admission.about_edited(draft, entry.id)

    def _editor(self, code: "Anchoring | None") -> "Editor":
        from bowerbird.lifecycle.edit import Editor

        store, opened = self._acting.writer(), self._opened
        person = self._reach.personal(store)
        allow = allowed(self._config)
        kinds, clock = opened.kinds(), opened.clock
        return Editor(store, allow, kinds, clock, opened.understanding, code, person)

    def restate(self, id: str, text: str, about: "About") -> None:
        """Gives a record of what happened its later text, summary and payload."""
        store, acting = self._acting.writer(), self._acting
        (entry,) = store.entries.get(id)
        editor = self._editor(None)
        draft = acting.draft(text, about)
        editor.edit(entry, draft, ("text", "payload", "summary"), "the session went on")

    def read(self, ids: "Sequence[str]", most: int = 0) -> None:
        """Computes the missing vectors of some memories. Without the model they stay missing.

        The contextual model reads at most so many characters, if that is given.
        """
        if not ids:
            return
        from bowerbird.lifecycle.reread import read_again

        opened = self._opened
        embedder, contextual = opened.embedder(), opened.understanding()
        read_again(self._acting.writer(), ids, embedder, contextual, most)

    def read_first(self, ids: "Sequence[str]") -> None:
        """Computes missing vectors of the first of many memories, as far as nobody waits for it."""
        from bowerbird.core.migrated import MOST_READ_AT_ONCE, READ_AT_ONCE

        self.read(ids[:READ_AT_ONCE], MOST_READ_AT_ONCE)

    def _judge(self) -> "Judge":
        """The judge of new memories: the rules, or after the write a language model."""
        judge = self._opened.language().judge() if self._config["llm.provider"] else None
        if judge is None:
            from bowerbird.lifecycle.judge import RULES

            return RULES
        return judge

    def judge_later(self, *, slowly: bool = False) -> int:
        """Judges the pairs of memories that wait for it; returns how many.

        Those that wait for a language model only if there is time: `slowly`.
        """
        judge = self._judge()
        if judge.slow and not slowly:
            return 0
        from bowerbird.lifecycle.judge_later import LaterJudging

        opened, allow = self._opened, allowed(self._config)
        return LaterJudging(
            self._acting.writer(), judge, opened.understanding, allow, opened.clock
        ).run()

    def revert(
        self, id: str, version: str | None, reason: str, actor: str, *, rehearse: bool
    ) -> "Reverted":
        """Reverts a change, and computes the vectors of texts that changed by it."""
        from bowerbird.lifecycle.revert import Reverting

        done = Reverting(self.changes()).revert(id, version, reason, actor, rehearse=rehearse)
        if not rehearse:
            self.read(done.memories)
        return done

    def forget(self, ids: "Sequence[str]", reason: str, actor: str) -> "Sequence[Gone]":
        """Takes memories out of search, on a full disk too; `revert` brings them back."""
        from bowerbird.core.history import Gone

        done = self._opened.freeing(lambda: self.changes().forget(ids, reason, actor))
        changes = self.changes()
        self.read(changes.patterns(one.memory for one in done))
        return tuple(
            Gone(one.memory, one.fields.summary, changes.replaced(one.memory)) for one in done
        )

    def consolidate(
        self, actor: str, *, dry_run: bool, everywhere: bool, again: bool
    ) -> "Consolidated":
        """Sums up memories that say the like; without a store, or a vector in it, there are none."""
        from bowerbird.core.consolidated import Consolidated
        from bowerbird.lifecycle.consolidate import EXTRACTIVE, Consolidation

        self._reach.refuse_beyond(everywhere, "all_projects")
        notes = () if everywhere else self._reach.notes()
        if not self._opened.exists():
            return Consolidated(dry_run=dry_run, notes=notes)
        store, opened, begun = self._acting.writer(), self._opened, perf_counter()
        projects = self._reach.everywhere if everywhere else self._reach.changed
        here = opened.clock, opened.kinds(), opened.embedder(), allowed(self._config)
        summariser = opened.language().summariser() if self._config["llm.provider"] else None
        run = Consolidation(store, projects, *here, summariser or EXTRACTIVE, again=again)
        model = None
        try:
            with store.reading():
                model = store.model_row(opened.embedder().identity)
        except ModelError as error:
            # Its vectors tell what is alike; what is summed up by words or by another's would differ.
            why = Advice(f"nothing was compared: {error.message}; ", error.remedy)
            notes = (Note("degraded", why), *notes)
        done = run.run(model, self._acting.actor(actor), dry_run=dry_run)
        # The contextual model takes longer for a sentence than all the rest: a server reads the others.
        self.read([one.id for one in done.patterns if one.id][:_MOST_READ])
        self._acting.hand(one.trust for one in done.patterns)
        took = round((perf_counter() - begun) * 1000, 3)
        return done.replace(took_ms=took, notes=(*done.notes, *notes))

    def prune(
        self, threshold: float | None, actor: str, *, dry_run: bool, remove: bool, everywhere: bool
    ) -> "Pruned":
        """Prunes memories that have faded or expired; without a store it does nothing."""
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise BadInput(f"threshold cannot be {threshold}", "give it a number from 0 to 1")
        self._reach.refuse_beyond(everywhere, "all_projects")
        if self._opened.exists():
            # An older store is upgraded before its projects are read; pruning is for full disks, too.
            self._opened.freeing(self._acting.writer)
        projects = self._reach.everywhere if everywhere else self._reach.changed
        seen = self._reach.everywhere if everywhere else self._reach.seen
        within = projects, seen
        done = self._fade(threshold, actor, dry_run=dry_run, remove=remove, within=within)
        self._acting.hand(one.trust for one in done.leaving)
        return done if everywhere else done.replace(notes=self._reach.notes())

    def prune_if_due(self, every: float, actor: str) -> "Pruned | None":
        """Prunes every project, unless a process did so in the last `every` seconds: then None."""
        if not self._claim_prune(round(every * 1000)):
            return None
        return self._fade(None, actor, dry_run=False, remove=True, within=(None, None))

    def _fade(
        self, threshold: float | None, actor: str, *, dry_run: bool, remove: bool, within: "_Within"
    ) -> "Pruned":
        """Prunes what fades in the first of two sets of projects; of the second something remains."""
        from bowerbird.core.pruned import THRESHOLD, Pruned

        below = THRESHOLD if threshold is None else threshold
        if not self._opened.exists():
            return Pruned(threshold=below, dry_run=dry_run)
        if dry_run:
            return self._prune(below, within).rehearse(remove=remove)
        done = self._opened.freeing(
            lambda: self._pruned(self._prune(below, within), actor, remove=remove)
        )
        if self._acting.who.local:
            from bowerbird.verbs.file_changes import count_changes

            # Afterwards, for the next time: what leaves is what a dry run named.
            count_changes(self._acting.writer(), within[0])
        return done

    def _prune(self, below: float, within: "_Within") -> "Prune":
        from bowerbird.lifecycle.prune import Prune

        # Opened first, because the list of projects is only complete after an upgrade.
        store = self._acting.writer()
        projects, seen = within
        clock, cached, kinds = self._opened.clock, store.embeddings(0), self._opened.kinds()
        return Prune(store, cached, clock, projects, below, kinds, seen)

    def _pruned(self, run: "Prune", actor: str, *, remove: bool) -> "Pruned":
        done = run.run(self._acting.actor(actor), remove=remove)
        if done.removed or done.unused_vectors:
            self._acting.writer().upkeep.give_back()
        return done

    def _claim_prune(self, every: int) -> bool:
        """Whether this process should prune now: true at most once in `every` ms over all processes."""
        if not self._opened.exists():
            return False
        from bowerbird.lifecycle.prune import due

        writer = self._acting.writer()
        with writer.transaction():
            return due(writer.aging, self._opened.clock(), every)
