"""Writes src/bowerbird/agents/index.py from the descriptions of agents, a file each.

``--check`` fails if it is out of date. A cold command asks the index, since loading every description
would cost it milliseconds.
"""

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path

from bowerbird.agents.agent import Agent

ROOM = Path(__file__).parent.parent / "src" / "bowerbird" / "agents"
INDEX = ROOM / "index.py"
# The files of the room that describe no agent; the provider runs inside of one.
_OTHERS = {"__init__", "agent", "folders", "hermes_provider", "index", "registry"}
HEAD = '''"""What is asked of all agents at once, so that a cold command need not load each.

Written by scripts/agents.py from the descriptions beside this file; change those, then run it again.
"""
'''


def described() -> list[Agent]:
    """All agents, in the order of their ids."""
    names = sorted(path.stem for path in ROOM.glob("*.py"))
    modules = [
        importlib.import_module(f"bowerbird.agents.{name}") for name in names if name not in _OTHERS
    ]
    return sorted((module.AGENT for module in modules), key=lambda agent: agent.id)


def index(agents: list[Agent]) -> str:
    """The text of the index."""
    parts = (
        ("All agents.", "IDS", [agent.id for agent in agents]),
        (
            "Those that can be connected.",
            "CONNECTABLE",
            [agent.id for agent in agents if agent.files],
        ),
        ("Those with hooks.", "HOOKED", [agent.id for agent in agents if agent.hooks]),
        (
            "Variables that agents set in their shells, each with its agent.",
            "VARIABLES",
            [(name, agent.id) for agent in agents for name in agent.variables],
        ),
        (
            "Variables in which an agent names the session that opened the shell.",
            "SESSIONS",
            [name for agent in agents for name in agent.sessions],
        ),
        (
            "Names of agents' processes.",
            "PROCESSES",
            [name for agent in agents for name in agent.processes],
        ),
    )
    return "\n".join([HEAD, *(_constant(*part) for part in parts)])


def _constant(comment: str, name: str, values: Iterable[str | tuple[str, ...]]) -> str:
    lines = "\n".join(f"    {_literal(value)}," for value in values)
    return f"# {comment}\n{name} = (\n{lines}\n)"


def _literal(value: str | tuple[str, ...]) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return "(" + ", ".join(f'"{part}"' for part in value) + ")"


def main() -> int:
    """Write the index, or compare it."""
    text = index(described()) + "\n"
    if "--check" not in sys.argv[1:]:
        INDEX.write_text(text, encoding="utf-8")
        return 0
    if INDEX.read_text(encoding="utf-8") == text:
        return 0
    print(f"{INDEX} is stale; run: python scripts/agents.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
