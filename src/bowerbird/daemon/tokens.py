"""Who may come in: the user's own token, and tokens of agents, of which only hashes are kept.

All of it lies in one folder a store, readable by its owner alone.
"""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from contextlib import contextmanager, suppress
from zlib import crc32

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import BadConfig, BadInput, NotFound
from bowerbird.core.places import folder, make_folder
from bowerbird.core.value import Advice, Do, Record
from bowerbird.core.who import AGENT, USER, Who, agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# 256 bits, which nobody tries out: a plain hash of them is enough, and 43 characters hold them.
_BYTES = 32
SHORTEST = 43
_LONGEST_NAME = 60


class Token(Record):
    """Somebody who may come in. `projects` are the uids of those it is for; none: every project."""

    name: str
    hash: str
    read_only: bool = False
    projects: tuple[str, ...] = ()
    created: int = 0

    @property
    def owner(self) -> bool:
        """Whether it is the user's own: others receive no path of this machine."""
        return self.name == USER

    @property
    def actor(self) -> str:
        """Its name in the audit."""
        return USER if self.owner else agent(self.name)

    def who(self, session: str = "", *, wide: bool = False) -> Who:
        """Who asks by it, maybe in a session that they name: others' of that name are others.

        The user is no session. An agent may name another one with every request, so that what any of
        them was shown counts for its token.
        """
        return Who(
            self.actor,
            USER if self.owner else AGENT,
            session=session,
            reader=f"{self.name}\n{session}" if session else "",
            holder="" if self.owner else self.name,
            may_write=not self.read_only,
            may_share=wide,
            projects=self.projects,
            wide=wide,
            local=self.owner,
        )


def home(store: str) -> str:
    """The folder in which a server of this store keeps its tokens and its address."""
    return os.path.join(folder("state", os.environ), f"serve-{crc32(store.encode()):08x}")


class Tokens:
    """The tokens of one store's server, read anew where their file has changed."""

    def __init__(self, store: str, given: str = "") -> None:
        """`given` replaces the user's own token in the file."""
        if given and len(given) < SHORTEST:
            raise BadConfig(
                f"serve.token has {len(given)} characters; a token has {SHORTEST} or more",
                'make one with: python -c "import secrets; print(secrets.token_urlsafe())"',
            )
        self._home = home(store)
        self._given = given
        self._user = ""
        self._named: tuple[Token, ...] = ()
        self._seen: tuple[int, ...] = ()

    @property
    def file(self) -> str:
        """Where the user's own token is."""
        return "BOWER_SERVE_TOKEN, or serve.token" if self._given else self._file

    @property
    def _file(self) -> str:
        return os.path.join(self._home, "token")

    @property
    def _list(self) -> str:
        return os.path.join(self._home, "tokens.json")

    def user(self) -> str:
        """The user's own token, created on first use."""
        if self._given or self._user:
            return self._given or self._user
        found = self._written()
        if found is None:
            with _locked(self._file):
                # Of several that start at once the first one makes it.
                found = self._written()
                if found is None:
                    found = secrets.token_urlsafe(_BYTES)
                    write_private(self._file, found + "\n")
        if len(found) < SHORTEST:
            raise BadConfig(f"{self._file} holds no token", "delete it, and start the server again")
        self._user = found
        return found

    def _written(self) -> str | None:
        """The user's own token as its file has it; None where there is none yet."""
        try:
            with open(self._file, "rb") as file:
                text = file.read().strip()
            return text.decode() if text.isascii() else ""
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _unusable(self._file, error) from error

    def caller(self, shown: str) -> Token | None:
        """Whose token this is, or None. Takes as long for a wrong one as for a right one."""
        shown_hash = _hash(shown)
        found = None
        for token in (Token(USER, _hash(self.user())), *self.named()):
            if hmac.compare_digest(shown_hash, token.hash):
                found = token
        return found

    def named(self) -> tuple[Token, ...]:
        """The agents' tokens, as they are in the file now."""
        try:
            stat = os.stat(self._list)
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise _unusable(self._list, error) from error
        seen = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
        if seen != self._seen:
            self._named, self._seen = tuple(self._read()), seen
        return self._named

    def _named_now(self) -> tuple[Token, ...]:
        """The same, without the cache: a clock may be too coarse to distinguish two changes."""
        self._seen = ()
        return self.named()

    def make(self, name: str, *, read_only: bool, projects: tuple[str, ...]) -> str:
        """Creates a token of that name; it is returned only this once. Raises BadInput."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or not name.isprintable() or name == USER:
            raise BadInput(
                f"{name!r} is no name for a token", f"1 to {_LONGEST_NAME} letters; not {USER!r}"
            )
        text = secrets.token_urlsafe(_BYTES)
        new = Token(
            name, _hash(text), read_only=read_only, projects=projects, created=system_clock()
        )
        with _locked(self._list):
            known = self._named_now()
            if any(token.name == name for token in known):
                raise BadInput(
                    f"there is a token {name!r} already",
                    Advice("revoke it: ", Do("serve", revoke_token=name)),
                )
            self._write((*known, new))
        return text

    def revoke(self, name: str) -> None:
        """Let nobody in by it any more; servers that run notice at once. Raises NotFound."""
        with _locked(self._list):
            known = self._named_now()
            kept = tuple(token for token in known if token.name != name)
            if len(kept) == len(known):
                names = ", ".join(token.name for token in known) or "none"
                raise NotFound(f"no token {name!r}", f"there are: {names}")
            self._write(kept)

    def _read(self) -> "list[Token]":
        try:
            with open(self._list, encoding="utf-8") as file:
                rows: list[dict[str, Any]] = json.load(file)
            return [Token(**row | {"projects": tuple(row["projects"])}) for row in rows]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise BadConfig(
                f"{self._list} cannot be read: {error}", "mend it, or delete it to revoke them all"
            ) from error

    def _write(self, tokens: tuple[Token, ...]) -> None:
        rows = [token.raw_dict() | {"projects": list(token.projects)} for token in tokens]
        write_private(self._list, json.dumps(rows, indent=1) + "\n")


def write_private(path: str, text: str) -> None:
    """A file that its owner alone may read, there as a whole or as it was. Raises BadConfig."""
    new = f"{path}.{os.getpid()}"
    try:
        make_folder(os.path.dirname(path))
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise _unusable(path, error) from error


def lock_file(path: str) -> int:
    """The file beside another one that is locked in its place, since that one is replaced.

    The lock goes with its process, the file stays. Raises BadConfig.
    """
    try:
        make_folder(os.path.dirname(path))
        return os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unusable(path, error) from error


@contextmanager
def _locked(path: str) -> "Iterator[None]":
    """Nobody else reads a file to change it meanwhile. Raises BadConfig."""
    handle = lock_file(path)
    try:
        with suppress(OSError):  # such a disk has no locks: nobody waits for anybody
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _unusable(path: str, error: OSError) -> BadConfig:
    message = f"{path} cannot be used: {(error.strerror or str(error)).lower()}"
    return BadConfig(message, "set XDG_STATE_HOME to a folder that is yours to write")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
