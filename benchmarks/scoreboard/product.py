"""Bowerbird with its defaults: each row is a note, and the built-in models read questions and notes."""

import os

from bowerbird.bird import Bowerbird
from bowerbird.core import version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION = version.VERSION
PROJECT = "bench"


def load(folder: str, texts: "Sequence[str]", _vectors: "Callable[[], object]") -> None:
    """A Markdown file a row."""
    notes = os.path.join(folder, "notes")
    os.makedirs(notes, exist_ok=True)
    for row, text in enumerate(texts):
        with open(os.path.join(notes, f"{row}.md"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
    with Bowerbird.open(os.path.join(folder, "bench.db"), project=PROJECT) as bird:
        bird.index(notes)


def opened(folder: str) -> "Callable[[str, Sequence[float], int], list[int]]":
    """The rows of its hits, of which there may be none."""
    bird = Bowerbird.open(os.path.join(folder, "bench.db"), project=PROJECT)

    def ask(text: str, _vector: "Sequence[float]", limit: int) -> list[int]:
        paths = [hit.path or "" for hit in bird.query(text, limit=limit)]
        return [int(os.path.basename(path).removesuffix(".md")) for path in paths]

    return ask
