"""Finds secrets in a text: first a cheap filter that loads nothing, then the table of rules.

For a text with neither a long word nor a word about secrets, the filter is a few substring tests. The
table and RE2 (some milliseconds) are loaded for the first text that passes it, or after so much text that
scanning for their own keywords is the faster filter: until then a text costs that .4 ms and more.

Both see a text as its reader does: without soft hyphens and colours within words, with look-alike letters
and odd blanks as plain ones.
"""

from bowerbird.core.pattern import late
from bowerbird.core.text import to_latin
from bowerbird.guard import registry
from bowerbird.guard.suspicion import suspicious

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.detection import Detection

# From this number of characters on in one process, loading costs less than the tests that it saves.
_WORTH_LOADING = 65_536
_read = {"plainly": 0}


# What no reader sees: soft hyphens, joiners, marks of direction, tags, colours of a terminal.
_HIDDEN = late(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]|\x1b\\[[0-?]*[ -/]*[@-~]"
)
_ESCAPE = "\x1b"
# Blanks, and full-width letters, digits, colons and equals signs.
_BLANK = late("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_WIDE = late("[\uff10-\uff1a\uff1d\uff21-\uff3a\uff41-\uff5a]+")
_TO_NARROW = 0xFF01 - 0x21
# Of one alphabet among letters of another one: most texts have none.
_MIXED = late("[A-Za-z][\u0370-\u04ff\u0500-\u052f]|[\u0370-\u04ff\u0500-\u052f][A-Za-z]")
_LETTERS = late(r"[^\W\d_]+")


def find(text: str) -> "list[Detection]":
    """The secrets in a text, in order, none overlapping another."""
    _read["plainly"] += len(text)
    places: list[int] | None = None
    shown = text
    if _ESCAPE in text or not text.isascii():
        shown, places = as_read(text)
    if _read["plainly"] <= _WORTH_LOADING and not suspicious(shown):
        return []
    found = registry.scan(shown)
    if places is not None:
        for one in found:
            one.start, one.end = places[one.start], places[one.end - 1] + 1
    return found


def as_read(text: str) -> "tuple[str, list[int] | None]":
    """A text as its reader sees it, and where each character was if some were left out."""
    if _BLANK.search(text):
        text = _BLANK.sub(" ", text)
    if _WIDE.search(text):
        text = _WIDE.sub(lambda wide: "".join(chr(ord(one) - _TO_NARROW) for one in wide[0]), text)
    if _HIDDEN.search(text):
        places: list[int] = []
        at = 0
        for hidden in _HIDDEN.finditer(text):
            places += range(at, hidden.start())
            at = hidden.end()
        places += range(at, len(text))
        return _in_one_alphabet("".join(text[at] for at in places)), places
    return _in_one_alphabet(text), None


def _in_one_alphabet(text: str) -> str:
    if not _MIXED.search(text):
        return text
    return _LETTERS.sub(lambda word: to_latin(word[0]), text)
