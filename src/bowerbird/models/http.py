"""JSON over HTTP to a model server, with time limits, retries and errors that name a remedy."""

import json
import ssl
from http.client import HTTPException
from math import isfinite
from random import random
from time import monotonic, sleep
from urllib.parse import urlsplit

from bowerbird.core.clock import waited
from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.core.http import MOST_BYTES, HttpServer, Reply, TooLongError, is_here
from bowerbird.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Requests to a busy or restarting server are retried; refused requests are not. 529: Anthropic is
# overloaded.
ATTEMPTS = 4
_AGAIN = frozenset({408, 429, 500, 502, 503, 504, 529})
# Seconds before the second attempt, at most, doubled before each further one. How much of it is waited is
# drawn at random, so that requests that failed together are not repeated together.
FIRST_WAIT = 0.5
# Seconds between requests to llama.cpp's server while it loads its model (5 to 60 s): that is no failure,
# and is waited for as long as there is time.
LOADING_WAIT = 1.0
_LOADING = "loading model"
# A server that asks for a longer wait than these seconds is not waited for.
LONGEST_WAIT = 120.0
# Maximum characters shown of a server's error message.
_MOST_MESSAGE = 200
_OK = 200
# Statuses with which servers refuse a text that is too long, and words of what they say of it: OpenAI,
# Ollama, llama.cpp (its status is 500), TEI, vLLM, Cohere, Voyage and Gemini.
_LENGTH_STATUSES = frozenset({400, 413, 422, 500})
_OF_LENGTH = (
    "too long",
    "too large",
    "too many tokens",
    "context length",
    "context size",
    "context_length",
    "exceed",
    "maximum length",
    "max_length",
    "must have less than",
    "batch size",
    "token limit",
)
# The places in a JSON error where servers put what they say, the first that is there.
_SAID_AT = ("error", "message", "detail", "errors")


class Refused(ModelError):
    """A server's error response, with its HTTP `status`.

    `wait` is the time in seconds after which it may be asked again, None if that is of no use;
    `too_long`: a text has more tokens than it reads.
    """

    def __init__(
        self, message: str, remedy: str, status: int, wait: float | None, *, too_long: bool
    ) -> None:
        super().__init__(message, remedy)
        self.status = status
        self.wait = wait
        self.too_long = too_long


