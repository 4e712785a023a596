"""The output page: its width, its colours, and the display width of characters.

Texts, names, settings and errors may contain sequences that move the cursor, rename a window or hide a
line. None of that reaches a stream: `emit` writes text for people, and lets no control character through
except the styles set by `Page.style`, recognised by a random mark.
"""

import os
import sys
import time
import unicodedata

from bowerbird.core.text import clean, one_line
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO, TypeVar

    Thing = TypeVar("Thing")

# If no terminal reports its width; wide enough for a path and a line of prose.
DEFAULT_COLUMNS = 100
# Longer lines of prose are hard to read, however wide the terminal.
MAX_COLUMNS = 120

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36, "match": "1;33"}
# Precedes the codes of a style until it is written.
_STYLED = f"\x1b{os.urandom(8).hex()}["
_HOUR = 3_600
# Words for the age of something, with the seconds from which they apply.
_AGES = (
    (60, 1, ""),
    (3_600, 60, "min"),
    (86_400, _HOUR, "h"),
    (86_400 * 60, 86_400, "day"),
    (86_400 * 730, 2_629_800, "month"),
)
_YEAR = 31_557_600
# Milliseconds.
_DAY = 86_400_000
# Seconds by which the clocks of two machines may differ before a time counts as future.
_SKEW = 60
# Extensions of files that have pages instead of lines.
_PAGED = ".pdf"


def columns_of(stream: "TextIO") -> int:
    """The width of a terminal; COLUMNS, then a default, if there is none."""
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        found = 0
    if not found:
        asked = os.environ.get("COLUMNS", "")
        found = int(asked) if asked.isdigit() else DEFAULT_COLUMNS
    return max(20, min(found, MAX_COLUMNS))


