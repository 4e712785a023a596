"""Wires erasing: what a person wants gone leaves the store, then every copy of its words that is ours.

Those are the journal of hooks, the scratchpads of open sessions, rescued transcripts, and lines of kept
blocks. Backups and exports are listed, and deleted if that is wanted too. Memories and files that quote
the words are listed: whether they have to go is their owner's decision. Digests of sessions are ours, and
go if they quote them.
"""

import hashlib
import json
import os
import shutil
from contextlib import suppress

from bowerbird.core.blanking import blank_lines
from bowerbird.core.erased import Erased, ErasedMemory, Part, Quoting, Remaining, Traces
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.exchange_lines import holds, is_export
from bowerbird.core.exchange_notes import END, without_link
from bowerbird.core.ids import content_hash, id_prefix
from bowerbird.core.kept_block import without_block, without_texts
from bowerbird.core.memories import Fields
from bowerbird.core.normal import normal_hash
from bowerbird.core.operators import Matching, Phrase
from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.types import ALIVE, DIGEST, FORGOTTEN, PASSAGE, STATES
from bowerbird.core.value import Advice, Do
from bowerbird.host.foreign import head, opened, whole
from bowerbird.host.own_files import content, text_of, write
from bowerbird.host.places import SIDE_FOLDERS, SIDECARS
from bowerbird.host.sync_state import synchronised_with
from bowerbird.ingest.known_files import transcript_of
from bowerbird.ingest.rescue import archives_of, erase_sessions, rescue, without_lines
from bowerbird.lifecycle.dated import without_dates
from bowerbird.lifecycle.erase import erase, erase_within
from bowerbird.lifecycle.remnants import Remnants
from bowerbird.sessions.learn.ledger import add_digest, read_digests
from bowerbird.sessions.learn.scratchpad import SUFFIX as SCRATCHPAD
from bowerbird.sessions.learn.scratchpad import Scratchpad
from bowerbird.sessions.levels import ERASED
from bowerbird.sessions.observe.journal import OLDER, TALLY, Journal, named_like, project_of, quoted
from bowerbird.sessions.observe.journal import SUFFIX as JOURNAL
from bowerbird.verbs.exporting import WRITTEN, read_note
from bowerbird.verbs.importing import RULES
from bowerbird.verbs.rescuing import archive_folder
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.lifecycle.changes import Changes
    from bowerbird.lifecycle.remnants import Run
    from bowerbird.sessions.learn.steps import Digest

# Bytes of a file of rules that is searched for what is erased.
_MOST_OF_RULES = 1_000_000
# Passages that are read at a time to tell which quote an erased memory, of those that share words with
# it: 10 µs each.
_PASSAGES = 10_000
# Memories or documents of a part in one transaction, while other writers wait.
_BATCH = 200
# Every memory, as a limit.
_ALL = (1 << 63) - 1
# Other entries that may say a name or a number for it to be the erased one's own: of what more say, it is
# no sign.
_SHARING = 5
# Memories from which on a run of words that they share is a formula, and none of them quotes it: nobody
# looks through more, and reading 100,000 takes half a minute.
_FORMULA = 1_000
# Digits from which on a number is a code rather than a count.
_CODE = 4
# Characters that name a session by its beginning.
_FEWEST = 6
# Bytes among which the first line of an export is.
_FIRST_LINE = 4_096
_EVERYTHING = "everything"
# The relations of memories that say another thing of the same subject.
_REPLACES = "supersedes"
_OPPOSITE = frozenset({_REPLACES, "contradicts"})
# Fields of a journal's line that hold names of ours and of agents: whoever erases the only memory with
# the word "posttooluse" does not mean every line of that event.
_LABELS = frozenset({"agent", "event", "what", "tool"})
# Fields of a memory that say which of a few sorts it is, or where its files are: words of no person.
_SORTS = ("kind", "state", "scope", "audience", "priority", "methodology")
_NOT_SAID = frozenset({*_SORTS, "files", "modules", "anchors"})
_SAID = tuple(
    name
    for name, one in Fields.DECLARED.items()
    if name not in _NOT_SAID and one.shape.startswith(("text", "data"))
)
# What a digest's payload quotes, and the words from which on that is told from what anybody asks.
_QUOTES = ("asked", "decided", "refuted", "left", "done")
_FEWEST_QUOTED = 4
# In the journal, the memories that were told at once.
_TOLD = "items"
# Where an agent ran: the names of its folders stand in every line, and are no memory's own.
_PLACE = "cwd"


