"""Reads a person's files, such as those of agents, with checks, and writes them atomically."""

import os
import stat
import tempfile

from bowerbird.core.errors import BadInput
from bowerbird.host.foreign import whole
from bowerbird.host.places import this_user

# Claude Code's own file, which contains a history of projects, has reached several megabytes.
_LARGEST = 64_000_000
# Beginning of the name of a file that is being written.
_UNFINISHED = ".bowerbird-"


def real(path: str, root: str) -> str:
    """The file that a path resolves to; with `root`, it must lie inside the project.

    Raises BadInput for a broken link, or one that leads out of the project.
    """
    if root and not _within(os.path.realpath(path), os.path.realpath(root)):
        raise BadInput(
            f"{path} is a link that leads out of {root}",
            "a checkout must not say which of your files is changed: remove the link",
        )
    if os.path.islink(path) and not os.path.exists(path):
        raise BadInput(
            f"{path} is a link to {os.readlink(path)}, which is not there",
            "make that file, or remove the link",
        )
    return os.path.realpath(path)


def content(path: str) -> bytes | None:
    """The file's bytes; None if it does not exist. Raises BadInput if it cannot be read."""
    try:
        return whole(path, _LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BadInput(f"{path} cannot be read: {why}", "let it be a file of your own") from error


def text_of(path: str, data: bytes | None) -> str:
    """The file's bytes as text. Raises BadInput if they are not UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is no UTF-8 text", "convert it first, as with: iconv") from error


def writable(path: str) -> None:
    """Raises BadInput if a file, or the folder to create it in, is not writable."""
    there = path
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    mode = os.stat(there).st_mode
    if not os.access(there, os.W_OK) or not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        remedy = "if a program makes it, as for Nix, add there what --dry-run shows; else"
        raise BadInput(f"{there} is read-only", f"{remedy}: chmod u+w {there}")


def make_folders(path: str) -> list[str]:
    """Creates the parent folders of a file and returns those that were missing, outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    for one in missing:
        os.mkdir(one)
        _give_to_owner(one, os.stat(os.path.dirname(one)))
    return missing


def write(path: str, data: bytes, *, runs: bool = False) -> None:
    """Writes a file atomically, with the permissions and the owner of the one it replaces.

    A new one is readable by its owner alone, or, where it `runs`, is a program of theirs.
    A file with several names (hard links) is written in place, so that they stay one file.
    Raises BadInput.
    """
    try:
        before = os.stat(path) if os.path.exists(path) else None
        if before is not None and before.st_nlink > 1:
            _write_in_place(path, data)
            return
        handle, beside = tempfile.mkstemp(dir=os.path.dirname(path), prefix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, stat.S_IMODE(before.st_mode) if before else 0o700 if runs else 0o600)
            _give_to_owner(beside, before or os.stat(os.path.dirname(path)))
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BadInput(
            f"{path} cannot be written: {why}", "see to its rights and the disk"
        ) from error


def _write_in_place(path: str, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _give_to_owner(path: str, owner: os.stat_result) -> None:
    """Root that changes another user's settings leaves the file to that user."""
    if this_user() == 0 and owner.st_uid != 0:
        os.chown(path, owner.st_uid, owner.st_gid)


def remove_unfinished(folder: str) -> None:
    """Removes the temporary files of a `write` that was killed; nobody else may be writing there."""
    try:
        names = os.listdir(folder)
    except OSError:
        return  # not there yet
    for name in names:
        path = os.path.join(folder, name)
        if name.startswith(_UNFINISHED) and os.path.isfile(path) and not os.path.islink(path):
            os.unlink(path)


def remove(path: str, folders: "list[str]") -> None:
    """Removes a file, and those of the given folders that are empty afterwards."""
    if os.path.lexists(path):
        os.unlink(path)
    if path.endswith(".py"):
        _remove_bytecode(path)
    for folder in reversed(folders):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _remove_bytecode(path: str) -> None:
    """Removes what Python compiled from a file that it imported."""
    above, name = os.path.split(path)
    compiled = os.path.join(above, "__pycache__")
    for one in os.listdir(compiled) if os.path.isdir(compiled) else ():
        if one.startswith(name.removesuffix("py")):
            os.unlink(os.path.join(compiled, one))
    if os.path.isdir(compiled) and not os.listdir(compiled):
        os.rmdir(compiled)


def _within(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)
