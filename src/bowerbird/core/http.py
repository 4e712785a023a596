"""The one HTTP client: single requests to one server, each within a time limit, over kept connections.

Uses the standard library: importing its client takes 38 ms of CPU, importing httpx 183 (bare Python takes
20), and single requests need nothing more.
"""

import ssl
from base64 import b64encode
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from ipaddress import ip_address
from threading import Lock
from time import monotonic
from urllib.parse import unquote, urlsplit

from bowerbird.core.errors import BadConfig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

# The maximum size of a response; a hundred long vectors take about 10 MB.
MOST_BYTES = 64_000_000
_READ_AT_ONCE = 65_536
_PROXY_PORT = 8080


class TooLongError(Exception):
    """A response exceeds the maximum size."""


class Reply:
    """A response: its status, its headers by lower-case name, and its body."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: "dict[str, str]", body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body


class HttpServer:
    """A server by its address, such as ``http://127.0.0.1:11434/v1``. Thread-safe.

    `base` is the path of the address, without a trailing slash; paths of requests follow it.
    """

    def __init__(self, address: str, *, most_bytes: int = MOST_BYTES) -> None:
        """Raises ValueError for an address that is not one of http or https.

        Requests by https go by the proxy of the environment (``HTTPS_PROXY``, ``NO_PROXY``). Raises
        BadConfig for one that cannot be used.
        """
        parts = urlsplit(address)
        if not parts.hostname or parts.scheme not in {"http", "https"}:
            raise ValueError(address)
        self.encrypted = parts.scheme == "https"
        self.host, self.port = parts.hostname, parts.port
        self.base = parts.path.rstrip("/")
        self._most_bytes = most_bytes
        self._proxy: SplitResult | None = None
        if self.encrypted and not is_here(self.host):
            self._proxy = _proxy(parts.netloc)
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()

    @property
    def proxy(self) -> str:
        """The host and port of the proxy; empty if there is none."""
        return (
            ""
            if self._proxy is None
            else f"{self._proxy.hostname}:{self._proxy.port or _PROXY_PORT}"
        )

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: "Mapping[str, str]",
        end: float,
        *,
        keep: bool = True,
    ) -> Reply:
        """The response to one request, complete before `end` (of `time.monotonic`).

        With `keep` an idle connection is used; if the server has closed it, a new one. What must not be
        sent twice is sent without: then the connection is new, and closed afterwards.

        Raises TimeoutError, TooLongError, OSError and http.client.HTTPException.
        """
        idle = self._take() if keep else None
        if idle is not None:
            try:
                return self._exchange(idle, method, path, body, headers, end, keep=True)
            except TimeoutError:
                raise
            except (OSError, HTTPException):
                pass  # closed by the server while idle: a new connection reports the cause
        return self._exchange(self._connection(), method, path, body, headers, end, keep=keep)

    def close(self) -> None:
        """Close idle connections; the next request opens a new one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> HTTPConnection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _connection(self) -> HTTPConnection:
        if self._proxy is not None:
            return self._tunnel(self._proxy)
        if self.encrypted:
            return HTTPSConnection(self.host, self.port, context=ssl.create_default_context())
        return HTTPConnection(self.host, self.port)

    def _tunnel(self, proxy: "SplitResult") -> HTTPSConnection:
        """A connection through the proxy, which sees the host and nothing else."""
        headers = {}
        if proxy.username is not None:
            word = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
            headers["Proxy-Authorization"] = f"Basic {b64encode(word.encode()).decode()}"
        port = proxy.port or _PROXY_PORT
        context = ssl.create_default_context()
        connection = HTTPSConnection(str(proxy.hostname), port, context=context)
        connection.set_tunnel(self.host, self.port, headers)
        return connection

    def _exchange(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: "Mapping[str, str]",
        end: float,
        *,
        keep: bool,
    ) -> Reply:
        done = False
        try:
            connection.timeout = _left(end)
            if connection.sock is not None:
                connection.sock.settimeout(_left(end))
            connection.request(method, self.base + path, body, dict(headers))
            # If the server closes after its response, the connection forgets its socket at once.
            socket = connection.sock
            socket.settimeout(_left(end))
            response = connection.getresponse()
            data = bytearray()
            # Python 3.13 closes the response and its socket once it is read completely.
            while not response.isclosed():
                socket.settimeout(_left(end))
                part = response.read1(_READ_AT_ONCE)
                if not part:
                    break
                data += part
                if len(data) > self._most_bytes:
                    raise TooLongError
            promised = response.getheader("content-length", "")
            if promised.isdecimal() and len(data) < int(promised):
                raise IncompleteRead(bytes(data), int(promised) - len(data))
            response_headers = {name.lower(): value for name, value in response.getheaders()}
            done = keep and not response.will_close
            response.close()  # read to its end, but not yet closed
            return Reply(response.status, response_headers, bytes(data))
        finally:
            if done:
                with self._lock:
                    self._idle.append(connection)
            else:
                connection.close()


def is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _left(end: float) -> float:
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _proxy(host: str) -> "SplitResult | None":
    """The proxy that the environment names for a host. Raises BadConfig."""
    from urllib.request import getproxies_environment, proxy_bypass  # start-up: for https alone

    named = getproxies_environment()
    address = named.get("https") or named.get("all")
    if not address or proxy_bypass(host):
        return None
    try:
        proxy = urlsplit(address if "://" in address else f"http://{address}")
        usable = proxy.scheme == "http" and proxy.hostname and proxy.port != 0
    except ValueError:
        usable = False
    if not usable:
        remedy = "name one as http://HOST:PORT, or exempt the server by NO_PROXY"
        raise BadConfig("HTTPS_PROXY names a proxy that is not one of http", remedy)
    return proxy
