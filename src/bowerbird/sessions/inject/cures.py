"""Finds known cures for the error of a failed call.

A record of a cure (agent.learn.cure_records) is found by the prints of its errors. Any other memory on an
error was written by a person or an agent; it is found by what it quotes and names.
"""

import builtins
import re

from bowerbird.core.injected import CURE, Injection
from bowerbird.sessions.inject.selection import BETWEEN, ENVELOPE, by_words, fitting, trusted
from bowerbird.sessions.inject.validity import gone
from bowerbird.sessions.inject.waivers import Cured
from bowerbird.sessions.observe.errors import (
    ERROR_NAME,
    exact_print,
    general_form,
    general_print,
    lines,
    message,
    subject_print,
    test_print,
)
from bowerbird.sessions.observe.fingerprint import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.selection import Sure

# Kinds of memories that hold cures, and those that warn of what failed.
_CURING = ("error_pattern", "gotcha", "dead_end")
_MOST_CURES = 2
# At most this many of a project are read, and all are compared: 55 after 156 sessions, which takes 5 ms.
# Querying the store by the words of six lines took 30 to 250 ms at 100,000 entries.
_MOST_READ = 200
# Minimum words of a message without its names and numbers: shorter ones ("exit status") are too general.
FEWEST_WORDS = 4
# Minimum characters and words of a message that a memory quotes: commands (`git checkout`, `go test
# ./...`) are shorter, and any output may contain one.
_FEWEST_QUOTED = 15
_FEWEST_QUOTED_WORDS = 2
_QUOTED = r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|'([^'\n]{12,})'"
# Lines that become queries, in a project with more memories on errors than are read.
_ASKED = 6
# Lines with a location in a file, or with a word of an error.
_INFORMATIVE = r"(?i):\d+:|\b(?:error|failed|cannot|denied|refused|not found)\b"
# What shells and systems say of an error instead of a name.
_PHRASES = r"(?i)command not found|connection refused|permission denied|address already in use"
# The specific parts of an error's line: a number that is not a line number, what it quotes, a file's
# name, and what a shell did not find. A person's note contains one of these, seldom the exact words.
_OWN = (
    r"(?:(?<![\w:.])|(?<=localhost:)|(?<=\d\.\d:))(?P<number>\d{3,5})(?![\w.])|'([^'\s]{3,})'"
    r"|\"([^\"\s]{3,})\"|`([^`\s]{3,})`|(?P<file>[\w-]+\.[a-z]\w{1,4})\b"
    r"|(?P<program>[\w.+-]{2,})(?=: command not found)|(?<=not found: )(?P<other>[\w.+-]{2,})"
)
# A part of a quotation that shows that it is code and not a message: any output may contain `if err !=
# nil {`.
_CODE = r"[{};]$|:=|[!=]=|=>|->"


class Message:
    """A line of an error, with its prints and the part that is the same in every file.

    `prints` are all by which it is the same error: the exact one, those of its subject and its test.
    """

    __slots__ = ("exact", "general", "low", "names", "own", "print", "prints", "text", "whole")

    def __init__(self, line: str) -> None:
        self.text = line
        self.low = line.lower()
        self.names = _names(line)
        self.own = [
            next(filter(None, one.groups())) for one in re.finditer(_OWN, line) if self.names
        ]
        self.print = fingerprint(line)
        self.whole = f" {self.print} " if len(self.print.split()) >= FEWEST_WORDS else ""
        self.exact = exact_print(line)
        self.prints = frozenset((self.exact, subject_print(line), test_print(line))) - {""}
        self.general = general_print(line)


class ErrorMatcher:
    """The errors that a memory is about.

    Where it has no prints its text counts. Names, numbers and locations are ignored then, as the same
    error comes in another file, except where the memory contains the error's name. A quoted part of the
    `command` that failed is not a message.
    """

    __slots__ = ("_exact", "_forms", "_names", "_quoted", "_text", "_words")

    def __init__(
        self, text: str, command: str = "", payload: "Mapping[str, Any] | None" = None
    ) -> None:
        prints = payload or {}
        self._exact = frozenset(prints.get("errors", ()))
        self._forms = frozenset(prints.get("error_forms", ()))
        # The text of a record says what was done, and not what the error was.
        self._text = "" if self._exact else text
        self._names = _names(self._text)
        self._words = f" {fingerprint(self._text)} "
        found = (next(filter(None, one.groups())) for one in re.finditer(_QUOTED, self._text))
        known = command.lower()
        self._quoted = [
            one for part in found if (one := part.strip().lower()) not in known and _is_message(one)
        ]

    @property
    def specific(self) -> bool:
        """Whether it has prints, quotes a message or contains the name of an error."""
        return bool(self._exact or self._quoted or self._names)

    def of(self, message: Message) -> bool:
        """Return whether it is about a message: by its prints, its words, or its name and a part."""
        if self._exact:
            return not self._exact.isdisjoint(message.prints) or message.general in self._forms
        if message.whole and message.whole in self._words:
            return True
        shared = self._names & message.names
        if any(_is_own_name(one) for one in shared):
            return True
        if shared and any(self._holds(one) for one in message.own):
            return True
        # A code that stands alone is all that the line says.
        if any(one.lower() == message.low for one in shared):
            return True
        return any(one in message.low for one in self._quoted)

    def _holds(self, own: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(own)}(?!\w)", self._text) is not None


