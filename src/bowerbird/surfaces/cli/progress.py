"""A progress bar on stderr, for terminals.

Forty lines of our own: a library for it takes 12 MB on disk with its dependencies, and 40 ms to load.
"""

import sys
from time import monotonic

from bowerbird.surfaces.cli.page import columns_of, cut, cut_front

# Minimum seconds between two updates.
_APART = 0.1
_CELLS = 24
_LABEL = 40
# Moves to the start of the line and clears it.
_CLEAR = "\r\x1b[K"


class Bar:
    """Draws the progress of a task, and clears itself at the end."""

    def __init__(self) -> None:
        self._what = ""
        self._total = self._done = 0
        self._began = self._painted = 0.0

    def start(self, what: str, total: int) -> None:
        """A task of `total` units begins; it ends any other. Of 0, a wait, it tells at once."""
        self.finish()
        self._what, self._total, self._done = what, total, 0
        self._began = self._painted = monotonic()
        if not total:
            sys.stderr.write(_CLEAR + cut(f"{what} …", columns_of(sys.stderr) - 1))
            sys.stderr.flush()

    def advance(self, units: int, label: str = "") -> None:
        """`units` more are done; `label` names the newest."""
        self._done += units
        now = monotonic()
        if not self._what or now - self._painted < _APART:
            return
        self._painted = now
        # File names are foreign text; `cut` removes what moves the cursor.
        sys.stderr.write(_CLEAR + cut(self._line(now, label), columns_of(sys.stderr) - 1))
        sys.stderr.flush()

    def _line(self, now: float, label: str) -> str:
        share = min(1.0, self._done / max(self._total, 1))
        full = int(share * _CELLS)
        left = (now - self._began) * (1 - share) / share if share else 0.0
        minutes, seconds = divmod(int(left), 60)
        state = f"{share:.0%} {minutes}:{seconds:02d} left" if share else "0%"
        bar = "#" * full + "." * (_CELLS - full)
        return f"{self._what} {bar} {state} {cut_front(label, _LABEL)}"

    def finish(self) -> None:
        """The task has ended, successfully or not."""
        if self._what:
            self._what = ""
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
