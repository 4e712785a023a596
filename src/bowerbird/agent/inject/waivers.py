"""Whether a cure of one finding applies to another: a suppression concerns one piece of code. Pure."""

import os
import re

from bowerbird.agent.learn.waivers import WAIVES
from bowerbird.agent.observe.fingerprint import fingerprint
from bowerbird.core.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The wording of a learned cure (agent.learn.signals.cures).
_CURED = re.compile(r"(?s) may say: (?P<what>.*?) What cured it in `(?P<file>[^`]+)`: (?P<how>.*)")
_BECAME = re.compile(r"(?s)(?P<was>.*?) became (?P<now>.*)")
_ADDED = re.compile(r"(?s)(?P<now>.*) was added (?:below|before) (?P<was>.*)")
_LOCATION = re.compile(r"(?P<file>[\w./-]+\.\w{1,5}):\d+(?::\d+)?:?\s+(?P<what>\S.*)")
# Quotations in a finding, and the last name of each: `iter.ForEach`.
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|'([^']+)'")
_WORD = re.compile(r"\w+")


class Cured:
    """A memory on one cured finding; false if it was not learned as a cure."""

    __slots__ = ("_code", "_file", "_now", "_what", "_words")

    def __init__(self, text: str) -> None:
        match = _CURED.search(text)
        how = match and (_BECAME.fullmatch(match["how"]) or _ADDED.fullmatch(match["how"]))
        self._what = match["what"] if match else ""
        self._file = match["file"] if match else ""
        self._now = how["now"] if how else ""
        self._code = how["was"].strip("`. ") if how else ""
        self._words = {*_words(self._now)} - {*_words(self._code)}

    def helps(self, lines: "Sequence[str]", message: str) -> bool:
        """Return whether it adds to the finding and, if it only suppresses it, is about the same code.

        `lines` are those of the error, without the prefix of a task runner; `message` is the fingerprint
        of the line by which it was found.
        """
        if not self._now:
            return True
        if self._words and self._words <= {*_words(self._what)}:
            return False
        if not WAIVES.search(self._now):
            return True
        return any(self._is_of(*one) for one in _findings(lines, message))

    def _is_of(self, file: str, what: str, code: str) -> bool:
        """Return whether a suppression fits a finding: same file, same name, or a similar line.

        A suppression in a test does not count for other code, nor the other way round.
        """
        if f"/{self._file}".endswith(f"/{file}") or f"/{file}".endswith(f"/{self._file}"):
            return True
        if not _names(what).isdisjoint(_names(self._what)):
            return True
        if is_test(os.path.normpath(file)) is not is_test(os.path.normpath(self._file)):
            return False
        return bool(code) and _shape(code) == _shape(self._code)


def _findings(lines: "Sequence[str]", message: str) -> "Iterator[tuple[str, str, str]]":
    """Yield the findings of an error with a message: file, description, and the quoted line."""
    for at, line in enumerate(lines):
        located = _LOCATION.match(line)
        if located is None or fingerprint(line) != message:
            continue
        quoted = lines[at + 1] if at + 1 < len(lines) else ""
        yield located["file"], located["what"], "" if _LOCATION.match(quoted) else quoted


def _names(what: str) -> set[str]:
    """Return the last name of each thing that a finding quotes."""
    quoted = (next(filter(None, one.groups())) for one in _QUOTED.finditer(what))
    return {words[-1].lower() for one in quoted if (words := _WORD.findall(one))}


def _shape(code: str) -> str:
    """Return a line of code up to its first bracket, without names: `_ = x(` is not `x, _ := x(`."""
    names = re.sub(r"\w+(?:\.\w+)*", lambda one: "_" if one[0] == "_" else "x", code.strip())
    return re.split(r"[(\[{]", "".join(names.split()))[0]


def _words(text: str) -> list[str]:
    return [one.lower() for one in _WORD.findall(text)]
