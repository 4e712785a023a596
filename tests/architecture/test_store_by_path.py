"""The database file is touched through SQLite alone: closing it by hand drops SQLite's locks."""

from __future__ import annotations

import ast

import pytest

# Variables that hold the path of a store; in storage, plain `path` does too.
STORE_NAMES = {"store_path", "db_path", "database", "database_path"}
OPENERS = {"open", "os.open", "io.open", "Path", "pathlib.Path", "mmap.mmap"}
COPIERS = {"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.move", "os.sendfile"}
READERS = ("read_bytes", "read_text", "write_bytes", "write_text")


def offences(tree: ast.Module, names: set[str]) -> list[int]:
    """Lines that open one of the named paths as a file. O_EXCL makes a file, so none was there."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called not in OPENERS | COPIERS and not called.endswith(READERS):
            continue
        held = [*node.args, node.func.value if isinstance(node.func, ast.Attribute) else None]
        is_store = any(
            (isinstance(part, ast.Name) and part.id in names)
            or (isinstance(part, ast.Attribute) and part.attr in names)
            for part in held
        )
        if is_store and "O_EXCL" not in ast.unparse(node):
            found.append(node.lineno)
    return found


def test_no_module_opens_the_store_as_a_file(package: dict[str, ast.Module]) -> None:
    found = []
    for name, tree in package.items():
        names = STORE_NAMES | ({"path"} if name.startswith("storage/") else set())
        found += [f"{name}:{line}" for line in offences(tree, names)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ("open(path, 'rb')", True),
        ("os.open(self.store_path, os.O_RDONLY)", True),
        ("shutil.copy(db_path, target)", True),
        ("Path(path).read_bytes()", True),
        ("os.open(path + '.lock', os.O_RDWR)", False),
        ("os.open(path, os.O_CREAT | os.O_EXCL)", False),
        ("apsw.Connection(path)", False),
        ("open('/proc/self/mounts')", False),
    ],
)
def test_the_check_itself(code: str, *, caught: bool) -> None:
    assert bool(offences(ast.parse(code), STORE_NAMES | {"path"})) is caught
