"""Access tokens: the user's own, and tokens of agents, of which only hashes are stored.

They are in one folder per store, readable only by its owner.
"""

import hashlib
import hmac
import json
import os
import secrets
from contextlib import contextmanager, suppress
from zlib import crc32

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import BadConfig, BadInput, NotFound
from bowerbird.core.value import Advice, Do, Record
from bowerbird.core.who import AGENT, MEMBER, USER, Who, agent, member
from bowerbird.host.locks import lock, opened_to_lock
from bowerbird.host.places import folder, make_folder, private_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.team import Member

# 256 bits cannot be guessed, so a plain hash is enough; encoded, they are 43 characters.
_BYTES = 32
SHORTEST = 43
_LONGEST_NAME = 60
# Fields of members' tokens, which are in the store.
_OF_MEMBERS = frozenset({"role", "trust"})


class Token(Record):
    """An access token. `projects` are the uids that it is limited to; empty: every project.

    Of a member of the team it has their `role`, and as `trust` the most that they were given.
    """

    name: str
    hash: str
    read_only: bool = False
    projects: tuple[str, ...] = ()
    created: int = 0
    role: str = ""
    trust: str = ""

    @classmethod
    def of(cls, member: "Member") -> "Token":
        """What a member of the team may; their tokens are in the store."""
        return cls(member.name, "", role=member.role, trust=member.trust)

    @property
    def owner(self) -> bool:
        """Whether it is the user's own token: others receive no path of this machine."""
        return self.name == USER

    @property
    def actor(self) -> str:
        """Its name in the audit."""
        if self.role:
            return member(self.name)
        return USER if self.owner else agent(self.name)

    def who(self, session: str = "", *, wide: bool = False) -> Who:
        """The caller with this token, in a session that they may name.

        Sessions of other tokens are distinct. The user has no session. An agent could name a new session
        with every request, so what any of its sessions was shown counts for its token. A member of the
        team names one project with every request.
        """
        if self.role:
            return Who(
                self.actor,
                MEMBER,
                session=session,
                reader=f"{self.actor}\n{session}" if session else "",
                holder=self.actor,
                may_share=False,
                wide=False,
                local=False,
                person=self.name,
                role=self.role,
                most=self.trust,
            )
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
    """The folder where a server of this store keeps its tokens and its address."""
    return os.path.join(folder("state", os.environ), f"serve-{crc32(store.encode()):08x}")


class Tokens:
    """The tokens of one store's server, reloaded when their file changes."""

    def __init__(self, store: str, given: str = "") -> None:
        """`given` overrides the user's own token in the file."""
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
        """The path of the user's own token."""
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
            with locked(self._file):
                # If several processes start at once, the first one creates it.
                found = self._written()
                if found is None:
                    found = secrets.token_urlsafe(_BYTES)
                    write_private(self._file, found + "\n")
        if len(found) < SHORTEST:
            raise BadConfig(f"{self._file} holds no token", "delete it, and start the server again")
        self._user = found
        return found

    def _written(self) -> str | None:
        """The user's own token in its file; None if there is none yet."""
        try:
            with open(self._file, "rb") as file:
                text = file.read().strip()
            return text.decode() if text.isascii() else ""
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _unusable(self._file, error) from error

    def caller(self, shown: str) -> Token | None:
        """The token with this value, or None. Takes the same time for a wrong one as for a right one."""
        shown_hash = _hash(shown)
        found = None
        for token in (Token(USER, _hash(self.user())), *self.named()):
            if hmac.compare_digest(shown_hash, token.hash):
                found = token
        return found

    def named(self) -> tuple[Token, ...]:
        """The agents' tokens, as currently in the file."""
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
        with locked(self._list):
            known = self._named_now()
            if any(token.name == name for token in known):
                raise BadInput(
                    f"there is a token {name!r} already",
                    Advice("revoke it: ", Do("serve", revoke_token=name)),
                )
            self._write((*known, new))
        return text

    def revoke(self, name: str) -> None:
        """Revokes a token; running servers notice at once. Raises NotFound."""
        with locked(self._list):
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
        rows = [
            {name: value for name, value in token.raw_dict().items() if name not in _OF_MEMBERS}
            | {"projects": list(token.projects)}
            for token in tokens
        ]
        write_private(self._list, json.dumps(rows, indent=1) + "\n")


def write_private(path: str, text: str) -> None:
    """Writes a file atomically, readable only by its owner. Raises BadConfig."""
    new = f"{path}.{os.getpid()}"
    try:
        make_folder(os.path.dirname(path))
        with open(private_file(new, os.O_WRONLY | os.O_TRUNC), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise _unusable(path, error) from error


def lock_file(path: str) -> int:
    """Creates the lock file of a file that is itself replaced by renaming.

    The lock ends with its process; the lock file stays. Raises BadConfig.
    """
    try:
        make_folder(os.path.dirname(path))
        return opened_to_lock(f"{path}.lock")
    except OSError as error:
        raise _unusable(path, error) from error


@contextmanager
def locked(path: str) -> "Iterator[None]":
    """Holds the lock while a file is read, changed and written. Raises BadConfig."""
    handle = lock_file(path)
    try:
        with suppress(OSError):  # a file system without locks
            lock(handle)
        yield
    finally:
        os.close(handle)


def _unusable(path: str, error: OSError) -> BadConfig:
    message = f"{path} cannot be used: {(error.strerror or str(error)).lower()}"
    return BadConfig(message, "set XDG_STATE_HOME to a folder that is yours to write")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
