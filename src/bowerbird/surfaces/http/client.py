"""The verbs of a Bowerbird that lives behind a server, with the same values and the same errors.

The standard library speaks HTTP well enough: a program that asks a server installs nothing more.
"""

import json
import os
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Lock
from time import sleep
from urllib.parse import quote, urlencode, urlsplit

from bowerbird.bird import Bowerbird
from bowerbird.core import errors
from bowerbird.core.answers import Hit, Hits, Item, Pack, Report, Skipped, Status
from bowerbird.core.errors import BadInput, BowerbirdError, Unreachable
from bowerbird.core.grounds import Grounds
from bowerbird.core.health import CacheState, Finding, Warmed
from bowerbird.core.history import Event, History, Relation, Reverted
from bowerbird.core.memories import Decision, Match
from bowerbird.core.pruned import Leaving, Pruned
from bowerbird.core.types import Entry
from bowerbird.surfaces.http.made import entry, made, trace, version
from bowerbird.surfaces.http.tokens import Tokens, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    Data = dict[str, Any]

# An answer, and what goes through a whole store.
TIMEOUT_S, WHOLE_S = 30.0, 600.0
# How often what changes nothing is asked again, and how long before the first time.
RETRIES, PAUSE_S = 2, 0.2
# Seconds that a run may take before it is asked after again: less than an answer may take.
WAIT_S = 20.0
# Done, and begun.
_GOOD = frozenset({200, 202})
# Statuses that may be others a moment later.
_LATER = frozenset({408, 429, 503})
# Fields that go by a shorter name over HTTP.
_SHORT = {"memories_only": "memories"}


