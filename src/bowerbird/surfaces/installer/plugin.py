"""A plugin file that an agent loads, for agents that run no commands at their events."""

import json
import os
import shlex
import shutil

import bowerbird.agents
from bowerbird import __version__
from bowerbird.host import own_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# In one of the first lines, which identifies the file even if the rest was edited.
_MARK = " bowerbird: made by `bower install"
_FIRST_LINES = 2


def plugin(name: str, command: "Sequence[str]", options: "Sequence[str]") -> str:
    """The source text of a plugin, with the command that starts this installation."""
    with open(
        os.path.join(os.path.dirname(bowerbird.agents.__file__), name), encoding="utf-8"
    ) as file:
        text = file.read()
    text = text.replace("__VERSION__", __version__)
    text = text.replace("__LINE__", shlex.join([*command, *options]))
    text = text.replace("__COMMAND__", json.dumps([*command], ensure_ascii=False))
    return text.replace("__OPTIONS__", json.dumps([*options], ensure_ascii=False))


def is_ours(text: str) -> bool:
    """Whether this module created a file."""
    return any(_MARK in line for line in text.split("\n")[:_FIRST_LINES])


def others_program(name: str, environment: "Mapping[str, str]") -> str:
    """The path of a program of that name that this module did not create; empty if there is none."""
    found = shutil.which(name, path=environment.get("PATH", ""))
    if found is None:
        return ""
    text = (own_files.content(found) or b"").decode("utf-8", "replace")
    return "" if is_ours(text) else found
