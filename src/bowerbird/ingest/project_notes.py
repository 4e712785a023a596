"""Finds the notes of a project that were never indexed: its documentation, not its code or its data.

Nobody waits for it, but it runs whenever a session starts, so it has limits: what exceeds them is found
at the next start, as what was found meanwhile is known.
"""

import os
import re
from collections import deque

from bowerbird.ingest.ignore import Ignore, kept_out_file, kept_out_folder, marked_as_kept_out
from bowerbird.ingest.walk import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# Files and bytes of one start, bytes of one file, and entries of folders that are looked at.
_MOST_FILES = 200
_MOST_BYTES = 2_000_000
_LARGEST = 200_000
_MOST_SEEN = 20_000
_MARKED_UP = (".md", ".markdown", ".rst", ".org")
# Plain text elsewhere is mostly data.
_PLAIN = ".txt"
_FOLDERS_OF_NOTES = frozenset(("doc", "docs", "notes"))
# Not about the project, or about its past, or given to the agent in any case.
_BOILERPLATE = re.compile(
    r"(?i)(?:licen[cs]e|copying|notice|authors|contributors|code_of_conduct|change_?log|changes|history"
    r"|news|requirements|constraints|cmakelists|robots|claude|agents|gemini|pull_request_template"
    r"|issue_template)\b"
)
# Folders with the data of tests, and with the code of others.
_OF_OTHERS = frozenset(
    "test tests testdata fixtures __tests__ snapshots __snapshots__ golden vendor vendored third_party"
    " third-party external".split()
)


def is_boilerplate(name: str) -> bool:
    """Whether a file's name says that it is no note on the project."""
    return _BOILERPLATE.match(name) is not None


def unknown_notes(root: str, known: "Collection[str]") -> list[str]:
    """The paths of the notes below a project's root that are not `known`, those near the root first."""
    found: list[str] = []
    left = _MOST_BYTES
    for entry in _notes(root):
        if entry.path in known:
            continue
        try:
            size = entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue  # gone meanwhile
        if not 0 < size <= min(_LARGEST, left):
            continue
        found.append(entry.path)
        left -= size
        if len(found) == _MOST_FILES:
            break
    return found


def _notes(root: str) -> "Iterator[os.DirEntry[str]]":
    waiting = deque([(root, Ignore())])
    seen = 0
    while waiting:
        folder, above = waiting.popleft()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda one: one.name)
        except OSError:
            continue
        seen += len(entries)
        names = {one.name for one in entries}
        if seen > _MOST_SEEN or (folder != root and _is_others(names)):
            continue
        rules = above.below(folder, names)
        if rules.refused:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not _left_out(entry.name, names) and not rules.hides(entry.path + os.sep):
                    waiting.append((entry.path, rules))
            elif _is_note(entry, folder) and not rules.hides(entry.path):
                yield entry


def _is_others(names: "set[str]") -> bool:
    """Whether a folder is another repository, or was made by a tool."""
    return ".git" in names or marked_as_kept_out(names)


def _left_out(name: str, beside: "set[str]") -> bool:
    return name.lower() in _OF_OTHERS or kept_out_folder(name, beside) or not is_name(name)


def _is_note(entry: "os.DirEntry[str]", folder: str) -> bool:
    name = entry.name.lower()
    noted = name.endswith(_MARKED_UP) or (
        name.endswith(_PLAIN) and os.path.basename(folder).lower() in _FOLDERS_OF_NOTES
    )
    if not noted or kept_out_file(entry.name) or is_boilerplate(name):
        return False
    return is_name(entry.name) and entry.is_file(follow_symlinks=False)
