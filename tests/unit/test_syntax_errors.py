"""A syntax error costs the definition that holds it, and not what stands below."""

from __future__ import annotations

import pytest

from bowerbird.code.syntax.outlining import outlined

GOOD = 'def good():\n    """Told."""\n    return 1\n\n\n'
LAST = (
    "\n\ndef helper():\n    return good()\n\n\n"
    "class Store:\n    def open(self):\n        return helper()\n"
)
ALL = ["good", "helper", "Store", "Store.open"]
TEXTS = {
    "a parameter": (".py", GOOD + "def bad(:\n    x = = 3\n" + LAST, ALL),
    "a bracket": (".py", GOOD + "def bad():\n    x = (1,\n" + LAST, ALL),
    "a dictionary": (".py", GOOD + "def bad():\n    return {'a': [1, 2\n" + LAST, ALL),
    "two of them": (
        ".py",
        GOOD
        + "def bad(:\n    x = 3\n"
        + LAST
        + "\n\ndef worse():\n    y = [1,\n\n\ndef end():\n    pass\n",
        [*ALL, "end"],
    ),
    "a method": (
        ".py",
        GOOD
        + "class Store:\n    def shut(self:\n        return 1\n\n    def open(self):\n        return 2\n",
        ["good", "Store", "Store.open"],
    ),
    "a script": (
        ".js",
        (
            "function good() {}\nfunction bad( {\n  x = = 3\n}\n"
            "function helper() { good() }\nclass Store {\n  open() { helper() }\n}\n"
        ),
        ALL,
    ),
}


@pytest.mark.parametrize("where", TEXTS)
def test_an_error_costs_one_definition(where: str) -> None:
    suffix, text, expected = TEXTS[where]
    read = outlined(text, suffix)
    assert read is not None
    outline = read[0]
    names = [outline.qualified(place) for place in range(len(outline.definitions))]
    assert [name for name in names if name in expected] == expected
    lines = text.split("\n")
    assert all(one.name in lines[one.line - 1] for one in outline.definitions)
    called = {one.chain for one in outline.uses if one.kind == "calls"}
    if "helper" in expected:
        assert {"good", "helper"} <= called
