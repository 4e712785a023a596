"""What a part of the faults found: figures by name, and broken promises."""

import sys
import time
from typing import Any


class Found:
    """Counts and violations of one part; progress goes to a terminal."""

    def __init__(self, part: str, seed: int) -> None:
        self.part = part
        self.seed = seed
        self.figures: dict[str, float] = {}
        self.violations: list[str] = []
        self._began = time.monotonic()
        self._reported_at = 0.0

    def count(self, name: str, more: float = 1) -> None:
        """Add to a figure."""
        self.figures[name] = self.figures.get(name, 0) + more

    def violate(self, where: str, what: str) -> None:
        """Record a broken promise: where, so that it can be repeated, and how."""
        self.violations.append(f"{where}: {what}")
        print(f"{self.part}: VIOLATION {where}: {what}", file=sys.stderr, flush=True)

    def progress(self, done: int, total: int) -> None:
        """Show progress on a terminal, a few times a second."""
        now = time.monotonic()
        if sys.stderr.isatty() and (now - self._reported_at > 0.2 or done == total):  # noqa: PLR2004
            self._reported_at = now
            end = "\n" if done == total else ""
            print(f"\r{self.part} {done} of {total}", end=end, file=sys.stderr, flush=True)

    def raw_dict(self) -> dict[str, Any]:
        """The figures and violations, for the result file."""
        return {
            "part": self.part,
            "seed": self.seed,
            "seconds": round(time.monotonic() - self._began, 1),
            "figures": self.figures,
            "violations": self.violations,
        }
