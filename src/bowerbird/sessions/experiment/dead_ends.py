"""Whether a session tried an approach again that is known as a dead end. Pure.

A dead end is known from its creation on. A session tries it if a command of a call begins with the one
that the memory quotes as tried, or if a call fails with the error that the memory quotes or names. Edits
are not compared, as their text is not recorded: a dead end without a command or an error is ignored.
"""

import re

from bowerbird.core.value import Value
from bowerbird.sessions.inject.cures import ErrorMatcher, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bowerbird.core.types import Entry

# A command is quoted with an argument at least: a program's name alone is no approach.
_QUOTED = re.compile(r"`((?:\w+=\S* )*[\w./-]+ [^`\n]+)`")
_PARTS = re.compile(r"\s*(?:&&|\|\|?|;|\n)\s*")


class DeadEnd(Value):
    """The recognisable parts of a dead end: the tried command, its alternatives, and the error."""

    __slots__ = ("_error", "alternatives", "created", "tried")

    def __init__(
        self,
        created: int,
        tried: "tuple[tuple[str, ...], ...]",
        alternatives: "tuple[tuple[str, ...], ...]",
        error: str,
    ) -> None:
        self.created = created
        self.tried = tried
        self.alternatives = alternatives
        self._error = ErrorMatcher(error)

    @property
    def recognisable(self) -> bool:
        """Whether its command or an error can be compared with calls."""
        return bool(self.tried) or self._error.specific

    def is_tried(self, line: "dict[str, Any]") -> bool:
        """Return whether a call in the journal tries it."""
        command, error = line.get("command"), line.get("error")
        if isinstance(command, str) and any(map(self._begins, _PARTS.split(command.strip()))):
            return True
        if "failed" not in line or not isinstance(error, str):
            return False
        return any(self._error.of(Message(one)) for one in error.splitlines())

    def _begins(self, part: str) -> bool:
        words = part.split()
        longest = max((len(one) for one in self.tried if _starts(words, one)), default=0)
        other = max((len(one) for one in self.alternatives if _starts(words, one)), default=0)
        return longest > other


def dead_end(entry: "Entry") -> DeadEnd:
    """Return the recognisable parts of a memory.

    Without a payload a command is only taken as tried if the text quotes no other one, which may be the
    alternative.
    """
    payload = entry.details.fields.payload if entry.details is not None else None
    if not payload:
        quoted = _commands(entry.text)
        return DeadEnd(entry.created, quoted if len(quoted) == 1 else (), (), entry.text)
    tried, why, instead = (
        str(payload.get(name) or "")
        for name in ("approach_tried", "why_it_failed", "alternative_used")
    )
    command = str(payload.get("command") or "").split()
    commands = (tuple(command),) if command else _commands(tried)
    return DeadEnd(entry.created, commands, _commands(instead), why)


def re_entered(lines: "Sequence[dict[str, Any]]", dead_ends: "Iterable[DeadEnd]") -> bool | None:
    """Return whether a session tried a known dead end again.

    None if it could not: no dead end was known that can be recognised, or commands were not recorded.
    """
    calls = [line for line in lines if isinstance(line.get("command"), str)]
    last = max((_at(line) for line in calls), default=0)
    known = [one for one in dead_ends if one.recognisable and one.created <= last]
    if not known:
        return None
    return any(one.created <= _at(line) and one.is_tried(line) for line in calls for one in known)


def _at(line: "dict[str, Any]") -> int:
    at = line.get("at")
    return at if isinstance(at, int) else 0


def _commands(text: str) -> "tuple[tuple[str, ...], ...]":
    return tuple(dict.fromkeys(tuple(one.split()) for one in _QUOTED.findall(text)))


def _starts(words: "Sequence[str]", beginning: "Sequence[str]") -> bool:
    return tuple(words[: len(beginning)]) == tuple(beginning)
