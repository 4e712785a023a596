"""Wires imports: another store or an export of one, edited notes, and the memories of other tools."""

import os
import tempfile
from contextlib import closing, contextmanager

from bowerbird.core.errors import (
    BadInput,
    BowerbirdError,
    NotAPerson,
    NotAStore,
    StoreMissing,
    StoreOutdated,
)
from bowerbird.core.exchange import Contents, Received, Refused
from bowerbird.core.exchange_lines import is_export, parsed
from bowerbird.core.exchange_notes import END, Written, changed, taken_in, written
from bowerbird.core.history import Change
from bowerbird.core.ids import new_id
from bowerbird.core.kept_block import block_in, edits
from bowerbird.core.life import used
from bowerbird.core.memories import Decision
from bowerbird.core.migrated import (
    EXPORT,
    NOTES,
    OWN,
    STORE,
    Found,
    Imported,
    Moved,
    Note,
    Offered,
    Unmoved,
)
from bowerbird.core.origins import IMPORTED
from bowerbird.core.plugins import IMPORTERS
from bowerbird.core.text import summarise
from bowerbird.core.types import GLOBAL, SHORT_ID, TRUSTS
from bowerbird.core.value import Advice, Do
from bowerbird.host.foreign import head, opened, whole
from bowerbird.host.own_files import content, text_of
from bowerbird.host.plugins import names
from bowerbird.ingest.importers.registry import called, importer, places, recognised
from bowerbird.lifecycle.receive import Receiving
from bowerbird.verbs.exporting import WRITTEN, contents_of, draft_of, read_note, relations_of
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.draft import About
    from bowerbird.core.exchange import Held
    from bowerbird.core.history import Version
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Backend, Store
    from bowerbird.core.types import Project
    from bowerbird.verbs.keeping import Keeping

# The importer of files that may have a kept block.
RULES = "rules"
# What is about the folder that it lies in.
_OF_THEIR_FOLDER = (RULES, "from-brv")
# Characters of a line of such a block that are shown.
_SHOWN = 80
_SQLITE = b"SQLite format 3\0"
# Bytes of the list of notes that were written, of which a million fit.
_LONGEST_LIST = 40_000_000
# Bytes among which the first line of an export is.
_FIRST_LINE = 4_096