class Page(Record):
    """The stream that an answer is written to, as far as the format depends on it.

    `watched`: stderr is a terminal, so that a progress bar makes sense. `now` are UTC milliseconds, 0 for
    the clock's.
    """

    columns: int = DEFAULT_COLUMNS
    colour: bool = False
    unicode: bool = True
    quiet: bool = False
    verbose: bool = False
    watched: bool = False
    now: int = 0
    cwd: str = ""
    home: str = ""

    @classmethod
    def of(cls, stream: "TextIO", *, quiet: bool, verbose: bool) -> "Page":
        """The page for a stream of this process. Colours: a terminal, NO_COLOR unset, not dumb."""
        terminal = stream.isatty()
        colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        encoding = (getattr(stream, "encoding", "") or "").lower()
        try:
            cwd = os.getcwd()
        except OSError:  # the folder was deleted
            cwd = ""
        return cls(
            columns=columns_of(stream),
            colour=bool(colour),
            unicode=encoding.startswith("utf"),
            quiet=quiet,
            verbose=verbose,
            watched=sys.stderr.isatty(),
            cwd=cwd,
            home=os.path.expanduser("~"),
        )

    def style(self, text: str, *names: str) -> str:
        """The text in a style (bold, dim, red, green, yellow, cyan, match), if colours are on."""
        if not self.colour or not text:
            return text
        codes = ";".join(str(_CODES[name]) for name in names)
        return f"{_STYLED}{codes}m{text}{_STYLED}0m"

    def plain(self) -> "Page":
        """The same page without colours."""
        return self.replace(colour=False)

    def glyph(self, fancy: str, plain: str) -> str:
        """The first glyph if the stream can encode it, else the second."""
        return fancy if self.unicode else plain

    def bar(self, share: float, cells: int = 5) -> str:
        """A share of one as a small bar."""
        full = round(max(0.0, min(1.0, share)) * cells)
        on, off = self.glyph("■", "#"), self.glyph("□", ".")
        return self.style(on * full, "green") + self.style(off * (cells - full), "dim")

    @property
    def done(self) -> str:
        """The sign of success."""
        return self.style(self.glyph("✓", "*"), "green")

    def remedy(self, text: str) -> str:
        """A remedy, after an arrow."""
        return f"{self.glyph('→', '->')} {text}"

    def below(self, text: str, indent: str, *styles: str) -> list[str]:
        """A text wrapped into lines with that indent and style."""
        lines = wrap(text, self.columns - len(indent))
        return [indent + self.style(line, *styles) for line in lines]

    def some(self, several: "Sequence[Thing]", most: int) -> "tuple[Sequence[Thing], list[str]]":
        """The first `most` of several, all with --verbose, and a line about those left out."""
        if self.verbose or len(several) <= most:
            return several, []
        return several[:most], [f"and {len(several) - most:,} more (--verbose lists them)"]

    def facts(self, rows: "Iterable[tuple[str, str]]", width: int) -> list[str]:
        """Names with their values beside them: wrapped, not cut, since values may be copied.

        What is wrapped is indented further: a name may not forge the line of another.
        """
        lines = []
        for name, value in rows:
            first, *rest = wrap(value, max(20, self.columns - width - 2)) or [""]
            lines.append(self.style(f"{name:<{width}}", "dim") + first)
            lines += [" " * (width + 2) + line for line in rest]
        return lines

    def path(self, path: str) -> str:
        """A path as a person would type it from here: relative inside cwd, `~` for home."""
        path = one_line(path)
        for base, prefix in ((self.cwd, ""), (self.home, "~" + os.sep)):
            if base and base != os.sep and path.startswith(base + os.sep):
                return prefix + path[len(base) + 1 :]
        return path

    def absolute(self, path: str) -> str:
        """A path that holds wherever somebody stands, `~` for home."""
        home, path = self.home + os.sep, one_line(path)
        return "~" + os.sep + path[len(home) :] if len(home) > 1 and path.startswith(home) else path

    def location(self, path: str, start: int | None, end: int | None) -> str:
        """``path:12-30``, or ``path:12`` for a single line; of a PDF ``path p. 3``, its page."""
        shown = self.path(path)
        if start is None:
            return shown
        if path.lower().endswith(_PAGED):
            return f"{shown} p. {start}" if end in (None, start) else f"{shown} p. {start}-{end}"
        return f"{shown}:{start}" if end in (None, start) else f"{shown}:{start}-{end}"

    def age(self, moment: int) -> str:
        """The age of a UTC time in milliseconds; the date if it is in the future."""
        seconds = ((self.now or time.time_ns() // 1_000_000) - moment) // 1000
        if seconds < -_SKEW:
            return time.strftime("%Y-%m-%d", time.localtime(moment // 1000))
        for below, unit, name in _AGES:
            if seconds < below:
                if unit == _HOUR and moment % _DAY == 0:  # a day without a time, as notes give it
                    return time.strftime("%Y-%m-%d", time.gmtime(moment // 1000))
                return _ago(max(0, seconds) // unit, name)
        return _ago(seconds // _YEAR, "year")


def emit(stream: "TextIO", text: str) -> None:
    """Writes a text for people and flushes. Raises OSError."""
    stream.write(shown(text))
    stream.flush()


def shown(text: str) -> str:
    """A text with its styles, and without any other control character."""
    first, *styled = text.split(_STYLED)
    parts = [clean(first)]
    for part in styled:
        codes, end, rest = part.partition("m")
        parts += ["\x1b[", codes, end, clean(rest)]
    return "".join(parts)


def moment(at: int) -> str:
    """Local time, to the minute, of UTC milliseconds."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at // 1000))


def _ago(count: int, unit: str) -> str:
    if not unit:
        return "just now"
    many = "s" if count != 1 and unit not in ("h", "min") else ""
    return f"{count} {unit}{many} ago"


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one."""
    if count == 1:
        return f"1 {noun}"
    # Plurals: entry, entries; day, days.
    ends = noun.endswith("y") and noun[-2:-1] not in "aeou"
    return f"{count:,} {noun[:-1] + 'ie' if ends else noun}s"


def cells(text: str) -> int:
    """The columns that a text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    total = 0
    for char in text:
        if unicodedata.combining(char):
            continue
        total += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return total


def cut(text: str, width: int, ellipsis: str = "…") -> str:
    """One line of at most `width` columns, cut with an ellipsis."""
    text = " ".join(clean(text).split())
    if cells(text) <= width:
        return text
    kept, used = [], cells(ellipsis)
    for char in text:
        used += cells(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + ellipsis


def cut_front(text: str, width: int) -> str:
    """One line of at most `width` columns, cut at its beginning: the end of a path matters most."""
    return text if cells(text) <= width else cut(text[::-1], width)[::-1]


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns; line ends are kept, blank lines dropped.

    Words longer than a line, and scripts written without spaces, break anywhere.
    """
    lines: list[str] = []
    for source in clean(text).split("\n"):
        if source.strip():
            lines += _wrap_line(source.rstrip().expandtabs(4), width)
    return lines


def _wrap_line(source: str, width: int) -> list[str]:
    if cells(source) <= width:
        return [source]
    body = source.lstrip()
    indent = " " * min(len(source) - len(body), width // 3)
    lines: list[str] = []
    current, used = indent, len(indent)
    for word in body.split(" "):
        size = cells(word)
        if used > len(indent) and used + 1 + size <= width:
            current, used = f"{current} {word}", used + 1 + size
            continue
        if used > len(indent):
            lines.append(current)
            current, used = indent, len(indent)
        for char in word if len(indent) + size > width else ():
            if used + cells(char) > width:
                lines.append(current)
                current, used = indent, len(indent)
            current, used = current + char, used + cells(char)
        if len(indent) + size <= width:
            current, used = current + word, used + size
    return [*lines, current]


def table(rows: "Sequence[tuple[str, ...]]", right: tuple[int, ...] = ()) -> list[str]:
    """Rows as aligned lines, two spaces apart; the columns in `right` are set flush right."""
    if not rows:
        return []
    widths = [max(cells(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        padded = []
        for i, cell in enumerate(row):
            space = " " * (widths[i] - cells(cell))
            padded.append(space + cell if i in right else cell + space)
        lines.append("  ".join(padded).rstrip())
    return lines
