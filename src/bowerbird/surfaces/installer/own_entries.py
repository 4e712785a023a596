"""Our entries in a file of an agent: finds, adds and removes them."""

import re
import shlex

from bowerbird.agents.agent import CUSTOM, FLAT, LOCAL, NAME, PROVIDER, STDIO
from bowerbird.surfaces.installer.jsonc import Jsonc
from bowerbird.surfaces.installer.toml import Toml
from bowerbird.surfaces.installer.yaml import Yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.agents.agent import Agent, File, Hooks

    Document = Jsonc | Toml | Yaml
    Path = tuple[str | int, ...]

# Matches the hook command of any Bowerbird installation.
_OURS = re.compile(r"(?:^|[\\/\s\"'])bower(?:bird)?(?:\.exe)?[\"']?\s+hook\s")

# Matches the command of the server of any Bowerbird installation.
_OUR_SERVER = re.compile(r"(?:^|[\\/\s\"'])bower(?:bird)?(?:\.exe)?[\"']?\s+mcp(?:\s|$)")

# Timeout in seconds after which an agent ends a hook; ours ends by itself in a fraction of one. Claude
# Code limits all session-end hooks to 1.5 together unless they set a timeout.
_LONGEST = 10

# Length of the path to an entry in an event's list; an entry in a group of that list has a longer one.
_IN_LIST = 3


def document(text: str, format: str) -> "Document":
    """The text as an editable document. Raises Unparseable."""
    if format == "toml":
        return Toml(text)
    if format == "yaml":
        return Yaml(text)
    return Jsonc(text)


def wanted(
    agent: "Agent", file: "File", command: "Sequence[str]", options: "Sequence[str]", *, hooks: bool
) -> "dict[Path, Any]":
    """Our entries for a file by path: a value or, for hooks, an entry of a list."""
    found: dict[Path, Any] = {}
    if file.server:
        found[file.server] = server(file.shape, [*command, "mcp", *options])
    if file.hooked and agent.hooks is not None and hooks:
        for event in hooked(agent.hooks):
            line = shlex.join([*command, "hook", agent.id, event, *options])
            entry: dict[str, Any] = {"command": line, "timeout": _LONGEST * agent.hooks.unit}
            if agent.hooks.shape != FLAT:
                entry = {"hooks": [{"type": "command", **entry}]}
            found["hooks", event] = entry
    return found


def hooked(hooks: "Hooks") -> list[str]:
    """The events that we add hooks for."""
    return [event for event in hooks.events if event not in hooks.unhooked]


def server(shape: str, command: "list[str]") -> "dict[str, Any] | str":
    """The entry of a server, in one of the formats of agents/agent.py."""
    if shape == PROVIDER:
        return NAME
    if shape == LOCAL:
        return {"type": "local", "command": command, "enabled": True}
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    if shape == STDIO:
        return {"type": "stdio", **entry}
    return {"source": "custom", **entry, "env": {}} if shape == CUSTOM else entry


def own_entries(opened: "Document", file: "File") -> "dict[Path, Any]":
    """Our entries in a file, in the format of `wanted`; each hook also under its own path."""
    found: dict[Path, Any] = {}
    if file.server and _is_ours_there(server := _at(opened.value, file.server), file):
        found[file.server] = server
    for path in _entries(opened.value) if file.hooked else ():
        found[path] = _at(opened.value, path)
    return found


def others_server(opened: "Document", file: "File") -> "Any":
    """A server entry of our name that does not start us, in a value of its own; else an empty one.

    It is the user's, unless the record says that we wrote it.
    """
    entry = _at(opened.value, file.server) if file.server else None
    if entry is None or entry == NAME or _starts_us(entry):
        return {}
    for name in reversed(file.server):
        entry = {name: entry}
    return entry


def _starts_us(entry: "Any") -> bool:
    if not isinstance(entry, dict):
        return False
    command, arguments = entry.get("command"), entry.get("args")
    words = [*(command if isinstance(command, list) else [command])]
    words += arguments if isinstance(arguments, list) else []
    return _OUR_SERVER.search(" ".join(map(str, words))) is not None


def plugged(opened: "Document", file: "File") -> str:
    """The name of our plugin if it is enabled, which provides all our entries; else empty."""
    found = _at(opened.value, (file.plugins,)) if file.plugins else None
    on = (name for name, value in found.items() if value) if isinstance(found, dict) else ()
    return next((name for name in on if name.startswith(f"{NAME}@")), "")


def is_wanted(opened: "Document", file: "File", parts: "dict[Path, Any]") -> bool:
    """Whether a file contains exactly these entries of ours."""
    now = own_entries(opened, file)
    plain = {path: one for path, one in now.items() if path == file.server}
    hooks = [(path[:2], _group(opened.value, path)) for path in now if path != file.server]
    asked = [(path, one) for path, one in parts.items() if path != file.server]
    return plain == {path: one for path, one in parts.items() if path == file.server} and sorted(
        map(repr, hooks)
    ) == sorted(map(repr, asked))


def put(opened: "Document", file: "File", parts: "dict[Path, Any]") -> None:
    """Adds these entries and replaces those of ours that exist. Raises Unparseable."""
    if is_wanted(opened, file, parts):
        return
    take(opened, file, {})
    for name, value in file.frame.items() if parts else ():
        if name not in opened.value:
            opened.put((name,), value)
    for path, value in parts.items():
        if isinstance(opened, Jsonc) and path != file.server:
            opened.append(path, value)
        else:
            opened.put(path, value)


def take(opened: "Document", file: "File", before: "Any") -> None:
    """Removes our entries and the containers created for them; `before` is the original content.

    A server entry that ours replaced is restored.
    """
    for path in reversed([path for path in own_entries(opened, file) if path != file.server]):
        opened.remove(path)
        if len(path) > _IN_LIST and not _at(opened.value, path[:-1]):
            opened.remove(path[:_IN_LIST])
        for holder in (path[:2], path[:1]):
            if not _at(opened.value, holder) and _at(before, holder) is None:
                opened.remove(holder)
    if not file.server or not _is_ours_there(_at(opened.value, file.server), file):
        return
    earlier = _at(before, file.server)
    if earlier is not None:
        if earlier != _at(opened.value, file.server):
            opened.put(file.server, earlier)
        return
    opened.remove(file.server)
    for depth in range(len(file.server) - 1, 0, -1):
        path = file.server[:depth]
        if _at(opened.value, path) == {} and _at(before, path) is None:
            opened.remove(path)


def _entries(value: "Any") -> "Iterator[Path]":
    """The paths of our hooks: in an event's list, or in a group of such a list."""
    hooks = _at(value, ("hooks",))
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        for index, entry in enumerate(entries) if isinstance(entries, list) else ():
            if not isinstance(entry, dict):
                continue
            if _is_ours(entry):
                yield ("hooks", event, index)
            inner = entry.get("hooks")
            for inside, one in enumerate(inner) if isinstance(inner, list) else ():
                if isinstance(one, dict) and _is_ours(one):
                    yield ("hooks", event, index, "hooks", inside)


def _is_ours_there(entry: "Any", file: "File") -> bool:
    """Whether an entry in our place is ours: where there is one place for all, it holds our name."""
    return entry is not None and (file.shape != PROVIDER or entry == NAME)


def _is_ours(entry: "dict[str, Any]") -> bool:
    command = entry.get("command")
    return isinstance(command, str) and _OURS.search(command) is not None


def _group(value: "Any", path: "Path") -> "Any":
    """The entry of an event's list that contains a hook."""
    return _at(value, path[:_IN_LIST])


def _at(value: "Any", path: "Path") -> "Any":
    for key in path:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value