class Erasing(Verbs):
    """Deletes what a person names for good."""

    def erase(
        self,
        changes: "Changes",
        ids: "Sequence[str]",
        *,
        backups: bool = False,
        dry_run: bool = False,
    ) -> "Erased":
        """Deletes memories from the store, its word indexes and log, and from the files beside it.

        All of them or none; the space goes back to the disk. Of those that were erased before, `backups`
        deletes the copies that are left. Raises Denied, NotFound, StoreError.
        """
        self._acting.who.require_owner("erase")
        named, before = _parted(changes, ids, backups=backups)
        store = self._acting.writer()
        # A pattern is made of the words of its examples, and so are its earlier versions.
        whole = store.erasing.summing_up(_saying_the_same(store, named))
        gone = _Gone(self._acting.writer(), whole)
        traces = gone.traces()
        traces = traces.replace(ids=traces.ids | before)
        if not whole:
            what = "copies of memories that were erased before"
            done = Erased(what, self._opened.clock(), dry_run=dry_run)
            return self._without_copies(done, self._copies(traces), traces, backups=backups)
        if not dry_run:
            actor = self._acting.actor("")
            self._opened.freeing(
                lambda: erase(self._acting.writer(), changes, whole, actor, everywhere=True)
            )
        done = Erased("memories", self._opened.clock(), tuple(gone.memories), dry_run=dry_run)
        return self._finished(changes, done, gone, traces, backups=backups)

    def erase_part(
        self,
        changes: "Changes",
        part: Part,
        *,
        backups: bool,
        dry_run: bool,
    ) -> "Erased":
        """Deletes a session, a project, or what has an origin, with what was derived from it.

        In batches: what a kill leaves is deleted when it is said again. Raises Denied, NotFound.
        """
        self._acting.who.require_owner("erase")
        writer = self._acting.writer()
        known = self._known_sessions(writer) if part.session else set[str]()
        if part.session:
            part = part.replace(session=_session(known, part.session))
        ids = writer.erasing.derived(writer.erasing.memories(part))
        documents = writer.erasing.documents(part)
        sessions = self._sessions(writer, part, known)
        if part.project and not (ids or documents or sessions):
            self._reach.require_known()
        gone = _Gone(writer, ids)
        what = " ".join(f"{name} {said}" for name, said in part.raw_dict().items() if said)
        there = [path for _, path in documents if os.path.isfile(path)]
        told = {path for _, session, path in writer.documents.sessions() if session in sessions}
        done = Erased(
            what,
            self._opened.clock(),
            tuple(gone.memories),
            len(documents),
            len(_apart(sessions)),
            sources=tuple(path for path in there if path not in told),
            transcripts=tuple(path for path in there if path in told),
            dry_run=dry_run,
        )
        paths = [path for _, path in documents]
        traces = gone.traces().replace(
            paths=tuple(paths), sessions=tuple(sessions), project=part.project
        )
        if dry_run:
            return self._finished(changes, done, gone, traces, backups=backups)
        self._erase_in_batches(changes, ids)
        for start in range(0, len(documents), _BATCH):
            with writer.transaction():
                for number, path in documents[start : start + _BATCH]:
                    writer.documents.remove(number, path)
        self._forget_sessions(writer, sessions, part)
        done = done.replace(archives=erase_sessions(archive_folder(), os.environ, sessions))
        return self._finished(changes, done, gone, traces, backups=backups)

    def erase_found(
        self,
        changes: "Changes",
        filter: "Filter",
        *,
        backups: bool,
        dry_run: bool,
    ) -> "Erased":
        """Deletes the memories that pass a filter, by tags and author, and what was derived from them.

        In batches, as a part. Raises Denied, and NotFound if there are none.
        """
        self._acting.who.require_owner("erase")
        self._reach.require_known()
        writer = self._acting.writer()
        found = [entry.id for entry in writer.entries.list(filter, _ALL)]
        authors = [name for _, names in filter.fields for name in names]
        named = (("tags", ", ".join(filter.tags)), ("author", ", ".join(authors)))
        what = " ".join(f"{name} {said}" for name, said in named if said)
        if not found:
            remedy = Advice("see what there is: ", Do("list"), ", or name every project")
            raise NotFound(f"no memory here has {what}", remedy)
        ids = writer.erasing.derived(found)
        gone = _Gone(writer, ids)
        done = Erased(what, self._opened.clock(), tuple(gone.memories), dry_run=dry_run)
        if not dry_run:
            self._erase_in_batches(changes, ids)
        return self._finished(changes, done, gone, gone.traces(), backups=backups)

    def _erase_in_batches(self, changes: "Changes", ids: "Sequence[str]") -> None:
        writer, actor = self._acting.writer(), self._acting.actor("")
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            self._opened.freeing(lambda some=some: erase(writer, changes, some, actor))  # type: ignore[misc]

    def erase_everything(self, *, backups: bool, dry_run: bool) -> "Erased":
        """Deletes the store, the files beside it, and rescued transcripts. Raises Denied, StoreBusy."""
        self._acting.who.require_owner("erase")
        opened = self._opened
        path, copies = opened.path, list(opened.backend.copies(opened.path))
        archives = archives_of(archive_folder())
        memories: Sequence[ErasedMemory] = ()
        if os.path.exists(path):
            store = self._acting.writer()
            memories = _Gone(store, sorted(store.exchange.ids())).memories
        done = Erased(
            _EVERYTHING, opened.clock(), tuple(memories), archives=len(archives), dry_run=dry_run
        )
        if dry_run:
            return done.replace(copies=tuple(copies), shared=self._shared())
        opened.close()
        removed = _without_copies(opened.backend.remove_copy, copies, None) if backups else []
        removed += opened.backend.remove(path)
        for one in (*(path + end for end in SIDECARS), opened.drops, opened.thinking_lock):
            with suppress(FileNotFoundError):
                os.unlink(one)
                removed.append(one)
        for one in (*(path + end for end in SIDE_FOLDERS), archive_folder()):
            if os.path.isdir(one) and not os.path.islink(one):
                shutil.rmtree(one)
                removed.append(one)
        # What stays though copies go became something else: rules without a block.
        left = () if backups else tuple(one for one in copies if os.path.exists(one))
        return done.replace(removed=tuple(removed), copies=left, shared=self._shared())

    def _finished(
        self,
        changes: "Changes",
        done: "Erased",
        gone: "_Gone",
        traces: Traces,
        *,
        backups: bool,
    ) -> "Erased":
        """Takes the words out of everything else that is ours, and tells what still holds them."""
        writer, opened = self._acting.writer(), self._opened
        if not (done.dry_run or traces.project):
            for project, since, tied, waited in gone.counted:
                at = since or opened.clock()
                opened.outcomes.add(project, 0, ERASED, at, tied=tied, waited=waited)
        remnants = gone.remnants(writer, opened.in_vocabulary)
        with writer.rehearsal() if done.dry_run else writer.transaction():
            writer.erasing.drop_vectors(content_hash(text.encode()) for text in gone.texts)
            writer.erasing.unquote(sorted(gone.ids))
            writer.erasing.blank_reasons(remnants.quoting(writer.erasing.reasons()))
            for digest in read_digests(writer).values():
                marks = _unmarked(digest, remnants)
                if marks != digest.marks:
                    add_digest(writer, digest.replace(marks=marks))
            memories, common = _memories(writer, remnants, gone)
            digests = _Gone(writer, _digests(writer, remnants, memories))
            if digests.ids:
                erase_within(writer, changes, sorted(digests.ids), self._acting.actor(""))
                writer.erasing.drop_vectors(content_hash(text.encode()) for text in digests.texts)
                writer.erasing.unquote(sorted(digests.ids))
                memories = [one for one in memories if one.id not in digests.ids]
                traces = traces.replace(
                    ids=traces.ids | digests.ids, texts=(*traces.texts, *digests.texts)
                )
            turns, files = _passages(writer, remnants)
            if turns and not done.dry_run:
                writer.erasing.note_turns(
                    (one.session, transcript_of(one.path or ""), one.start_line or 0)
                    for one in turns
                )
                writer.documents.drop_turns([one.row for one in turns])
            quoting = (*memories, *files)
        told = {one.id for one in quoting}
        copies = self._copies(traces)
        done = done.replace(
            erased=(*done.erased, *digests.memories),
            copies=tuple(copies),
            quoting=quoting,
            turns=len(turns),
            common=common,
            sources=(*done.sources, *self._imported(gone, remnants)),
            transcripts=tuple(
                dict.fromkeys((*done.transcripts, *_transcripts(writer, remnants, gone)))
            ),
            remaining=tuple(one for one in gone.remaining if one.id not in told),
            shared=self._shared(),
        )
        if done.dry_run:
            return done
        writer.upkeep.purge_words()
        writer.upkeep.give_back()
        writer.upkeep.fold()
        recorded = _left_of(_holding(remnants, labels=_LABELS), traces.ids)
        Scratchpad(self._opened.path).drop_vectors()
        lines = sum(blank_lines(path, recorded) for path in self._side_files())
        if done.transcripts:
            # What is archived only after this would hold it, and nothing would know the lines any more.
            rescue(archive_folder(), os.environ, allowed(self._config), only=done.transcripts)
        archives = without_lines(archive_folder(), _holding(remnants))
        done = done.replace(
            lines=lines,
            archives=done.archives + archives,
            removed=tuple(writer.upkeep.drop_index()),
            statements=writer.upkeep.statements_to_wipe(),
        )
        return self._without_copies(done, copies, traces, backups=backups)

    def _imported(self, gone: "_Gone", remnants: Remnants) -> "Iterator[str]":
        """The files of rules below this folder's project that memories came from, and that say them."""
        root = os.path.abspath(self._reach.project.root or ".")
        for path in sorted(os.path.join(root, name) for name in gone.files):
            try:
                said = whole(path, _MOST_OF_RULES).decode("utf-8", "replace")
            except OSError:
                continue  # removed or moved since
            if remnants.quoted(said):
                yield path

    def _copies(self, traces: Traces) -> list[str]:
        """The backups and exports of ours that hold what is erased, or may."""
        copies = self._opened.backend.copies(self._opened.path)
        return [one for one in copies if self._holds(one, traces)]

    def _without_copies(
        self, done: "Erased", copies: "Sequence[str]", traces: Traces, *, backups: bool
    ) -> "Erased":
        """A receipt with these copies, deleted if that is wanted.

        Kept blocks lose it at once: agents read them in every session, and nothing would know later which
        line it was.
        """
        removed: Sequence[str] = ()
        if not done.dry_run:
            going = copies if backups else [one for one in copies if _with_block(one)]
            removed = _without_copies(self._opened.backend.remove_copy, going, traces)
        left = tuple(one for one in copies if one not in removed)
        return done.replace(removed=(*done.removed, *removed), copies=left)

    def _holds(self, copy: str, traces: Traces) -> bool:
        """Whether a backup or an export holds what is erased, or may."""
        if os.path.isdir(copy):
            return any(_notes_to_erase(copy, traces))
        first = head(copy, _FIRST_LINE).partition(b"\n")[0].decode("utf-8", "replace")
        if is_export(first):
            with os.fdopen(opened(copy), encoding="utf-8", errors="replace") as file:
                return holds(file, traces)
        with suppress(BadInput):
            text = text_of(copy, content(copy))
            if "\0" not in text:  # a file of rules, with a kept block or by now without one
                return without_texts(text, traces.texts) != text
        return self._opened.backend.copy_holds(copy, traces)

    def _shared(self) -> tuple[str, ...]:
        """The places where other devices may still find what was erased here."""
        return tuple(synchronised_with(self._opened.state_folder))

    def _known_sessions(self, store: "Store") -> set[str]:
        recorded = (name for name, _, _ in Journal(self._opened.path).sessions())
        return {*store.erasing.known_sessions(), *recorded} - {""}

    def _sessions(self, store: "Store", part: Part, known: set[str]) -> list[str]:
        """The sessions that go with a part; `known` are all, if it is one."""
        if part.origin:
            return []
        if named := part.session:
            return [named, *(one for one in known if one.endswith(f"-{named}"))]
        journal = Journal(self._opened.path)
        found = {
            name
            for name, _, _ in journal.sessions()
            if project_of([*journal.lines(name, holding=b'"project"')]) == part.project
        }
        digests = read_digests(store)
        found |= {name for name, one in digests.items() if one.project == part.project}
        return sorted(found | set(store.erasing.sessions(part)))

    def _forget_sessions(self, store: "Store", sessions: "Sequence[str]", part: Part) -> None:
        """Deletes what was recorded of sessions; that they were learned from stays, as hashes."""
        journal, scratchpad = Journal(self._opened.path), Scratchpad(self._opened.path)
        for session in sessions:
            own = journal.path(session)
            for path in (own, own + OLDER):
                with suppress(FileNotFoundError):
                    os.unlink(path)
            scratchpad.drop(session)
        with store.transaction():
            digests = read_digests(store)
            for session in (one for one in sessions if one in digests):
                add_digest(store, _bare(digests[session], keep_project=not part.project))
            store.erasing.note_sessions(sessions, self._opened.clock())
            store.erasing.drop_sessions(sessions)
            if part.project:
                store.erasing.drop_project(part.project)
        tally = os.path.join(journal.folder, TALLY)
        if part.project and os.path.exists(tally):
            begins = f"{quoted(part.project)} "
            blank_lines(tally, lambda line: "" if line.startswith(begins) else line)

    def _side_files(self) -> "Iterator[str]":
        """The files of the hooks' journal and of the scratchpads."""
        for suffix in (JOURNAL, SCRATCHPAD):
            beside = self._opened.path + suffix
            try:
                names = os.listdir(beside)
            except OSError:
                continue  # no session was recorded
            paths = (os.path.join(beside, name) for name in names)
            yield from (path for path in paths if os.path.isfile(path) and not os.path.islink(path))


