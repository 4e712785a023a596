"""Where files go on this platform, and how a folder's project is told. Reads no configuration."""

import os
import re
import sys

from bowerbird.core.errors import BadInput
from bowerbird.core.types import GLOBAL, Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Windows and macOS have their own folders; elsewhere the XDG base directories count.
_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}
PROJECT_FILE = ".bowerbird.toml"


def folder(what: str, environment: "Mapping[str, str]") -> str:
    """Our folder for `data`, `config` or `state`. A relative XDG value is ignored, as it asks."""
    home = os.path.expanduser("~")
    variable, default = _XDG[what]
    base = environment.get(variable, "")
    if os.path.isabs(base):
        return os.path.join(base, "bowerbird")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "bowerbird", what)
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "bowerbird", what)
    return os.path.join(home, default, "bowerbird")


def project_of(path: str) -> Project:
    """The project that holds a folder: its git repository, or a folder with our own file in it.

    A repository is known by its `origin` remote, which is the same on every machine, else by its
    place. Anything else is global. Git itself is not run.
    """
    start = os.path.abspath(path)
    if not os.path.isdir(start):
        start = os.path.dirname(start)
    current = start
    while True:
        marker = os.path.join(current, ".git")
        if os.path.exists(marker):
            uid = _remote(marker) or "path:" + os.path.realpath(current)
            return Project(uid, os.path.basename(current) or "/", os.path.realpath(current))
        if os.path.exists(os.path.join(current, PROJECT_FILE)):
            place = os.path.realpath(current)
            return Project("path:" + place, os.path.basename(current) or "/", place)
        parent = os.path.dirname(current)
        if parent == current:
            return GLOBAL
        current = parent


def find_upwards(name: str) -> str | None:
    """The nearest file of that name in the working directory or above it."""
    current = os.getcwd()
    while True:
        path = os.path.join(current, name)
        if os.path.isfile(path):
            return path
        parent = os.path.dirname(current)
        if parent == current:
            return None
        current = parent


def known_as(name: str, known: "list[Project]") -> Project | None:
    """The project of that uid, else the only one of that name. Raises BadInput for several."""
    found = [one for one in known if name == one.uid] or [one for one in known if name == one.name]
    if len(found) > 1:
        uids = ", ".join(one.uid or one.name for one in found)
        raise BadInput(f"several projects are called {name}", f"name one of them: {uids}")
    return found[0] if found else None


def made_by(name: str) -> Project:
    """The project that a name alone makes; its uid, as JSON shows it, names it too."""
    name = name.removeprefix("name:") or name
    return Project("name:" + name, name, None)


def _remote(marker: str) -> str | None:
    """The normal form of the origin's URL: host and path, however it is reached."""
    git = marker
    if os.path.isfile(marker):
        git = _linked(marker)
    try:
        with open(os.path.join(git, "config"), encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file]
    except OSError:
        return None
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line.replace(" ", "").lower()
        elif section == '[remote"origin"]' and line.replace(" ", "").startswith("url="):
            return "remote:" + normal_remote(line.split("=", 1)[1].strip())
    return None


def _linked(marker: str) -> str:
    """The common git folder behind a worktree's or submodule's `.git` file."""
    try:
        with open(marker, encoding="utf-8", errors="replace") as file:
            target = file.read().partition("gitdir:")[2].strip()
        git = os.path.join(os.path.dirname(marker), target)
        with open(os.path.join(git, "commondir"), encoding="utf-8") as file:
            return os.path.join(git, file.read().strip())
    except OSError:
        return git if "git" in locals() else marker


def normal_remote(url: str) -> str:
    """``git@host:a/b.git``, ``https://user@host/a/b`` and ``ssh://host/a/b`` as ``host/a/b``."""
    # What follows ``?`` is no part of the name, and people put tokens there, as before an ``@``.
    _, scheme, rest = url.partition("?")[0].rpartition("://")
    host, slash, path = rest.partition("/")
    rest = host.rpartition("@")[2] + slash + path
    if scheme and re.fullmatch(r"[^:@\[]*:.*\D.*", host) and "@" not in host:
        # No port, so a password with a slash in it.
        rest = path.rpartition("@")[2]
    if not scheme:
        rest = rest.replace(":", "/", 1)
    return rest.removesuffix("/").removesuffix(".git").lower()
