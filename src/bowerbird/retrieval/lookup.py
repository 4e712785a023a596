"""Entries by id or by filter, without a query; nothing is ranked."""

import os

from bowerbird.core.errors import BadInput, NotFound, StoreDamaged
from bowerbird.core.ids import named
from bowerbird.core.language import READ_IN_CONTEXT, language
from bowerbird.core.path_text import as_text
from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.types import GLOBAL, MEMORY
from bowerbird.core.value import Advice, Do
from bowerbird.retrieval.linked import IN_FORCE, linked_with, may_relate
from bowerbird.retrieval.undamaged import left_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.core.value import Note


# The maximum limit and the maximum offset of a list.
_MOST = 1_000_000_000
# The maximum number of links to return in each direction.
_MOST_LINKS = 20


class Lookup:
    """Reads entries with the details of memories; calls `show` with the trust of all that it returns."""

    def __init__(
        self,
        store: "Store",
        bounds: "tuple[str, ...] | None",
        show: "Callable[[Iterable[str]], object]",
        check_anchors: "Callable[[Sequence[Entry]], Sequence[Entry]]" = lambda entries: entries,
    ) -> None:
        """`check_anchors` tells of each entry which of its anchors changed."""
        self._store = store
        self._show = show
        self._check_anchors = check_anchors
        # The projects whose ids can be looked up; None: all.
        self._bounds = bounds

    def get(self, id: str) -> "Entry":
        """The entry with this id or unique prefix of an id. Raises NotFound and BadInput."""
        entries = self._store.entries
        # A tombstone has no project, so callers restricted to projects must not see it.
        removed = entries.removed if self._bounds is None else None
        found = named(id, lambda start: entries.get(start, self._bounds), removed)
        return self._linked(self._with_details([found])[0])

    def named(self, ids: "Sequence[str]") -> "Sequence[Entry]":
        """The entries with some whole ids, in that order, without what is beside them."""
        return self._with_details(self._store.entries.named(ids, self._bounds))

    def at(self, path: str, line: int, projects: "Sequence[str]") -> "Entry":
        """The passage that contains a line of an indexed file, else the last one before that line.

        The end of a path is sufficient. If several projects have the file, those in `projects` win.
        Raises BadInput for an ambiguous end of a path or an invalid line number, and NotFound.
        """
        if not isinstance(line, int) or line < 1:
            raise BadInput(f"{path} has no line {line}", "lines are counted from 1")
        # For a restricted caller a path is only a name in the index: the disk is not consulted.
        known = self._bounds is not None or "\0" in path
        here = as_text(path if known else os.path.realpath(os.path.expanduser(path)))
        path = as_text(path)
        documents = self._store.documents.at(here, "" if path[:1] in "/~" else path)
        own = [one for one in documents if one[2] in projects]
        if self._bounds is not None:
            documents = own
        paths = sorted({one[1] for one in own or documents})
        if not paths:
            there = not known and os.path.exists(here)
            out = ("see what is there: ", Do("list"))
            remedy = Advice(*(("take it in with: ", Do("index")) if there else out))
            what = "indexed file" if {"/", "."} & {*path} else "entry or indexed file"
            raise NotFound(f"no {what} {path}", remedy)
        if len(paths) > 1:
            raise BadInput(f"several files end with {path}", f"name one: {', '.join(paths)}")
        found = self._store.entries.at((own or documents)[0][0], line)
        if found is None:
            raise NotFound(f"{paths[0]} has no line {line}", "give a line that it has")
        return self._linked(self._with_details([found])[0])

    def _linked(self, entry: "Entry") -> "Entry":
        """The entry with its links: those of a passage's lines, or other memories on the same subject."""
        if entry.family == MEMORY:
            return self._beside_others(entry)
        if entry.document is None or entry.session:
            return entry
        lines = (entry.start_line or 1, entry.end_line or 1)
        links = self._store.documents.graph.links(entry.document, *lines, _MOST_LINKS)
        return entry.replace(links=tuple(links))

    def _beside_others(self, entry: "Entry") -> "Entry":
        projects = tuple({entry.project, GLOBAL.uid})
        if self._bounds is not None:
            projects = tuple(project for project in projects if project in self._bounds)
        filter = Filter(projects, now=self._store.clock(), states=(*IN_FORCE, "merged"))
        try:
            with self._store.reading():
                links = [
                    one for one in self._store.entries.links([entry.row], filter) if may_relate(one)
                ]
                others = self._store.entries.load([one.other for one in links]) if links else {}
        except StoreDamaged:
            return entry  # itself readable; `verify` and `doctor` report the damage
        if language(entry.text, tuple(words(entry.text))) not in READ_IN_CONTEXT:
            links = [one.replace(understood=None) for one in links]
        linked = linked_with(entry, links, others)
        self._show(one.trust for one in linked)
        return entry.replace(linked=linked)

    def list(self, filter: "Filter", limit: int, offset: int) -> "Sequence[Entry]":
        """The entries that pass a filter, newest first.

        Raises BadInput for a limit or an offset out of range.
        """
        if not (0 <= limit <= _MOST and 0 <= offset <= _MOST):
            raise BadInput(f"{limit} entries from {offset} on", f"count from 0 to {_MOST:,}")
        return self._with_details(self._store.entries.list(filter, limit, offset))

    def rows(self, rows: "Sequence[int]") -> "Sequence[Entry]":
        """The entries of some rows, in their order."""
        found = self._store.entries.load(rows)
        return self._with_details([found[row] for row in rows if row in found])

    def left_out(self) -> "tuple[Note, ...]":
        """A note on the entries that the current read could not read because of damage."""
        return left_out(self._store)

    def _with_details(self, entries: "Sequence[Entry]") -> "Sequence[Entry]":
        self._show(entry.trust for entry in entries)
        memories = [entry.row for entry in entries if entry.family == MEMORY]
        if not memories:
            return entries
        details = self._store.details(memories)
        now = self._store.clock()
        detailed = [
            entry.replace(details=details[entry.row].faded(entry.created, now))
            if entry.row in details
            else entry.replace(details=None)
            for entry in entries
        ]
        return self._check_anchors(detailed)