class Client:
    """Asks a server that `bower serve` started. Use it as a context manager; from any thread."""

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        project: str | None = None,
        store: str | None = None,
        timeout: float = TIMEOUT_S,
    ) -> None:
        """Nothing is asked yet.

        Args:
            url: where the server is; None looks for the one of `store` on this machine.
            token: what lets in; None takes the user's own, of `store` on this machine.
            project: the project that verbs work in; None where the token is for one alone.
            store: path of the store whose server is meant; None: the default one.
            timeout: seconds that an answer may take.

        Raises:
            Unreachable: no server of that store runs here.
        """
        path = Bowerbird.open(store).path if url is None or token is None else ""
        told = urlsplit(url if url is not None else _address(path))
        if told.scheme not in {"http", "https"} or told.hostname is None:
            raise BadInput(
                f"{url!r} is no address of a server", "give one as http://127.0.0.1:8787"
            )
        self._secure = told.scheme == "https"
        self._host, self._port = told.hostname, told.port
        self._base = told.path.rstrip("/") + "/api/v1/"
        self._token = token if token is not None else Tokens(path).user()
        self._project = project
        self._timeout = timeout
        self._kept: HTTPConnection | None = None
        self._lock = Lock()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; the next verb makes another."""
        with self._lock:
            if self._kept is not None:
                self._kept.close()
            self._kept = None

    def query(self, text: str, *, all_projects: bool = False, **shaped: "Any") -> Hits:
        """The entries that answer a question, best first; the arguments are those of Bowerbird.query.

        The hits come without the trace of their making, save what could not be done.
        """
        data = self._read("query", {"query": text, **shaped}, all_projects)
        hits = tuple(
            made(Hit, one, entry=entry(one), matched=()) for one in data.get("results", ())
        )
        return made(Hits, data, hits=hits, model=data["model_used"], trace=trace(data["degraded"]))

    def context(self, task: str, *, all_projects: bool = False, **shaped: "Any") -> Pack:
        """What memory holds for a task; the arguments are those of Bowerbird.context."""
        data = self._read("context", {"task": task, **shaped}, all_projects)
        items = tuple(made(Item, one) for one in data["items"])
        return made(Pack, data, items=items, trace=trace(data["degraded"]))

    def remember(self, text: str, *, everywhere: bool = False, **about: "Any") -> Decision:
        """Keep a belief of one to three sentences; the arguments are those of Bowerbird.remember.

        Who says so is told by the token: actor and source are not to be given.
        """
        fields: Data = {"content": text, **about}
        if "kind" in fields:
            fields["type"] = fields.pop("kind")
        if everywhere:
            fields["global"] = True
        data = self._write("curate", fields, wide=everywhere, names_wide=False)
        return made(Decision, data, matched=tuple(made(Match, one) for one in data["matched"]))

    def get(self, id: str, *, all_projects: bool = False) -> Entry:
        """One entry by its id or the first characters of it."""
        return entry(self._look("get/" + quote(id, safe=""), {}, all_projects))

    def at(self, path: str, line: int = 1) -> Entry:
        """The passage that holds a line of an indexed file, else the last one before that line."""
        return entry(self._look("at", {"path": path, "line": line}, wide=False))

    def list(self, *, all_projects: bool = False, **filters: "Any") -> "Sequence[Entry]":
        """Entries that pass the filters, newest first; the arguments are those of Bowerbird.list."""
        return tuple(map(entry, self._look("list", filters, all_projects)["entries"]))

    def history(self, id: str, *, all_projects: bool = False) -> History:
        """Everything that became of a memory."""
        data = self._look("history/" + quote(id, safe=""), {}, all_projects)
        return History(
            data["id"],
            tuple(version(one, data["id"]) for one in data["versions"]),
            tuple(made(Event, one) for one in data["events"]),
            tuple(made(Relation, one) for one in data["relations"]),
        )

    def revert(
        self, id: str, version: str | None = None, *, reason: str = "", all_projects: bool = False
    ) -> Reverted:
        """Take back the last change of a memory that still stands, or go back to a version."""
        data = self._write("revert", {"id": id, "to": version, "reason": reason}, wide=all_projects)
        return made(
            Reverted, data, relations=tuple(made(Relation, one) for one in data["relations"])
        )

    def link(
        self, source: str, target: str, kind: str = "related_to", *, all_projects: bool = False,
        strength: float = 1.0, confidence: float = 1.0,
    ) -> Relation:  # fmt: skip
        """Say what a memory is to another one, or to a file."""
        fields = {"source": source, "target": target, "relation": kind}
        told = fields | {"strength": strength, "confidence": confidence}
        return made(Relation, self._write("link", told, wide=all_projects))

    def forget(self, id: str, reason: str = "", *, all_projects: bool = False) -> None:
        """Take a memory out of every search; `revert` takes that back."""
        self.forget_all([id], reason, all_projects=all_projects)

    def forget_all(
        self, ids: "Sequence[str]", reason: str = "", *, all_projects: bool = False
    ) -> None:
        """Forget several memories, or none where one of them cannot be."""
        self._write("forget", {"ids": [*ids], "reason": reason}, wide=all_projects)

    def prune(
        self, *, dry_run: bool = False, threshold: float | None = None, all_projects: bool = False
    ) -> Pruned:
        """Let go of memories that faded, or whose day has passed; the arguments are Bowerbird's."""
        fields = {"dry_run": dry_run, "threshold": threshold}
        data = self._write("prune", fields, wide=all_projects)
        return made(Pruned, data, leaving=tuple(made(Leaving, one) for one in data["memories"]))

    def used(self, ids: "Sequence[str]", session: str = "", *, all_projects: bool = False) -> bool:
        """Note which entries were of use; whether that could be noted."""
        fields = {"ids": [*ids], "session": session}
        return not ids or bool(self._write("used", fields, wide=all_projects)["noted"])

    def status(self, *, all_projects: bool = False, measure: bool = False) -> Status:
        """What the store holds, where it rests and which model reads it."""
        return made(Status, self._look("status", {"measure": measure}, all_projects))

    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """What was looked at, each ok, a warning or a problem; for tokens of the whole store."""
        data = self._asked("GET", "doctor?" + _query({"secrets": secrets}), whole=True)
        return tuple(made(Finding, one) for one in data["findings"])

    def reindex(self) -> int:
        """Let the model read what it has not read yet; how many entries those were."""
        return int(self._asked("POST", "reindex", {}, whole=True)["read"])

    def warm(self, *, recent: int | None = None) -> Warmed:
        """The same, or of so many entries alone that were written last; also how many there are."""
        return made(Warmed, self._asked("POST", "warm", {"recent": recent}, whole=True))

    def index(self, *paths: str) -> Report:
        """Take in folders that the server was started with, named as there; none takes all of them.

        Returns when it is done, however long that takes. Raises StoreBusy where a run is under way.
        """
        wait = min(WAIT_S, self._timeout / 2)
        data = self._asked("POST", "index", {"paths": [*paths], "wait": wait})
        while "run" in data:
            data = self._asked("GET", "index?" + _query({"run": data["run"], "wait": wait}))
            if data["state"] == "failed":
                raise _error(500, data["error"])
            if data["state"] == "done":
                data = data["report"]
        skipped, cut = (
            tuple(made(Skipped, one) for one in data[name]) for name in ("skipped", "cut")
        )
        imported = tuple(Grounds.of(one) for one in data["imported"])
        return made(Report, data, skipped=skipped, cut=cut, imported=imported)

    def cache_state(self) -> CacheState:
        """What is kept of texts that a model behind a server has read."""
        return made(CacheState, self._asked("GET", "cache"))

    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Take such vectors out, all or those unused for an age such as 30d; how many those were."""
        return int(self._asked("POST", "cache", {"older_than": older_than})["removed"])

    def _placed(self, fields: "Data", *, wide: bool, names_wide: bool = True) -> "Data":
        """The fields that are given, with the project or all of them."""
        given = {_SHORT.get(k, k): _plain(v) for k, v in fields.items() if v is not None}
        if wide:
            return given | ({"all_projects": True} if names_wide else {})
        return given | ({"project": self._project} if self._project is not None else {})

    def _look(self, path: str, fields: "Data", wide: bool) -> "Data":
        return self._asked("GET", f"{path}?{_query(self._placed(fields, wide=wide))}")

    def _read(self, path: str, fields: "Data", wide: bool) -> "Data":
        return self._asked("POST", path, self._placed(fields, wide=wide), again=True)

    def _write(self, path: str, fields: "Data", *, wide: bool, names_wide: bool = True) -> "Data":
        return self._asked("POST", path, self._placed(fields, wide=wide, names_wide=names_wide))

    def _asked(
        self,
        method: str,
        path: str,
        fields: "Data | None" = None,
        *,
        again: bool = False,
        whole: bool = False,
    ) -> "Data":
        """The answer; asked again where it changes nothing and takes no `whole` store. Raises ours."""
        body = None if fields is None else json.dumps(fields).encode()
        again = (again or method == "GET") and not whole
        timeout = max(self._timeout, WHOLE_S) if whole else self._timeout
        for turn in range(RETRIES + 1):
            last = turn == RETRIES or not again
            try:
                status, text = self._sent(method, path, body, timeout, keep=again)
            except (OSError, HTTPException) as error:
                if last:
                    raise Unreachable(
                        f"no answer of {self._host}:{self._port}: {type(error).__name__}",
                        "see whether the server runs: bower serve",
                    ) from error
            else:
                if status not in _LATER or last:
                    return _told(status, text)
            sleep(PAUSE_S * 2**turn)
        raise AssertionError("the last turn returns or raises")

    def _sent(
        self, method: str, path: str, body: bytes | None, timeout: float, *, keep: bool
    ) -> tuple[int, bytes]:
        """One request. A write has a connection of its own: none that ends just as it is sent."""
        kept = self._taken() if keep else None
        if kept is not None:
            try:
                return self._over(kept, method, path, body, keep=True)
            except (OSError, HTTPException):
                pass  # it ended meanwhile, as idle ones do
        return self._over(self._connected(timeout), method, path, body, keep=keep)

    def _over(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None, *, keep: bool
    ) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        done = False
        try:
            connection.request(method, self._base + path, body, headers)
            response = connection.getresponse()
            text = response.read()
            done = keep and not response.will_close
        finally:
            if not done or not self._put_back(connection):
                connection.close()
        return response.status, text

    def _connected(self, timeout: float) -> HTTPConnection:
        kind = HTTPSConnection if self._secure else HTTPConnection
        return kind(self._host, self._port, timeout=timeout)

    def _taken(self) -> HTTPConnection | None:
        with self._lock:
            kept, self._kept = self._kept, None
            return kept

    def _put_back(self, connection: HTTPConnection) -> bool:
        with self._lock:
            if self._kept is not None:
                return False
            self._kept = connection
            return True


def _address(store: str) -> str:
    """Where the server of a store on this machine is. Raises Unreachable."""
    try:
        with open(os.path.join(home(store), "address.json"), encoding="utf-8") as file:
            return str(json.load(file)["url"])
    except (OSError, ValueError, KeyError) as error:
        raise Unreachable(
            f"no server of {store} runs here", "start one with: bower serve"
        ) from error


def _told(status: int, text: bytes) -> "Data":
    """The data of an answer, or its error raised."""
    try:
        data: Data = json.loads(text)
    except ValueError:
        data = {}
    if status in _GOOD and data:
        return data
    raise _error(status, data)


def _error(status: int, data: "Data") -> BowerbirdError:
    """The error that an answer tells of."""
    kind: type[BowerbirdError] = getattr(errors, str(data.get("error_type", "")), BowerbirdError)
    return kind(data.get("error", f"the server answered {status}"), data.get("remedy", ""))


def _query(fields: "Data") -> str:
    told = {
        key: str(value).lower() if isinstance(value, bool) else value
        for key, value in fields.items()
    }
    return urlencode(told, doseq=True)


def _plain(value: "Any") -> "Any":
    return [*value] if isinstance(value, (tuple, set, frozenset)) else value
