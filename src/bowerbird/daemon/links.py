"""One-time links to the dashboard: keys that a command mints and the server exchanges for a session.

Only hashes are stored, beside the tokens. A key says whether a person on a terminal minted it; a program
of the same user that writes this file could claim so, as it could read the user's token.
"""

import hashlib
import hmac
import json
import os
import secrets

from bowerbird.core.clock import system_clock
from bowerbird.core.value import Record
from bowerbird.daemon.tokens import home, locked, write_private

_BYTES = 32
# Milliseconds in which a link has to be opened.
LASTS = 60_000


class Link(Record):
    """A minted key: its hash, when it ends (UTC milliseconds), who minted it, and for which project."""

    hash: str
    ends: int
    person: bool
    project: str


class Links:
    """The links of one store that wait to be opened."""

    def __init__(self, store: str) -> None:
        self._file = os.path.join(home(store), "links.json")

    def mint(self, *, person: bool, project: str) -> str:
        """A new key; it is returned only this once. Raises BadConfig."""
        key = secrets.token_urlsafe(_BYTES)
        with locked(self._file):
            link = Link(_hash(key), system_clock() + LASTS, person, project)
            self._write([*self._waiting(), link])
        return key

    def take(self, key: str) -> Link | None:
        """The link with this key, which no longer works afterwards; None if it never did or is over."""
        shown, found = _hash(key), None
        with locked(self._file):
            left = []
            for link in self._waiting():
                if hmac.compare_digest(link.hash, shown):
                    found = link
                else:
                    left.append(link)
            if found is not None:
                self._write(left)
        return found

    def _waiting(self) -> list[Link]:
        try:
            with open(self._file, encoding="utf-8") as file:
                links = [Link(**row) for row in json.load(file)]
        except (OSError, ValueError, TypeError):
            return []
        return [one for one in links if one.ends > system_clock()]

    def _write(self, links: list[Link]) -> None:
        write_private(self._file, json.dumps([one.raw_dict() for one in links]) + "\n")


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
