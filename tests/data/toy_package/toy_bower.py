"""One addition of each kind to Bowerbird: docs/EXTENDING.md explains them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from bowerbird.core.document import Piece
from bowerbird.core.draft import Draft
from bowerbird.core.errors import BadInput
from bowerbird.core.methodologies import Methodology
from bowerbird.core.migrated import Found, Note
from bowerbird.core.phases import Phase
from bowerbird.core.plugins import Plugin
from bowerbird.core.thinking import Prompt, Said
from bowerbird.ingest.sources.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird import Bowerbird
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

VERSION = "1.2"


class Recipes:
    """Reads `.recipe` files: a title, then a step a line."""

    name = "recipes"

    def accepts(self, material: Material) -> bool:
        """Whether it is a recipe."""
        return material.suffix == ".recipe"

    def read(self, material: Material, _size: Size) -> Reading:
        """A piece for each step, below the title."""
        title, *steps = material.text.splitlines()
        pieces = [
            Piece(f"Step {number}: {step}", number + 1, number + 1, context=title)
            for number, step in enumerate(steps, 1)
            if step.strip()
        ]
        return Reading(pieces, title=title, tags=("recipe",))


class Shoebox:
    """Imports the notes of a shoebox: a folder of `.card` files."""

    def read(self, path: str, most: int) -> Found:
        """A note for each card."""
        names = sorted(name for name in os.listdir(path) if name.endswith(".card"))
        if not names:
            raise BadInput(f"there are no cards in {path}", "name a folder of .card files")
        notes = []
        for name in names:
            with open(os.path.join(path, name), encoding="utf-8") as file:
                notes.append(Note(name, Draft(file.read(most).strip(), tags=("shoebox",))))
        return Found(path, tuple(notes))


class Letters:
    """An encoder that counts letters."""

    dims = 26
    revision = "1"

    def __init__(self, settings: dict[str, Any]) -> None:
        """`settings` are those of `embed`: model, endpoint, key, dims and timeout."""
        self.settings = settings

    def encode(self, texts: Sequence[str], *, question: bool) -> Sequence[Sequence[float]]:
        """How often each letter occurs in a text."""
        del question
        return [[float(text.lower().count(chr(97 + i))) for i in range(26)] for text in texts]


class Shortest:
    """A reranker that prefers short texts."""

    most = 10
    budget_s = 1.0

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        """The positions of the texts, the shortest first."""
        del question
        return sorted(range(len(texts)), key=lambda at: len(texts[at]))


class Parrot:
    """A language model that repeats the first word of what it is asked, as every text of the answer."""

    remote = False

    def __init__(self, settings: dict[str, Any]) -> None:
        """`settings` are those of `llm`: model, endpoint, key, timeout and context."""
        self.name = f"parrot {settings['model']}"

    def answer(self, prompt: Prompt, patience: float) -> Said:
        """An answer of the wanted shape."""
        del patience
        word = prompt.message.split(">", 1)[1].split()[0]
        fields = prompt.schema["properties"]
        said = {name: [word] if one["type"] == "array" else word for name, one in fields.items()}
        return Said(json.dumps(said))


class Cookbook:
    """Memory as a cookbook: pages that are added, and found by a question."""

    def __init__(self, bird: Bowerbird) -> None:
        """Pages are memories with the tag `page`."""
        self._bird = bird

    def add(self, page: str) -> str:
        """Add a page; its id."""
        return self._bird.remember(page, tags=["page"]).id

    def find(self, question: str) -> list[str]:
        """The pages that answer a question."""
        return [hit.text for hit in self._bird.query(question, tags=["page"])]


def kitchen() -> Methodology:
    """Prepare, cook, serve."""
    serve = Phase("serve", "putting it on the table", 600, {}, {"other": 1.0})
    return Methodology("kitchen", "prepare, cook, serve", (serve,))


RECIPES = Plugin("recipes", "reads .recipe files step by step", VERSION, Recipes)
SHOEBOX = Plugin("from-shoebox", "imports folders of .card files", VERSION, Shoebox)
LETTERS = Plugin("letters", "an embedder that counts letters", VERSION, Letters)
SHORTEST = Plugin("shortest", "orders the best hits by length", VERSION, Shortest)
KITCHEN = Plugin("kitchen", "the phases of a kitchen", VERSION, kitchen)
PARROT = Plugin("parrot", "a language model that repeats a word", VERSION, Parrot)
COOKBOOK = Plugin("cookbook", "memory as a cookbook", VERSION, Cookbook)
