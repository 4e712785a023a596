"""Reads the words of shell commands in a text, as they were typed or as JSON quotes them. RE2 alone."""

from bowerbird.guard.automaton import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Quotes: single ones, double ones, and both behind the backslashes that one or two JSON strings put
# there.
_QUOTED = (
    r"(?:'[^'\n]*'|\"(?:[^\"\\\n]|\\[^\n])*\"|\\'[^'\\\n]*\\'"
    r"|\\\"(?:[^\"\\\n]|\\[^\"\\\n]|\\\\(?:\\\")?)*\\\"|\\\\\\\"(?:[^\"\\\n]|\\[^\"\\\n])*\\\\\\\")"
)
# A character outside of quotes; an apostrophe in an English word opens nothing.
_BARE = r"(?:[A-Za-z]'(?:t|s|re|ve|ll|d|m)\b|\\\\|\\[^\s\"'nr\\]|[^\s\"'`|;&<>()\\])"
# Within a word a quote opens after one of these, and in an option anywhere.
_OPENS = r"[=:,@/+%{\[$]"
_WORD = (
    rf"-(?:{_QUOTED}|{_BARE})+|{_QUOTED}+(?:{_OPENS}{_QUOTED}|{_BARE})*"
    rf"|(?:{_OPENS}{_QUOTED}|{_BARE})+"
)
# A line that goes on, in the shell and in JSON; then what ends a command; then words.
_TOKEN = rf"\\\r?\n|\\\\\\n|(<<<|<<|>>|\|\||&&|[|&;<>()`\n]|\\[nr])|({_WORD})"
# Between these the text is words between blanks, which are split six times as fast as matched.
_MARKS = b"'\"`\\|;&<>()\n"
_MARK = b"\n"
_BLANKS = b" \t\r\f"
# Each byte as a mark, a blank or a letter.
_SHAPE = bytes(
    _MARK[0] if byte in _MARKS else b" "[0] if byte in _BLANKS else b"x"[0] for byte in range(256)
)
_BACKSLASH = 0x5C
_BRACKET = 0x5B
_QUOTES = b"\"'"
_STDIN = b"<<<"
_BELOW = b"<<"
_PIPE = b"|"
# With these a word begins or ends that may be one of a list.
_LISTS = b"[{}],"
_FROM_COMMAND = b"< <"
_ENDS = frozenset((b"|", b"||", b"&&", b"&", b";", b"(", b")", b"`", b"\n", b"\\n", b"\\r"))
# A line reaches this many bytes before what was found in it, and this many beyond.
_BEFORE = 1024
_BEYOND = 4096
_LINE_ENDS = (b"\n", b"\\n")
_CLOSES = r'[^\\]"'
# Brackets within brackets that are kept apart: what is deeper is text, and costs no more than that.
_MOST_OPEN = 8
# An item of a list in JSON.
_ITEM = r'"(?:[^"\\\n]|\\[^\n])*"'
_SEPARATORS = b"|;&`\"'("


class Command:
    """A simple command: the spans of its words, and of what it is given as input.

    `fed` are the commands whose output it reads, and `below` says that the lines below are its input.
    `into` is the command in whose words its output stands, `$(…)` or `<(…)`, behind `behind` of them.
    """

    __slots__ = ("behind", "below", "fed", "given", "into", "target", "words")

    def __init__(self, into: "Command | None" = None) -> None:
        self.words: list[tuple[int, int]] = []
        self.given: tuple[int, int] | None = None
        self.target: tuple[int, int] | None = None
        self.fed: list[Command] = []
        self.below = False
        self.into = into
        self.behind = len(into.words) if into else 0


