"""Finds passwords that are plain words, or nearly, as the value of a field: of a file or of a call.

Behind `password =` code, types and placeholders are more common than passwords, so a value that does not
look like one is a password only by its place: in quotes, alone on its line, or beside a field that says
whose it is. One grammar of a name and its value serves all syntaxes.
"""

from bowerbird.guard import heuristics
from bowerbird.guard.automaton import pattern
from bowerbird.guard.secret_names import secret_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Found = tuple[int, int, str]

# A name that may say password, with what closes it; what stands between it and its value; the value, in
# quotes or bare. Behind a comma, as an argument, both are in quotes.
NAME = (
    r"((?:pass|pwd|pw|psk|kennwort|haslo|senha|contrasena|wachtwoord)[\w-]{0,24})"
    r"[\"'\]\\`]{0,4}"
)
_QUOTED = r"\\{0,3}(?:\"([^\"\\\n]{4,80})\\{0,3}\"|'([^'\\\n]{4,80})\\{0,3}')"
_FIELD = (
    rf"(?i){NAME}(?:(?:\s?(?:=>|:=|=|:)[ \t]{{0,40}}|\s?:\s?\w{{1,12}}\s?=\s?|,\s?)[bru]?{_QUOTED}"
    r"|\s?(?:=>|:=|=|:)[ \t]{0,40}([^\s\"'`,;<>()\[\]{}\\]{5,80}))"
)
# What follows the name in a text that is read: the beginning of a value.
VALUE = r"\s?(?:(?:=>|=|:)[ \t]{0,40}[^\s,;<>()\[\]{}]|,\s?[\"'])"
# A line that is one field, whose value may be several words: of a file of variables.
_VARIABLE = (
    r"(?m)^\s*(?:-\s|export\s|set\s)?([A-Z][A-Z0-9_]*)="
    r"([^\s\"'$`;=]{2,40}(?: [^\s\"'$`;=&|]{1,40}){1,5})\s*$"
)
# A field that says whose password it is, or where: user, host, database.
_BESIDE = (
    r"(?i)\b[\w.-]*(?:user|usr|login|account|email|host|server|database|dbname|url)[\w-]{0,8}"
    r"[\"'\\]{0,4}\s?(?:=>|=|:)\s?\\{0,3}[\"']?([\w.@/:+-]+)"
)
_IN_NAMES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-")
# Bytes of a line before and behind a place that are read, and around it in which other fields stand.
_BEFORE, _BEHIND = 400, 1_000
_AROUND = 250
# A plain word, words that a sign joins, and what is neither.
_SHORTEST_WORD = 6
_SIGNS = frozenset("!#$^*%&+?")
_WORDS = (2, 6)
# What stands for a user's name where a password is not given either.
_TYPES = frozenset(
    "string str text user username none null true false email optional required any".split()
)


def secrets(data: bytes, at: int, start: int, stop: int) -> "tuple[list[Found], int]":
    """The passwords among the fields of the line around a place in a block, and where that ends."""
    end = data.find(b"\n", at, min(stop, at + _BEHIND))
    end = min(stop, at + _BEHIND) if end < 0 else end
    begin = max(data.rfind(b"\n", max(start, at - _BEFORE), at) + 1, start, at - _BEFORE)
    found = []
    for match in pattern(_FIELD).finditer(data, at, end):
        left = match.start(1)
        while left > begin and data[left - 1] in _IN_NAMES:
            left -= 1
        name = data[left : match.end(1)].decode("utf-8", "replace")
        if secret_name(name) == "password" and not heuristics.about(name):
            field = _Field(data, match, left, (begin, end))
            if field.is_password():
                found.append((*field.span, "password"))
    if end - begin <= _BEFORE:
        line = pattern(_VARIABLE).search(data, begin, end)
        if line and _says_several(*(line.group(one).decode("utf-8", "replace") for one in (1, 2))):
            found.append((*line.span(2), "password"))
    return found, end


