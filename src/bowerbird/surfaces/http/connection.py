"""Sends requests for verbs over HTTP, with the standard library only."""

import json
import os
import sys
from http.client import HTTPException
from time import monotonic, sleep
from urllib.parse import quote, urlencode

from bowerbird.bird import Bowerbird
from bowerbird.core import errors
from bowerbird.core.errors import BadInput, BowerbirdError, UnknownName, Unreachable
from bowerbird.core.http import HttpServer
from bowerbird.core.ids import id_prefix
from bowerbird.core.path_text import as_text
from bowerbird.core.query import several
from bowerbird.daemon.address import published
from bowerbird.daemon.tokens import Tokens
from bowerbird.surfaces.fields import HTTP, module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from bowerbird.surfaces.fields import Field, Verb

    Data = dict[str, Any]

# Timeouts in seconds of a response, and of an operation on a whole store.
TIMEOUT_S = 30.0
WHOLE_S = 600.0
_ROUTES = "/api/v1/"
# Retries of read-only requests, and the pause in seconds before the first one.
RETRIES = 2
PAUSE_S = 0.2
# Done, and accepted for a job that continues.
_GOOD = frozenset({200, 202})
# Request fields without a method argument: a client has its project, and always gets whole hits.
_NOT_GIVEN = frozenset(("project", "shape"))
# Temporary errors, worth a retry.
_LATER = frozenset({408, 429, 503})


class Connection:
    """A connection to a server that `bower serve` started. A context manager; thread-safe."""

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        project: str | None = None,
        store: str | None = None,
        timeout: float = TIMEOUT_S,
    ) -> None:
        """Sends no request yet.

        Args:
            url: address of the server; None discovers that of `store` on this machine.
            token: the access token; None uses the user's own for `store` on this machine.
            project: the project of the requests; None if the token is for one project only.
            store: path of the server's store; None means the default one.
            timeout: response timeout in seconds.

        Raises:
            Unreachable: no server of that store runs on this machine.
        """
        path = Bowerbird.open(store).path if url is None or token is None else ""
        try:
            # A whole list of memories may be asked for: the user's own server sets the bound.
            self._server = HttpServer(
                url if url is not None else published(path), most_bytes=sys.maxsize
            )
        except ValueError:
            raise BadInput(
                f"{url!r} is not the address of a server", "give one as http://127.0.0.1:8787"
            ) from None
        self._token = token if token is not None else Tokens(path).user()
        self._project = project
        self._timeout = timeout

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; the next request opens another."""
        self._server.close()

    def _verb(self, name: str, id: str = "", /, **given: object) -> "Data":
        """Requests a verb with the given fields.

        Raises UnknownName for an unknown field, and BadInput for a value that cannot be sent.
        """
        verb: Verb = module(name).VERB
        fields = {field.name: field for field in verb.at(HTTP) if field.name not in _NOT_GIVEN}
        payload = {} if verb.reach == "" or self._project is None else {"project": self._project}
        if given.get("all_projects") or given.get("everywhere"):
            payload = {}
        if any(field.name == "shape" for field in verb.at(HTTP)):
            payload["shape"] = "full"
        for key, value in given.items():
            if key not in fields:
                raise UnknownName.among("argument", key, [*fields])
            if value is not None or fields[key].needed:
                payload[fields[key].called(HTTP)] = _plain(fields[key], value)
        method, path = verb.route or ("", "")
        path = path.lstrip("/")
        if "{id}" in path:
            path = path.replace("{id}", quote(id_prefix(id), safe=""))
        whole = verb.queue in {"whole", "rebuild"}
        again = not verb.writes and not whole and (method == "GET" or verb.queue != "after")
        if method == "GET":
            return self._asked(method, f"{path}?{_query(payload)}", again=again, whole=whole)
        return self._asked(method, path, payload, again=again, whole=whole)

    def _asked(
        self,
        method: str,
        path: str,
        fields: "Data | None" = None,
        *,
        again: bool = False,
        whole: bool = False,
    ) -> "Data":
        """The response; retried if read-only and not on the `whole` store. Raises our errors."""
        body = None if fields is None else _as_json(fields)
        timeout = max(self._timeout, WHOLE_S) if whole else self._timeout
        for turn in range(RETRIES + 1):
            last = turn == RETRIES or not again
            try:
                status, text = self._sent(method, path, body, timeout, keep=again)
            except (OSError, HTTPException) as error:
                if last:
                    raise Unreachable(
                        f"no answer of {self._server.host}:{self._server.port}: {type(error).__name__}",
                        "see whether the server runs: bower serve",
                    ) from error
            else:
                if status not in _LATER or last:
                    return _data_of(status, text)
            sleep(PAUSE_S * 2**turn)
        raise AssertionError("the last turn returns or raises")

    def _sent(
        self, method: str, path: str, body: bytes | None, timeout: float, *, keep: bool
    ) -> tuple[int, bytes]:
        """Sends one request.

        A write has a new connection, which cannot have timed out when it is sent.
        """
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        path = _ROUTES + path
        reply = self._server.request(method, path, body, headers, monotonic() + timeout, keep=keep)
        return reply.status, reply.body


def _data_of(status: int, text: bytes) -> "Data":
    """The data of a response. Raises the error that it reports."""
    try:
        data: Data = json.loads(text)
    except ValueError:
        data = {}
    if status in _GOOD and data:
        return data
    raise error_of(status, data)


def error_of(status: int, data: "Data") -> BowerbirdError:
    """The exception for an error response."""
    kind: type[BowerbirdError] = getattr(errors, str(data.get("error_type", "")), BowerbirdError)
    return kind(data.get("error", f"the server answered {status}"), data.get("remedy", ""))


def _query(fields: "Data") -> str:
    parameters = {
        key: str(value).lower() if isinstance(value, bool) else value
        for key, value in fields.items()
    }
    return urlencode(parameters, doseq=True)


def _plain(field: "Field", value: "Any") -> "Any":
    """The JSON form of a value; as in the library, one text stands for a list, and paths become texts."""
    if field.shape == "texts":
        return [*several(field.name, value)]
    return as_text(value) if isinstance(value, os.PathLike) and field.name == "path" else value


def _as_json(fields: "Data") -> bytes:
    try:
        return json.dumps(fields).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"that cannot be sent: {error}", "give texts, numbers and lists") from error
