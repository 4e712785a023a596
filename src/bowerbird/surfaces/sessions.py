"""Which sessions have met something from outside: what they write from there on waits to be looked at.

What an agent says after it has read a web page or a stranger's text may be the page speaking. So the
taint of what was read goes on to what is written, for as long as the session lasts.
"""

from threading import Lock

from bowerbird.core.types import TRUSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Content of this trust came from outside.
OUTSIDE = TRUSTS[0]
# Sessions that are remembered, 100 bytes each; beyond that the one that met something longest ago goes.
MOST = 10_000


class Sessions:
    """The sessions of one process that stays. Without a name there is no session, and no memory of it."""

    def __init__(self) -> None:
        self._met: dict[str, None] = {}
        self._lock = Lock()

    def met(self, session: str, trusts: "Iterable[str]") -> None:
        """A session was handed texts of these trusts."""
        if not session or OUTSIDE not in trusts:
            return
        with self._lock:
            self._met.pop(session, None)
            self._met[session] = None
            if len(self._met) > MOST:
                del self._met[next(iter(self._met))]

    def tainted(self, session: str) -> bool:
        """Whether what it writes waits."""
        return bool(session) and session in self._met
