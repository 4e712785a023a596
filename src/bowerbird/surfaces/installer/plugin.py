"""A plugin file that an agent loads, for agents that run no commands at their events."""

import json
import os

import bowerbird.agents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Prefix of the first line, which identifies the file even if the rest was edited.
_MARK = "// bowerbird: "


def plugin(name: str, command: "Sequence[str]", options: "Sequence[str]") -> str:
    """The source text of a plugin, with the command that starts this installation."""
    with open(
        os.path.join(os.path.dirname(bowerbird.agents.__file__), name), encoding="utf-8"
    ) as file:
        text = file.read()
    text = text.replace("__COMMAND__", json.dumps([*command], ensure_ascii=False))
    return text.replace("__OPTIONS__", json.dumps([*options], ensure_ascii=False))


def is_ours(text: str) -> bool:
    """Whether this module created a file."""
    return text.startswith(_MARK)
