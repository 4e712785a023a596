"""Lists the files below paths: sorted, each real file once, without those left out."""

import os
import stat

from bowerbird.core.errors import BadInput
from bowerbird.core.report import Skipped
from bowerbird.core.value import Record
from bowerbird.guard.grounds import sole_owner
from bowerbird.host.places import SIDE_FOLDERS, SIDECARS
from bowerbird.ingest.ignore import (
    Ignore,
    is_database,
    kept_out_file,
    kept_out_folder,
    marked_as_kept_out,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Where an agent keeps long tool results, in a folder named like the session beside it.
SPILLED = "tool-results"
LEADS_OUT = "a link that leads out of the folder: name what it leads to, or --follow-links"


class Found(Record):
    """A file to index: its real path, size in bytes and modification time in UTC milliseconds.

    `owner` is the numeric user id of its owner, -1 if other users can write to it.
    """

    path: str
    size: int
    modified: int
    owner: int = -1


def real_roots(paths: "Sequence[str]") -> list[str]:
    """The real paths of the arguments, each once. Raises BadInput for a missing one."""
    roots = []
    for path in paths:
        if "\0" in path:
            raise BadInput(f"{path!r} is not a path", "name a file or folder in UTF-8")
        if not path.strip():
            raise BadInput("a path is empty", "name a file or folder; this folder is .")
        try:
            root = os.path.realpath(os.path.expanduser(path))
        except FileNotFoundError:
            root = ""  # the working directory was removed
        if not is_name(root):
            raise BadInput(f"{root!r} is not a path", "name a file or folder in UTF-8")
        if not os.path.exists(root):
            raise BadInput(f"there is no file or folder {path}", "check the path, or mend the link")
        roots.append(root)
    return list(dict.fromkeys(roots))


class Walk:
    """One walk over several roots. `store` is the path of the store in use, which is never opened.

    Neither are the files beside it, named by the suffixes SIDECARS and `sidecars`; a suffix that ends in
    ``-`` begins a name.

    Links are followed inside of a root, and out of it only with `follow_links`: a downloaded folder may
    contain a link to the user's private files.

    After `files`: `skipped` lists what was left out and why, `unread` what could not be read and may be
    unchanged, `linked` the files and folders that links led to, `empty` the empty folders with their
    modification times, in UTC milliseconds.
    """

    def __init__(
        self, store: str, sidecars: "tuple[str, ...]" = (), *, follow_links: bool = False
    ) -> None:
        self._follow_links = follow_links
        self._root = ""
        self.skipped: list[Skipped] = []
        self.unread: list[str] = []
        self.linked: list[str] = []
        self.empty: dict[str, int] = {}
        self._seen: set[str] = set()
        real = os.path.realpath(store)
        begun = [one for one in sidecars if one.endswith("-")]
        self._beside = tuple(
            real + one for one in (*begun, *(one + os.sep for one in SIDE_FOLDERS))
        )
        self._ours = {
            (found.st_dev, found.st_ino)
            for sidecar in ("", *SIDECARS, *sidecars)
            if (found := _stat(store + sidecar)) is not None
        }

    def files(self, root: str, project_root: str | None) -> list[Found]:
        """The files at or below a real path, sorted by path, that this walk has not yet seen.

        A named path is always included; the rules apply below it. The ignore files of the folders between
        `project_root` and the root apply too.
        """
        found: list[Found] = []
        self._root = root.rstrip(os.sep) + os.sep
        if os.path.isdir(root):
            self._folder(root, rules_above(root, project_root), found)
        else:
            self._file(root, found)
        return sorted(found, key=_by_path)

    def _folder(self, root: str, rules: Ignore, found: list[Found]) -> None:
        # An explicit stack: trees can be deeper than Python's.
        waiting = [(root, rules)]
        while waiting:
            folder, above = waiting.pop()
            if folder in self._seen:
                continue
            self._seen.add(folder)
            if not is_name(folder):
                self.skipped.append(Skipped(_shown(folder), "its name is not UTF-8"))
                continue
            try:
                with os.scandir(folder) as listing:
                    entries = list(listing)
            except OSError as error:
                self.unread.append(folder)
                self.skipped.append(Skipped(folder, reason(error)))
                continue
            if not entries:
                self._note_empty(folder)
            names = {entry.name for entry in entries}
            if folder != root and marked_as_kept_out(names):
                self._seen.discard(folder)  # it may be named itself later
                continue
            inside = above.below(folder, names)
            if inside.refused:
                self.unread.append(folder)
                self.skipped.append(Skipped(folder, inside.refused))
                continue
            for entry in entries:
                inner = self._enter(entry, folder, inside, names, found)
                if inner is not None:
                    waiting.append((inner, inside))

    def _note_empty(self, folder: str) -> None:
        found = _stat(folder)
        if found is not None:
            self.empty[folder] = found.st_mtime_ns // 1_000_000

    def _enter(
        self,
        entry: "os.DirEntry[str]",
        folder: str,
        rules: Ignore,
        names: set[str],
        found: list[Found],
    ) -> str | None:
        """Adds a file; returns a folder to enter."""
        path = entry.path
        linked = entry.is_symlink()
        if linked:
            path = os.path.realpath(path)
            # A link's target is checked like a path here, so that it cannot lead into hidden folders.
            if any(kept_out_folder(part, names) for part in _beyond(path, folder)[:-1]):
                return None
        name = os.path.basename(path)
        try:
            if entry.is_dir():
                hidden = kept_out_folder(entry.name, names) or kept_out_folder(name, names)
                if name == SPILLED and os.path.isfile(folder + ".jsonl"):
                    self.skipped.append(Skipped(path, "read with the session that it belongs to"))
                    return None
                if hidden or rules.hides(entry.path + os.sep):
                    return None
                if linked and not self._takes(path, entry.path):
                    return None
                return path
            if kept_out_file(entry.name) or kept_out_file(name) or rules.hides(entry.path):
                return None
            if linked and entry.is_file() and not self._takes(path, entry.path):
                return None
            self._file(path, found, entry.path)
        except OSError as error:
            self.skipped.append(Skipped(_shown(entry.path), reason(error)))
        return None

    def _takes(self, path: str, link: str) -> bool:
        """Whether to follow a link; it is recorded either way."""
        if self._follow_links or path.startswith(self._root):
            self.linked.append(path)
            return True
        self.skipped.append(Skipped(_shown(link), LEADS_OUT))
        return False

    def _file(self, path: str, found: list[Found], named: str = "") -> None:
        """Adds a file; `named` is the link that led to it."""
        if path in self._seen:
            return
        self._seen.add(path)
        if not is_name(path):
            # Such bytes are no text: no store can write them, and no answer can show them.
            self.skipped.append(Skipped(_shown(path), "its name is not UTF-8"))
            return
        try:
            status = os.stat(path)
        except PermissionError as error:
            self.unread.append(path)
            self.skipped.append(Skipped(path, reason(error)))
            return
        except OSError:
            self.skipped.append(Skipped(named or path, "it is gone, or its link leads nowhere"))
            return
        if not stat.S_ISREG(status.st_mode):
            self.skipped.append(Skipped(path, "a pipe, socket or device"))
        elif (
            (status.st_dev, status.st_ino) in self._ours
            or path.startswith(self._beside)
            or is_database(path)
        ):
            self.skipped.append(Skipped(path, "a database, or a file beside one: never opened"))
        else:
            modified = status.st_mtime_ns // 1_000_000
            owner = sole_owner(status.st_uid, status.st_gid, status.st_mode)
            found.append(Found(path, status.st_size, modified, owner))


def rules_above(root: str, project_root: str | None) -> Ignore:
    """The rules of the folders from the project's root down to a named path.

    None if they would hide the path itself: naming it overrides them.
    """
    rules = Ignore()
    if project_root is None or not root.startswith(project_root.rstrip(os.sep) + os.sep):
        return rules
    folder = project_root
    for part in _beyond(root, project_root):
        rules = Ignore(folder, rules)
        folder = os.path.join(folder, part)
        if rules.hides(folder + os.sep):
            return Ignore()
    return rules


def _beyond(path: str, folder: str) -> list[str]:
    """The parts of a path below the deepest folder that it shares with `folder`."""
    relative = os.path.relpath(path, folder)
    return [part for part in relative.split(os.sep) if part not in {os.curdir, os.pardir}]


def is_name(path: str) -> bool:
    """Whether a path is valid text; Python represents other bytes as lone surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    """A path in printable form."""
    return path.encode("utf-8", "replace").decode()


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def reason(error: OSError) -> str:
    """Why something could not be read, for the report."""
    text = error.strerror or "it cannot be read"
    # Only the first letter: the rest may contain a path.
    return text[:1].lower() + text[1:]


def _by_path(found: Found) -> str:
    return found.path
