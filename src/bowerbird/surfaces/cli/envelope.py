"""The envelope every answer in JSON comes in; one line in a pipe, indented on a terminal."""

import json
import re
import sys

from bowerbird.core.text import INVISIBLE, may_hide

# What a terminal would obey, and half characters: told as JSON tells them, so that nothing is lost.
_ESCAPED = INVISIBLE.replace("[", "[\ud800-\udfff", 1)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def envelope(verb: str, data: "dict[str, Any]", *, success: bool, schema: int) -> str:
    """The JSON text of an answer."""
    # Where the stream is not UTF-8, everything beyond ASCII is escaped.
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    value = {"command": verb, "success": success, "schema": schema, "data": data}
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(value, ensure_ascii=plain, indent=indent)
    # Below the blank JSON has escaped all itself, but for the line ends of an indented text.
    if may_hide(text.replace("\n", "")):
        text = re.sub(_ESCAPED, _escaped, text)
    return text + "\n"


def _escaped(match: "re.Match[str]") -> str:
    pairs = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pairs[i : i + 4]}" for i in range(0, len(pairs), 4))
