"""Whether a cure of one finding applies to another: a suppression concerns one piece of code. Pure."""

import os
import re

from bowerbird.core.pattern import late
from bowerbird.host.places import is_test
from bowerbird.sessions.learn.waivers import WAIVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_LOCATION = late(r"(?P<file>[\w./-]+\.\w{1,5}):\d+(?::\d+)?:?\s+(?P<what>\S.*)")
_WORD = late(r"\w+")
# What a message names of the code: without it the same words come for any code ("error is not nil but it
# returns nil").
_NAMED = late(r"[`'\"][\w.()]+[`'\"]|\w\.\w|[a-z][A-Z]|\w_\w")


class Cured:
    """The payload of a memory on one cured finding; false if it is not about a change of code."""

    __slots__ = ("_added", "_errors", "_file", "_removed", "_words")

    def __init__(self, payload: "Mapping[str, Any]") -> None:
        self._file = payload.get("changed_file", "")
        self._removed = payload.get("removed", "")
        self._added = payload.get("added", "")
        self._errors = frozenset(payload.get("errors", ()))
        self._words = {*_words(self._added)} - {*_words(self._removed)}

    def helps(self, lines: "Sequence[str]", line: str, exact: str) -> bool:
        """Return whether it adds to a finding and, if it only suppresses it, is about the same code.

        `lines` are those of the error, without the prefix of a task runner; `line` is the one by which it
        was found, with its print.
        """
        if not self._added:
            return True
        located = _LOCATION.match(line)
        if self._words and self._words <= {*_words(located["what"] if located else line)}:
            return False
        if not WAIVES.search(self._added):
            return True
        if exact in self._errors and _NAMED.search(located["what"] if located else line):
            return True
        if located is None:
            return False
        at = lines.index(line) + 1 if line in lines else len(lines)
        quoted = lines[at] if at < len(lines) else ""
        return self._is_of(located["file"], "" if _LOCATION.match(quoted) else quoted)

    def _is_of(self, file: str, code: str) -> bool:
        """Return whether a suppression fits a finding in a file: the same one, or a similar line.

        A suppression in a test does not count for other code, nor the other way round.
        """
        if f"/{self._file}".endswith(f"/{file}") or f"/{file}".endswith(f"/{self._file}"):
            return True
        if is_test(os.path.normpath(file)) is not is_test(os.path.normpath(self._file)):
            return False
        return bool(code) and _shape(code) == _shape(self._removed)


def _shape(code: str) -> str:
    """Return a line of code up to its first bracket, without names: `_ = x(` is not `x, _ := x(`."""
    names = re.sub(r"\w+(?:\.\w+)*", lambda one: "_" if one[0] == "_" else "x", code.strip())
    return re.split(r"[(\[{]", "".join(names.split()))[0]


def _words(text: str) -> list[str]:
    return [one.lower() for one in _WORD.findall(text)]
