"""The JSON envelope of every answer; one line in a pipe, indented on a terminal."""

import sys

from bowerbird.core import plainjson
from bowerbird.core.pattern import re
from bowerbird.core.text import INVISIBLE, may_hide

# Control characters and lone surrogates are escaped as JSON, so that no information is lost.
_ESCAPED = INVISIBLE.replace("[", "[\ud800-\udfff", 1)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def envelope(verb: str, data: "dict[str, Any]", *, success: bool, schema: int) -> str:
    """The JSON text of an answer."""
    # If the stream is not UTF-8, everything beyond ASCII is escaped.
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    value = {"command": verb, "success": success, "schema": schema, "data": data}
    if sys.stdout.isatty():
        import json  # start-up: programs read it in one line

        text = json.dumps(value, ensure_ascii=plain, indent=2)
    else:
        text = plainjson.escaped(value) if plain else plainjson.spaced(value)
    # JSON has escaped all controls below the blank, except the line ends of indented text.
    if may_hide(text.replace("\n", "")):
        text = re.sub(_ESCAPED, _escaped, text)
    return text + "\n"


def _escaped(match: "re.Match[str]") -> str:
    pairs = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pairs[i : i + 4]}" for i in range(0, len(pairs), 4))
