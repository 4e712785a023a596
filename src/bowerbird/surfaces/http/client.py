"""The verbs of a Bowerbird that lives behind a server, with the same values and the same errors.

The standard library speaks HTTP well enough: a program that asks a server installs nothing more.
"""

from functools import wraps
from inspect import Parameter, signature

from bowerbird.core.answers import Entries, Hits
from bowerbird.core.decode import decode, noted
from bowerbird.core.graph import Impact
from bowerbird.core.health import CacheState, Examined, Reread, Warmed
from bowerbird.core.history import Edited, Forgotten, Gone, History, Noted, Relation, Reverted
from bowerbird.core.learned import Evidence
from bowerbird.core.memory import Memory
from bowerbird.core.places import as_text
from bowerbird.core.report import Report
from bowerbird.core.types import Entry
from bowerbird.surfaces import HTTP, module
from bowerbird.surfaces.http.connection import Connection, error_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import TypeVar, Unpack

    from bowerbird.core.draft import About
    from bowerbird.core.graph import Following
    from bowerbird.core.health import Finding
    from bowerbird.core.value import Value
    from bowerbird.surfaces import Verb
    from bowerbird.surfaces.http.connection import Data

    C = TypeVar("C", bound=Connection)

# Seconds that a run may take before it is asked after again: less than an answer may take.
WAIT_S = 20.0


def _entries(data: "Data") -> Entries:
    return Entries((decode(Entry, one) for one in data["entries"]), noted(data))


# Methods that are not called like their verb, and those whose value is not what the verb gives.
_VERBS = {"remember": "curate", "way": "path"}
_GIVES: "dict[str, type[Value] | Callable[[Data], Entries]]" = {
    "query": Hits,
    "at": Entry,
    "list": _entries,
}


def _asking(method: "Callable[..., object]") -> "Callable[..., object]":
    """A method of `Memory` that asks a server, with the same arguments and defaults."""
    verb, takes = _VERBS.get(method.__name__, method.__name__), signature(method)

    @wraps(method)
    def ask(self: "Client", *given: object, **named: object) -> object:
        bound = takes.bind(self, *given, **named)
        bound.apply_defaults()
        arguments: dict[str, object] = {}
        for key, value in bound.arguments.items():
            several = takes.parameters[key].kind is Parameter.VAR_KEYWORD
            arguments |= value if several else {} if key == "self" else {key: value}
        described: Verb = module(verb).VERB
        # A default for an argument that no server takes is left out; a value for it is refused.
        fields = {one.name for one in described.at(HTTP)}
        sent = {key: one for key, one in arguments.items() if one or key in fields}
        gives, data = _GIVES.get(method.__name__, described.gives), self._verb(verb, **sent)
        return decode(gives, data) if isinstance(gives, type) else gives(data)

    return ask


def _filled(client: "type[C]") -> "type[C]":
    """A client with every method of `Memory` that it does not write itself."""
    for name, method in vars(Memory).items():
        if name[0] != "_" and name not in vars(client) and not hasattr(Connection, name):
            setattr(client, name, _asking(method))
    return client