def _parted(
    changes: "Changes", ids: "Sequence[str]", *, backups: bool
) -> "tuple[list[str], frozenset[str]]":
    """Memories by their whole ids, each once; and with `backups` those that are gone for good already.

    Raises NotFound, BadInput.
    """
    here: dict[str, None] = {}
    before: set[str] = set()
    for id in ids:
        try:
            here[changes.changeable(id).id] = None
        except NotFound:
            gone = changes.removed(id_prefix(id))
            if gone is None:
                raise
            if not backups:
                copies = Do("erase", gone[0], backups=True)
                remedy = Advice("delete the copies that still hold it: ", copies)
                raise NotFound(f"{gone[0]} was erased before", remedy) from None
            before.add(gone[0])
    return list(here), frozenset(before)


class _Gone:
    """Memories before they are erased: what is told of them, and all of their texts."""

    def __init__(self, store: "Store", ids: "Sequence[str]") -> None:
        self.ids = frozenset(ids)
        # What replaced or contradicts them, or was replaced by them.
        self.opposite: set[str] = set()
        self.memories: list[ErasedMemory] = []
        self.texts: list[str] = []
        # The same without the words that the program puts around what a digest quotes.
        self._said: list[str] = []
        # Of that, what anybody asks: only its names and codes are its own.
        self._short: set[str] = set()
        # Names of the files of rules that they were imported from, as the import named them.
        self.files: set[str] = set()
        # The transcripts that they were learned from: the agents' own files, indexed or not.
        self.transcripts: set[str] = set()
        # By project, what counts in its score for a time: since when it is gone, whether it was about
        # files, and whether it waited.
        self.counted: list[tuple[str, int | None, bool, bool]] = []
        with store.reading():
            for held in store.exchange.held(ids):
                current = held.current
                fields, alive = current.fields, current.fields.state in ALIVE
                waited = fields.needs_review or fields.state == "quarantined"
                if (fields.anchors or waited) and (alive or fields.state == FORGOTTEN):
                    since = None if alive else current.created
                    self.counted.append((held.project, since, bool(fields.anchors), waited))
                hash = hashlib.sha256(current.text.encode()).hexdigest()
                kind = current.fields.kind
                self.memories.append(ErasedMemory(held.id, kind, len(held.versions), hash))
                self.texts += [version.text for version in held.versions]
                for version in held.versions:
                    said = _quoted(version.fields.payload or {}) if kind == DIGEST else ()
                    self._said += said or (version.text,)
                    self._short.update(one for one in said if len(words(one)) < _FEWEST_QUOTED)
                imported = current.fields.metadata.get(RULES)
                if isinstance(imported, dict) and isinstance(imported.get("file"), str):
                    self.files.add(imported["file"])
                learned = current.fields.metadata.get("learned")
                if isinstance(learned, dict) and isinstance(learned.get("transcript"), str):
                    self.transcripts.add(learned["transcript"])
                for one in store.relations.of(held.id):
                    if one.kind in _OPPOSITE:
                        self.opposite |= {one.source, one.target}
            self.remaining = self._chained(store)

    def _chained(self, store: "Store") -> "list[Remaining]":
        """The memories that stay though they replaced one that goes, or were replaced by one."""
        seen, left = {*self.ids}, [*self.ids]
        while left:
            ends = {
                end
                for one in store.relations.of(left.pop())
                if one.kind == _REPLACES
                for end in (one.source, one.target)
            }
            left += ends - seen
            seen |= ends
        chain = [entry for id in sorted(seen - self.ids) for entry in store.entries.get(id)]
        return [Remaining(entry.id, entry.kind, entry.state) for entry in chain]

    def traces(self) -> Traces:
        """By what a copy of the store is known to hold them."""
        return Traces(self.ids, tuple(dict.fromkeys(self.texts)))

    def remnants(self, store: "Store", is_ordinary: "Callable[[str], bool]") -> Remnants:
        """Their wording, by what the store holds now: names and codes, and no word that anybody says."""
        said = {word for text in self._said for word in words(without_dates(text))}
        rare = {
            word
            for word in said
            if (len(word) >= _CODE if word.isdecimal() else not is_ordinary(word))
        }
        counts = store.words.counts(said)
        only = [word for word in rare if word not in counts and not word.isdecimal()]
        names = [word for word in rare if counts.get(word, 0) <= _SHARING + len(self.ids)]
        quotable = [text for text in self._said if text not in self._short]
        return Remnants(quotable, only, names, counts)


