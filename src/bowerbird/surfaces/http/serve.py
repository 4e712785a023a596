"""Runs a server for one store: binds, publishes its address, and stops on a signal.

On SIGTERM, open requests are finished, then the store is closed. On SIGUSR2 the same command then begins
again in its place, with the code and the settings of now; its socket stays open, and clients wait in it.
"""

import asyncio
import os
import signal
import socket
import sys
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bowerbird.core.errors import BadInput
from bowerbird.core.version import VERSION
from bowerbird.daemon.address import ONLY_MCP, VERBS, Address
from bowerbird.daemon.birds import Birds
from bowerbird.daemon.hook_server import answering_hooks
from bowerbird.daemon.indexing import Indexing
from bowerbird.daemon.links import Links
from bowerbird.daemon.log import Log
from bowerbird.daemon.schedule import Schedule
from bowerbird.daemon.tokens import Tokens
from bowerbird.surfaces.http.dashboard import Dashboard
from bowerbird.surfaces.http.gate import Gate, heard
from bowerbird.surfaces.http.mcp_mount import Mounted
from bowerbird.surfaces.http.readers import Readers
from bowerbird.surfaces.http.routes import MCP, Room, application
from bowerbird.surfaces.http.serving import Serving, require_servable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import FrameType
    from typing import Any

    from starlette.applications import Starlette
    from starlette.types import ASGIApp

# Seconds after which an idle connection is closed, whether new or used before.
SILENT_S = 15
# Seconds that open requests may take once the server is stopping, and that a connection without one waits
# for its first: a client may have made it a moment ago.
FINISH_S = 30
FIRST_S = 0.5
_BACKLOG = 1_024
# Seconds that a thread keeps Python's lock while others wait for it. By Python's 5 ms each of a page's 60
# statements waits that long where something is counted beside it: 40 ms of work became 200.
_SWITCH_S = 0.0005
# In the environment of a server that begins again: the descriptor of its socket.
_LISTENING = "BOWER_LISTENING"
# This number of connections leaves enough of the usual 1,024 open files for the store.
MOST_CONNECTIONS = 512


# Windows has no such signal.
_AGAIN = (signal.SIGUSR2,) if hasattr(signal, "SIGUSR2") else ()


class _Timed(H11Protocol):
    """Closes connections that send no request, for which uvicorn would wait for ever.

    If there are too many connections, the one that has been idle longest is closed.
    """

    def connection_made(self, transport: "Any") -> None:
        """Registers a new connection."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._before: Any = None
        self._ending = False
        self._look = self.loop.call_later(SILENT_S, self._end_if_silent)
        if len(self.connections) > MOST_CONNECTIONS:
            silent = [one for one in self.connections if isinstance(one, _Timed) and one.silent]
            min(silent, key=lambda one: one._since).transport.abort()  # noqa: SLF001 one of us

    @property
    def silent(self) -> bool:
        """Whether no request is open."""
        return self.cycle is None or self.cycle.response_complete

    def _end_if_silent(self) -> None:
        """Closes the connection if no request came since the last check."""
        if self.silent and self.cycle is self._before:
            self.transport.close()
            return
        self._before = self.cycle
        self._look = self.loop.call_later(SILENT_S, self._end_if_silent)

    def shutdown(self) -> None:
        """Ends the connection after its request; a new one may still send what it was made for."""
        if self.cycle is None and not self._ending:
            self._ending = True
            self._look.cancel()
            self._look = self.loop.call_later(FIRST_S, self.shutdown)
            return
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Removes a closed connection."""
        self._look.cancel()
        super().connection_lost(exc)


class _Server(uvicorn.Server):
    """Stops on SIGTERM and SIGINT with exit code 0, since it was asked to stop."""

    def __init__(
        self, config: uvicorn.Config, schedule: Schedule, dashboard: Dashboard | None
    ) -> None:
        super().__init__(config)
        self._schedule = schedule
        self._dashboard = dashboard
        self.again = False

    def handle_exit(self, sig: int, frame: "FrameType | None") -> None:
        """Notes that it is to stop, and whether to begin again."""
        self.again = sig in _AGAIN and not self.should_exit
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
        """Lets open requests finish; stopping the schedule answers those that wait for a job.

        The dashboard's streams, which do not end by themselves, are ended.
        """
        self._schedule.stop()
        if self._dashboard is not None:
            self._dashboard.end()
        await super().shutdown(sockets)

    async def serve(self, sockets: "list[socket.socket] | None" = None) -> None:
        """Serves until it is stopped; uvicorn would raise the signal again afterwards."""
        sys.setswitchinterval(_SWITCH_S)
        await self._serve(sockets)

    @contextmanager
    def asked_by_signals(self) -> "Iterator[None]":
        """Handles signals, also while the store is closed: a second one must not interrupt that.

        After one that was heard, further ones are ignored: this process is about to end.
        """
        ours = (signal.SIGTERM, signal.SIGINT, *_AGAIN)
        before = [signal.signal(one, self.handle_exit) for one in ours]
        try:
            yield
        finally:
            for one, handler in zip(ours, before, strict=True):
                signal.signal(one, signal.SIG_IGN if self.should_exit else handler)


