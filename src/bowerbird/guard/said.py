"""Reads what commands say to others: echo's words, here-strings, lines that tell a server a secret."""

from bowerbird.guard import command_words as words
from bowerbird.guard.automaton import pattern
from bowerbird.guard.shell import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.guard.shell import Command

    Span = tuple[int, int]

# Ends of an option's name behind which a command follows that prints the password, or a file.
_TAILS = ("command", "cmd", "eval", "-file", "-fd")
# Words of a line by which a server is told a secret, with a user's name.
_BOTH = 3
_MOST_TOLD = 4
# A line end in a string of the shell, of JSON or of screen.
_LINE_END = r"\\{1,2}[rn]|\^M"
_LINE_END_SIGNS = (b"\\", b"^M")
_DASH = 0x2D
# Commands behind each other through which a word is followed.
_DEEPEST = 3


def without_tail(name: str) -> str:
    """The name of an option without what says that its value is a file, or a command that prints one."""
    for tail in _TAILS:
        name = name.removesuffix(tail)
    return name


def lines(data: bytes, span: "Span") -> "Iterator[Span]":
    """The lines of what is said: a line end is written as the shell's programs read it."""
    begin, end = span
    # Most have none, and to search costs ten times as much as to see that.
    if any(data.find(sign, begin, end) >= 0 for sign in _LINE_END_SIGNS):
        for mark in pattern(_LINE_END).finditer(data, *span):
            if mark.start() > begin:
                yield begin, mark.start()
            begin = mark.end()
    if end > begin:
        yield begin, end


def tells(line: str) -> bool:
    """Whether a line says a secret to a server, as its last word: AUTH V, USER ben V, a1 LOGIN ben V."""
    told = line.lower().split()
    if not 1 < len(told) <= _MOST_TOLD:
        return False
    return (
        told[0] in words.TELLS
        or (told[0] in words.TELLS_BOTH and len(told) >= _BOTH)
        or (told[1] in words.TELLS_BOTH and len(told) == _MOST_TOLD)
    )


def given(data: bytes, command: "Command") -> "list[Span]":
    """What a command reads from standard input, as far as the line says it."""
    if command.given is not None:
        return [bare(data, *command.given)]
    return [span for one in command.fed for span in said(data, one)]


def said(data: bytes, command: "Command", depth: int = 0) -> "list[Span]":
    """What echo and yes say, or the arguments of printf; and what goes through other programs."""
    for at, span in enumerate(command.words):
        begin, end = bare(data, *span)
        speaker = data[begin:end].decode("utf-8", "replace")
        if speaker in words.SPEAKERS:
            return _said_by(speaker, data, command.words[at + 1 :])
    if depth == _DEEPEST:
        return []
    if command.given is not None:
        return [bare(data, *command.given)]
    return [span for one in command.fed for span in said(data, one, depth + 1)]


def _said_by(speaker: str, data: bytes, spans: "list[Span]") -> "list[Span]":
    if speaker == "printf":
        # Behind a format its arguments.
        return [bare(data, *one) for one in spans[1:] or spans]
    while len(spans) > 1 and data[spans[0][0]] == _DASH:
        spans = spans[1:]
    if len(spans) > 1:
        return [(spans[0][0], spans[-1][1])]
    return [bare(data, *one) for one in spans]