def _saying_the_same(store: "Store", ids: "Sequence[str]") -> list[str]:
    """These memories, and others of their projects that say the same, whoever kept them."""
    said = {(one.project, normal_hash(one.current.text)) for one in store.exchange.held([*ids])}
    also = store.exchange.held(store.exchange.saying([hash for _, hash in said]))
    same = (one.id for one in also if (one.project, normal_hash(one.current.text)) in said)
    return list(dict.fromkeys((*ids, *same)))


def _with_block(copy: str) -> str:
    """The text of a rules file with a kept block; empty for any other copy."""
    if os.path.isdir(copy):
        return ""
    with suppress(BadInput):
        text = text_of(copy, content(copy))
        return text if without_block(text) != text else ""
    return ""


def _without_copies(
    remove: "Callable[[str], bool]", copies: "Sequence[str]", traces: "Traces | None"
) -> list[str]:
    """Deletes backups and exports, of notes and kept blocks only what is erased (None: all).

    What became something else meanwhile is left. Returns what was deleted or rewritten.
    """
    removed = []
    for path in copies:
        if os.path.isdir(path):
            for place, left in _notes_to_erase(path, traces):
                if left:
                    write(place, left.encode())
                else:
                    os.unlink(place)
            removed.append(path)
        elif remove(path):
            removed.append(path)
        elif is_export(head(path, _FIRST_LINE).partition(b"\n")[0].decode("utf-8", "replace")):
            os.unlink(path)
            removed.append(path)
        else:
            text = text_of(path, content(path))
            left = without_block(text) if traces is None else without_texts(text, traces.texts)
            if left != text:
                write(os.path.realpath(path), left.encode())
                removed.append(path)
    return removed


