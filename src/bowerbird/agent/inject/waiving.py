"""Whether what cured one finding may cure another one: a waiver is of one piece of code. Pure."""

import os
import re

from bowerbird.agent.learn.waivers import WAIVES
from bowerbird.agent.observe.fingerprint import fingerprint
from bowerbird.core.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# How a cure is written down that was learned (agent.learn.signals.cures).
_CURED = re.compile(r"(?s) may say: (?P<what>.*?) What cured it in `(?P<file>[^`]+)`: (?P<how>.*)")
_BECAME = re.compile(r"(?s)(?P<was>.*?) became (?P<now>.*)")
_ADDED = re.compile(r"(?s)(?P<now>.*) was added (?:below|before) (?P<was>.*)")
_PLACE = re.compile(r"(?P<file>[\w./-]+\.\w{1,5}):\d+(?::\d+)?:?\s+(?P<what>\S.*)")
# What a finding quotes, and the last name of it: `iter.ForEach`.
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|'([^']+)'")
_WORD = re.compile(r"\w+")


class Cured:
    """What a memory tells of one finding that was cured; false where it was not learned as a cure."""

    __slots__ = ("_code", "_file", "_now", "_what", "_words")

    def __init__(self, text: str) -> None:
        told = _CURED.search(text)
        how = told and (_BECAME.fullmatch(told["how"]) or _ADDED.fullmatch(told["how"]))
        self._what = told["what"] if told else ""
        self._file = told["file"] if told else ""
        self._now = how["now"] if how else ""
        self._code = how["was"].strip("`. ") if how else ""
        self._words = {*_words(self._now)} - {*_words(self._code)}

    def helps(self, lines: "Sequence[str]", message: str) -> bool:
        """Whether it tells more than the finding itself, and, where it only waives it, of the same code.

        `lines` are those of the error, without what a runner of tasks put before them; `message` is the
        fingerprint of the one that it was found by.
        """
        if not self._now:
            return True
        if self._words and self._words <= {*_words(self._what)}:
            return False
        if not WAIVES.search(self._now):
            return True
        return any(self._is_of(*one) for one in _places(lines, message))

    def _is_of(self, file: str, what: str, code: str) -> bool:
        """Whether a waiver is of a finding, too: in the same file, of the same name, or of a line alike.

        What is waived in a test is no measure for what is not one, nor the other way round.
        """
        if f"/{self._file}".endswith(f"/{file}") or f"/{file}".endswith(f"/{self._file}"):
            return True
        if not _names(what).isdisjoint(_names(self._what)):
            return True
        if is_test(os.path.normpath(file)) is not is_test(os.path.normpath(self._file)):
            return False
        return bool(code) and _shape(code) == _shape(self._code)


def _places(lines: "Sequence[str]", message: str) -> "Iterator[tuple[str, str, str]]":
    """The findings of an error with a message: file, what is said of it, and the line that it quotes."""
    for at, line in enumerate(lines):
        place = _PLACE.match(line)
        if place is None or fingerprint(line) != message:
            continue
        quoted = lines[at + 1] if at + 1 < len(lines) else ""
        yield place["file"], place["what"], "" if _PLACE.match(quoted) else quoted


def _names(what: str) -> set[str]:
    """The last name of each thing that a finding quotes."""
    quoted = (next(filter(None, one.groups())) for one in _QUOTED.finditer(what))
    return {words[-1].lower() for one in quoted if (words := _WORD.findall(one))}


def _shape(code: str) -> str:
    """A line of code up to its first bracket, without its names: `_ = x(` is none like `x, _ := x(`."""
    names = re.sub(r"\w+(?:\.\w+)*", lambda one: "_" if one[0] == "_" else "x", code.strip())
    return re.split(r"[(\[{]", "".join(names.split()))[0]


def _words(text: str) -> list[str]:
    return [one.lower() for one in _WORD.findall(text)]
