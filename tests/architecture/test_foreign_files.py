"""What others may have put on a disk is opened by one function, which waits for nothing."""

from __future__ import annotations

import ast

OPENERS = {"open", "io.open", "os.open", "Path.open", "mmap.mmap"}
READERS = ("read_bytes", "read_text")
ROOMS = (
    "core/",
    "host/",
    "guard/",
    "code/",
    "ingest/",
    "wiring/",
    "verbs/",
    "retrieval/",
    "lifecycle/",
)
# Who opens a file by itself, and whose file that is.
OWN = {
    "host/foreign.py": "the one place",
    "guard/rules/table.py": "a table of this very package",
    "guard/rules/providers.py": "likewise",
    "guard/told.py": "a table and word lists of this very package",
    "lifecycle/weighing.py": "a table of this very package",
    "host/places.py": "our own side files, to append to",
    "host/own_files.py": "a person's file with several names, which is written in place",
    "core/blanking.py": "our own side files, whose links are refused",
    "core/resident.py": "the kernel's figures of this process",
    "host/shared_folder.py": "a header that must not be there yet",
    "host/installed.py": "how this very package was installed, by what its installer left",
    "host/locks.py": "our own locks, beside the store or in our own folder",
    "verbs/choosing.py": "our own lock, in our own folder, to read what it says",
    "verbs/rescuing.py": "when it was done last, in our own folder",
    "wiring/settings.py": "the cache in our own folder, and how it is written",
}


def opened(tree: ast.Module) -> list[int]:
    """The lines on which files are opened."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call.lineno
        for call in calls
        if ast.unparse(call.func) in OPENERS or ast.unparse(call.func).endswith(READERS)
    ]


def test_foreign_files_are_opened_in_one_place(package: dict[str, ast.Module]) -> None:
    found = [
        f"{name}:{line}"
        for name, tree in package.items()
        if name.startswith(ROOMS) and name not in OWN
        for line in opened(tree)
    ]
    assert not found, "open it with host/foreign.py: " + ", ".join(found)


def test_the_check_itself() -> None:
    for code in ("open(path)", "os.open(path, 0)", "Path(path).read_text()"):
        assert opened(ast.parse(code))
    assert not opened(ast.parse("head(path, 10); Bowerbird.open(path); os.fdopen(handle)"))