def _notes_to_erase(folder: str, traces: "Traces | None") -> "Iterator[tuple[str, str]]":
    """Notes of an export that are erased (None: all), or link to one that is, with what stays of each."""
    listed = os.path.join(folder, WRITTEN)
    with suppress(BadInput):
        ids = text_of(listed, content(listed)).split()
        kept = [] if traces is None else [id for id in ids if id not in traces.ids]
        if kept != ids:
            yield listed, "".join(f"{id}\n" for id in kept)
    for name in sorted(one for one in os.listdir(folder) if one.endswith(END)):
        place = os.path.join(folder, name)
        found = read_note(place)
        if found is None:
            continue
        id, _, now = found
        if traces is None or id in traces.ids or now.text in traces.texts:
            yield place, ""
            continue
        text = text_of(place, content(place))
        left = without_link(text, traces.ids)
        if left != text:
            yield place, left


def _session(known: "Collection[str]", said: str) -> str:
    """The session of that name, or whose name begins so. Raises NotFound, BadInput."""
    apart = _apart(named_like(known, said, _FEWEST))
    if len(apart) > 1:
        raise BadInput(f"{len(apart)} sessions begin with {said}", "give more of its name")
    if not apart:
        raise NotFound(f"no session {said} is known", Advice("see: ", Do("session")))
    return apart[0]


