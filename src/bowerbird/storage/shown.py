"""How little of what each session was shown is believed: a side file, read without opening the store.

What a session writes after it was shown a stranger's text may be the stranger speaking. So every door
notes the least trust that it handed over, before the answer is out; a restart forgets none of it, and
every door finds it. A line is a hash of the session and a trust; the lowest line of a session counts.
"""

from bowerbird.core.types import TRUSTS
from bowerbird.storage.sidefile import KEY, SideFile, key

SUFFIX = ".shown"
# The trusts that are noted; `normal` and `full` lower nothing.
NOTED = TRUSTS[: TRUSTS.index("normal")]
# 23 bytes each: reading all of them takes 30 µs. Beyond that the older half goes.
MOST = 4_096
_LINE = KEY + len(" 0\n")


class Shown:
    """The side file of one store."""

    def __init__(self, store: str) -> None:
        self._file = SideFile(store + SUFFIX, MOST * _LINE)

    def lowest(self, sessions: "tuple[str, ...]") -> str:
        """The least trust that any of these sessions was shown; empty where none is known."""
        held = self._file.held()
        least = min((_least(key(session), held) for session in sessions), default=len(NOTED))
        return NOTED[least] if least < len(NOTED) else ""

    def note(self, sessions: "tuple[str, ...]", trust: str) -> bool:
        """Whoever goes by these names is shown something of this trust; whether that is noted now."""
        held, level = self._file.held(), NOTED.index(trust)
        least = {one: _least(one, held) for one in map(key, sessions)}
        new = [one for one, known in least.items() if level < known]
        if not new:
            return True
        lines = b"".join(_line(one, level) for one in new)
        # Names that change must not push out the line of the name that stays.
        all = b"".join(_line(one, min(level, known)) for one, known in least.items())
        try:
            return self._file.append(lines, all)
        except OSError:
            return False  # whoever asks is told


def _line(name: bytes, level: int) -> bytes:
    return b"%s %d\n" % (name, level)


def _least(name: bytes, held: bytes) -> int:
    """The least trust that is noted of a name, by its place in NOTED; beyond its end where none is."""
    levels = range(len(NOTED))
    return next((level for level in levels if _line(name, level) in held), len(NOTED))
