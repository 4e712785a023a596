"""Finds known cures for the error of a failed call."""

import re

from bowerbird.agent.inject.matching import by_words
from bowerbird.agent.inject.selection import BETWEEN, ENVELOPE, fitting, trusted
from bowerbird.agent.inject.waivers import Cured
from bowerbird.agent.observe.fingerprint import fingerprint
from bowerbird.core.injected import CURE, Injection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from bowerbird.agent.inject.selection import Sure
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry

# Kinds of memories that hold cures.
_CURING = ("error_pattern", "gotcha")
_MOST_CURES = 2
# At most this many of a project are read, and all are compared: 55 after 156 sessions, which takes 5 ms.
# Querying the store by the words of six lines took 30 to 250 ms at 100,000 entries.
_MOST_READ = 200
# Minimum words of a message without its names and numbers: shorter ones ("exit status") are too general.
FEWEST_WORDS = 4
# Minimum characters and words of a message that a memory quotes: commands (`git checkout`, `go test
# ./...`) are shorter, and any output may contain one.
_FEWEST_QUOTED, _FEWEST_QUOTED_WORDS = 15, 2
_QUOTED = r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|'([^'\n]{12,})'"
# Lines of an error that are examined, and how many of them become queries.
_LINES, _ASKED = 200, 6
_LONGEST_LINE = 300
# The prefix that task runners put before each line: `[lint] a.go:1:2: …`.
_TASK = r"^\[[\w:-]+\]\s+"
# Lines with a location in a file, or with a word of an error.
_INFORMATIVE = r"(?i):\d+:|\b(?:error|failed|cannot|denied|refused|not found)\b"
# The name of an error, and the specific parts of its line: a number that is not a line number, and what
# it quotes. A person's note on an error contains one of these, seldom the exact words.
_ERROR_NAME = r"\b[A-Z]\w+(?:Error|Exception)\b"
_OWN = r"(?<![\w:.])\d{3,}(?![\w.])|'([^'\s]{3,})'|\"([^\"\s]{3,})\"|`([^`\s]{3,})`"
# A part of a quotation that shows that it is code and not a message: any output may contain `if err !=
# nil {`.
_CODE = r"[{};]$|:=|[!=]=|=>|->"


class Message:
    """A line of an error, with the part that is the same in every file."""

    __slots__ = ("low", "names", "own", "print", "whole")

    def __init__(self, line: str) -> None:
        self.low = line.lower()
        self.names = re.findall(_ERROR_NAME, line)
        found = re.finditer(_OWN, line) if self.names else ()
        self.own = [next(filter(None, (*one.groups(), one.group()))) for one in found]
        self.print = fingerprint(line)
        self.whole = f" {self.print} " if len(self.print.split()) >= FEWEST_WORDS else ""


class ErrorMatcher:
    """The errors that a memory is about.

    Names, numbers and locations are ignored, as the same error comes in another file, except where the
    memory contains the error's name. A quoted part of the `command` that failed is not a message.
    """

    __slots__ = ("_names", "_quoted", "_text", "_words")

    def __init__(self, text: str, command: str = "") -> None:
        self._text = text
        self._names = {*re.findall(_ERROR_NAME, text)}
        self._words = f" {fingerprint(text)} "
        found = (next(filter(None, one.groups())) for one in re.finditer(_QUOTED, text))
        known = command.lower()
        self._quoted = [
            one for part in found if (one := part.strip().lower()) not in known and _is_message(one)
        ]

    @property
    def specific(self) -> bool:
        """Whether it quotes a message or contains the name of an error."""
        return bool(self._quoted or self._names)

    def of(self, message: Message) -> bool:
        """Return whether it has a message, quotes it, or its error's name and a specific part."""
        if message.whole and message.whole in self._words:
            return True
        if not self._names.isdisjoint(message.names) and any(
            self._holds(one) for one in message.own
        ):
            return True
        return any(one in message.low for one in self._quoted)

    def _holds(self, own: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(own)}(?!\w)", self._text) is not None


def cure(
    memory: "Recall", error: str, command: str, seen: "Collection[str]", sure: "Sure"
) -> Injection:
    """Return known cures of an error, by its message alone: the command may be a different one."""
    lines = without_tasks(error)
    messages = _messages(lines)
    ranks: dict[str, int] = {}
    found: list[Entry] = []
    for known in _known(memory, messages):
        for one in known:
            if one.id in seen or one.id in ranks:
                continue
            matcher = ErrorMatcher(one.text, command)
            cured = Cured(one.text)
            turn = next(
                (
                    n
                    for n, message in enumerate(messages)
                    if matcher.of(message) and cured.helps(lines, message.print)
                ),
                None,
            )
            if turn is not None and sure(entry := memory.get(one.id)):
                ranks[one.id] = turn
                found.append(entry)
        if len(found) >= _MOST_CURES:
            break
    found.sort(key=lambda one: ranks[one.id])
    items = fitting(found, seen, BETWEEN - ENVELOPE, _MOST_CURES)
    reasons = {one.id: "is about this error" for one in items}
    return Injection(CURE, "What is known of this error.", items, reasons=reasons)


def without_tasks(error: str) -> list[str]:
    """Return the examined lines of an error, without the prefix of a task runner."""
    raw = error.splitlines()[:_LINES]
    return [re.sub(_TASK, "", one.strip()).strip()[:_LONGEST_LINE] for one in raw]


def _messages(lines: "Sequence[str]") -> list[Message]:
    """Return the candidate lines of an error without duplicates, those with a location or error first."""
    known: dict[str, str] = {}
    for line in lines:
        print_ = fingerprint(line)
        if len(print_.split()) >= _FEWEST_QUOTED_WORDS:
            known.setdefault(print_, line)
    first = sorted(known.values(), key=lambda line: not re.search(_INFORMATIVE, line))
    return [Message(line) for line in first]


def _known(memory: "Recall", messages: "Sequence[Message]") -> "Iterator[Iterable[Entry]]":
    """Yield the memories that may match some messages: all of a project, or those that share words."""
    if not messages:
        return
    some = memory.list(kinds=_CURING, memories_only=True, min_trust="normal", limit=_MOST_READ + 1)
    entries = [*some]
    if len(entries) <= _MOST_READ:
        yield filter(trusted, entries)
        return
    # Line by line, without names and locations: otherwise words that several lines share would outweigh
    # those of a single line.
    for message in messages[:_ASKED]:
        yield [hit.entry for hit in by_words(memory, message.print, _CURING)]


def _is_message(quoted: str) -> bool:
    long = len(quoted) >= _FEWEST_QUOTED and len(quoted.split()) >= _FEWEST_QUOTED_WORDS
    return long and bool(fingerprint(quoted)) and not re.search(_CODE, quoted)
