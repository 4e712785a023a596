"""The dashboard behind the server's gate; its pages are loaded when the first of them is asked for."""

import secrets
from time import perf_counter

from bowerbird.core.errors import MissingExtra
from bowerbird.daemon.log import FAULT
from bowerbird.host.installed import adding
from bowerbird.surfaces.http.failure import Refused, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bowerbird.daemon.links import Links
    from bowerbird.daemon.log import Log
    from bowerbird.surfaces.http.routes import Room
    from bowerbird.surfaces.web.app import Web

_ROOT = "/ui"
# Bytes of the label that nobody can guess.
_LABEL = 4


class Dashboard:
    """The pages of one server, at a name of their own and, where that does not resolve, on loopback."""

    route = _ROOT

    def __init__(
        self,
        room: "Room",
        links: "Links",
        port: int,
        log: "Log",
        shared: frozenset[str] = frozenset(),
        *,
        secure: bool = False,
    ) -> None:
        """`shared` are the names by which members of the team reach the pages, `secure` by https."""
        self._shared = shared
        self._secure = secure
        self._room = room
        self._links = links
        self._log = log
        self.name = f"bower-{secrets.token_hex(_LABEL)}.localhost:{port}"
        self._hosts = frozenset({self.name, f"127.0.0.1:{port}"})
        self._web: Web | None = None

    def beside(self, others: "ASGIApp") -> "ASGIApp":
        """An application that answers requests of its pages itself, and passes all others on.

        The pages have a gate of their own: they read cookies, and never the tokens of programs.
        """

        async def parted(scope: "Scope", receive: "Receive", send: "Send") -> None:
            path = scope.get("path", "")
            own = scope["type"] == "http" and (path == _ROOT or path.startswith(_ROOT + "/"))
            await (self if own else others)(scope, receive, send)

        return parted

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one request."""
        begin, status = perf_counter(), 500
        scope["endpoint"] = self
        try:
            status = await self._loaded()(scope, receive, send)
        except MissingExtra as error:
            status = 501
            await failed(error)(scope, receive, send)
        except Exception as error:  # noqa: BLE001 the visitor learns no more than that
            self._log.fault(error)
            await failed(Refused(500, *FAULT))(scope, receive, send)
        finally:
            self._log.request(scope, status, perf_counter() - begin, "dashboard")

    def end(self) -> None:
        """Ends its streams."""
        if self._web is not None:
            self._web.end()

    def _loaded(self) -> "Web":
        if self._web is None:
            try:
                from bowerbird.surfaces.web.app import Web  # start-up: most servers show no page
            except ModuleNotFoundError as error:
                if (error.name or "").partition(".")[0] == "bowerbird":
                    raise
                raise MissingExtra(
                    f"pages need the package {error.name}", adding("http")
                ) from error
            self._web = Web(
                self._room, self._links, self._hosts, self._log, self._shared, secure=self._secure
            )
        return self._web
