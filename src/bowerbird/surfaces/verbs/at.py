"""The passage that holds a line of an indexed file, for programs that hold a place; typed it is `get`."""

from bowerbird.core.history import Shown
from bowerbird.surfaces.fields import TEXT, Bowerbird, Field, Given, Verb

VERB = Verb(
    "at",
    "Show the passage that holds a line of an indexed file",
    (
        Field(
            "path", "text", "the path as indexed; its end is enough if it is unambiguous",
            low=1, high=TEXT, needed=True,
        ),
        Field("line", "whole", "", default=1, low=1, high=1_000_000_000),
    ),
    Shown,
    route=("GET", "/at"),
    reach="project",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Shown:
    """Find it."""
    return Shown(bird.at(given["path"], given["line"]))


def used(shown: Shown) -> list[str]:
    """It alone."""
    return [shown.entry.id]
