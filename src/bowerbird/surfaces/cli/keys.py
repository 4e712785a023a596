"""Reviews waiting memories on a terminal by single keys; loaded only there."""

import os
import sys
import termios
import tty

from bowerbird.core.answers import Entries
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.reviewed import Reviewed, waits
from bowerbird.core.text import clean
from bowerbird.core.types import ALIVE, SHORT_ID
from bowerbird.surfaces.cli.page import cut, emit
from bowerbird.surfaces.cli.render.review import shown

try:
    import readline
except ImportError:  # a Python that was built without it: lines begin empty
    readline = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Self

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.page import Page

    # Maps a verdict to the function that applies it to a memory, with the text typed for it.
    Acts = Mapping[str, Callable[[Bowerbird, Entry, str], Entry]]

_KEYS = "[c]onfirm  [b]oth true  [e]dit  [r]eject  [h]old back  [l]ater  [q]uit"
_VERDICTS = {"c": "confirmed", "b": "both", "e": "edited", "r": "rejected", "h": "held"}
# The prompt for text after a key; a reason may be empty.
_EDIT = "e"
_WHY = "why (Enter: no reason, Ctrl-C: back): "
_ASKS = {_EDIT: "it says instead (Ctrl-C: back): ", "r": _WHY, "h": _WHY}
# The message after Ctrl-C and after an edit that changes nothing: a mistyped key must not confirm.
_BACK = f"nothing is changed; press another key: {_KEYS}"
_LATER = "l"
_QUIT = "q"
# The message after a verdict on one side of a contradiction.
_SETTLED = (
    "already settled by your decision on the memory that contradicts it; reject it if it is wrong"
)
# The message on a memory that such a verdict superseded.
_OVER = "superseded by what you confirmed; if both hold: bower review --confirm ID"
# Ctrl-C, Ctrl-D, end of input, and an end that was typed before keys were read: Linux gives it as zero.
_ENDS = ("\x03", "\x04", "", "\0")


def decided(bird: "Bowerbird", page: "Page", entries: "Sequence[Entry]", acts: "Acts") -> Reviewed:
    """Asks for a key for each memory; returns the verdicts. `acts` apply them."""
    done: list[Entry] = []
    seen: set[str] = set()
    verdicts: dict[str, int] = {}
    with Keys() as keys:
        for number, listed in enumerate(entries, 1):
            entry = bird.get(listed.id)
            if entry.state not in ALIVE:
                if entry.state == "superseded":
                    over = f"{entry.id[:SHORT_ID]} {cut(entry.summary, page.columns - 24)}\n{_OVER}"
                    emit(sys.stderr, f"\n{page.style(over, 'dim')}\n")
                continue
            head = page.style(f"{number} of {len(entries)}", "dim")
            settled = () if waits(entry) else (page.style(_SETTLED, "yellow"),)
            emit(sys.stderr, "\n".join(["", head, *shown(entry, page), *settled, _KEYS, ""]))
            answer, changed = _answer(keys, bird, page, entry, acts)
            if answer in _VERDICTS:
                done.append(changed or entry)
                seen.add(entry.id)
                verdicts[_VERDICTS[answer]] = verdicts.get(_VERDICTS[answer], 0) + 1
            elif answer == _LATER:
                bird.admin.judged(entry, "later")
            else:
                break
    left = sum(waits(bird.get(one.id)) for one in entries if one.id not in seen)
    return Reviewed(Entries(done), bird.admin.level().as_dict(), verdicts, left)


def _answer(
    keys: "Keys", bird: "Bowerbird", page: "Page", entry: "Entry", acts: "Acts"
) -> "tuple[str, Entry | None]":
    """The key that was pressed and the resulting memory; asks again after an unknown key."""
    while True:
        key = keys.key()
        if key in _ENDS or key == _QUIT:
            return _QUIT, None
        if key == _LATER:
            return key, None
        if key in _VERDICTS:
            try:
                before = clean(entry.text) if key == _EDIT else ""
                reply = keys.line(_ASKS[key], before) if key in _ASKS else ""
                if keys.ended:
                    return _QUIT, None
                if reply is None or (key == _EDIT and reply in ("", before.strip())):
                    emit(sys.stderr, page.style(_BACK, "yellow") + "\n")
                    continue
                return key, acts[_VERDICTS[key]](bird, entry, reply)
            except BowerbirdError as error:
                emit(sys.stderr, page.style(f"{error.message}; {error.remedy}", "red") + "\n")


class Keys:
    """Puts the terminal into a mode in which each key is read at once; restores it at the end."""

    def __init__(self) -> None:
        self._terminal = sys.stdin.fileno()
        self._before: Any = None
        # Whether input ended within a line.
        self.ended = False

    def __enter__(self) -> "Self":
        self._before = termios.tcgetattr(self._terminal)
        # Keys typed ahead are kept.
        tty.setcbreak(self._terminal, termios.TCSADRAIN)
        return self

    def __exit__(self, *raised: object) -> None:
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """The next key, in lower case; empty if the terminal was closed."""
        try:
            return os.read(self._terminal, 1).decode("utf-8", "replace").lower()
        except OSError:
            return ""

    def line(self, what: str, before: str = "") -> str | None:
        """Reads a line that begins as `before` and can be edited; None after Ctrl-C or at the end."""
        self.__exit__()
        if readline:
            readline.set_startup_hook(lambda: readline.insert_text(before))
        try:
            return input(what).strip()
        except (KeyboardInterrupt, EOFError) as error:
            self.ended = isinstance(error, EOFError)
            emit(sys.stderr, "\n")
            return None
        finally:
            if readline:
                readline.set_startup_hook()
            self.__enter__()