class Endpoint:
    """The address of a server's API, such as ``http://127.0.0.1:11434/v1``, and its key.

    Thread-safe. `setting` is the part of the settings that it is of, such as ``embed``: errors name
    ``embed.key``.
    """

    def __init__(
        self,
        address: str,
        key: str = "",
        setting: str = "embed",
        *,
        key_header: str = "Authorization",
        headers: "Mapping[str, str] | None" = None,
        keyed: bool = False,
    ) -> None:
        """`key_header` carries the key, as a bearer token if it is Authorization; `keyed`: it takes one.

        Raises BadConfig for an invalid address, or one that would send the key unencrypted.
        """
        self._setting = setting
        try:
            self._server = HttpServer(address)
        except ValueError:
            remedy = "give it an address such as https://api.openai.com/v1"
            raise BadConfig(f"{setting}.endpoint = {address!r}", remedy) from None
        parts = urlsplit(address)
        if parts.username is not None:
            problem = f"{setting}.endpoint holds a name or password"
            raise BadConfig(problem, f"put the key in {setting}.key")
        self.host = parts.netloc
        self.name = parts.netloc + self._server.base
        self.here = is_here(self._server.host)
        self.proxy = self._server.proxy
        if key and not self._server.encrypted and not self.here:
            problem = f"the key would go to {parts.netloc} unencrypted"
            raise BadConfig(problem, f"use https, or take {setting}.key out")
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            problem = f"{setting}.key holds a space or sign that no key has"
            raise BadConfig(problem, "copy it again")
        self._key = key
        self._lacks_key = keyed and not key
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            bearer = key_header == "Authorization"
            self._headers[key_header] = f"Bearer {key}" if bearer else key
        self._headers |= headers or {}
        # When a server has asked to be left alone until then, no new request is sent before.
        self._resume = 0.0

    def post(self, path: str, payload: "Mapping[str, Any]", patience: float) -> "Any":
        """The JSON object or array that the server responds with, within `patience` seconds with retries.

        Raises Refused, and ModelError if there is no valid response.
        """
        return self._request("POST", path, json.dumps(payload).encode(), patience)

    def get(self, path: str, patience: float) -> "Any":
        """The JSON object or array at a path. Raises as `post` does."""
        return self._request("GET", path, None, patience)

    def close(self) -> None:
        """Close idle connections; the next request opens a new one."""
        self._server.close()

    def _request(self, method: str, path: str, body: bytes | None, patience: float) -> "Any":
        own, patience = patience, waited(patience)
        end = monotonic() + patience
        rest = self._resume - monotonic()
        if rest > patience:
            message = f"{self.host} asked to be left alone for {rest:.0f} s more"
            raise ModelError(message, "try again then")
        if rest > 0:
            sleep(rest + random() * FIRST_WAIT)  # noqa: S311 no secret depends on it
        wait = FIRST_WAIT
        left = ATTEMPTS
        failure: ModelError | None = None
        while True:
            asked, loading = 0.0, False
            try:
                return self._once(method, path, body, end)
            except TimeoutError:
                # What it said while there was time is why there is none left.
                late = failure if isinstance(failure, Refused) else self._slow(patience, own)
                raise late from None
            except ssl.SSLCertVerificationError as error:
                message = f"{self.host} has no valid certificate: {error.verify_message}"
                remedy = f"check {self._setting}.endpoint, and the certificates of this machine"
                raise ModelError(message, remedy) from error
            except (OSError, HTTPException) as error:
                failure = self._unreachable(error)
            except Refused as refused:
                if refused.wait is None:
                    raise
                failure, asked = refused, refused.wait
                loading = _LOADING in refused.message.lower()
                asked = max(asked, loading * LOADING_WAIT)
                self._resume = max(self._resume, monotonic() + min(asked, LONGEST_WAIT))
            left -= not loading
            pause = asked + random() * wait  # noqa: S311 as above
            if not left or asked > LONGEST_WAIT or monotonic() + pause >= end:
                raise failure
            sleep(pause)
            wait *= 1 if loading else 2

    def _once(self, method: str, path: str, body: bytes | None, end: float) -> "Any":
        if self._lacks_key:
            raise ModelError(f"{self.host} wants a key", _key_goes(self._setting))
        try:
            reply = self._server.request(method, path, body, self._headers, end)
        except TooLongError:
            message = f"{self.host} answers with more than {MOST_BYTES // 1_000_000} MB"
            raise ModelError(message, f"check {self._setting}.endpoint") from None
        if reply.status != _OK:
            raise self._refused(reply)
        return self._parsed(reply.body)

    def _parsed(self, data: bytes) -> "Any":
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict | list):
            message = f"{self.host} answers with something else than JSON"
            remedy = f"check {self._setting}.endpoint: it must be the address of its API"
            raise ModelError(message, remedy)
        return value

    def _slow(self, patience: float, own: float) -> ModelError:
        message = f"{self.host} did not answer within {patience:.2g} s"
        if patience < own:  # who waits goes on without it, whatever its own limit is
            return ModelError(message, "ask again, or use a faster model")
        return ModelError(message, f"try again, or raise {self._setting}.timeout")

    def _unreachable(self, error: Exception) -> ModelError:
        if isinstance(error, HTTPException):
            message = f"{self.host} ended the connection before its answer was whole"
            return ModelError(message, "try again; if it goes on, see what the server's log says")
        said = str(error)
        if isinstance(error, OSError) and error.strerror:
            said = error.strerror.lower()
        by, remedy = "", "start the model's server, or check {}.endpoint"
        if self.proxy:
            by = f" by the proxy {self.proxy}"
            remedy = "check HTTPS_PROXY and NO_PROXY, and {}.endpoint"
        message = f"{self.host} cannot be reached{by}: {said or type(error).__name__}"
        return ModelError(message, remedy.format(self._setting))

    def _refused(self, reply: Reply) -> Refused:
        said = self._message(reply.body)
        refused = refusal(self.host, self._setting, reply.status, said)
        if reply.status == 401 and self._key:  # noqa: PLR2004 unauthorised
            refused.remedy = f"the key that was sent is wrong: {_key_goes(self._setting)}"
        to = urlsplit(reply.headers.get("location", "")).netloc
        if refused.status // 100 == 3 and to:  # noqa: PLR2004 redirections
            trusted = f"if you trust that, set {self._setting}.endpoint"
            refused.remedy = f"it redirects to {redact(to).text}: {trusted}"
        if refused.wait is not None:
            again = reply.headers.get("x-should-retry") != "false"
            refused.wait = _asked_to_wait(reply) if again else None
        if refused.wait:
            refused.remedy += f"; it asks for {refused.wait:.0f} s of rest"
        return refused

    def _message(self, data: bytes) -> str:
        """The server's error message, without the key and without secrets."""
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return ""
        text = _said(value)
        if self._key:
            text = text.replace(self._key, "…")
        return " ".join(redact(text).text.split())[:_MOST_MESSAGE]