class _Field:
    """A field whose name says password, and where it stands."""

    def __init__(self, data: bytes, match: "Any", left: int, line: tuple[int, int]) -> None:
        group = next(one for one in (1, 2, 3) if match.span(one + 1)[0] >= 0) + 1
        self.span = match.span(group)
        self.value = data[slice(*self.span)].decode("utf-8", "replace")
        self._data, self._match, self._left = data, match, left
        self._quoted = group != 4  # noqa: PLR2004 the last of the pattern
        rest = data[match.end() : line[1]].strip()
        before = data[line[0] : left].strip(b" \t\"'")
        # Nothing else is on its line.
        self._alone = rest in (b"", b",", b";") and before in (
            b"",
            b"-",
            b"export",
            b"set",
            b"#",
            b"$",
        )
        self._called = rest[:1] in (b"(", b"[", b".")

    def is_password(self) -> bool:
        """Whether the value is one."""
        value = self.value
        if self._called or not heuristics.argument(value) or not self._says():
            return False
        low = value.lower()
        if low.startswith(heuristics.TERMS) or any(one in low for one in heuristics.FIELDS):
            return False
        if " " in value:
            return self._quoted and self._alone and self._phrase() and self._concrete()
        if not any(map(str.isalpha, value)) or value[0] in "$%@!&*.":
            return False
        if any(map(str.isdigit, value)) or not value.isalnum():
            return self._odd()
        return len(value) >= _SHORTEST_WORD and (self._quoted or self._alone) and self._beside()

    def _says(self) -> bool:
        """Whether a sign says that it is the value, or the two are all the arguments of a call."""
        between = self._data[self._match.end(1) : self.span[0]]
        if b"," not in between:
            return True
        opens = self._data[max(0, self._left - 4) : self._left].rstrip(b"\"'\\ ")[-1:]
        return (
            opens == b"("
            and self._data[self._match.end() : self._match.end() + 2].lstrip()[:1] == b")"
        )

    def _odd(self) -> bool:
        """Whether a value with a digit or a sign is one, and no name of code."""
        value = self.value
        small = value.islower() and "_" in value
        if self._quoted:
            dotted = heuristics.names_code(value)
            path = "/" in value or ":" in value or "=" in value
            return not (small or dotted or path) or self._beside()
        if not self._alone or "/" in value or ":" in value or "." in value or "=" in value:
            return False
        # `password = value1` is code: a file of settings has no blanks, or others beside it.
        plain = value.replace("_", "").isalnum()
        glued = b" " not in self._data[self._match.end(1) : self.span[0]]
        return not plain or (glued and not small) or self._beside()

    def _phrase(self) -> bool:
        words = self.value.lower().split()
        least, most = _WORDS
        return least <= len(words) <= most and heuristics.SMALL_WORDS.isdisjoint(words)

    def _concrete(self) -> bool:
        """Whether it is a phrase with a digit, or the field is one of a named thing: mail_password."""
        return any(map(str.isdigit, self.value)) or self._beside()

    def _beside(self) -> bool:
        """Whether a field beside it says whose it is, and has another value: a type would be the same."""
        first, last = max(0, self._left - _AROUND), self._match.end() + _AROUND
        others = [
            one.group(1).decode("utf-8", "replace").lower()
            for part in ((first, self._left), (self._match.end(), last))
            for one in pattern(_BESIDE).finditer(self._data, part[0], min(part[1], len(self._data)))
        ]
        low = self.value.lower()
        return bool(others) and low not in others and not all(map(_is_type, others))


def _says_several(name: str, value: str) -> bool:
    """Whether a variable's value of several words is a password."""
    words = value.lower().split()
    return (
        secret_name(name) == "password"
        and heuristics.argument(value)
        and heuristics.SMALL_WORDS.isdisjoint(words)
        and not any(one in value.lower() for one in heuristics.FIELDS)
    )


def _is_type(value: str) -> bool:
    return value in _TYPES