def _apart(sessions: "Sequence[str]") -> list[str]:
    """Each session once: hooks know it by its agent and its name, a transcript by its name alone."""
    known = {*sessions}
    return [
        one
        for one in sessions
        if not any(one[at + 1 :] in known for at, char in enumerate(one) if char == "-")
    ]


def _bare(digest: "Digest", *, keep_project: bool) -> "Digest":
    """A digest that only tells that a session was processed, and by hashes what was found in it."""
    project = digest.project if keep_project else ""
    # What it says from now on is counted from the first step again.
    return digest.replace(project=project, touched={}, marks={}, steps=0, told=True)


def _unmarked(digest: "Digest", remnants: Remnants) -> "dict[str, dict[str, int]]":
    """The marks of a digest whose keys hold no remnants."""
    return {
        signal: {key: one for key, one in marks.items() if not remnants.within(key)}
        for signal, marks in digest.marks.items()
    }


def _memories(store: "Store", remnants: Remnants, gone: "_Gone") -> "tuple[list[Quoting], int]":
    """The memories that quote, in whatever state and version: a session's digest, above all.

    And how many runs of words are shared by so many that they are no quotation any more.
    """
    found: set[str] = set()
    quoting: dict[Run, set[str]] = {}
    formulas: set[Run] = set()
    for memory, text, values in store.audit.texts(_SAID):
        opposite = memory in gone.opposite
        if memory in gone.ids or not (opposite or remnants.may_hold(f"{text}\n{values}")):
            continue
        said = [text, *_texts(json.loads(values))]
        if not opposite and not remnants.holds("\n".join(said)):
            continue
        if any(map(remnants.named, said)) or (opposite and any(map(remnants.repeated, said))):
            found.add(memory)
        elif not opposite:
            runs: set[Run] = set()
            for run in runs.union(*map(remnants.quotations, said)):
                holders = quoting.setdefault(run, set())
                holders.add(memory)
                if len(holders) > _FORMULA:
                    remnants.drop([run])
                    formulas.add(run)
                    del quoting[run]
    ids = sorted(found.union(*quoting.values()))
    return [Quoting(one.id, one.kind) for one in store.entries.named(ids, None)], len(formulas)