def _key_goes(setting: str) -> str:
    return f"put yours in {setting}.key or BOWER_{setting.replace('.', '_').upper()}_KEY"


def refusal(host: str, setting: str, status: int, said: str) -> Refused:
    """The error for a response with a status other than 200, by what the server said."""
    message = f"{host} answers {status}"
    remedies = {
        401: _key_goes(setting),
        402: "the account has no credit left",
        403: "the key may not do this: see what it is allowed to",
        404: f"check {setting}.model and {setting}.endpoint; the server must have that model",
        429: "it asks you to wait, or your quota is used up: try again later",
        529: "it is overloaded: try again later",
    }
    remedy = remedies.get(status, "see what the server's log says")
    if _LOADING in said.lower():
        remedy = "try again when it has"
    if 300 <= status < 400:  # noqa: PLR2004 redirections
        remedy = f"it redirects: put the address it leads to in {setting}.endpoint"
    lower = said.lower()
    too_long = status in _LENGTH_STATUSES and any(one in lower for one in _OF_LENGTH)
    if too_long or status == 413:  # noqa: PLR2004 the request's size, by its status alone
        remedy, too_long = (
            f"shorten the text, or use a model in {setting}.model that reads more",
            True,
        )
    wait = 0.0 if status in _AGAIN and not too_long else None
    message = f"{message}: {said}" if said else message
    return Refused(message, remedy, status, wait, too_long=too_long)


def _said(value: "Any") -> str:
    """What a JSON error says, wherever it stands: OpenAI's, FastAPI's, Cloudflare's or plain."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, map(_said, value[:3])))
    if isinstance(value, dict):
        # FastAPI's list of what is wrong with a request.
        if isinstance(value.get("msg"), str):
            return str(value["msg"])
        for name in _SAID_AT:
            if value.get(name):
                return _said(value[name])
    return ""


def _asked_to_wait(reply: Reply) -> float:
    """The seconds that a busy server asks to wait; 0 if it does not say.

    By ``Retry-After`` as a number or a date, ``Retry-After-Ms``, or Gemini's ``retryDelay``.
    """
    for header, unit in (("retry-after-ms", 1_000.0), ("retry-after", 1.0)):
        seconds = _number(reply.headers.get(header, ""))
        if seconds is not None:
            return seconds / unit
    date = reply.headers.get("retry-after", "")
    if date:
        return _until(date)
    try:
        details = json.loads(reply.body)["error"]["details"]
        delays = [str(one["retryDelay"]) for one in details if "retryDelay" in one]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0.0
    return max((_number(one.removesuffix("s")) or 0.0 for one in delays), default=0.0)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(number, 0.0) if isfinite(number) else None


def _until(date: str) -> float:
    from datetime import UTC, datetime  # start-up: a date is rare
    from email.utils import parsedate_to_datetime  # start-up: as above

    try:
        return max((parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return 0.0
