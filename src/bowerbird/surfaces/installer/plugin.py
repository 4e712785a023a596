"""A file of ours that an agent loads whole, for one that runs no commands at its events."""

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# What the first line begins with, by which it is known again whatever became of the rest.
_MARK = "// bowerbird: "


def plugin(name: str, command: "Sequence[str]", options: "Sequence[str]") -> str:
    """The text of a plugin, with the command that starts this installation."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        text = file.read()
    text = text.replace("__COMMAND__", json.dumps([*command], ensure_ascii=False))
    return text.replace("__OPTIONS__", json.dumps([*options], ensure_ascii=False))


def is_ours(text: str) -> bool:
    """Whether this module created a file."""
    return text.startswith(_MARK)