def serve(serving: Serving, started: "Callable[[str, str], object]") -> str:
    """Runs a server until SIGTERM or SIGINT, and returns its address.

    Args:
        serving: the options.
        started: called with the address and the path of the user's token once requests are accepted.

    Raises:
        BadInput: an address that is unavailable or requires TLS, or a missing folder.
        BadConfig: an invalid setting.
    """
    require_servable(serving)
    birds = Birds(serving.store)
    birds.check()
    log = Log(quiet=serving.quiet)
    tokens = Tokens(birds.path, birds.setting("serve.token"))
    tokens.user()
    listening = _bound(serving)
    port: int = listening.getsockname()[1]
    address = _address(serving, port) + (MCP if serving.only_mcp else "")
    indexing = Indexing(birds.path, serving.folders, serving.project, log)
    schedule = _scheduled(birds, serving, indexing, log)
    readers = Readers(birds.path, serving.workers) if serving.workers > 1 else None
    room = Room(birds, indexing, readers)
    dashboard = None if serving.only_mcp else _dashboard(room, birds.path, serving, port, log)
    where = Address(
        birds.path,
        ONLY_MCP if serving.only_mcp else VERBS,
        address,
        log,
        dashboard="" if dashboard is None else dashboard.name,
    )

    @asynccontextmanager
    async def lifespan(_: "Starlette") -> "AsyncIterator[None]":
        where.announce()
        schedule.start()
        started(address, tokens.file)
        log.event("started", address=address, version=VERSION)
        try:
            yield
        finally:
            where.withdraw()

    app = application(room, lifespan, Mounted(room, serving), verbs=not serving.only_mcp)
    names = _names(serving, port)
    gate: ASGIApp = Gate(app, tokens, room.holder, names, log)
    if dashboard is not None:
        gate = dashboard.beside(gate)
    try:
        config = _loaded(heard(gate), serving)
    except BadInput:
        listening.close()
        raise
    log.hear("uvicorn.error")
    server = _Server(config, schedule, dashboard)
    with server.asked_by_signals(), listening:
        try:
            with answering_hooks(birds, warm=True):
                # The server closes what it listens at; this process may go on to listen there.
                asyncio.run(server.serve([listening.dup()]))
        finally:
            room.close()
            birds.close()
            log.event("stopped")
        if server.again:
            _begin_again(listening)
    return address


def _dashboard(room: Room, store: str, serving: Serving, port: int, log: Log) -> Dashboard:
    """The pages: for the owner at a name of this machine's, for members where others reach the server."""
    shared = {name.lower() for name in serving.allowed}
    if serving.certfile:
        shared.add(urlsplit(_address(serving, port)).netloc)
    secure = bool(serving.certfile) or serving.behind_proxy
    return Dashboard(room, Links(store), port, log, frozenset(shared), secure=secure)


def _scheduled(birds: Birds, serving: Serving, indexing: Indexing, log: Log) -> Schedule:
    """What the server does by itself, at the intervals that were asked for."""
    every = {"index": serving.interval, "warm": serving.warm_interval}
    every["consolidate"] = serving.consolidate_interval
    if birds.setting("sync.target"):
        every["sync"] = float(birds.setting("sync.every"))
    return Schedule(birds.path, indexing, log, **every, prune=serving.prune_interval)


def _begin_again(listening: socket.socket) -> None:
    """Replaces this process by one that runs the same command at the same socket."""
    os.environ[_LISTENING] = str(listening.fileno())
    listening.set_inheritable(True)
    sys.stdout.flush()
    os.execv(sys.executable, sys.orig_argv)  # noqa: S606 our own command, as it was given


def _loaded(gate: "ASGIApp", serving: Serving) -> uvicorn.Config:
    """The configuration of uvicorn with its certificate loaded. Raises BadInput if it is unusable."""
    config = uvicorn.Config(
        gate,
        http=_Timed,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=SILENT_S,
        timeout_graceful_shutdown=FINISH_S,
        ssl_certfile=serving.certfile,
        ssl_keyfile=serving.keyfile,
    )
    try:
        config.load()
    except OSError as error:  # ssl's errors are OSErrors, too
        raise BadInput(
            f"{serving.certfile} and {serving.keyfile} cannot be used: {error}",
            "give a certificate and its key as PEM files",
        ) from error
    return config


def _bound(serving: Serving) -> socket.socket:
    """A socket that listens at the requested address. Raises BadInput."""
    if (kept := os.environ.pop(_LISTENING, None)) is not None:
        return socket.socket(fileno=int(kept))
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    # With the protocol given, asyncio sends small responses without delay: 44 ms otherwise.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((serving.host, serving.port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise BadInput(
            f"cannot listen at {serving.host} port {serving.port}: {error}",
            "name another port; 0 takes any that is free",
        ) from error
    return listening


def _address(serving: Serving, port: int) -> str:
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    return f"{'https' if serving.certfile else 'http'}://{host}:{port}"


def _names(serving: Serving, port: int) -> frozenset[str]:
    """The accepted host names: those of loopback, the address, and the additionally allowed ones."""
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    names = {"127.0.0.1", "localhost", "[::1]", host} - {"0.0.0.0", "[::]"}  # noqa: S104 taken out
    usual = 443 if serving.certfile else 80
    found = {f"{name}:{port}" for name in names} | {name.lower() for name in serving.allowed}
    return frozenset(found | names if port == usual else found)