@_filled
class Client(Connection, Memory):
    """Asks a server that `bower serve` started. Use it as a context manager; from any thread.

    The verbs are those of `Memory`. The token says in whose name they are asked: actor and source are
    not to be given. Hits come without a trace, but for what could not be done.
    """

    def get(self, id: str, *, all_projects: bool = False) -> Entry:
        """One entry by its id or the first characters of it."""
        return decode(Entry, self._verb("get", id, all_projects=all_projects))

    def evidence(self, id: str, *, all_projects: bool = False) -> Evidence:
        """Where a memory comes from: sessions, commit, and lines of a transcript that is still there."""
        found = self._verb("get", id, evidence=True, all_projects=all_projects)
        return decode(Evidence, found["evidence"])

    def impact(
        self, target: str, *, all_projects: bool = False, **how: "Unpack[Following]"
    ) -> Impact:
        """What breaks if a file or symbol changes; the arguments are those of Bowerbird.impact."""
        return decode(Impact, self._verb("impact", target=target, all_projects=all_projects, **how))

    def history(self, id: str, *, all_projects: bool = False) -> History:
        """Everything that became of a memory."""
        return decode(History, self._verb("history", id, all_projects=all_projects))

    def revert(
        self, id: str, version: str | None = None, *, reason: str = "", all_projects: bool = False
    ) -> Reverted:
        """Take back the last change of a memory that still stands, or go back to a version."""
        about = {"to": version, "reason": reason, "all_projects": all_projects}
        return decode(Reverted, self._verb("revert", **{"id": id} | about))

    def edit(
        self,
        id: str,
        text: str | None = None,
        *,
        reason: str = "",
        all_projects: bool = False,
        **about: "Unpack[About]",
    ) -> Edited:
        """Give a memory another text or other fields; the arguments are those of Bowerbird.edit."""
        fields = {"id": id, "text": text, "reason": reason, "all_projects": all_projects}
        return decode(Edited, self._verb("edit", **fields, **about))

    def link(
        self,
        source: str,
        target: str,
        kind: str = "related_to",
        *,
        strength: float = 1.0,
        confidence: float = 1.0,
        all_projects: bool = False,
    ) -> Relation:
        """Say what a memory is to another one, or to a file."""
        fields = {"strength": strength, "confidence": confidence, "all_projects": all_projects}
        return decode(
            Relation, self._verb("link", source=source, target=target, kind=kind, **fields)
        )

    def forget(self, id: str, reason: str = "", *, all_projects: bool = False) -> Gone:
        """Take a memory out of every search; `revert` takes that back."""
        return self.forget_all([id], reason, all_projects=all_projects)[0]

    def forget_all(
        self, ids: "Sequence[str]", reason: str = "", *, all_projects: bool = False
    ) -> "Sequence[Gone]":
        """Forget several memories, or none where one of them cannot be."""
        if not ids:
            return ()
        data = self._verb("forget", ids=ids, reason=reason, all_projects=all_projects)
        return decode(Forgotten, data).forgotten

    def used(self, ids: "Sequence[str]", session: str = "", *, all_projects: bool = False) -> bool:
        """Note which entries were of use; whether that could be noted."""
        if not ids:
            return True
        where = {"session": session, "all_projects": all_projects}
        return decode(Noted, self._verb("used", ids=ids, **where)).noted

    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """What was looked at, each ok, a warning or a problem; for tokens of the whole store."""
        return decode(Examined, self._verb("doctor", secrets=secrets)).findings

    def reindex(self) -> int:
        """Let the model read what it has not read yet; how many entries those were."""
        return decode(Reread, self._verb("reindex")).read or 0

    def warm(self, *, recent: int | None = None) -> Warmed:
        """The same, or of the `recent` entries that were written last; also how many there are."""
        return decode(Warmed, self._verb("warm", recent=recent))

    def index(self, *paths: "str | PathLike[str]") -> Report:
        """Take in folders that the server was started with, named as there; none takes all of them.

        Returns when it is done, however long that takes. Raises StoreBusy where a run is under way.
        """
        wait = min(WAIT_S, self._timeout / 2)
        data = self._verb("index", paths=[*map(as_text, paths)], wait=wait)
        while "run" in data:
            data = self._verb("indexed", run=data["run"], wait=wait)
            if data["state"] == "failed":
                raise error_of(500, data["error"])
            if data["state"] == "done":
                data = data["report"]
        return decode(Report, data)

    def cache_state(self) -> CacheState:
        """What is kept of texts that a model behind a server has read."""
        return decode(CacheState, self._verb("cache"))

    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Take such vectors out, all or those unused for an age such as 30d; how many those were."""
        return int(self._verb("prune_cache", older_than=older_than)["removed"])
