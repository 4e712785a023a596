"""Matches the patterns of ignore files as git does, in time linear in the path.

git's own matcher and Python's `re` take exponential time for a pattern of many stars, and one RE2 set of
all patterns takes too much memory. So each run of patterns with the same effect is one RE2 expression,
which reads characters where git reads bytes, and a file with unreasonably many patterns is refused.
"""

from itertools import groupby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# The author of the checkout writes them, who may be hostile. Long lists in use have a thousand lines.
# Each star, and each change between hiding and showing, makes every match slower.
_MOST_PATTERNS = 10_000
_MOST_STARS = 5_000
_MOST_TURNS = 500
_LONGEST = 1_000
# Maximum length of one expression; its program takes some hundred bytes of memory for each character.
_MOST_CHARS = 50_000
_MEMORY = 64 << 20
# Appended to a folder's path: no path contains it, and neither star nor class matches it.
_FOLDER = r"\x00"
_ANY = rf"[^/{_FOLDER}]"
# As ranges without the slash, which no character class matches.
_CLASSES = {
    "alnum": ("09", "AZ", "az"),
    "alpha": ("AZ", "az"),
    "blank": ("  ", "\t\t"),
    "cntrl": ("\0\x1f", "\x7f\x7f"),
    "digit": ("09",),
    "graph": ("!.", "0~"),
    "lower": ("az",),
    "print": (" .", "0~"),
    "punct": ("!.", ":@", "[`", "{~"),
    "space": ("\t\r", "  "),
    "upper": ("AZ",),
    "xdigit": ("09", "AF", "af"),
}


class TooMuchError(Exception):
    """The patterns exceed a limit; the message says which."""


class Patterns:
    """The patterns of a folder's ignore files; the last that matches decides. No lines hide nothing."""

    def __init__(self, lines: "Iterable[str]") -> None:
        """Raises TooMuchError."""
        patterns = []
        stars = 0
        for line in lines:
            pattern = parsed(line)
            if pattern is None:
                continue
            stars += line.count("*")
            patterns.append(pattern)
            if len(patterns) > _MOST_PATTERNS or stars > _MOST_STARS or len(line) > _LONGEST:
                raise TooMuchError(
                    f"more than {_MOST_PATTERNS:,} patterns, {_MOST_STARS:,} stars or {_LONGEST:,}"
                    " characters in one"
                )
        runs = [
            (hides, part)
            for hides, run in groupby(reversed(patterns), lambda pattern: pattern[0])
            for part in _parts([expression for _, expression in run])
        ]
        if len(runs) > _MOST_TURNS:
            raise TooMuchError(f"over {_MOST_TURNS} turns between hiding and showing")
        self._runs = [(hides, _compiled(part)) for hides, part in runs]

    def __bool__(self) -> bool:
        return bool(self._runs)

    def verdict(self, path: str) -> bool | None:
        """Whether a path below the folder is hidden; a folder's path ends in /.

        None: no pattern matches.
        """
        encoded = path.removesuffix("/").encode("utf-8", "replace")
        encoded += b"\0" if path.endswith("/") else b""
        return next((hides for hides, run in self._runs if run.fullmatch(encoded)), None)


def parsed(line: str) -> tuple[bool, str] | None:
    """Whether a line hides, and its expression; None for a line without effect."""
    line = _trimmed(line)
    if not line or line.startswith("#"):
        return None
    hides = not line.startswith("!")
    line = line if hides else line[1:]
    only_folders = line.endswith("/")
    glob = line.removesuffix("/")
    anchored = "/" in glob
    expression = _expression(glob.removeprefix("/"), anchored=anchored)
    if not expression:
        return None
    start = "" if anchored else "(?:.*/)?"
    return hides, f"{start}{expression}{_FOLDER if only_folders else _FOLDER + '?'}"


def _trimmed(line: str) -> str:
    """A line without its trailing blanks, unless a backslash escapes them."""
    bare = line.rstrip(" ")
    kept = len(bare) < len(line) and (len(bare) - len(bare.rstrip("\\"))) % 2
    return bare + " " if kept else bare


def _expression(glob: str, *, anchored: bool) -> str:
    """The expression of a glob; empty if it cannot match anything."""
    parts = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == "*":
            end = at
            while glob[end : end + 1] == "*":
                end += 1
            begins = at == 0 or glob[at - 1] == "/"
            two = anchored and end == at + 2 and begins
            if two and end == len(glob):
                parts.append(".+")
            elif two and glob[end] == "/":
                parts.append("(?:.*/)?")
                end += 1
            else:
                parts.append(f"{_ANY}*")
            at = end
        elif char == "[":
            found, at = _class(glob, at + 1)
            if not found:
                return ""
            parts.append(found)
        else:
            if char == "\\":
                at += 1
                char = glob[at : at + 1]
                if not char:
                    return ""
            parts.append(_ANY if char == "?" and glob[at - 1 : at] != "\\" else _literal(char))
            at += 1
    return "".join(parts)


def _class(glob: str, at: int) -> tuple[str, int]:
    """The expression of a class after its opening bracket, and the index after it; empty if invalid."""
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    ranges: list[tuple[str, str]] = []
    first = True
    while first or glob[at : at + 1] != "]":
        first = False
        if glob.startswith("[:", at) and (end := glob.find(":]", at)) > 0:
            name = glob[at + 2 : end]
            if name not in _CLASSES:
                return "", at
            ranges += [(one[0], one[1]) for one in _CLASSES[name]]
            at = end + 2
            continue
        low, at = _char(glob, at)
        high = low
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            high, at = _char(glob, at + 1)
        if not low or not high:
            return "", at
        ranges.append((low, high))
    at += 1
    if negated:
        inside = "".join(f"{_literal(low)}-{_literal(high)}" for low, high in ranges if low <= high)
        return f"[^/{_FOLDER}{inside}]", at
    inside = "".join(
        f"{_literal(low)}-{_literal(high)}"
        for one in ranges
        for low, high in _without_slash(*one)
        if low <= high
    )
    return f"[{inside}]" if inside else "", at


def _without_slash(low: str, high: str) -> "Iterator[tuple[str, str]]":
    if low <= "/" <= high:
        yield low, "."
        yield "0", high
    else:
        yield low, high


def _char(glob: str, at: int) -> tuple[str, int]:
    """A character of a class, possibly escaped by a backslash, and the index after it."""
    at += glob[at : at + 1] == "\\"
    return glob[at : at + 1], at + 1


def _literal(char: str) -> str:
    return char if char.isalnum() and char.isascii() else f"\\x{{{ord(char):x}}}"


def _parts(expressions: list[str]) -> "Iterator[str]":
    """Joins expressions as alternatives, up to a maximum length each."""
    start = size = 0
    for end, expression in enumerate(expressions):
        if size + len(expression) > _MOST_CHARS and end > start:
            yield "|".join(expressions[start:end])
            start, size = end, 0
        size += len(expression) + 1
    if start < len(expressions):
        yield "|".join(expressions[start:])


def _compiled(expression: str) -> "Any":
    """Raises TooMuchError."""
    import re2  # start-up: many folders have no patterns

    options = re2.Options()
    options.max_mem = _MEMORY
    options.never_capture = options.dot_nl = True
    options.log_errors = False
    try:
        return re2.compile(expression.encode("utf-8", "replace"), options)
    except re2.error as error:
        raise TooMuchError("more than can be compiled") from error
