"""Deciding by single keys on a terminal what waits; loaded only there."""

import os
import sys
import termios
import tty

from bowerbird.core.answers import Entries
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.reviewed import Reviewed
from bowerbird.surfaces.cli.page import tell
from bowerbird.surfaces.cli.render.review import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Self

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.page import Page

    # What a verdict does with a memory and what was typed behind it.
    Acts = Mapping[str, Callable[[Bowerbird, Entry, str], Entry]]

_KEYS = "[c]onfirm  [e]dit  [r]eject  [d]ispute  [l]ater  [q]uit"
_VERDICTS = {"c": "confirmed", "e": "edited", "r": "rejected", "d": "disputed"}
# What is to be typed behind a key, which may be empty.
_ASKS = {"e": "it says instead: ", "r": "why: ", "d": "why: "}
_LATER, _QUIT = "l", "q"
# Ctrl-C, Ctrl-D, and the end of what is typed.
_ENDS = ("\x03", "\x04", "")


def decided(bird: "Bowerbird", page: "Page", entries: "Sequence[Entry]", acts: "Acts") -> Reviewed:
    """One after the other, each with a key; what was decided. `acts` do it, by their verdicts."""
    done: list[Entry] = []
    verdicts: dict[str, int] = {}
    with Keys() as keys:
        for number, entry in enumerate(entries, 1):
            head = page.style(f"{number} of {len(entries)}", "dim")
            tell(sys.stderr, "\n".join(["", head, *shown(entry, page), _KEYS, ""]))
            answer, changed = _answer(keys, bird, page, entry, acts)
            if answer in _VERDICTS:
                done.append(changed or entry)
                verdicts[_VERDICTS[answer]] = verdicts.get(_VERDICTS[answer], 0) + 1
            elif answer == _QUIT:
                break
    left = len(entries) - len(done)
    return Reviewed(Entries(done), bird.admin.level().as_dict(), verdicts, left)


def _answer(
    keys: "Keys", bird: "Bowerbird", page: "Page", entry: "Entry", acts: "Acts"
) -> "tuple[str, Entry | None]":
    """The key that was pressed and what became of the memory; a key that means nothing is asked again."""
    while True:
        key = keys.key()
        if key in _ENDS or key == _QUIT:
            return _QUIT, None
        if key == _LATER:
            return key, None
        if key in _VERDICTS:
            try:
                reply = keys.line(_ASKS[key]) if key in _ASKS else ""
                return key, acts[_VERDICTS[key]](bird, entry, reply)
            except BowerbirdError as error:
                tell(sys.stderr, page.style(f"{error.message}; {error.remedy}", "red") + "\n")


class Keys:
    """The terminal while each key counts by itself, without a line's end; as it was afterwards."""

    def __init__(self) -> None:
        self._terminal = sys.stdin.fileno()
        self._before: Any = None

    def __enter__(self) -> "Self":
        self._before = termios.tcgetattr(self._terminal)
        # What was typed ahead counts.
        tty.setcbreak(self._terminal, termios.TCSADRAIN)
        return self

    def __exit__(self, *raised: object) -> None:
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """The key that is pressed next, in small letters; empty where the terminal went away."""
        try:
            return os.read(self._terminal, 1).decode("utf-8", "replace").lower()
        except OSError:
            return ""

    def line(self, what: str) -> str:
        """A line that is asked for, typed with all that a terminal helps with."""
        tell(sys.stderr, what)
        self.__exit__()
        try:
            return sys.stdin.readline().strip()
        finally:
            self.__enter__()
