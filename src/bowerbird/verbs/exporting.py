"""Wires exports: the whole store as JSON lines or as a copy, its memories as notes or in a rules file."""

import os
from contextlib import suppress
from itertools import combinations

from bowerbird.core.draft import Draft
from bowerbird.core.errors import BadInput
from bowerbird.core.exchange import SORTS, Contents, Exported
from bowerbird.core.exchange_lines import lines
from bowerbird.core.exchange_notes import (
    END,
    ID,
    Written,
    body_of,
    changed,
    file_name,
    linked_in,
    links_of,
    note,
    taken_in,
    written,
)
from bowerbird.core.kept_block import BUDGET, block_in, ends_as, told, versions_in, with_block
from bowerbird.core.relations import RELATIONS
from bowerbird.core.types import GLOBAL, beside
from bowerbird.core.value import Advice, Do
from bowerbird.host.foreign import whole
from bowerbird.host.own_files import content, text_of, write
from bowerbird.host.places import make_folder, project_of, write_own
from bowerbird.ingest.dates import moment
from bowerbird.ingest.frontmatter import block
from bowerbird.lifecycle.slots import opposes
from bowerbird.verbs.safety import back_up, take_in
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.exchange import Held
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store

# Memories of a rules file that are compared with each other: 11,000 pairs, some 50 ms.
MOST_COMPARED = 150
# Characters of an edited line that are shown.
_SHOWN = 60
# The file in a folder of notes that names the memories that were written: whose note is missing later was
# deleted by somebody.
WRITTEN = ".bowerbird"
# Bytes of a note that is read: the longest text of a memory, with its fields and links.
_LONGEST_NOTE = 1_000_000
_BY_END = {".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "rules", ".mdc": "rules", ".db": "archive"}
# Rules files without such an end.
_RULES = (".cursorrules", ".windsurfrules", ".clinerules")


class Exporting(Verbs):
    """What the caller may see, in forms that others read and `import` takes back."""

    def contents(self, *, everywhere: bool = True) -> Contents:
        """All that the store gives, or what belongs to the present project; counts as shown."""
        self._reach.refuse_beyond(everywhere, "all_projects")
        take_in(self._opened)
        found = contents_of(self._opened.reader())
        seen = self._reach.everywhere if everywhere else self._reach.seen
        if seen is not None:
            found = found.within(seen)
        self._acting.show({one.trust for one in found.memories})
        return found

    def lines(self) -> "Iterator[str]":
        """The store as JSON lines; the named project alone, if one was named."""
        return lines(self.contents(everywhere=not self._reach.named))

    def export(
        self,
        path: str,
        form: str,
        budget: "int | None",
        progress: "Progress | None",
        *,
        everywhere: bool,
        personal: bool,
    ) -> Exported:
        """Writes an export; without a form its name decides. Raises BadInput, StoreError, OSError."""
        goal = os.path.abspath(os.path.expanduser(path))
        form = form or form_of(path)
        self._opened.require()
        if form == "archive":
            copied = back_up(self._opened, goal, None, progress)
            with self._opened.reading() as store:
                count = len(store.exchange.ids())
            return Exported(goal, form, count, size_bytes=copied.size_bytes)
        try:
            done = self._written(goal, form, budget, everywhere=everywhere, personal=personal)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(f"{goal} cannot be written: {why}", "name another place") from error
        self._opened.backend.note_copy(self._opened.path, goal)
        return done

    def _written(
        self, goal: str, form: str, budget: "int | None", *, everywhere: bool, personal: bool
    ) -> Exported:
        if form == "jsonl":
            if os.path.isdir(goal):
                raise BadInput(f"{goal} is a folder", "name a file: memories.jsonl")
            contents = self.contents(everywhere=not self._reach.named)
            write_own(goal, "".join(lines(contents)))
            versions = sum(len(one.versions) for one in contents.memories)
            return Exported(goal, form, len(contents.memories), versions, 0, os.path.getsize(goal))
        contents = self.contents(everywhere=everywhere)
        if form == "rules":
            most = BUDGET if budget is None else budget
            with self._opened.reading() as store:
                # A block written from another folder shows what is not seen from this one.
                every = store.exchange.held()
            # A file of a repository goes to all who have it.
            shared = not personal and project_of(os.path.dirname(goal)).root is not None
            return _rules(goal, contents.memories, every, most, self._opened.clock(), shared=shared)
        return _notes(goal, contents)


def contents_of(store: "Store") -> Contents:
    """All that a store gives, of one moment."""
    with store.reading():
        return Contents(store.exchange.held(), {sort: store.exchange.rows(sort) for sort in SORTS})


def form_of(path: str) -> str:
    """The form of an export, by its name. Raises BadInput for a file of an unknown one."""
    base = os.path.basename(path).lower()
    if base in _RULES:
        return "rules"
    end = os.path.splitext(base)[1]
    if end and end not in _BY_END and not os.path.isdir(path):
        known = ", ".join(_BY_END)
        raise BadInput(
            f"{path} does not say in which form: {end} is none of {known}",
            Advice(
                "name a file that ends so, or say which: ",
                Do("export", path, form="jsonl"),
                "; a folder of notes: ",
                Do("export", path, form="markdown"),
            ),
        )
    return _BY_END.get(end, "markdown")


def _rules(
    goal: str,
    memories: "Sequence[Held]",
    every: "Sequence[Held]",
    budget: int,
    now: int,
    *,
    shared: bool,
) -> Exported:
    """Replaces the kept block of a rules file, or adds one; everything else in it stays.

    A `shared` one tells nothing personal. `every` are all memories of the store: what was typed in the
    block is what none of them says.
    Raises BadInput where a person typed in the block.
    """
    before = content(goal)
    text = text_of(goal, before)
    block = block_in(text, every)
    if block is not None and block.typed:
        some = "; ".join(f"“{line[:_SHOWN]}”" for line in block.typed[:3])
        more = f" and {len(block.typed) - 3} more" if len(block.typed) > 3 else ""  # noqa: PLR2004
        raise BadInput(
            f"what was typed in the kept block of {goal} is not imported: {some}{more}",
            Advice(
                "take your changes in first: ",
                Do("import", goal),
                "; what is no memory belongs outside the block",
            ),
        )
    public = [one for one in memories if not (shared and _personal(one))]
    chosen = told(public, budget, now)
    new = with_block(text, chosen, _opposed(chosen))
    if new != text:
        make_folder(os.path.dirname(goal))
        write(os.path.realpath(goal), new.encode())
    seen = {one.id for one in memories}
    told_before = frozenset(versions_in(text))
    gone = [
        one
        for one in every
        if one.id not in seen
        and any(ends_as(version.id) in told_before for version in one.versions)
    ]
    size, back = len(new.encode()), len(told(memories, budget, now)) - len(chosen)
    return Exported(
        goal, "rules", len(chosen), removed=len(gone), size_bytes=size, kept_back=max(0, back)
    )


def _personal(memory: "Held") -> bool:
    """Whether a memory is about a person rather than about a project: theirs everywhere, or of “I”."""
    # Its expressions compile for a tenth of a second, which an import would wait for, too.
    from bowerbird.sessions.learn.lasting_features import CLASSES

    text = memory.current.text
    # The I of I/O is nobody.
    said = (one for one in CLASSES["mine"].finditer(text) if text[one.end() : one.end() + 1] != "/")
    return beside(memory.project) == GLOBAL.uid or any(said)


def _opposed(chosen: "Sequence[Held]") -> dict[str, str]:
    """Those of some memories that another one of them opposes, with its text.

    Most of such pairs wait in review, and are not told; these came from elsewhere, or far apart.
    """
    found: dict[str, str] = {}
    for one, other in combinations(chosen[:MOST_COMPARED], 2):
        ours, theirs = one.current, other.current
        if opposes(ours.text, theirs.text).relation:
            found.setdefault(one.id, theirs.text)
            found.setdefault(other.id, ours.text)
    return found


def _notes(goal: str, contents: Contents) -> Exported:
    """Writes a note for each active memory; those of others go. Raises BadInput for edited ones."""
    if os.path.exists(goal) and not os.path.isdir(goal):
        raise BadInput(f"{goal} is a file", "name a folder for notes, or say --as jsonl")
    make_folder(goal)
    active = [one for one in contents.memories if one.current.fields.state == "active"]
    projects: dict[str, str] = {row[0]: row[1] for row in contents.rows["project"]}
    names = {one.id: file_name(one) for one in active}
    links = links_of(contents.rows["relation"], names)
    every = {one.id: one for one in contents.memories}
    stale, edited = [], []
    for name in os.listdir(goal):
        found = read_note(os.path.join(goal, name)) if name.endswith(END) else None
        if found is None:
            continue
        id, version, now = found
        then = written(every[id], version) if id in every else None
        if then is not None and changed(now, then) and not taken_in(now, every[id], version):
            edited.append(name)
        elif id not in names or name != names[id] + END:
            stale.append(name)
    if edited:
        some = ", ".join(sorted(edited)[:3])
        raise BadInput(
            f"{len(edited)} notes were edited and not imported: {some}",
            Advice("take your changes in first: ", Do("import", goal)),
        )
    for name in stale:
        os.unlink(os.path.join(goal, name))
    write_own(os.path.join(goal, WRITTEN), "".join(f"{one.id}\n" for one in active))
    size = 0
    for one in active:
        text = note(one, projects.get(one.project, GLOBAL.name), links.get(one.id, ()))
        write_own(os.path.join(goal, names[one.id] + END), text)
        size += len(text.encode())
    return Exported(goal, "markdown", len(active), removed=len(stale), size_bytes=size)


def draft_of(path: str, now: Written) -> "Draft":
    """A note as a draft of a new memory: its text and fields, with the date since which it is kept."""
    given = whole(path, _LONGEST_NOTE).decode().replace("\r\n", "\n").split("\n")
    fields, _ = block(given)
    said = {name: next(iter(fields.get(name, ())), "") for name in ("created", "confidence")}
    sure = None
    with suppress(ValueError):
        sure = float(said["confidence"])
    return Draft(
        now.text,
        kind=now.kind or None,
        tags=now.tags,
        confidence=sure,
        occurred=moment(said["created"]),
    )


def relations_of(path: str) -> "tuple[tuple[str, ...], tuple[str, ...]]":
    """The notes that a note is linked with, by the names of their files, and how.

    One is not replaced by another one: both have a note, since both held.
    """
    given = whole(path, _LONGEST_NOTE).decode().replace("\r\n", "\n").split("\n")
    _, size = block(given)
    found = [
        (name + END, kind)
        for kind, name in linked_in(given[size:])
        if kind in RELATIONS and kind not in ("supersedes", "contradicts")
    ]
    return tuple(name for name, _ in found), tuple(kind for _, kind in found)


def read_note(path: str) -> "tuple[str, str, Written] | None":
    """Id, version and content of a note that an export wrote; None for any other file."""
    try:
        given = whole(path, _LONGEST_NOTE).decode().replace("\r\n", "\n").split("\n")
    except (OSError, UnicodeDecodeError):
        return None
    fields, size = block(given)
    ids, versions = fields.get(ID), fields.get("version")
    if not ids or not versions:
        return None
    text = body_of(given[size:])
    kind = next(iter(fields.get("kind", ())), "")
    pinned = next(iter(fields.get("pinned", ())), "") == "true"
    now = Written(text, kind, tuple(sorted(fields.get("tags", ()))), pinned)
    return ids[0], versions[0], now