def line_around(data: bytes, at: int, start: int, stop: int) -> tuple[int, int]:
    """The bounds of the command line around a place, continued lines included, and never long.

    In JSON the line ends of a string count.
    """
    first, last = max(start, at - _BEFORE), min(stop, at + _BEYOND)
    begin, end = _line(data, first, at, last, (b"\n",))
    far = begin == first > start
    if far or data[begin : begin + _BEFORE].lstrip()[:1] in (b"{", b"[", b'"'):
        begin, end = _line(data, begin, at, end, _LINE_ENDS)
        far = far and begin == first
        if data[begin - 2 : begin] == b"\\n":
            # Within a string: it ends at the next quote, and behind that the quotes are as they look.
            closed = pattern(_CLOSES).search(data, begin - 1, end)
            place = closed.end() - 1 if closed else end
            begin, end = (place + 1, end) if place < at else (begin, place)
    if far:
        # The line began out of reach, so nobody knows which quotes are open: begin at the nearest end.
        begin = max(data.rfind(bytes((one,)), first, at) for one in _SEPARATORS) + 1 or at
        if data[begin - 1 : begin] == b'"' and data[begin - 2 : begin - 1] != b"\\":
            closed = pattern(_CLOSES).search(data, begin, end)
            end = closed.end() - 1 if closed else end
    return begin, max(end, at)


def _line(data: bytes, first: int, at: int, last: int, ends: tuple[bytes, ...]) -> tuple[int, int]:
    """The line around a place: a line end behind a backslash ends nothing."""
    begin, before = first, at
    while True:
        place, size = max((data.rfind(one, first, before), len(one)) for one in ends)
        if place < 0:
            break
        if data[place - 1 : place] != b"\\" or place == first:
            begin = place + size
            break
        before = place
    after = at
    while True:
        found = [place for one in ends if (place := data.find(one, after, last)) >= 0]
        end = min(found, default=last)
        if end == last or data[end - 1 : end] != b"\\":
            return begin, end
        after = end + 1


def line_below(data: bytes, end: int, stop: int) -> tuple[int, int]:
    """The bounds of the line behind one that ends at a place."""
    for mark in _LINE_ENDS:
        if data.startswith(mark, end):
            begin = end + len(mark)
            _, end = _line(data, begin, begin, min(stop, begin + _BEFORE), (mark,))
            return begin, end
    return end, end


def commands(data: bytes, start: int, stop: int) -> "list[Command]":
    """The commands of a line, in order."""
    parsed = _Commands(data)
    for begin, end, is_word in _tokens(data, start, stop):
        if is_word:
            # Most words are only that.
            if parsed.plain and data[begin] not in _LISTS and data[end - 1] not in _LISTS:
                parsed.now.words.append((begin, end))
            else:
                parsed.word(begin, end)
        else:
            parsed.mark(begin, data[begin:end])
    return parsed.found


