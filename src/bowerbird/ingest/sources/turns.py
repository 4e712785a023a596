"""Turns of a conversation as pieces, for all readers of conversations."""

import json
import re
import time
from collections import Counter
from itertools import islice

from bowerbird.core.calendar import ENGLISH_DAYS, ENGLISH_MONTHS
from bowerbird.core.document import Piece
from bowerbird.core.text import clean
from bowerbird.ingest.bounds import MOST_PASSAGES, MOST_TURNS
from bowerbird.ingest.chunk import cut_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# Characters kept of a tool call and of its result: enough to find the moment again.
_CALL_CHARS = 200
_RESULT_CHARS = 300
# The arguments that say what a tool call was about, the most informative first.
_INFORMATIVE = (
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "pattern",
    "query",
    "url",
    "prompt",
    "description",
)

_INNER_SPACE = re.compile(r"(?<=\S)(?:[ \t\u00a0]{2,}|[\t\u00a0])")
# Of bounded length, else a long word would be scanned again for each piece of the turn.
_NAME = re.compile(r"([A-Z][\w'-]{0,40}(?: [A-Z][\w'-]{0,40})?): ")
_BLANK_LINES = re.compile(r"\n\s*\n")


class Turn:
    """One speaker's uninterrupted text, and its lines in the file.

    `note` marks a special turn, such as a summary that replaced earlier turns. `trust` limits it, and the
    trust of a part that part; empty: it does not.
    """

    __slots__ = ("end_line", "note", "occurred", "parts", "speaker", "start_line", "trust")

    def __init__(
        self, speaker: str, line: int, occurred: int | None = None, note: str = ""
    ) -> None:
        self.speaker = speaker
        self.start_line = line
        self.end_line = line
        self.occurred = occurred
        self.note = note
        self.trust = ""
        # Each text with its trust.
        self.parts: list[tuple[str, str]] = []

    def say(self, text: str, line: int | None = None, trust: str = "") -> None:
        """Adds text; with `line`, the turn extends to that line of the file."""
        if line is not None:
            self.end_line = max(self.end_line, line)
        if text and not text.isspace():
            self.parts.append((text, trust))


class Turns:
    """The turns of a file, in order, up to a maximum; `cut` is True if there were more."""

    def __init__(self) -> None:
        self.cut = False
        self._turns: list[Turn] = []

    def new(self, speaker: str, line: int, occurred: int | None = None, note: str = "") -> Turn:
        """Creates a turn, which is kept unless there are too many."""
        turn = Turn(speaker, line, occurred, note)
        if len(self._turns) < MOST_TURNS:
            self._turns.append(turn)
        else:
            self.cut = True
        return turn

    @property
    def last(self) -> Turn | None:
        """The last turn."""
        return self._turns[-1] if self._turns else None

    def pieces(self) -> list[Piece]:
        """The pieces of all turns, at most one more than the maximum."""
        return list(islice(_pieces(self._turns), MOST_PASSAGES + 1))


def _pieces(turns: list[Turn]) -> "Iterator[Piece]":
    """The pieces of turns in order; a turn without text gives none.

    Their context contains the day in words, so that "in May" finds what was said in May: on LoCoMo
    questions that hold a date, R@10 rises from .72 to .87.
    """
    for turn in turns:
        # Replaces the parts: keeping both would take twice the memory.
        turn.parts = _by_trust(turn)
    names = _names(text for turn in turns for text, _ in turn.parts[:1])
    for turn in turns:
        context = " · ".join(filter(None, (turn.note, day(turn.occurred))))
        lines = turn.start_line, turn.end_line
        for text, trust in turn.parts:
            speaker = _named(turn.parts[0][0], names) or turn.speaker
            for part in cut_message(text):
                yield Piece(part, *lines, context, speaker, turn.occurred, trust)


def _by_trust(turn: Turn) -> list[tuple[str, str]]:
    """The texts of a turn, joined by their trust."""
    groups: dict[str, list[str]] = {}
    for text, trust in turn.parts:
        groups.setdefault(turn.trust or trust, []).append(text)
    return [(normal("\n\n".join(texts)), trust) for trust, texts in groups.items()]


def _names(texts: "Iterable[str]") -> set[str]:
    """Speaker names as in ``Caroline: Hey``: those that begin at least two turns."""
    counts = Counter(found.group(1) for text in texts if (found := _NAME.match(text)))
    return {name for name, count in counts.items() if count > 1}


def _named(text: str, names: set[str]) -> str:
    found = _NAME.match(text)
    return found.group(1) if found and found.group(1) in names else ""


def day(occurred: int | None) -> str:
    """The day of a time in words, ``Monday 8 May 2023``, in UTC; empty for None."""
    if occurred is None:
        return ""
    moment = time.gmtime(occurred / 1000)
    weekday, month = ENGLISH_DAYS[moment.tm_wday], ENGLISH_MONTHS[moment.tm_mon - 1]
    return f"{weekday.title()} {moment.tm_mday} {month.title()} {moment.tm_year}"


def normal(text: str) -> str:
    """Text with single blanks inside lines and at most one blank line; indentation is kept."""
    spaced = _INNER_SPACE.sub(" ", clean(text)).replace(" \n", "\n")
    return _BLANK_LINES.sub("\n\n", spaced).strip()


def call(name: str, arguments: "Any") -> str:
    """A short form of a tool call: ``[tool Bash: make test]``."""
    shown = shorten(_said(arguments), _CALL_CHARS)
    return f"[tool {name}: {shown}]" if shown else f"[tool {name}]"


def result(text: str, *, failed: bool = False) -> str:
    """A short form of a tool result: ``[result: 3 passed]``."""
    shown = shorten(text, _RESULT_CHARS)
    return f"[{'error' if failed else 'result'}: {shown}]" if shown else ""


def shorten(text: str, limit: int) -> str:
    """The first `limit` characters on one line."""
    # Only the beginning is processed: results can be megabytes.
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def one_line(text: str) -> str:
    """A name or title on one line, of bounded length, cleaned."""
    return shorten(clean(text), _CALL_CHARS)


def text_of(content: "Any") -> str:
    """The text of a message's content: a string, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part if isinstance(part, str) else _part_text(part) for part in content)
    return "\n".join(text for text in texts if text)


def _part_text(part: "Any") -> str:
    if not isinstance(part, dict):
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""


def _said(arguments: "Any") -> str:
    if isinstance(arguments, str):
        return arguments
    if not isinstance(arguments, dict):
        return ""
    for name in _INFORMATIVE:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value:
            return " ".join(part for part in value if isinstance(part, str))
    try:
        return json.dumps(arguments, ensure_ascii=False) if arguments else ""
    except (ValueError, RecursionError):
        return ""
