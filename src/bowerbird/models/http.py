"""JSON over HTTP to a model server, with time limits, retries and errors that name a remedy."""

import json
import ssl
from http.client import HTTPException
from ipaddress import ip_address
from time import monotonic, sleep
from urllib.parse import urlsplit

from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.core.http import MOST_BYTES, HttpServer, Reply, TooLongError
from bowerbird.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Requests to a busy or restarting server are retried; refused requests are not.
ATTEMPTS = 4
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
# Seconds before the second attempt, doubled before each further one.
FIRST_WAIT = 0.5
# Maximum characters shown of a server's error message.
_MOST_MESSAGE = 200
_OK = 200


class Endpoint:
    """The address of a server's API, such as ``http://127.0.0.1:11434/v1``, and its key.

    Thread-safe.
    """

    def __init__(self, address: str, key: str = "") -> None:
        """Raises BadConfig for an invalid address, or one that would send the key unencrypted."""
        try:
            self._server = HttpServer(address)
        except ValueError:
            remedy = "give it an address such as https://api.openai.com/v1"
            raise BadConfig(f"embed.endpoint = {address!r}", remedy) from None
        parts = urlsplit(address)
        if parts.username is not None:
            raise BadConfig("embed.endpoint holds a name or password", "put the key in embed.key")
        self.host = parts.netloc
        self.name = parts.netloc + self._server.base
        if key and not self._server.encrypted and not _at_home(self._server.host):
            problem = f"the key would go to {parts.netloc} unencrypted"
            raise BadConfig(problem, "use https, or take embed.key out")
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise BadConfig("embed.key holds a space or sign that no key has", "copy it again")
        self._key = key

    def post(self, path: str, payload: "Mapping[str, Any]", patience: float) -> "dict[str, Any]":
        """The JSON object that the server responds with, within `patience` seconds including retries.

        Raises ModelError.
        """
        end = monotonic() + patience
        body = json.dumps(payload).encode()
        wait = FIRST_WAIT
        for left in range(ATTEMPTS - 1, -1, -1):
            asked, failure = 0.0, None
            try:
                reply = self._once(path, body, end)
            except TimeoutError:
                raise self._slow(patience) from None
            except ssl.SSLCertVerificationError as error:
                message = f"{self.host} has no valid certificate: {error.verify_message}"
                raise ModelError(
                    message, "check embed.endpoint, and the certificates of this machine"
                ) from error
            except (OSError, HTTPException) as error:
                failure = ModelError(
                    f"{self.host} cannot be reached: {_said(error)}",
                    "start the model's server, or check embed.endpoint",
                )
            else:
                if reply.status == _OK:
                    return self._parsed(reply.body)
                failure = self._refused(reply.status, reply.body)
                if reply.status not in _AGAIN:
                    raise failure
                asked = _asked_to_wait(reply.headers.get("retry-after", ""))
            pause = max(wait, asked)
            if not left or monotonic() + pause >= end:
                raise failure
            sleep(pause)
            wait *= 2
        raise AssertionError  # unreachable: the last attempt has raised

    def close(self) -> None:
        """Close idle connections; the next request opens a new one."""
        self._server.close()

    def _once(self, path: str, body: bytes, end: float) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            return self._server.request("POST", path, body, headers, end)
        except TooLongError:
            message = f"{self.host} answers with more than {MOST_BYTES // 1_000_000} MB"
            raise ModelError(message, "check embed.endpoint") from None

    def _parsed(self, data: bytes) -> "dict[str, Any]":
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            message = f"{self.host} answers with something else than JSON"
            raise ModelError(message, "check embed.endpoint: its address mostly ends in /v1")
        return value

    def _slow(self, patience: float) -> ModelError:
        message = f"{self.host} did not answer within {patience:g} s"
        return ModelError(message, "try again, or raise embed.timeout")

    def _refused(self, status: int, data: bytes) -> ModelError:
        message = f"{self.host} answers {status}"
        said = self._message(data)
        remedies = {
            401: "put your key in embed.key or BOWER_EMBED_KEY",
            403: "the key may not do this: see what it is allowed to",
            404: "check embed.model and embed.endpoint; the server must have that model",
            429: "it asks you to wait, or your quota is used up: try again later",
        }
        remedy = remedies.get(status, "see what the server's log says")
        if 300 <= status < 400:  # noqa: PLR2004 redirections
            remedy = "it redirects: put the address it leads to in embed.endpoint"
        return ModelError(f"{message}: {said}" if said else message, remedy)

    def _message(self, data: bytes) -> str:
        """The server's error message, without the key and without secrets."""
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return ""
        error = value.get("error", value.get("message")) if isinstance(value, dict) else None
        text = error.get("message") if isinstance(error, dict) else error
        if not isinstance(text, str):
            return ""
        if self._key:
            text = text.replace(self._key, "…")
        return " ".join(redact(text).text.split())[:_MOST_MESSAGE]


def _at_home(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def _asked_to_wait(header: str) -> float:
    """The seconds of a ``Retry-After`` header, given as a number or a date; 0 if absent."""
    if not header:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    from datetime import UTC, datetime  # start-up: a date is rare
    from email.utils import parsedate_to_datetime  # start-up: as above

    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return 0.0
