"""Sessions of browsers, in memory alone: whoever restarts the server has everybody sign in again."""

import hashlib
import secrets
from time import monotonic

from bowerbird.core.who import AGENT, USER, Who, agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.daemon.links import Link

_BYTES = 32
# Seconds without a request after which a session ends.
IDLE_S = 12 * 3600.0
# Sessions at once; the one idle longest goes.
MOST = 64


class Visit:
    """One browser: who it acts for, and what it was told last.

    `person`: a person on a terminal opened it, so it may decide; others may look and flag. `host` is
    where it entered: its cookie counts there alone. `token` is hidden in each form. `notice` is
    shown once; `undo` takes the last action back, which was about `did`; `typed` is what a refused form
    held; `settled` are refused offers.
    """

    def __init__(self, *, person: bool, project: str, host: str) -> None:
        self.person = person
        self.project = project
        self.host = host
        self.token = secrets.token_urlsafe(_BYTES)
        self.seen = monotonic()
        self.language = ""
        self.keys = True
        self.notice: dict[str, Any] | None = None
        self.undo: list[tuple[str, int, str]] = []
        self.did = ""
        self.typed: dict[str, str] = {}
        self.settled: set[str] = set()
        self.streams = 0

    @property
    def who(self) -> Who:
        """The caller of the verbs."""
        if self.person:
            return Who(USER, USER)
        name = agent("dashboard")
        return Who(name, AGENT, reader=name, roaming=True)


class Visits:
    """The sessions of a server."""

    def __init__(self) -> None:
        self._known: dict[str, Visit] = {}

    def begin(self, link: "Link", host: str) -> str:
        """A new session for a link that was opened; its cookie."""
        for old in [key for key, one in self._known.items() if monotonic() - one.seen > IDLE_S]:
            del self._known[old]
        while len(self._known) >= MOST:
            del self._known[min(self._known, key=lambda key: self._known[key].seen)]
        cookie = secrets.token_urlsafe(_BYTES)
        visit = Visit(person=link.person, project=link.project, host=host)
        self._known[_hash(cookie)] = visit
        return cookie

    def of(self, cookie: str, host: str) -> Visit | None:
        """The session of a cookie, if it is one and came to the same host."""
        visit = self._known.get(_hash(cookie))
        if visit is None or visit.host != host or monotonic() - visit.seen > IDLE_S:
            return None
        visit.seen = monotonic()
        return visit


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()