class _Commands:
    """The commands of a line while it is read, with the brackets that are open."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.now = Command()
        self.found = [self.now]
        self._to = b""
        # Whether the next word belongs to a command that has one.
        self.plain = False
        # Of each open bracket: what closes it, the command that goes on behind it, and how many were
        # found before it.
        self._open: list[tuple[bytes, Command | None, int]] = []
        # The commands whose output a pipe takes.
        self._last: list[Command] = []

    def word(self, begin: int, end: int) -> None:
        """Adds a word, or what a mark before it makes of that."""
        to, self._to = self._to, b""
        self._last = []
        if not to and not self.now.words and self.data[begin:end] == b"{":
            self._opened(b"}", None)
            self._next(Command())
            return
        if not to and not self.now.words and self.data[begin:end] == b"}":
            self._close(b"}")
            return
        spans = list(_listed(self.data, begin, end))
        if to == _STDIN:
            self.now.given = spans[0]
        elif to == _BELOW:
            self.now.below = True
        elif to in (b">", b">>"):
            self.now.target = spans[0]
        elif not to:
            self.now.words += spans
        self.plain = bool(self.now.words)

    def mark(self, at: int, mark: bytes) -> None:
        """Ends a command, opens or closes a bracket, or says what the next word is."""
        self.plain = False
        if mark == b"(":
            self._bracket(at)
        elif mark == b"`" and not (self._open and self._open[-1][0] == mark):
            self._begin(Command(self.now), mark, self.now)
        elif mark in (b")", b"`"):
            self._close(mark)
        elif mark in _ENDS:
            fed = self._last or [self.now]
            self._next(Command())
            self.now.fed = fed if mark == _PIPE else []
        else:
            # `< <(…)`: from a command, as from a file.
            self._to = _FROM_COMMAND if self._to == mark == b"<" else mark

    def _bracket(self, at: int) -> None:
        to, self._to = self._to, b""
        before = self.data[at - 1 : at]
        if to == _FROM_COMMAND:
            inner = Command()
            self.now.fed = [inner]
            self._begin(inner, b")", self.now)
        elif (to == b"<" and before == b"<") or (before == b"$" and self.now.words):
            self._begin(Command(self.now), b")", self.now)
        else:
            self._opened(b")", None)
            self._next(Command())

    def _begin(self, inner: Command, closing: bytes, outer: Command) -> None:
        self._opened(closing, outer)
        self._next(inner)

    def _opened(self, closing: bytes, outer: "Command | None") -> None:
        if len(self._open) < _MOST_OPEN:
            self._open.append((closing, outer, len(self.found)))

    def _close(self, mark: bytes) -> None:
        self._to = b""
        if not self._open or self._open[-1][0] != mark:
            self._next(Command())
            return
        _, outer, count = self._open.pop()
        if outer:
            self.now = outer
            self._last = []
        else:
            inside = self.found[count:]
            self._next(Command())
            self._last = [one for one in inside if one.words]

    def _next(self, command: Command) -> None:
        self._to = b""
        self._last = []
        self.now = command
        self.found.append(command)


def _tokens(data: bytes, start: int, stop: int) -> "Iterator[tuple[int, int, bool]]":
    """The spans of words and of what ends commands or redirects them, and whether it is a word."""
    shape = data[start:stop].translate(_SHAPE)
    at = 0
    while at < len(shape):
        mark = shape.find(_MARK, at)
        # The word in which the mark is begins here.
        marked = max(at, shape.rfind(b" ", at, mark) + 1) if mark >= 0 else len(shape)
        for word in shape[at:marked].split(b" "):
            if word:
                yield start + at, start + at + len(word), True
            at += len(word) + 1
        if mark < 0:
            return
        token = pattern(_TOKEN).search(data, start + marked, stop)
        if token is None:
            return
        begin, end = token.span(2)
        if begin >= 0:
            yield begin, end, True
        else:
            begin, end = token.span(1)
            if begin >= 0:
                yield begin, end, False
        at = token.end() - start


def quoted(data: bytes, begin: int, end: int) -> "Iterator[tuple[int, int]]":
    """The quoted parts of a word that hold several words themselves, without their quotes."""
    for part in pattern(_QUOTED).finditer(data, begin, end):
        inner = bare(data, *part.span())
        if b" " in data[inner[0] : inner[1]]:
            yield inner


def bare(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """A word or a part of one without the quotes around it."""
    # $'…' is quoted, too.
    if data[begin : begin + 2] == b"$'":
        begin += 1
    left = begin
    while left < end and data[left] == _BACKSLASH:
        left += 1
    if left < end and data[left] in _QUOTES and data[end - 1] == data[left]:
        slashes = left - begin
        if end - 1 - slashes > left:
            return left + 1, end - 1 - slashes
    return begin, end


def _listed(data: bytes, begin: int, end: int) -> "Iterator[tuple[int, int]]":
    """A word, or the words of a list that is written without blanks: ["mysql","-pV"]."""
    at = data.find(b'["', begin, end)
    if at >= 0 and data.find(b'","', at, end) >= 0:
        for part in pattern(_ITEM).finditer(data, at, end):
            yield part.span()
        return
    yield _unlisted(data, begin, end)


def _unlisted(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """A word without the brackets and commas that stand around it in a list."""
    if data[begin] == _BRACKET and data[begin + 1 : begin + 2] in (b'"', b"'"):
        begin += 1
    while end - begin > 1 and data[end - 1] in b",]" and data[end - 2] in b"\"'],":
        end -= 1
    return begin, end
