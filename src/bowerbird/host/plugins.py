"""The plug-ins of installed packages: which there are, and one of them when it is used.

Nothing here runs unless a setting or a call names a plug-in, or somebody asks for the list: looking
through the installed packages takes tens of milliseconds.
"""

from bowerbird.core.errors import PluginFailed
from bowerbird.core.plugins import GROUPS, PREFIX, Installed, Plugin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoint
    from typing import Any


def names(group: str) -> list[str]:
    """The names of the installed plug-ins of a group. Imports none of them."""
    return sorted({entry.name for entry in _entries(group)[group]})


def made(group: str, name: str, *given: "Any", has: "tuple[str, ...]" = ()) -> "Any":
    """What an installed plug-in makes of what is `given`; None if no package has one of that name.

    Raises PluginFailed if the plug-in cannot be used, or what it makes lacks one of the attributes
    that it `has` to have.
    """
    entries = [entry for entry in _entries(group)[group] if entry.name == name]
    if not entries:
        return None
    found = _loaded(group, entries)
    try:
        value = found.make(*given)
    except Exception as error:  # it is somebody else's code
        why = f"fails when it is made: {told(error)}"
        raise _unusable(group, name, _package(entries[0]), why) from error
    missing = [one for one in has if not hasattr(value, one)]
    if value is None or missing:
        why = f"makes a {type(value).__name__} without {', '.join(missing) or 'a use'}"
        raise _unusable(group, name, _package(entries[0]), why)
    return value


def installed(chosen: "Callable[[str, str], bool]") -> "Iterator[Installed]":
    """Every installed plug-in, each loaded to see whether it can be; `chosen` says which are in use."""
    for group, entries in _entries(*GROUPS).items():
        for name in sorted({entry.name for entry in entries}):
            same = [entry for entry in entries if entry.name == name]
            row = Installed(
                group=group,
                name=name,
                package=", ".join(map(_package, same)),
                use=GROUPS[group][1].format(name),
                chosen=chosen(group, name),
            )
            try:
                found = _loaded(group, same)
            except PluginFailed as error:
                yield row.replace(error=error.message, remedy=error.remedy)
            else:
                yield row.replace(version=found.version, gives=found.gives)


def _entries(*groups: str) -> "dict[str, list[EntryPoint]]":
    """The entry points of some groups, in one search: each reads a file of every installed package."""
    from importlib.metadata import entry_points  # start-up: only what names a plug-in looks for it

    every = entry_points()
    return {group: [*every.select(group=PREFIX + group)] for group in groups}


def _loaded(group: str, entries: "list[EntryPoint]") -> Plugin:
    """The plug-in of an entry point. Raises PluginFailed, also if two packages have one of that name."""
    name, packages = entries[0].name, [*map(_package, entries)]
    if len(entries) > 1:
        both = " and ".join(packages)
        raise PluginFailed(f"the {GROUPS[group][0]} {name!r} is in {both}", "remove all but one")
    try:
        found = entries[0].load()
    except (Exception, SystemExit) as error:  # it is somebody else's code
        raise _unusable(group, name, packages[0], f"cannot be loaded: {told(error)}") from error
    if not isinstance(found, Plugin):
        why = f"is no Plugin, but a {type(found).__name__}"
        raise _unusable(group, name, packages[0], why)
    if found.name != name:
        why = f"calls itself {found.name!r}, which is not the name of its entry point"
        raise _unusable(group, name, packages[0], why)
    return found


def _unusable(group: str, name: str, package: str, why: str) -> PluginFailed:
    remedy = f"update or remove the package {package}, or do not use {name!r}"
    return PluginFailed(f"the {GROUPS[group][0]} {name!r} of {package} {why}", remedy)


def _package(entry: "EntryPoint") -> str:
    """The package of an entry point with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def told(error: BaseException) -> str:
    """An error of a package's code, in a line."""
    text = str(error)
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__
