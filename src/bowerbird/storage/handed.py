"""Which entries each session was handed, at whatever door: so that a hook hands over none of them again.

A line is a hash of the session, the moment (UTC milliseconds), and the ids of one answer.
"""

from bowerbird.storage.sidefile import SideFile, key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIX = ".handed"
# Some 7,000 ids, of 36 characters each: reading all of them takes .1 ms. Beyond that the older half goes.
MOST_BYTES = 256_000


class Handed:
    """The side file of one store."""

    def __init__(self, store: str) -> None:
        self._file = SideFile(store + SUFFIX, MOST_BYTES)

    def note(self, session: str, ids: "Sequence[str]", now: int) -> bool:
        """Whoever goes by this name is handed these entries; whether that is noted."""
        line = b"%s %d %s\n" % (key(session), now, " ".join(ids).encode("utf-8", "replace"))
        try:
            return self._file.append(line, line)
        except OSError:
            return False  # they may be handed over once more: no harm but their room

    def ids(self, sessions: "Sequence[str]", since: int) -> set[str]:
        """What any of these sessions was handed from that moment on."""
        held = self._file.held()
        keys = tuple(one for one in map(key, sessions) if one in held)
        found: set[str] = set()
        for line in held.split(b"\n") if keys else ():
            if line.startswith(keys):
                _, at, *ids = line.decode("utf-8", "replace").split(" ")
                found.update(ids if at.isdecimal() and int(at) >= since else ())
        return found