def _digests(store: "Store", remnants: Remnants, quoting: "Sequence[Quoting]") -> list[str]:
    """The digests of sessions, of some memories, that say what is erased."""
    held = store.exchange.held([one.id for one in quoting if one.kind == DIGEST])
    return [
        one.id
        for one in held
        if any(
            remnants.told(text)
            for version in one.versions
            for text in (version.text, *_quoted(version.fields.payload or {}))
        )
    ]


def _quoted(payload: "Mapping[str, object]") -> tuple[str, ...]:
    """What the digest of a session quotes of people and agents."""
    items = (one for name in _QUOTES if isinstance(many := payload.get(name), list) for one in many)
    return tuple(map(str, items))


def _passages(store: "Store", remnants: Remnants) -> "tuple[list[Entry], list[Quoting]]":
    """The passages of transcripts that say it; and the files that quote it, each by its first passage.

    A turn goes with all of its passages: read again, it would be cut into the same.
    """
    asked = [*remnants.phrases, *remnants.names]
    if not asked:
        return [], []
    # Not the best by their words: to tell which are takes twelve times as long, and they are read anyway.
    said = Matching(Phrase(tuple(asked)), "")
    filter = Filter(families=(PASSAGE,), states=STATES, matching=said)
    turns: dict[tuple[int, int], Entry] = {}
    found: dict[str, Quoting] = {}
    at = 0
    while some := store.entries.list(filter, _PASSAGES, at):
        at += len(some)
        for entry in some:
            if entry.session and entry.start_line is not None and remnants.told(entry.text):
                turns.setdefault((entry.document or 0, entry.start_line), entry)
            elif entry.path and (remnants.named(entry.text) or remnants.quoted(entry.text)):
                found.setdefault(entry.path, Quoting(entry.id, entry.kind, entry.path))
    return list(turns.values()), list(found.values())