def cure(
    memory: "Recall",
    error: str,
    command: str,
    seen: "Collection[str]",
    sure: "Sure",
) -> Injection:
    """Return known cures of an error, by its message alone: the command may be a different one.

    A record of what was done needs no confidence. A dead end is also found by the command that failed.
    """
    examined = lines(error)
    messages = _messages(examined)
    ranks: dict[str, int] = {}
    found: list[Entry] = []
    for known in _known(memory, messages):
        for one in known:
            if one.id in seen or one.id in ranks:
                continue
            turn = _turn(one, messages, examined, command)
            if turn is None:
                continue
            entry = memory.get(one.id)
            if _applies(entry) if is_record(entry) else sure(entry):
                ranks[one.id] = turn
                found.append(entry)
        if len(found) >= _MOST_CURES:
            break
    found.sort(key=lambda one: ranks[one.id])
    items = fitting(found, seen, BETWEEN - ENVELOPE, _MOST_CURES)
    reasons = {one.id: "is about this error" for one in items}
    chosen = {one.id for one in items}
    records = all(is_record(one) for one in found if one.id in chosen)
    about = (
        "This error was met before; what was done then, as a record and not as an instruction."
        if records
        else "What is known of this error."
    )
    return Injection(CURE, about, items, reasons=reasons)


def is_record(entry: "Entry") -> bool:
    """Return whether a memory is a learned record of a cure."""
    learned = entry.details is not None and "learned" in entry.details.fields.metadata
    return learned and "errors" in payload_of(entry)


def payload_of(entry: "Entry") -> "dict[str, Any]":
    """Return the payload of an entry; empty if it has none."""
    return (entry.details.fields.payload if entry.details is not None else None) or {}


def _applies(record: "Entry") -> bool:
    """Return whether a record may help now: its file is there, or it is about a rule of any file."""
    return "error_forms" in payload_of(record) or not gone(record)


def is_about(entry: "Entry", text: str) -> bool:
    """Return whether a learned memory on an error is about an error line of a text."""
    matcher = ErrorMatcher(entry.text, payload=payload_of(entry))
    return any(matcher.of(Message(line)) for line in lines(text) if _may_match(line))


def _turn(
    entry: "Entry", messages: "Sequence[Message]", examined: "Sequence[str]", command: str
) -> int | None:
    """Return the number of the first message that a memory is about; None if there is none."""
    payload = payload_of(entry)
    if command and payload.get("command") == command:
        return 0
    matcher, cured = ErrorMatcher(entry.text, command, payload), Cured(payload)
    for number, one in enumerate(messages):
        if matcher.of(one) and cured.helps(examined, one.text, one.exact):
            return number
    return None


def _messages(examined: "Sequence[str]") -> list[Message]:
    """Return the candidate lines of an error without duplicates, those with a location or error first."""
    known: dict[tuple[str, ...], str] = {}
    for line in examined:
        if _may_match(line):
            prints = (fingerprint(line), exact_print(line), test_print(line))
            known.setdefault(prints, line)
    first = sorted(known.values(), key=lambda line: not re.search(_INFORMATIVE, line))
    return [Message(line) for line in first]


def _may_match(line: str) -> bool:
    enough = len(fingerprint(line).split()) >= _FEWEST_QUOTED_WORDS
    return enough or bool(message(line) or test_print(line))


def _known(memory: "Recall", messages: "Sequence[Message]") -> "Iterator[Iterable[Entry]]":
    """Yield the memories that may match: the newest of a project, then older ones that share words."""
    if not messages:
        return
    some = memory.list(
        kinds=_CURING, memories_only=True, min_trust="normal", coming=False, limit=_MOST_READ + 1
    )
    entries = [*some]
    yield filter(trusted, entries[:_MOST_READ])
    if len(entries) <= _MOST_READ:
        return
    # Line by line, without names and locations: otherwise words that several lines share would outweigh
    # those of a single line.
    for one in messages[:_ASKED]:
        yield [hit.entry for hit in by_words(memory, one.print, _CURING)]


def _names(text: str) -> frozenset[str]:
    """Return the names of errors in a text, and what stands for a name."""
    phrases = (one.lower() for one in re.findall(_PHRASES, text))
    return frozenset((*re.findall(ERROR_NAME, text), *phrases))


def _is_own_name(name: str) -> bool:
    """Return whether an error's name is a project's own: not of a language or an operating system."""
    known = hasattr(builtins, name) or name in _COMMON or not name.endswith(("Error", "Exception"))
    return not known


# Names of errors in other languages that every project meets, besides those that Python has, too.
_COMMON = frozenset(
    "Error Exception ReferenceError RangeError URIError EvalError AggregateError"
    " InternalError StandardError"
    " NoMethodError ArgumentError LoadError NullPointerException RuntimeException"
    " IllegalArgumentException"
    " IllegalStateException IOException ClassNotFoundException InvalidOperationException"
    " ArgumentException"
    " NullReferenceException NotImplementedException SQLException HTTPError RequestException"
    " JSONDecodeError"
    " OperationalError ProgrammingError IntegrityError ValidationError DatabaseError"
    " HttpException".split()
)


def _is_message(quoted: str) -> bool:
    long = len(quoted) >= _FEWEST_QUOTED and len(quoted.split()) >= _FEWEST_QUOTED_WORDS
    return long and bool(general_form(quoted)) and not re.search(_CODE, quoted)
