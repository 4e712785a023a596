"""Source code as passages: one a definition, with its name, its lines and what stands above it."""

import re

import pytest

from bowerbird.code.syntax.grammar import MOST_BYTES
from bowerbird.core.document import Piece
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sources.registry import source_for

SIZE = Size(400, 0)
PYTHON = '''\
"""A store."""
import os

LIMIT = 5


# How words are asked.
@cached
def escape_fts(text: str) -> str:
    """Quote each word."""
    def quoted(word):
        return '"' + word + '"'
    return " ".join(map(quoted, text.split()))


class Store(Base):
    """Keeps."""

    kept = 0

    def open(self):
        return os.open(self.path)

    @property
    def size(self):
        return LIMIT
'''
OTHERS = {
    "a.js": (
        (
            "// Adds.\nexport function add(a, b) {\n  return a + b\n}\nconst twice = (x) => {\n"
            "  return x\n}\nclass Foo extends Bar {\n  go() {\n    return 1\n  }\n}\n"
        ),
        ["add function:1-4", "twice function:5-7", "Foo class:8-8", "Foo.go method:9-11"],
    ),
    "a.ts": (
        (
            "export interface Shape {\n  area: number\n}\nexport abstract class A {\n"
            "  get size(): number {\n    return 1\n  }\n}\n"
        ),
        ["Shape class:1-3", "A class:4-4", "A.size method:5-7"],
    ),
    "a.tsx": (
        "export const App = () => {\n  return <Page/>\n}\n",
        ["App function:1-3"],
    ),
    "a.go": (
        (
            "package main\n\n// Open opens.\nfunc Open(p string) *Store {\n\treturn nil\n}\n\n"
            "func (s *Store) Get() int {\n\treturn 1\n}\n"
        ),
        ["Open function:3-6", "Store.Get method:8-10"],
    ),
    "a.rs": (
        (
            "/// A point.\n#[derive(Debug)]\npub struct Point {\n    x: i32,\n}\n\nimpl Point {\n"
            "    pub fn new() -> Self {\n        Point { x: 1 }\n    }\n}\n"
        ),
        ["Point class:1-5", "Point class:7-7", "Point.new method:8-10"],
    ),
    "A.java": (
        "package a;\n\n/** Keeps. */\npublic class A {\n    int get() {\n        return 1;\n    }\n}\n",
        ["A class:3-4", "A.get method:5-7"],
    ),
    "a.c": (
        "#include <x.h>\n\n/* Adds. */\nint *add(int a) {\n    return 0;\n}\n",
        ["add function:3-6"],
    ),
    "a.cpp": (
        "namespace n {\nclass A : public B {\npublic:\n  int f() {\n    return 1;\n  }\n};\n}\n",
        ["n module:1-1", "n.A class:2-3", "n.A.f method:4-6"],
    ),
}


def pieces(name: str, text: str, size: Size = SIZE) -> list[Piece]:
    material = Material(f"/project/src/{name}", text, str, f"src/{name}")
    return source_for(material).read(material, size).pieces


def named(found: list[Piece]) -> list[str]:
    return [
        f"{one.context.partition(' | ')[2]}:{one.start_line}-{one.end_line}"
        for one in found
        if " | " in one.context
    ]


def test_a_passage_is_a_function_a_method_or_the_head_of_a_class() -> None:
    found = pieces("store.py", PYTHON)
    assert named(found) == [
        "escape_fts function:7-13",
        "Store class:16-19",
        "Store.open method:21-22",
        "Store.size method:24-26",
    ]
    assert found[0].context == "src/store.py"
    assert found[1].context == "src/store.py | escape_fts function"


def test_its_text_is_that_of_its_lines_with_their_indentation() -> None:
    lines = PYTHON.split("\n")
    for one in pieces("store.py", PYTHON):
        assert one.text == "\n".join(lines[one.start_line - 1 : one.end_line])


def test_a_function_inside_a_function_belongs_to_it() -> None:
    found = pieces("store.py", PYTHON)
    assert any("def quoted" in one.text and "def escape_fts" in one.text for one in found)


@pytest.mark.parametrize("name", OTHERS)
def test_every_language_is_cut_at_its_definitions(name: str) -> None:
    text, expected = OTHERS[name]
    assert named(pieces(name, text)) == expected


def test_a_syntax_error_costs_what_it_stands_in_and_not_the_file() -> None:
    broken = PYTHON.replace("    kept = 0", "    kept = = )")
    found = named(pieces("store.py", broken))
    assert "escape_fts function:7-13" in found
    assert "Store.size method:24-26" in found


def test_a_long_function_is_cut_where_a_statement_begins() -> None:
    body = "".join(
        f"    value_{i} = compute(\n        first={i},\n        second={i},\n    )\n"
        for i in range(60)
    )
    text = f"def long_one():\n{body}    return value_0\n\n\ndef short():\n    return 1\n"
    found = pieces("long.py", text, Size(100, 0))
    parts = [one for one in found if "long_one" in one.context]
    assert len(parts) > 1
    assert all(re.match(r"    value_\d+ = compute\(", one.text) for one in parts[1:])
    assert [one.end_line + 1 for one in parts[:-1]] == [one.start_line for one in parts[1:]]
    assert found[-1].text == "def short():\n    return 1"


def test_what_no_grammar_reads_is_cut_by_lines() -> None:
    found = pieces("a.ex", "def a\n  1\nend\n\ndef b\n  2\nend\n")
    assert [one.context for one in found] == ["src/a.ex"]


def test_a_hundred_lines_without_a_grammar_are_one_passage() -> None:
    step = "  result = first_value + second_value\n"
    (found,) = pieces("one.ex", f"def one\n{step * 98}end\n")
    assert (found.start_line, found.end_line) == (1, 100)
    found_two = pieces("two.ex", f"def one\n{step * 68}end\n\ndef two\n{step * 68}end\n")
    assert [(one.start_line, one.end_line) for one in found_two] == [(1, 70), (72, 141)]
    short = pieces("short.ex", "a = 1\n" * 150)
    assert [one.end_line - one.start_line + 1 <= 100 for one in short] == [True, True]
    wide = pieces("wide.ex", f"{'x' * 400}\n" * 100)
    assert len(wide) > 1, "a passage has an end in bytes, too"


def test_a_file_beyond_the_bounds_is_cut_by_lines() -> None:
    text = "def a():\n    return 1\n" + "# filling\n" * (MOST_BYTES // 10)
    read = source_for(Material("large.py", text)).read(Material("large.py", text), SIZE)
    assert all(" | " not in one.context for one in read.pieces)
    assert "not in the graph" in read.left_out


def test_code_without_a_grammar_is_read_in_whole() -> None:
    material = Material("a.ex", "def a\n  1\nend\n")
    assert source_for(material).read(material, SIZE).left_out == ""


@pytest.mark.parametrize("text", ["(" * 20_000, "x = " + "[" * 20_000 + "]" * 20_000, "\x00" * 50])
def test_deep_and_senseless_text_is_read_in_time(text: str) -> None:
    assert isinstance(pieces("deep.py", text), list)
