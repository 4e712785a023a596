"""Injection after a tool call: the first of several sources that has something."""

import os

from bowerbird.core.value import Record
from bowerbird.sessions.inject.between_steps import FIRST_STEP, new_notes, of_files, of_searches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

    from bowerbird.core.events import Event
    from bowerbird.core.injected import Injection
    from bowerbird.core.ports.recall import Recall
    from bowerbird.sessions.inject.selection import Sure

    Look = Callable[[], Injection]


class Stepping:
    """One call of a session, with the memory of its project."""

    def __init__(
        self, memory: "Recall", event: "Event", seen: "Collection[str]", sure: "Sure"
    ) -> None:
        self._memory = memory
        self._event = event
        self._seen = seen
        self._sure = sure

    def injection(
        self, cured: "Look | None", touched: "Sequence[str]", recent: "Recent", began: int
    ) -> "Injection | None":
        """Return what to inject; `cured` looks for the cure of a failed call, `touched` are its files.

        `began` is the start of the session, in UTC milliseconds.
        """
        for look in self._looks(cured, touched, recent, began):
            found = look()
            if found:
                return found
        return None

    def _looks(
        self, cured: "Look | None", touched: "Sequence[str]", recent: "Recent", began: int
    ) -> "Iterator[Look]":
        memory, seen, sure = self._memory, self._seen, self._sure
        whole = self._whole(touched)
        if cured is not None:
            yield cured
        if whole:
            yield lambda: of_files(memory, whole, seen, sure, now=True)
        if recent.calls < FIRST_STEP:
            return
        before = [one for one in self._whole(recent.paths) if one not in whole]
        if before:
            yield lambda: of_files(memory, before, seen, sure, now=False)
        yield lambda: new_notes(memory, began, self._event.session, seen, sure)
        if recent.patterns:
            yield lambda: of_searches(memory, recent.patterns, seen, sure)

    def _whole(self, paths: "Sequence[str]") -> list[str]:
        """The paths of files: a search below a folder touches none of the files in it."""
        whole = [os.path.normpath(os.path.join(self._event.cwd, one)) for one in paths]
        return [one for one in whole if not os.path.isdir(one)]


# Calls whose files count as the agent's working files.
_CALLS = 5
_PATTERNS = 3
# Journal lines that are searched for them.
LOOKED_AT = 20


class Recent(Record):
    """The number of a session's calls, the files of the last five, and the last searches."""

    calls: int
    paths: tuple[str, ...]
    patterns: tuple[str, ...]


def recent(calls: int, last: "Sequence[dict[str, Any]]") -> Recent:
    """Return the summary of a session's last calls; `calls` is their total number."""
    paths = {one: None for line in last[-_CALLS:] for one in _texts(line.get("paths"))}
    patterns = [line["pattern"] for line in last if isinstance(line.get("pattern"), str)]
    return Recent(calls, tuple(paths), tuple(patterns[-_PATTERNS:]))


def _texts(value: "Any") -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
