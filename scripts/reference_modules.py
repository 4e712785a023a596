"""Renders docs/MODULES.md: what is in each file, by the first line of its docstring."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "bowerbird"
HEAD = """# What is in each file

<!-- Written by scripts/reference.py from the modules' docstrings; change those, then run it again. -->

By room; [ARCHITECTURE.md](ARCHITECTURE.md) says which question each room answers.
"""


def page() -> str:
    """The index of all modules."""
    parts = [HEAD, *_section(SOURCE, "*.py")]
    for room in sorted(path.parent for path in SOURCE.glob("*/__init__.py")):
        parts += [f"\n## {room.name}\n", _first_line(room / "__init__.py") + "\n"]
        parts += _section(room, "**/*.py")
    return "\n".join(parts) + "\n"


def _section(folder: Path, pattern: str) -> Iterator[str]:
    for path in sorted(folder.glob(pattern)):
        if path.name != "__init__.py" or path.parent not in (folder, SOURCE):
            name = path.relative_to(folder).as_posix()
            yield f"- `{name}`: {_first_line(path)}"


def _first_line(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]
