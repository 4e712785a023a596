"""The minimum length of a rule's value, from its pattern, so that rules run only where a word fits.

Supports the syntax that the rules use: groups, classes, escapes, counts. If the value may be anything
but one word the result is 0, which excludes nothing.
"""

# The characters of long words: those of base64, base64url and hexadecimal digits.
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = _CAPITALS.lower()
_DIGITS = "0123456789"
WORD = frozenset(_CAPITALS + _SMALL + _DIGITS + "_+/=.~:-")
# The ranges of them that patterns may contain, whole or in part.
_RANGES = frozenset(
    low + high
    for whole in (_CAPITALS, _SMALL, _DIGITS)
    for place, low in enumerate(whole)
    for high in whole[place + 1 :]
)
_NO_WIDTH = frozenset("bBAz")


def least_word(pattern: str) -> int:
    """The minimum length of the value; 0 if it need not be one word of such characters.

    The value is the only group, or the whole pattern if it has none.
    """
    reader = _Reader(pattern)
    width, is_word = reader.branches()
    if reader.unsure or len(reader.groups) > 1:
        return 0
    if reader.groups:
        ((width, is_word),) = reader.groups
    return width if is_word else 0


def least_width(pattern: str) -> int:
    """The minimum number of bytes of a match."""
    return _Reader(pattern).branches()[0]


class _Reader:
    """Parses a pattern once from left to right.

    A part is described by its minimum width and by whether it consists of word characters only.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self.groups: list[tuple[int, bool]] = []
        # Whether there may be a match without the group that holds the value.
        self.unsure = False

    def branches(self) -> tuple[int, bool]:
        """Alternatives up to a closing bracket or the end."""
        known = len(self.groups)
        found = [self._sequence()]
        while self._next("|"):
            found.append(self._sequence())
        if len(found) > 1 and len(self.groups) > known:
            self.unsure = True
        return min(width for width, _ in found), all(is_word for _, is_word in found)

    def _sequence(self) -> tuple[int, bool]:
        width, is_word = 0, True
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            known = len(self.groups)
            one, of_word = self._part()
            times = self._times()
            if not times and len(self.groups) > known:
                self.unsure = True
            width, is_word = width + one * times, is_word and of_word
        return width, is_word

    def _part(self) -> tuple[int, bool]:
        char = self._take()
        if char == "(":
            return self._group()
        if char == "[":
            return 1, self._class()
        if char == "\\":
            kind = self._take()
            return (0, True) if kind in _NO_WIDTH else (1, kind in "dw" or _literal(kind))
        return (0, True) if char in "^$" else (1, char != "." and char in WORD)

    def _group(self) -> tuple[int, bool]:
        is_value = not self._next("?")
        if not is_value:
            while self._take() not in ":)":
                pass
            if self._pattern[self._at - 1] == ")":
                return 0, True
        inside = self.branches()
        self._take()
        if is_value:
            self.groups.append(inside)
        return inside

    def _class(self) -> bool:
        """Whether all characters of a class are word characters."""
        is_word = not self._next("^")
        first = self._at
        while (char := self._take()) != "]" or self._at == first + 1:
            if char == "\\":
                kind = self._take()
                is_word = is_word and (kind in "dw" or _literal(kind))
            elif char == "-" and self._at > first + 1 and self._pattern[self._at] != "]":
                low, high = self._pattern[self._at - 2], self._pattern[self._at]
                is_word = is_word and low + high in _RANGES
            else:
                is_word = is_word and char in WORD
        return is_word

    def _times(self) -> int:
        """The minimum repetitions of the preceding part."""
        times = 1
        if self._next("{"):
            end = self._pattern.index("}", self._at)
            times = int(self._pattern[self._at : end].partition(",")[0] or 0)
            self._at = end + 1
        elif self._next("*") or self._next("?"):
            times = 0
        else:
            self._next("+")
        self._next("?")
        return times

    def _next(self, char: str) -> bool:
        is_there = self._pattern.startswith(char, self._at)
        self._at += is_there
        return is_there

    def _take(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1]


def _literal(escaped: str) -> bool:
    """Whether an escaped character is literal and a word character."""
    return escaped in WORD and not escaped.isalnum()
