"""A bucket with the interface of S3 through which copies of a store reach each other.

The account is that of the programs of AWS: variables `AWS_*`, else the profile in `~/.aws`. Requests are
signed as Signature Version 4 says; the names of buckets stand in the path, which every such server takes.
"""

import hashlib
import hmac
import os
import re
import time
from html import unescape
from http.client import HTTPException
from urllib.parse import quote, urlsplit

from bowerbird.core.errors import BadConfig, BadInput
from bowerbird.core.http import HttpServer, TooLongError
from bowerbird.host.shared_folder import HEADER, LARGEST, NAME, REPLICA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.http import Reply

SCHEME = "s3://"
_REGION = "us-east-1"
# Seconds for one file.
_PATIENCE = 120.0
_OK, _GONE, _MISSING, _EXISTS = 200, 204, 404, (409, 412)
_KEY = re.compile("<Key>([^<]*)</Key>")
_MORE = re.compile("<NextContinuationToken>([^<]*)</NextContinuationToken>")
_CODE = re.compile("<Code>([^<]*)</Code>")


class SharedBucket:
    """Files of several replicas, under a name each that begins with that of the replica."""

    def __init__(self, target: str, environment: "Mapping[str, str]") -> None:
        """`target` is `s3://BUCKET/PREFIX`. Raises BadInput, BadConfig."""
        self._bucket, _, prefix = target.removeprefix(SCHEME).strip("/").partition("/")
        if not self._bucket:
            raise BadInput(f"{target} names no bucket", "name one: s3://BUCKET/FOLDER")
        self.path = f"{SCHEME}{self._bucket}" + (f"/{prefix}" if prefix else "")
        self._prefix = f"{prefix}/" if prefix else ""
        self._account = _Account(environment)
        try:
            self._server = HttpServer(self._account.endpoint, most_bytes=LARGEST)
        except ValueError:
            raise BadConfig(
                f"the address of the bucket's server is {self._account.endpoint!r}",
                "set AWS_ENDPOINT_URL to one such as https://s3.eu-central-1.amazonaws.com",
            ) from None
        self._host = urlsplit(self._account.endpoint).netloc
        self._listed: dict[str, set[str]] = {}

    def header(self) -> bytes | None:
        """The header; None if nothing was set up under the prefix. Raises BadInput."""
        try:
            return self._get(HEADER)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be read: {error.strerror or error}",
                f"see whether {self._host} is reached, and to AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,"
                " AWS_REGION and AWS_ENDPOINT_URL, or ~/.aws",
            ) from error

    def set_up(self, header: bytes) -> None:
        """Write the header. Raises BadInput."""
        try:
            reply = self._asked("PUT", self._key(HEADER), body=header, only_new=True)
            if reply.status not in _EXISTS:
                _require(reply, _OK)
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be written: {error}", "let the account write into the bucket"
            ) from error
        if self._get(HEADER) != header:
            raise BadInput(f"{self.path} was set up by another device", "try again")

    def replicas(self) -> list[str]:
        """The names of all replicas that wrote here. Asks for all names anew."""
        self._listed = {}
        more = ""
        while True:
            query = {"list-type": "2", "prefix": self._prefix}
            if more:
                query["continuation-token"] = more
            reply = _require(self._asked("GET", f"/{self._bucket}", query), _OK)
            said = reply.body.decode()
            for key in map(unescape, _KEY.findall(said)):
                replica, _, name = key.removeprefix(self._prefix).partition("/")
                if REPLICA.fullmatch(replica) and NAME.fullmatch(name):
                    self._listed.setdefault(replica, set()).add(name)
            found = _MORE.search(said)
            if not found:
                return sorted(self._listed)
            more = unescape(found[1])

    def files(self, replica: str) -> list[str]:
        """The names of a replica's files, in order, as `replicas` found them or it changed them."""
        return sorted(self._listed.get(replica, ()))

    def read(self, replica: str, name: str) -> bytes:
        """A file's bytes. Raises OSError."""
        return self._get(f"{replica}/{name}")

    def write(self, replica: str, name: str, data: bytes) -> None:
        """Write a file. Raises OSError."""
        _require(self._asked("PUT", self._key(f"{replica}/{name}"), body=data), _OK)
        self._listed.setdefault(replica, set()).add(name)

    def remove(self, replica: str, name: str) -> None:
        """Remove a file, if it is there. Raises OSError."""
        _require(self._asked("DELETE", self._key(f"{replica}/{name}")), _OK, _GONE, _MISSING)
        self._listed.get(replica, set()).discard(name)

    def _key(self, name: str) -> str:
        return f"/{self._bucket}/{self._prefix}{name}"

    def _get(self, name: str) -> bytes:
        reply = self._asked("GET", self._key(name))
        # A bucket that is not there has no files either, but is none to write into.
        if reply.status == _MISSING and b"NoSuchBucket" not in reply.body:
            raise FileNotFoundError(name)
        return _require(reply, _OK).body

    def _asked(
        self,
        method: str,
        path: str,
        query: "dict[str, str] | None" = None,
        body: bytes = b"",
        *,
        only_new: bool = False,
    ) -> "Reply":
        """The answer to one signed request. Raises OSError."""
        path = quote(self._server.base + path, safe="/-_.~")
        query = query or {}
        asked = "&".join(f"{name}={quote(query[name], safe='')}" for name in sorted(query))
        headers = {"If-None-Match": "*"} if only_new else {}
        headers |= self._account.signed(method, self._host, path, asked, body, headers)
        at = path.removeprefix(self._server.base) + (f"?{asked}" if asked else "")
        try:
            return self._server.request(
                method, at, body or None, headers, time.monotonic() + _PATIENCE
            )
        except TimeoutError:
            raise OSError(f"{self._host} did not answer within {_PATIENCE:.0f} s") from None
        except TooLongError:
            raise OSError("a file is longer than any of ours") from None
        except HTTPException as error:
            raise OSError(f"{self._host} ended the connection: {error}") from error