def _transcripts(store: "Store", remnants: Remnants, gone: _Gone) -> "Iterator[str]":
    """The known transcripts whose files say it, in whatever record: also what hooks told agents."""
    for path in sorted({path for _, _, path in store.documents.sessions()} | gone.transcripts):
        try:
            handle = opened(path)
        except OSError:
            continue  # the agent deleted it since
        with os.fdopen(handle, encoding="utf-8", errors="replace") as file:
            if any(remnants.may_hold(line) and _tells(line, remnants) for line in file):
                yield path


def _tells(line: str, remnants: Remnants) -> bool:
    try:
        return any(map(remnants.told, _texts(json.loads(line))))
    except (ValueError, RecursionError):
        return remnants.told(line)


def _holding(remnants: Remnants, *, labels: "Collection[str]" = ()) -> "Callable[[str], bool]":
    """Whether a line of JSON, or any other, holds remnants in one of its texts, its `labels` aside."""

    def holding(line: str) -> bool:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return remnants.within(line)
        place: frozenset[str] = frozenset()
        if isinstance(found, dict):
            place = frozenset(words(str(found.get(_PLACE, ""))))
            found = {name: one for name, one in found.items() if name not in labels}
        return any(remnants.within(text, place) for text in _texts(found))

    return holding


def _left_of(holding: "Callable[[str], bool]", ids: "Collection[str]") -> "Callable[[str], str]":
    """What stays of a line of the journal: of what a session was told at once all other memories."""

    def left(line: str) -> str:
        if not (holding(line) or any(id in line for id in ids)):
            return line
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return ""
        items = found.get(_TOLD) if isinstance(found, dict) else None
        if not isinstance(items, list):
            return "" if holding(line) else line
        kept = [
            one
            for one in items
            if not (isinstance(one, dict) and one.get("id") in ids) and not holding(json.dumps(one))
        ]
        rest = json.dumps(found | {_TOLD: kept}, ensure_ascii=False, separators=(",", ":"))
        return "" if not kept or holding(rest) else rest

    return left


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
