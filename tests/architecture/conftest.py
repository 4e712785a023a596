"""The repository as the architecture tests see it: its files, and its Python read as trees."""

from __future__ import annotations

import ast
import gc
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("src", "scripts", "benchmarks", "tests")
# Made by tools; none of it is ours to judge.
SKIPPED = {"__pycache__", "build", "dist", "node_modules"}


def _files() -> list[Path]:
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name not in SKIPPED and (not name.startswith(".") or name in (".ci", ".github"))
        ]
        # In a linked worktree `.git` is a file, written by git with the place of the repository.
        found += [Path(folder) / name for name in names if name != ".git"]
    return sorted(found)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def files() -> list[Path]:
    """Every file of the project, those of tools left out."""
    return _files()


@pytest.fixture(scope="session")
def sources(files: list[Path]) -> dict[str, str]:
    """The text of every Python file by its path from the root."""
    relative = {path.relative_to(ROOT).as_posix(): path for path in files if path.suffix == ".py"}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in relative.items()
        if name.startswith(CODE)
    }


@pytest.fixture(scope="session")
def modules(sources: dict[str, str]) -> dict[str, ast.Module]:
    """Every Python file but those of tests, by its path from the root."""
    # What is parsed is many objects and no garbage, which would be looked for among them again and again.
    gc.disable()
    found = {
        name: ast.parse(text, name)
        for name, text in sources.items()
        if not name.startswith("tests/")
    }
    gc.freeze()
    gc.enable()
    return found


@pytest.fixture(scope="session")
def package(modules: dict[str, ast.Module]) -> dict[str, ast.Module]:
    """The modules of the package, by their path inside it."""
    prefix = "src/bowerbird/"
    return {
        name.removeprefix(prefix): tree for name, tree in modules.items() if name.startswith(prefix)
    }
