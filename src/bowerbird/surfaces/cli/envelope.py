"""The envelope every answer in JSON comes in; one line in a pipe, indented on a terminal."""

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def envelope(verb: str, data: "dict[str, Any]", *, success: bool, schema: int) -> str:
    """The JSON text of an answer."""
    # Where the stream is not UTF-8, everything beyond ASCII is escaped.
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    value = {"command": verb, "success": success, "schema": schema, "data": data}
    indent = 2 if sys.stdout.isatty() else None
    return json.dumps(value, ensure_ascii=plain, indent=indent) + "\n"
