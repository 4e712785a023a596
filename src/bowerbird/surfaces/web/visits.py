"""Sessions of browsers, in memory alone: whoever restarts the server has everybody sign in again."""

import hashlib
import secrets
from time import monotonic

from bowerbird.core.clock import system_clock
from bowerbird.core.who import AGENT, USER, Who, agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.daemon.tokens import Token

    Step = tuple[str, int | str, str]

_BYTES = 32
# Seconds without a request after which a session ends.
IDLE_S = 12 * 3600.0
# Sessions at once, in all and of one member or agent; the one idle longest goes, of their own first.
MOST = 64
MOST_OF_ONE = 8
# Seconds for which other pages offer to take the last action back; the one where it was done goes on.
UNDO_S = 30.0
# Actions that are remembered, so that each undo goes a step further back.
MOST_DONE = 20
# Where somebody is at something else; on the page of a memory it would look like that one's own.
_NO_UNDO = frozenset({"teach", "settings", "memory", "edit", "wrong", "erase"})
# What everybody who may look may do, and a member of the team besides, as far as the verbs let them.
_ANYBODY_MAY = frozenset({"flag", "language", "keys", "close"})
_MEMBERS_MAY = _ANYBODY_MAY | {
    "edit", "pin", "quiet", "forget", "revert", "remember", "preview", "undo", "say", "close_dispute",
    "token",
}  # fmt: skip
# Pages about the owner's machine, their agents' sessions and their decisions.
_OWNERS = frozenset(
    {
        "health",
        "welcome",
        "review",
        "bulk",
        "sessions",
        "session",
        "experiment",
        "settings",
        "erase",
    }
)


class Done:
    """An action that can be taken back: `key`, `text` and `n` say it, `steps` are how.

    A step is a memory's id, how many operations are reverted or the version to go back to, and the
    verdict that it was, "change" for none. It was done `at` (UTC milliseconds), at the address `on`;
    `closed`: nobody needs to be offered it any more.
    """

    def __init__(self, key: str, text: str, n: int, steps: "Sequence[Step]") -> None:
        self.key = key
        self.text = text
        self.n = n
        self.steps = steps
        self.at = system_clock()
        self.on = ""
        self.closed = False


class Visit:
    """One browser: who it acts for, and what it was told last.

    `person`: a person on a terminal opened it, so it may decide; others may look and flag. `member` is
    the member of the team who signed in with `shown`, a token of theirs, or without one by single
    sign-on. `host` is where it entered: its cookie counts there alone. `token` is hidden in each form.
    `notice` is shown once; `done` are the last actions, the latest at the end; `typed` is what a refused
    form held; `settled` are refused offers; `made` is a new token of the member's, shown once.
    """

    def __init__(
        self,
        host: str,
        *,
        person: bool = False,
        project: str = "",
        member: "Token | None" = None,
        shown: str = "",
    ) -> None:
        self.person = person
        self.project = project
        self.member = member
        self.shown = shown
        self.host = host
        self.token = secrets.token_urlsafe(_BYTES)
        self.seen = monotonic()
        self.language = ""
        self.keys = True
        self.notice: dict[str, Any] | None = None
        self.done: list[Done] = []
        self.typed: dict[str, str] = {}
        self.settled: set[str] = set()
        self.streams = 0
        self.made = ""

    @property
    def who(self) -> Who:
        """The caller of the verbs."""
        if self.member is not None:
            who = self.member.who()
            # A person read the page, who is no agent that a text could instruct.
            return who if self.shown else who.replace(attended=True, holder="")
        if self.person:
            return Who(USER, USER)
        name = agent("dashboard")
        return Who(name, AGENT, reader=name, roaming=True)

    @property
    def attended(self) -> bool:
        """Whether a member signed in themselves, and not by a token that an agent may hold, too."""
        return self.member is not None and not self.shown

    def may(self, action: str) -> bool:
        """Whether a form of that name is offered and taken; the verb that it calls has the last word."""
        if self.member is not None:
            return action in _MEMBERS_MAY and (action != "token" or self.attended)
        return self.person or action in _ANYBODY_MAY

    def undoable(self, page: str, path: str) -> Done | None:
        """The action that a page offers to take back, after the one that told of it."""
        done = self.done[-1] if self.done else None
        if done is None or done.closed:
            return None
        lately = page not in _NO_UNDO and system_clock() - done.at < UNDO_S * 1000
        there = path == done.on or (page == "review" and page in done.on)
        return done if lately or there else None

    def sees(self, page: str) -> bool:
        """Whether a page is theirs to see."""
        return self.member is None or page not in _OWNERS


class Visits:
    """The sessions of a server."""

    def __init__(self) -> None:
        self._known: dict[str, Visit] = {}

    def begin(self, visit: Visit) -> str:
        """A new session; its cookie."""
        for old in [key for key, one in self._known.items() if monotonic() - one.seen > IDLE_S]:
            del self._known[old]
        own = [key for key, one in self._known.items() if one.who.actor == visit.who.actor]
        if len(own) >= MOST_OF_ONE and not visit.person:
            del self._known[min(own, key=lambda key: self._known[key].seen)]
        while len(self._known) >= MOST:
            del self._known[min(self._known, key=lambda key: self._known[key].seen)]
        cookie = secrets.token_urlsafe(_BYTES)
        self._known[_hash(cookie)] = visit
        return cookie

    def end(self, visit: Visit) -> None:
        """Ends a session: who signed in is no member any more, or their token is refused."""
        for key in [key for key, one in self._known.items() if one is visit]:
            del self._known[key]

    def of(self, cookie: str, host: str) -> Visit | None:
        """The session of a cookie, if it is one and came to the same host."""
        visit = self._known.get(_hash(cookie))
        if visit is None or visit.host != host or monotonic() - visit.seen > IDLE_S:
            return None
        visit.seen = monotonic()
        return visit


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()
