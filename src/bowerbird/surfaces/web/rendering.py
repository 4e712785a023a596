"""Templates to pages. Whatever is stored is text alone: escaped, with what hides made visible."""

import os
import re
import unicodedata
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bowerbird.core.reviewed import REJECTED, waits
from bowerbird.core.types import beside
from bowerbird.core.value import iso
from bowerbird.core.word_difference import another_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(__file__), "templates")
# Controls and marks of direction, which could make a text look like another.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
# Of a width in pixels, the bar of a share.
BAR = 120


def plain(text: object) -> str:
    """A text with its controls and marks of direction visible."""
    return _HIDDEN.sub(_named, str(text).replace("\r\n", "\n"))


def _named(match: "re.Match[str]") -> str:
    char = match.group()
    return f"‹{unicodedata.name(char, f'U+{ord(char):04X}').lower()}›"


def tail(text: str, most: int) -> str:
    """The end of a path, which tells more than its beginning."""
    return text if len(text) <= most else "…" + text[1 - most :]


def marked(text: str, spans: "Iterable[tuple[int, int]]") -> "list[tuple[str, bool]]":
    """The parts of a text, each with whether it is one of the marked spans."""
    parts, at = [], 0
    for begin, end in spans:
        parts += [(text[at:begin], False), (text[begin:end], True)]
        at = end
    return [(plain(part), mark) for part, mark in (*parts, (text[at:], False)) if part]


def address(path: str, query: "Mapping[str, Any]", **changes: "Any") -> str:
    """An address of a page with some of its fields changed; an empty one is left out."""
    fields = {**query, **changes}
    kept = {name: str(value) for name, value in fields.items() if value not in {"", None}}
    return path + (f"?{urlencode(kept)}" if kept else "")


def environment(names: "Mapping[str, Any]") -> Environment:
    """The templates, with what all of them may use."""
    found = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"plain": plain, "tail": tail, "iso": iso}
    found.filters["segment"] = lambda text: quote(str(text), safe="")
    found.tests["waits"] = waits
    found.globals |= {
        "address": address,
        "another_number": another_number,
        "beside": beside,
        "marked": marked,
        "BAR": BAR,
        "REJECTED": REJECTED,
        **names,
    }
    return found
