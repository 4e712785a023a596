"""What the package promises by name: its public names, and the tree of its errors."""

from __future__ import annotations

import inspect
import re

import bowerbird
from bowerbird.core import errors

PUBLIC = [
    "Bowerbird",
    "BowerbirdError",
    "Client",
    "Decision",
    "Entry",
    "Filter",
    "Hit",
    "Hits",
    "Pack",
    "Query",
    "Report",
    "Status",
    "__version__",
]


def test_the_public_names_are_these() -> None:
    """A name that comes or goes is a change that users see: it belongs into the changelog."""
    assert bowerbird.__all__ == PUBLIC


def test_every_public_name_is_there_and_documented() -> None:
    for name in PUBLIC:
        value = getattr(bowerbird, name)
        assert isinstance(value, str) or value.__doc__, name


def test_the_package_holds_nothing_else() -> None:
    source = inspect.getsource(bowerbird)
    # What is not for every process is loaded when it is asked for.
    source = source.replace("\ndef __getattr__(", "\n").replace("\nif TYPE_CHECKING:", "\n")
    assert not re.search(r"^(def|class|if|for|try) ", source, re.MULTILINE)


def drawn_tree() -> dict[str, str]:
    """Each error of the drawing with the one it hangs from."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for line in inspect.getdoc(errors).splitlines():  # type: ignore[union-attr]
        match = re.match(r"^([│ ├└─]*)([A-Z]\w+)(?:\s{2,}|$)", line)
        if match:
            depth = len(match.group(1)) // 4
            path[depth:] = [match.group(2)]
            parents[match.group(2)] = path[depth - 1] if depth else "Exception"
    return parents


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    real = {
        name: value.__mro__[1].__name__
        for name, value in vars(errors).items()
        if inspect.isclass(value) and value.__module__ == errors.__name__
    }
    assert drawn_tree() == real


def test_every_error_has_message_and_remedy() -> None:
    for name in drawn_tree():
        error = getattr(errors, name)("what happened", "what to do")
        assert (error.message, error.remedy, str(error)) == (
            "what happened",
            "what to do",
            "what happened",
        )
        assert error.exit_code in (1, 2)