class _Account:
    """Who asks, where and how that is proved, as AWS's own programs are told it."""

    def __init__(self, environment: "Mapping[str, str]") -> None:
        told = _profile(environment)

        def setting(name: str, *variables: str) -> str:
            named = (environment[one] for one in variables if environment.get(one))
            return next(named, told.get(name, ""))

        self._region = setting("region", "AWS_REGION", "AWS_DEFAULT_REGION") or _REGION
        self._id = setting("aws_access_key_id", "AWS_ACCESS_KEY_ID")
        self._secret = setting("aws_secret_access_key", "AWS_SECRET_ACCESS_KEY")
        self._token = setting("aws_session_token", "AWS_SESSION_TOKEN")
        self.endpoint = (
            setting("endpoint_url", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
            or f"https://s3.{self._region}.amazonaws.com"
        ).rstrip("/")
        if not self._id or not self._secret:
            raise BadConfig(
                "no account for a bucket is known",
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials",
            )

    def signed(
        self, method: str, host: str, path: str, query: str, body: bytes, headers: "dict[str, str]"
    ) -> "dict[str, str]":
        """The headers by which a server knows that this account asks for just this."""
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        content = hashlib.sha256(body).hexdigest()
        own = {"X-Amz-Date": now, "X-Amz-Content-SHA256": content}
        if self._token:
            own["X-Amz-Security-Token"] = self._token
        lower = {name.lower(): said for name, said in (headers | own | {"Host": host}).items()}
        names = ";".join(sorted(lower))
        lines = "".join(f"{name}:{lower[name]}\n" for name in sorted(lower))
        request = f"{method}\n{path}\n{query}\n{lines}\n{names}\n{content}"
        scope = f"{now[:8]}/{self._region}/s3/aws4_request"
        digest = hashlib.sha256(request.encode()).hexdigest()
        key = f"AWS4{self._secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        said = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{digest}".encode()
        own["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self._id}/{scope}, SignedHeaders={names},"
            f" Signature={hmac.digest(key, said, 'sha256').hex()}"
        )
        return own


def _profile(environment: "Mapping[str, str]") -> "dict[str, str]":
    """What the files of AWS's programs say of the profile in use. Raises BadConfig."""
    from configparser import ConfigParser, Error  # start-up: for buckets alone

    name = environment.get("AWS_PROFILE") or "default"
    told: dict[str, str] = {}
    for variable, path, section in (
        ("AWS_CONFIG_FILE", "~/.aws/config", name if name == "default" else f"profile {name}"),
        ("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials", name),
    ):
        file = os.path.expanduser(environment.get(variable) or path)
        found = ConfigParser(interpolation=None)
        try:
            found.read(file, encoding="utf-8")
        except (Error, UnicodeDecodeError) as error:
            raise BadConfig(f"{file} cannot be read: {type(error).__name__}", "mend it") from error
        if found.has_section(section):
            told |= dict(found[section])
    return told


def _require(reply: "Reply", *statuses: int) -> "Reply":
    """A reply with one of these statuses. Raises OSError."""
    if reply.status in statuses:
        return reply
    code = _CODE.search(reply.body.decode(errors="replace"))
    raise OSError(f"its server answers {reply.status}" + (f": {code[1]}" if code else ""))