class Importing(Verbs):
    """Takes in what other stores and tools hold."""

    def offered(self) -> "tuple[Offered, ...]":
        """What can be imported on this machine."""
        self._acting.who.require_local("import")
        home, here = os.path.expanduser("~"), os.getcwd()
        found = places(home, here, os.environ)
        return tuple(Offered(one, path, _name(self._into(one, path, ""))) for one, path in found)

    def named(self, what: str, path: str) -> "tuple[str, str]":
        """The importer and the path that are meant by a name, a path, or both. Raises BadInput."""
        name, place = self._named(what, path)
        return name or self._recognised(place), place

    def _named(self, what: str, path: str) -> "tuple[str, str]":
        name, alone = called(what), os.path.expanduser(what)
        if path:
            return name, os.path.expanduser(path)
        if name in OWN:
            return ("", alone) if os.path.lexists(alone) else (name, ".")
        found = importer(name)
        if found is None:
            plugged = not os.path.lexists(alone) and name in names(IMPORTERS)
            return (name, ".") if plugged else ("", alone)
        home, here = os.path.expanduser("~"), os.getcwd()
        tried = list(found.places(home, here, os.environ))
        there = next((one for one in tried if os.path.exists(one) and found.accepts(one)), "")
        if not there:
            raise BadInput(
                f"nothing of {what} was found in {', '.join(tried)}",
                Advice("name its file or folder: ", Do("import", what, "PATH")),
            )
        return name, there

    def bring(
        self,
        keeping: "Keeping",
        what: str,
        path: str,
        trust: str,
        actor: str,
        progress: "Progress | None",
        *,
        dry_run: bool,
        with_sources: bool,
        into: str,
        mine: bool,
    ) -> Imported:
        """Imports from a path; without an importer's name, what is there decides."""
        if mine and not self._acting.who.owner:
            raise NotAPerson(
                "only a person can say that notes are their own",
                Advice(
                    "run it in a terminal of your own: ",
                    Do("import", *filter(None, (what, path)), mine=True),
                ),
            )
        name = called(what) if what else self._recognised(path)
        if name not in OWN:
            project = self._into(name, path, into)
            done = keeping.migrate(
                name,
                path,
                actor,
                dry_run=dry_run,
                with_sources=with_sources,
                progress=progress,
                project=project,
                mine=mine,
            )
            brought = Imported.of_notes(name, done).replace(
                new_project=done.new_project, project=_name(project)
            )
            if name != RULES:
                return brought
            return self._from_blocks(keeping, path, brought, dry_run=dry_run)
        if name == NOTES:
            return self._edited(keeping, path, actor, progress, dry_run=dry_run)
        if name == EXPORT:
            contents, refused = _export(path)
        else:
            contents, refused = self._store(path), ()
        most = min(trust or TRUSTS[-1], self._acting.most_trust, key=TRUSTS.index)
        came = Change(
            new_id(self._opened.clock()),
            IMPORTED,
            self._acting.actor(actor),
            f"from the {name} {os.path.basename(path)}",
        )
        got = self._receive(keeping, contents, most, came, progress, dry_run=dry_run)
        got = got.replace(refused=(*refused, *got.refused))
        return Imported.of_store(name, path, got, dry_run=dry_run)

    def _into(self, name: str, path: str, into: str) -> "Project":
        """The project that notes come into: the named one, else by where they lie.

        What is outside of this folder's repository is global, apart from rules and notes that a tool
        keeps in the repository that they are about.
        """
        reach = self._reach
        if into:
            return reach.project if into == reach.project.uid else reach.known(into)
        if reach.named or not self._acting.who.may_share:
            return reach.project
        there = reach.project_of(os.path.realpath(path))
        return there if name in _OF_THEIR_FOLDER or there.uid == reach.project.uid else GLOBAL

    def _recognised(self, path: str) -> str:
        """What is at a path. Raises BadInput."""
        if "://" in path:
            return STORE
        if not os.path.exists(path):
            raise BadInput(
                f"there is no file or folder {path}, and no importer of that name",
                Advice("what can be imported here is listed by: ", Do("import")),
            )
        if os.path.isfile(path):
            self._refuse_own(path)
            first = head(path, _FIRST_LINE)
            if first.startswith(_SQLITE):
                return recognised(path) or STORE
            if is_export(first.partition(b"\n")[0].decode("utf-8", "replace")):
                return EXPORT
        elif not os.path.isdir(path):
            raise BadInput(
                f"{path} is neither a file nor a folder", "write what it gives to a file first"
            )
        elif os.path.exists(os.path.join(path, WRITTEN)) or any(
            read_note(os.path.join(path, one)) for one in os.listdir(path) if one.endswith(END)
        ):
            return NOTES
        name = recognised(path)
        if not name:
            raise BadInput(
                f"nothing that can be imported was recognised in {path}",
                Advice("take files in as documents: ", Do("index", path), ", or name an importer"),
            )
        return name

    def _refuse_own(self, path: str) -> None:
        """Raises BadInput for this very store: to close its file, once read, would drop its locks."""
        own = self._opened.path
        if os.path.exists(own) and os.path.samefile(path, own):
            raise BadInput(f"{path} is this store itself", "name another one")

    def _store(self, path: str) -> Contents:
        """The contents of another store; one of an older version is upgraded in a copy."""
        backend, path = self._opened.other(path)
        if not os.path.isfile(path):
            raise BadInput(f"there is no store at {path}", "name the file of another store")
        self._refuse_own(path)
        try:
            with self._other(backend, path, write=False) as store:
                return contents_of(store)
        except StoreOutdated:
            with tempfile.TemporaryDirectory(dir=os.path.dirname(self._opened.path)) as folder:
                copy = os.path.join(folder, "other.db")
                backend.back_up(path, copy, self._opened.clock(), None, None)
                with self._other(backend, copy, write=True) as store:
                    return contents_of(store)
        except NotAStore as error:
            raise NotAStore(error.message, "name a store or an export of Bowerbird") from error

    @contextmanager
    def _other(self, backend: "Backend", path: str, *, write: bool) -> "Iterator[Store]":
        clock = self._opened.clock
        with closing(backend.open(path, clock, write=write, use=used)) as store:
            yield store

    def _receive(
        self,
        keeping: "Keeping",
        contents: Contents,
        most: str,
        came: Change,
        progress: "Progress | None",
        *,
        dry_run: bool,
    ) -> Received:
        opened, allow = self._opened, allowed(self._config)
        if dry_run:
            try:
                return Receiving(opened.reader(), opened.embedder(), allow, most).foresee(contents)
            except StoreMissing:
                return Received(added=len(contents.memories))
        receiving = Receiving(self._acting.writer(), opened.embedder(), allow, most)
        receiving.run(contents, came, progress)
        receiving.conclude(came)
        keeping.read_first(receiving.moved)
        return receiving.received()

    def _from_blocks(
        self, keeping: "Keeping", path: str, got: Imported, *, dry_run: bool
    ) -> Imported:
        """Adds what was changed in the kept blocks of rules files, each line as a version."""
        rules = importer(RULES)
        if rules is None or not os.path.exists(self._opened.path):
            return got
        moved, errors = [*got.moved], [*got.errors]
        for file in rules.files(path):
            with self._opened.reading() as store:
                block = block_in(text_of(file, content(file)), _every(store))
                if block is None or not (block.typed or block.missing):
                    continue
                found = edits(block, _every(store))
            name = os.path.basename(file)
            for memory, version, line in found.reworded:
                review = ""
                if memory.current.text not in (version.text, line):
                    review = _other_text(memory.current)
                kind = memory.current.fields.kind
                if not dry_run:
                    about: About = {"review": review} if review else {}
                    try:
                        keeping.edit(memory.id, line, about, f"edited in {name}")
                    except BowerbirdError as error:
                        errors.append(Unmoved(name, error.message, error.remedy))
                        continue
                moved.append(Moved(name, _decision(memory.id, kind, line, "text", review)))
            for line in found.added:
                why = f"“{line[:_SHOWN]}” in the kept block is of no memory"
                by_hand = (
                    "move it out of the block, and import again; of an erased memory, delete it"
                )
                errors.append(Unmoved(name, why, by_hand))
            for memory in found.removed:
                why = f"“{memory.current.text[:_SHOWN]}” was taken out of the block, and is remembered"
                remedy = Advice("let it go with: ", Do("forget", memory.id))
                errors.append(Unmoved(name, why, remedy))
        return got.replace(
            changed=got.changed + len(moved) - len(got.moved),
            moved=tuple(moved),
            errors=tuple(errors),
        )

    def _edited(
        self,
        keeping: "Keeping",
        path: str,
        actor: str,
        progress: "Progress | None",
        *,
        dry_run: bool,
    ) -> Imported:
        """Takes what was changed in the notes of an export, each as a version of its memory.

        A note whose memory is not here becomes a new one, as an import, unless it was erased here.
        """
        folder = os.path.realpath(path)
        new_here: list[Note] = []
        moved: list[Moved] = []
        errors: list[Unmoved] = []
        known = 0
        there: set[str] = set()
        for name in sorted(one for one in os.listdir(folder) if one.endswith(END)):
            place = os.path.join(folder, name)
            found = read_note(place)
            if found is None:
                remedy = Advice("take it in with: ", Do("import", "obsidian", place))
                errors.append(Unmoved(name, "it is no note of an export", remedy))
                continue
            id, version, now = found
            there.add(id)
            held, then, refused = self._of_note(id, version)
            if held is None or then is None:
                if refused:
                    errors.append(Unmoved(name, *refused))
                else:
                    links, kinds = relations_of(place)
                    new_here.append(Note(name, draft_of(place, now), links, kinds=kinds))
                continue
            new = changed(now, then)
            if not new or taken_in(now, held, version):
                known += 1
                continue
            taken = self._take_note(keeping, name, held, (then, now), new, dry_run=dry_run)
            if isinstance(taken, Moved):
                moved.append(taken)
            else:
                errors.append(taken)
        errors += self._deleted(folder, there)
        got = Imported(
            NOTES,
            folder,
            changed=len(moved),
            known=known,
            moved=tuple(moved),
            errors=tuple(errors),
            dry_run=dry_run,
        )
        if not new_here:
            return got
        from bowerbird.verbs.migration import imported

        actor = self._acting.who.actor or actor
        notes = imported(Found(folder, tuple(new_here)), actor)
        done = keeping.take(notes, actor, progress, dry_run=dry_run)
        return got.replace(
            added=done.migrated,
            links=done.links,
            known=known + done.known,
            moved=(*got.moved, *done.moved),
            errors=(*got.errors, *done.errors),
            new_project=done.new_project,
            stopped=done.stopped,
        )

    def _deleted(self, folder: str, there: "set[str]") -> "Iterator[Unmoved]":
        """What still holds of the notes that an export wrote, and that are not in their folder."""
        try:
            written_to = whole(os.path.join(folder, WRITTEN), _LONGEST_LIST).decode()
            gone = [id for id in written_to.split() if id not in there]
            with self._opened.reading() as store:
                entries = store.entries.named(gone, None)
        except (OSError, UnicodeDecodeError, StoreMissing):
            return
        for one in entries:
            if one.state == "active":
                why = f"the note of “{one.text[:_SHOWN]}” was deleted, and it is remembered"
                yield Unmoved(folder, why, Advice("let it go with: ", Do("forget", one.id)))

    def _take_note(
        self,
        keeping: "Keeping",
        name: str,
        held: "Held",
        versions: "tuple[Written, Written]",
        new: "dict[str, object]",
        *,
        dry_run: bool,
    ) -> "Moved | Unmoved":
        """Takes what a person changed in a note; another text of the memory since then waits for them.

        `versions` are the note as it was written and as it is, `new` is what differs.
        """
        then, now = versions
        current, review = held.current, ""
        if "text" in new and current.text.strip() not in (then.text, now.text):
            review = _other_text(current)
        if "tags" in new:
            gone = {*then.tags} - {*now.tags}
            new["tags"] = tuple({*current.fields.tags} - gone | ({*now.tags} - {*then.tags}))
        decision = _decision(held.id, now.kind, now.text, ", ".join(sorted(new)), review)
        if not dry_run:
            text = None if new.pop("text", None) is None else now.text
            about = {**new, "review": review} if review else new
            try:
                keeping.edit(held.id, text, about, "edited as a note")  # type: ignore[arg-type]
            except BowerbirdError as error:
                return Unmoved(name, error.message, error.remedy)
        return Moved(name, decision)

    def _of_note(
        self, id: str, version: str
    ) -> "tuple[Held | None, Written | None, tuple[str, ...]]":
        """The memory of a note, the note as it was written, and why it is not taken, with the remedy."""
        try:
            with self._opened.reading() as store:
                held = next(iter(store.exchange.held([id])), None)
                erased = held is None and store.entries.removed(id) is not None
        except StoreMissing:
            return None, None, ()
        if held is None:
            return (
                None,
                None,
                ("its memory was erased or pruned here", "delete the note") if erased else (),
            )
        then = written(held, version)
        if then is None:
            remedy = "take the store over as JSON lines: they hold every version"
            return held, None, ("the version that it was written from is not here", remedy)
        return held, then, ()


def _other_text(version: "Version") -> str:
    """Why a memory waits whose text was changed here and in a file since that was written."""
    other = summarise(version.text, _SHOWN)
    return f"it was changed here, too; the other text: {other} (version {version.id[:SHORT_ID]})"


def _decision(id: str, kind: str, text: str, what: str, review: str) -> Decision:
    """The decision on a memory that was edited in a file."""
    return Decision(
        id, "edited", kind, text[:_SHOWN], what, needs_review=bool(review), review=review
    )


def _every(store: "Store") -> "Iterator[Held]":
    """All memories of a store, read once they are needed."""
    yield from store.exchange.held()


def _export(path: str) -> "tuple[Contents, tuple[Refused, ...]]":
    try:
        with os.fdopen(opened(path), encoding="utf-8") as file:
            if not is_export(file.readline()):
                raise BadInput(
                    f"{path} is no export of Bowerbird", "name one that bower export wrote"
                )
            file.seek(0)
            found = parsed(file)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is no text in UTF-8", "export again") from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", "make it readable") from error
    return found.contents, found.refused


def _name(project: "Project") -> str:
    """A project by its name, the global one by none."""
    return project.name if project.uid else ""
