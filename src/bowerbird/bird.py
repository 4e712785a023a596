"""Bowerbird, the object: the verbs of the product over one store."""

from bowerbird.core.answers import Filter, Hits, Query
from bowerbird.core.errors import BadInput, NotFound, StoreMissing
from bowerbird.core.types import Draft
from bowerbird.wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Any, Self

    from bowerbird.core.answers import Report, Status
    from bowerbird.core.clock import Clock
    from bowerbird.core.ports import Progress
    from bowerbird.core.types import Decision, Entry, Vector

    Path = str | os.PathLike[str]


class Bowerbird:
    """Memory over one store file. Use it as a context manager; not from several threads at once."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    @classmethod
    def open(
        cls,
        store: "Path | None" = None,
        *,
        project: str | None = None,
        settings: "dict[str, Any] | None" = None,
        clock: "Clock | None" = None,
    ) -> "Self":
        """Open a store; nothing is created or read before the first verb.

        Args:
            store: path of the store file; None takes BOWER_STORE, the configuration, or the default.
            project: name of the project to work in; None takes the working directory's repository.
            settings: configuration keys that win over every file and variable.
            clock: gives UTC milliseconds; for tests and replays.

        Raises:
            BadConfig: a configuration file or variable cannot be read.
            UnknownName: a configuration key that nobody knows.
        """
        flags = dict(settings or {})
        if store is not None:
            flags["store"] = str(store)
        if project is not None:
            flags["project"] = project
        return cls(Wiring.from_environment(flags, clock))

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; the next verb opens it again."""
        self._wiring.close()

    @property
    def path(self) -> str:
        """Where the store file is, or would be."""
        return self._wiring.store_path

    def query(
        self,
        text: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        min_score: float | None = None,
        fast: bool = False,
        explain: bool = False,
        fuzzy: bool = True,
        all_projects: bool = False,
        kinds: "Sequence[str]" = (),
        tags: "Sequence[str]" = (),
        path: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> Hits:
        """The entries that answer a question, best first.

        Args:
            text: any text; no character has a special meaning.
            limit: how many hits at most (1 to 50); None takes the configuration's.
            budget: cap in tokens over the text of all hits; 0 or None: none.
            min_score: floor on a hit's relevance (0 to 1).
            fast: by words alone.
            explain: keep what each stage contributed, in `.trace`.
            fuzzy: read a word that the store does not hold as the nearest one it does, and say so.
            all_projects: search every project, not just this one and what is global.
            kinds, tags: only entries of one of these kinds, with all of these tags.
            path: only passages of files whose path holds this text or matches this pattern.
            since, until: only what was said or written in this range, UTC milliseconds.

        Raises:
            BadInput: an empty question or a value out of its range.
            StoreError: the store cannot be read; a store that does not exist yet answers nothing.
        """
        if not text.strip():
            raise BadInput(
                "the question is empty", "ask in words: bower query 'why do tests hang?'"
            )
        chosen = self._wiring.config.choose
        query = Query(
            text=text,
            limit=chosen("query.limit", limit),
            budget=chosen("query.budget", budget) or None,
            min_score=chosen("query.min_score", min_score),
            filter=self._filter(all_projects, kinds, tags, path, since, until),
            fast=fast,
            explain=explain,
            fuzzy=fuzzy,
        )
        try:
            retrieval = self._wiring.retrieval()
        except StoreMissing as missing:
            return self._wiring.nothing_yet(query, missing)
        return retrieval.answer(query)

    def _filter(
        self,
        all_projects: bool,
        kinds: "Sequence[str]" = (),
        tags: "Sequence[str]" = (),
        path: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> Filter:
        return Filter(
            projects=None if all_projects else self._wiring.scope,
            kinds=tuple(kinds),
            tags=tuple(tags),
            path=path,
            since=since,
            until=until,
        )

    def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        tags: "Sequence[str]" = (),
        importance: float | None = None,
        metadata: "dict[str, Any] | None" = None,
        origin: str = "agent",
        everywhere: bool = False,
    ) -> "Decision":
        """Keep a belief of one to three sentences; the same text is not stored twice.

        Args:
            text: 1 to 10,000 characters; longer texts are files for `index`.
            kind: one of the registered kinds; None lets admission choose.
            tags: words to find it by.
            importance: 0 to 1; None: computed.
            metadata: anything that JSON can hold, returned as it is.
            origin: who says so: user, agent, tool_internal, import, tool_external or peer.
            everywhere: keep it outside any project.

        Raises:
            BadInput: the text or a value cannot be taken.
            UnknownName: a kind or origin nobody registered.
        """
        draft = Draft(
            text=text,
            kind=kind,
            tags=tuple(tags),
            importance=importance,
            metadata=metadata,
            origin=origin,
        )
        return self._wiring.admission().admit(draft, everywhere=everywhere)

    def index(self, *paths: "Path", progress: "Progress | None" = None) -> "Report":
        """Take in files and folders: notes, transcripts, plain text. What is unchanged is skipped.

        Args:
            paths: files or folders; none takes the working directory.
            progress: is told how far the work has come.

        Raises:
            BadInput: a path that does not exist.
            StoreError: the store cannot be written.
        """
        return self._wiring.ingest().index([str(path) for path in paths] or ["."], progress)

    def get(self, id: str) -> "Entry":
        """One entry by its id or the first characters (six or more) of it.

        Raises NotFound for none, BadInput for a beginning that several ids share.
        """
        found = self._wiring.store().entries.get(id)
        if not found:
            raise NotFound(f"no entry {id}", "ids stand in the answers of: bower query, bower list")
        if len(found) > 1:
            raise BadInput(f"several entries begin with {id}", "give more characters of the id")
        return found[0]

    def list(
        self,
        *,
        kinds: "Sequence[str]" = (),
        tags: "Sequence[str]" = (),
        path: str | None = None,
        since: int | None = None,
        until: int | None = None,
        memories_only: bool = False,
        all_projects: bool = False,
        limit: int = 20,
        offset: int = 0,
    ) -> "Sequence[Entry]":
        """Entries that pass the filters, newest first; each filter means what it means in `query`."""
        filter = self._filter(all_projects, kinds, tags, path, since, until)
        if memories_only:
            filter = filter.replace(families=("memory",))
        return self._wiring.store().entries.list(filter, limit, offset)

    def embed(self, texts: "Sequence[str]") -> "Sequence[Vector]":
        """The vectors of some texts, by the model that this store is read with."""
        return self._wiring.embedder().embed(texts)

    def embed_query(self, text: str) -> "Vector":
        """The vector of a question, every word counting the same."""
        return self._wiring.embedder().embed_query(text)

    def status(self) -> "Status":
        """What the store holds, where it rests and which model reads it."""
        return self._wiring.status()
