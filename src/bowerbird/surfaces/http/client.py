"""A client with the verbs of Bowerbird on a server: the same values and the same errors.

It uses the standard library's HTTP, so that a client installs no further package.
"""

from functools import wraps
from inspect import Parameter, signature

from bowerbird.core.answers import Entries, Hits
from bowerbird.core.decode import decode, noted
from bowerbird.core.dispute import Dispute, Disputes
from bowerbird.core.graph import Impact
from bowerbird.core.health import CacheState, Examined, Reread, Warmed
from bowerbird.core.history import Edited, Forgotten, Gone, History, Noted, Relation, Reverted
from bowerbird.core.learned import Evidence
from bowerbird.core.memory import Memory
from bowerbird.core.path_text import as_text
from bowerbird.core.report import Report
from bowerbird.core.sessions import Timeline
from bowerbird.core.team import Team
from bowerbird.core.types import Entry
from bowerbird.surfaces.fields import HTTP, module
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
    from bowerbird.surfaces.fields import Verb
    from bowerbird.surfaces.http.connection import Data

    C = TypeVar("C", bound=Connection)

# Seconds that a poll for a running job waits: less than the response timeout.
WAIT_S = 20.0


def _entries(data: "Data") -> Entries:
    found = (decode(Entry, one) for one in data["entries"])
    return Entries(found, noted(data), data.get("next", ""), data.get("total"))


# Methods whose verb has another name, and those whose value is not the decoded result of the verb.
_VERBS = {"remember": "curate", "way": "path", "around": "graph"}
_GIVES: "dict[str, type[Value] | Callable[[Data], Entries]]" = {
    "query": Hits,
    "at": Entry,
    "list": _entries,
}


def _asking(method: "Callable[..., object]") -> "Callable[..., object]":
    """Turns a method of `Memory` into one that calls the server, with the same arguments and defaults."""
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
        # The default of an argument that the server does not accept is omitted; other values are refused.
        fields = {one.name for one in described.at(HTTP)}
        sent = {key: one for key, one in arguments.items() if one or key in fields}
        gives, data = _GIVES.get(method.__name__, described.gives), self._verb(verb, **sent)
        return decode(gives, data) if isinstance(gives, type) else gives(data)

    return ask


def _filled(client: "type[C]") -> "type[C]":
    """Adds every method of `Memory` that the class does not define itself."""
    for name, method in vars(Memory).items():
        if name[0] != "_" and name not in vars(client) and not hasattr(Connection, name):
            setattr(client, name, _asking(method))
    return client


