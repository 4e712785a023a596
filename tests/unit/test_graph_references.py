"""Who refers to a thing without calling it: members of the object itself, constants in any expression."""

from __future__ import annotations

import os

import pytest

from bowerbird.code.edges import edges_of
from bowerbird.code.files import World
from bowerbird.code.resolve import Resolver
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import MODULE

BASE = "class Base:\n    AGE = 1\n\n    def told(self):\n        return None\n"
PAGE = (
    "from base import Base\nimport base\n\nLIMITS = {}\nDEBUG = False\n\n\n"
    "class Page(Base):\n    def __init__(self):\n        self.add(callback=self._help)\n\n"
    "    def _help(self):\n        return self.AGE if DEBUG else 0\n\n"
    "    def shown(self):\n        return LIMITS.get(1)\n\n"
    "    def asked(self):\n        if not DEBUG:\n            return lambda: LIMITS\n\n"
    "    def later(self):\n        return f'{LIMITS}', self.told\n\n"
    "    def every(self):\n        for one in LIMITS:\n            assert DEBUG\n"
)
PAGE_EDGES = {
    ("Page.__init__", "Page._help"),
    ("Page._help", "Base.AGE"),
    ("Page._help", "DEBUG"),
    ("Page.shown", "LIMITS"),
    ("Page.asked", "DEBUG"),
    ("Page.asked", "LIMITS"),
    ("Page.later", "LIMITS"),
    ("Page.later", "Base.told"),
    ("Page.every", "LIMITS"),
    ("Page.every", "DEBUG"),
}
SCRIPT = (
    "const LIMITS = {a: 1};\nconst DEBUG = load();\n\nclass Page {\n"
    "  constructor() { this.add({callback: this.help}); }\n"
    "  help() { return DEBUG ? 1 : 0; }\n"
    "  shown() { return LIMITS.get(1); }\n"
    "  asked() { if (!DEBUG) { return () => LIMITS; } }\n"
    "  later() { return `${LIMITS}`; }\n}\n"
    "function exported() { module.exports.made = help; }\nfunction help() {}\n"
)
SCRIPT_EDGES = {
    ("Page.constructor", "Page.help"),
    ("Page.help", "DEBUG"),
    ("Page.shown", "LIMITS"),
    ("Page.asked", "DEBUG"),
    ("Page.asked", "LIMITS"),
    ("Page.later", "LIMITS"),
}


def references(files: dict[str, str]) -> set[tuple[str, str]]:
    outlines = []
    for name, text in files.items():
        read = outlined(text, os.path.splitext(name)[1])
        assert read is not None
        outlines.append(read[0])
    world = World(
        {place: f"/p/{name}" for place, name in enumerate(files)},
        outlines.__getitem__,
        lambda *_: [],
    )
    resolver = Resolver(world)
    found = set()
    for number, outline in enumerate(outlines):
        file = world.file(number)
        assert file is not None
        for edge in edges_of(resolver, file, world.uses(number)):
            if edge.kind == "references" and edge.target is not None and edge.source != MODULE:
                target = outlines[edge.target[0]].qualified(edge.target[1])
                found.add((outline.qualified(edge.source), target))
    return found


@pytest.mark.parametrize(
    ("files", "expected"),
    [({"base.py": BASE, "page.py": PAGE}, PAGE_EDGES), ({"page.js": SCRIPT}, SCRIPT_EDGES)],
    ids=["python", "script"],
)
def test_what_is_referred_to_is_found(
    files: dict[str, str], expected: set[tuple[str, str]]
) -> None:
    assert expected - references(files) == set()


def test_what_is_only_exported_is_not_used() -> None:
    assert ("exported", "help") not in references({"page.js": SCRIPT})
