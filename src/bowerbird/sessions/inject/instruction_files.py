"""What the agent's own instruction files say: such a rule is not repeated at a session's start."""

import os

from bowerbird.core.language import content_words
from bowerbird.core.text import words
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The files that agents read themselves, in the project and in the user's folder.
_PROJECT = ("CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "GEMINI.md")
_HOME = (".claude/CLAUDE.md", ".codex/AGENTS.md", ".gemini/GEMINI.md")
# In bytes; longer files are not read.
_LARGEST = 200_000
# The share of a rule's words of content that a line must have, to say the same.
_SAME = 0.8
# Words that turn a rule into its opposite: both must have the same ones.
_NEGATIONS = frozenset("no not never don t dont avoid without instead kein keine nie nicht".split())


def paths(root: str, home: str | None = None) -> list[str]:
    """The files of instructions of a project and of its user."""
    home = os.path.expanduser("~") if home is None else home
    named = [os.path.join(root, name) for name in _PROJECT if root]
    return named + [os.path.join(home, name) for name in _HOME if home]


class InstructionFiles:
    """The lines of the instruction files of a project and of its user."""

    def __init__(self, root: str, home: str) -> None:
        self._text = "\n".join(filter(None, map(_read, paths(root, home))))
        self._lines: list[frozenset[str]] = []

    def say(self, text: str) -> bool:
        """Return whether a line, or two that follow each other, say the same as a text."""
        if not self._text:
            return False
        if not self._lines:
            self._lines = [*_windows(self._text)]
        said = tuple(words(text))
        content = {*content_words(said)} - _NEGATIONS
        negated = _NEGATIONS.intersection(said)
        return bool(content) and any(
            len(content & line) >= _SAME * len(content) and negated == _NEGATIONS & line
            for line in self._lines
        )

    def name(self, command: str) -> bool:
        """Return whether a command stands in one of the files."""
        return command in self._text


def _read(path: str) -> str:
    try:
        return whole(path, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""  # most of them do not exist


def _windows(text: str) -> "Iterator[frozenset[str]]":
    before: frozenset[str] = frozenset()
    for line in text.splitlines():
        said = frozenset(words(line))
        if said:
            yield said
            if before:
                yield before | said
            before = said