@_filled
class Client(Connection, Memory):
    """Client of a server that `bower serve` started. A context manager; thread-safe.

    The verbs are those of `Memory`. The token determines actor and source, which cannot be passed. Hits
    have no trace, except for what could not be done.
    """

    def get(self, id: str, *, as_of: int | str | None = None, all_projects: bool = False) -> Entry:
        """One entry by its id or a prefix of it, as it is or as it was."""
        return decode(Entry, self._verb("get", id, as_of=as_of, all_projects=all_projects))

    def evidence(self, id: str, *, all_projects: bool = False) -> Evidence:
        """The evidence of a memory: sessions, commit, and lines of a transcript that still exists."""
        found = self._verb("get", id, evidence=True, all_projects=all_projects)
        return decode(Evidence, found["evidence"])

    def impact(
        self, target: str = "", *, all_projects: bool = False, **how: "Unpack[Following]"
    ) -> Impact:
        """What depends on a file or symbol; the arguments are those of Bowerbird.impact."""
        return decode(Impact, self._verb("impact", target=target, all_projects=all_projects, **how))

    def sessions(self, *, all_projects: bool = False, limit: int = 20) -> Timeline:
        """The latest sessions of the project, or of all, by their digests."""
        return decode(Timeline, self._verb("sessions", all_projects=all_projects, limit=limit))

    def history(self, id: str, *, all_projects: bool = False) -> History:
        """All versions and events of a memory."""
        return decode(History, self._verb("history", id, all_projects=all_projects))

    def revert(
        self, id: str, version: str | None = None, *, reason: str = "", all_projects: bool = False
    ) -> Reverted:
        """Reverts the last change of a memory that is still in effect, or returns to a version."""
        about = {"to": version, "reason": reason, "all_projects": all_projects}
        return decode(Reverted, self._verb("revert", **{"id": id} | about))

    def edit(
        self,
        id: str,
        text: str | None = None,
        *,
        reason: str = "",
        stale: bool | None = None,
        all_projects: bool = False,
        **about: "Unpack[About]",
    ) -> Edited:
        """Changes a memory's text or other fields; the arguments are those of Bowerbird.edit."""
        fields = {"id": id, "text": text, "reason": reason, "stale": stale}
        fields["all_projects"] = all_projects
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
        """Adds a relation from a memory to another one, or to a file."""
        fields = {"strength": strength, "confidence": confidence, "all_projects": all_projects}
        return decode(
            Relation, self._verb("link", source=source, target=target, kind=kind, **fields)
        )

    def forget(self, id: str, reason: str = "", *, all_projects: bool = False) -> Gone:
        """Removes a memory from every search; `revert` restores it."""
        return self.forget_all([id], reason, all_projects=all_projects)[0]

    def forget_all(
        self, ids: "Sequence[str]", reason: str = "", *, all_projects: bool = False
    ) -> "Sequence[Gone]":
        """Forgets several memories, or none if one of them cannot be forgotten."""
        if not ids:
            return ()
        data = self._verb("forget", ids=ids, reason=reason, all_projects=all_projects)
        return decode(Forgotten, data).forgotten

    def dispute(self, id: str, text: str) -> Dispute:
        """Says what is wrong about a memory: opens a dispute, or adds to the thread of an open one."""
        return decode(Dispute, self._verb("dispute", id=id, text=text))

    def close_dispute(self, id: str, verdict: str, text: str = "") -> Dispute:
        """Ends a dispute as a steward: the memory is `kept`, or `wrong` and retired."""
        return decode(Dispute, self._verb("dispute", id=id, text=text, close=verdict))

    def thread(self, id: str) -> Dispute:
        """A memory with what was said in its disputes."""
        return decode(Dispute, self._verb("dispute", id=id))

    def disputes(self) -> Disputes:
        """The open disputes in this project, the oldest first."""
        return decode(Disputes, self._verb("disputes"))

    def onboarding(self) -> Entries:
        """The five memories that somebody new should know."""
        return _entries(self._verb("onboarding"))

    def team(self) -> Team:
        """The members with their roles and tokens, which have no values."""
        return decode(Team, self._verb("team"))

    def used(self, ids: "Sequence[str]", session: str = "", *, all_projects: bool = False) -> bool:
        """Records which entries were useful; returns whether that was recorded."""
        if not ids:
            return True
        where = {"session": session, "all_projects": all_projects}
        return decode(Noted, self._verb("used", ids=ids, **where)).noted

    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """The checks with their results: ok, warning or problem; needs a token for the whole store."""
        return decode(Examined, self._verb("doctor", secrets=secrets)).findings

    def reindex(self) -> int:
        """Embeds the entries that have no vector yet; returns their number."""
        return decode(Reread, self._verb("reindex")).read or 0

    def warm(self, *, recent: int | None = None) -> Warmed:
        """The same, or only for the `recent` newest entries; also returns how many there are."""
        return decode(Warmed, self._verb("warm", recent=recent))

    def index(self, *paths: "str | PathLike[str]") -> Report:
        """Indexes folders that the server was started with, by their names there; none means all of them.

        Returns when the run has ended, however long it takes. Raises StoreBusy if another run is in
        progress.
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
        """The state of the server's cache of embeddings."""
        return decode(CacheState, self._verb("cache"))

    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Removes cached embeddings, all or those unused for an age such as 30d; returns their number."""
        return int(self._verb("prune_cache", older_than=older_than)["removed"])
