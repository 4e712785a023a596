"""Import rules that import-linter cannot say: at which place, and for what reason."""

from __future__ import annotations

import ast
import tomllib
from fnmatch import fnmatch
from functools import cache
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    Package = dict[str, ast.Module]

# Runs in Hermes, which hands it its settings in the environment.
HERMES = "agents/hermes_provider.py"
# Where our own modules may be imported inside functions, so that a command loads only what it runs.
LAZY = (
    "core/period.py",
    "core/when.py",
    "sessions/substance.py",
    "sessions/inject/brief.py",
    "sessions/inject/prompt.py",
    "bird.py",
    "verbs/*.py",
    "wiring/*.py",
    "code/targets.py",
    "*registry.py",
    "storage/*/store.py",
    "storage/*/__init__.py",
    "storage/sqlite/nouns/damaged_rows.py",
    "storage/sqlite/search/candidates.py",
    "storage/sqlite/care/upkeep.py",
    "hook/__init__.py",
    "hook/injecting.py",
    "hook/judging.py",
    "surfaces/cli/app.py",
    "surfaces/cli/start.py",
    "surfaces/hooks/command.py",
    "surfaces/cli/table.py",
    "surfaces/http/dashboard.py",
)
# What the interfaces are built on, besides `bird.py`.
PUBLIC = {"admin", "hook"}
# A second SQLite in the process drops the first one's locks.
OTHER_SQLITES = {"sqlite3", "_sqlite3", "pysqlite3", "aiosqlite", "sqlean", "libsql", "sqlcipher3"}


def imported(node: ast.AST) -> list[str]:
    """The modules that one import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return [module] + [f"{module}.{alias.name}" for alias in node.names]
    return []


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    """All nodes of a module, which many rules look through."""
    return list(ast.walk(tree))


def for_types_only(tree: ast.Module) -> set[ast.AST]:
    """All nodes under an `if TYPE_CHECKING:`."""
    return {
        child
        for node in nodes(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for child in ast.walk(statement)
    }


@cache
def inside_functions(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Import statements that run when a function does."""
    found = [
        child
        for node in nodes(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.walk(node)
        if isinstance(child, ast.Import | ast.ImportFrom)
    ]
    # Those of a function inside a function are met twice.
    return list(dict.fromkeys(found))


_PORTS = ("bowerbird.core.ports", "bowerbird.core.memory.")
# A server's client reads there what its methods take: it says that once, and starts no command.
_READS_THEM = "surfaces/http/client.py"


def test_ports_are_imported_for_type_checking_only(package: Package) -> None:
    offences = []
    for name, tree in package.items():
        excused = for_types_only(tree)
        offences += [
            f"{name}:{node.lineno}"
            for node in nodes(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            and any(one.startswith(_PORTS) for one in imported(node))
            and node not in excused
            and not name.startswith(("core/ports/", _READS_THEM))
        ]
    assert not offences, "\n".join(offences)


def test_our_modules_are_imported_at_the_top_except_where_start_up_needs_it(
    package: Package,
) -> None:
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in package.items()
        if not any(fnmatch(name, pattern) for pattern in LAZY)
        for node in inside_functions(tree)
        if any(module.split(".")[0] == "bowerbird" for module in imported(node))
    ]
    assert not offences, "\n".join(offences)


def test_other_imports_inside_functions_say_why(package: Package, root: Path) -> None:
    """`# start-up: …` on the line, for what a cold command should not pay for."""
    offences = []
    for name, tree in package.items():
        if any(fnmatch(name, pattern) for pattern in LAZY):
            continue
        lines = (root / "src" / "bowerbird" / name).read_text(encoding="utf-8").splitlines()
        offences += [
            f"{name}:{node.lineno}"
            for node in inside_functions(tree)
            if "# start-up: " not in lines[node.lineno - 1]
        ]
    assert not offences, "\n".join(offences)


def test_imports_are_absolute(package: Package) -> None:
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in package.items()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not offences, "\n".join(offences)


def test_there_is_one_sqlite(sources: dict[str, str]) -> None:
    offences = []
    # Whoever loads one writes its name.
    for name in [
        name for name, text in sources.items() if any(map(text.__contains__, OTHER_SQLITES))
    ]:
        for node in ast.walk(ast.parse(sources[name], name)):
            names = {module.split(".")[0] for module in imported(node)}
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("import_module", "__import__", "importorskip")
            ):
                names |= {
                    str(argument.value)
                    for argument in node.args
                    if isinstance(argument, ast.Constant)
                }
            if names & OTHER_SQLITES:
                offences.append(name)
    assert not offences, "\n".join(offences)


def test_sql_stays_in_its_backend(package: Package) -> None:
    begins = (
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "DELETE FROM",
        "PRAGMA ",
        "CREATE ",
        "WITH RECURSIVE",
    )
    # The bench runs other systems; a model's mean is taken of texts of all kinds; another tool's file is
    # read as that tool has it.
    others = (
        "storage/sqlite/",
        "storage/postgres/",
        "bench/",
        "models/embed/centred.py",
        "ingest/importers/rows.py",
    )
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in package.items()
        if not name.startswith(others)
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and str(node.value).lstrip().startswith(begins)
    ]
    assert not offences, "\n".join(offences)


def test_only_wiring_verbs_and_surfaces_read_the_environment(package: Package) -> None:
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in package.items()
        if not name.startswith(("wiring/", "verbs/", "daemon/", "surfaces/", "bench/", HERMES))
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv")
    ]
    assert not offences, "\n".join(offences)


def test_verbs_and_surfaces_leave_our_variables_to_wiring(package: Package) -> None:
    """They may look at the terminal's and the agents', not at `BOWER_*`."""
    offences = []
    for name, tree in package.items():
        if not name.startswith(("verbs/", "daemon/", "surfaces/", "bench/")):
            continue
        for node in nodes(tree):
            if isinstance(node, ast.Subscript):
                read = ast.unparse(node.value)
            elif isinstance(node, ast.Call):
                read = ast.unparse(node.func)
            else:
                continue
            ways = ("os.environ", "os.environ.get", "os.getenv")
            if read in ways and "BOWER_" in ast.unparse(node):
                offences.append(f"{name}:{node.lineno}")
    assert not offences, "\n".join(offences)


def test_private_names_stay_in_their_module(package: Package) -> None:
    offences = [
        f"{name}:{node.lineno} {alias.name}"
        for name, tree in package.items()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bowerbird")
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert not offences, "\n".join(offences)


@pytest.mark.parametrize(
    ("room", "sees"), [("daemon", set()), ("surfaces", {"daemon"}), ("bench", {"surfaces"})]
)
def test_the_contracts_on_interfaces_name_every_other_room(
    root: Path, room: str, sees: set[str]
) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = [
        entry for entry in contracts if entry.get("source_modules") == [f"bowerbird.{room}"]
    ]
    here = root / "src" / "bowerbird"
    rooms = {path.name for path in here.iterdir() if (path / "__init__.py").exists()}
    expected = rooms - PUBLIC - {"agents", "core", "host", room} - sees
    assert set(contract["forbidden_modules"]) == {f"bowerbird.{one}" for one in expected}


@pytest.mark.parametrize(
    "room", ["core", "guard", "storage", "models", "bird.py", "verbs", "wiring", "daemon"]
)
def test_nothing_prints_below_the_surfaces(package: Package, room: str) -> None:
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in package.items()
        if name.startswith(room)
        for node in nodes(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]
    assert not offences, "\n".join(offences)
