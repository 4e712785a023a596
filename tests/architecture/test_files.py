"""The shape of the house: sizes, names, docstrings, and nothing of the machine it was made on."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# The two pipelines read as prose on one screen.
LONGEST_PIPELINE = 150
LONGEST_PAGE = {"README.md": 120}
# Names that say nothing about what is inside.
EMPTY_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common|stuff)(_|$)", re.IGNORECASE)
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".jsonl", ".txt", ".cfg", ".sh", ""}
# Folders of one machine, put together here so that this file does not hold them.
MACHINE_PATHS = re.compile(
    r"(?<![\w./~-])/(?:" + "|".join(("wo" + "rk", "ro" + "ot", "op" + "t/pypi")) + r")(?:/|\b)"
)


def length(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_pipelines_fit_a_screen(sources: dict[str, str]) -> None:
    sizes = {
        name: len(text.splitlines())
        for name, text in sources.items()
        if name.startswith("src/") and name.endswith("/pipeline.py")
    }
    assert sizes
    too_long = [f"{name}: {size}" for name, size in sizes.items() if size > LONGEST_PIPELINE]
    assert not too_long, "\n".join(too_long)


@pytest.mark.parametrize(("page", "longest"), LONGEST_PAGE.items())
def test_the_first_pages_stay_short(root: Path, page: str, longest: int) -> None:
    assert length(root / page) <= longest


def test_file_names_say_what_is_inside(sources: dict[str, str]) -> None:
    offences = [
        name
        for name in sources
        if any(EMPTY_NAMES.search(part) for part in name.removesuffix(".py").split("/"))
    ]
    assert not offences, "\n".join(offences)


def undocumented(tree: ast.Module) -> list[str]:
    """Public functions, classes and methods without a docstring, by name."""
    found = [] if ast.get_docstring(tree) else ["module"]
    bodies: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while bodies:
        prefix, body = bodies.pop()
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                found.append(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                bodies.append((f"{prefix}{node.name}.", node.body))
    return found


def test_every_public_name_has_a_docstring(modules: dict[str, ast.Module]) -> None:
    offences = [
        f"{name}: {missing}" for name, tree in modules.items() for missing in undocumented(tree)
    ]
    assert not offences, "\n".join(offences)


def test_nothing_names_the_machine_it_was_made_on(files: list[Path], root: Path) -> None:
    offences = []
    for path in files:
        if path.suffix not in TEXT:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        offences += [
            f"{path.relative_to(root)}: {match.group()}" for match in MACHINE_PATHS.finditer(text)
        ]
    assert not offences, "\n".join(offences)
