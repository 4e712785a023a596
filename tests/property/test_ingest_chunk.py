"""Whatever the text: every character is in some piece, and a piece is what its lines say."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from bowerbird.core.text import clean, count_tokens
from bowerbird.ingest.chunk import Size, cut_message
from bowerbird.ingest.frontmatter import frontmatter
from bowerbird.ingest.sources.code import TIMES, Code
from bowerbird.ingest.sources.markdown import Markdown
from bowerbird.ingest.sources.plain import Plain
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sources.registry import source_for

if TYPE_CHECKING:
    from bowerbird.ingest.sources.reading import Source

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=12)
LINES = st.one_of(
    st.sampled_from(
        ["", "  ", "```", "```python", "~~~~", "# Title", "## Part", "### ", "===", "---", "- item"]
    ),
    st.lists(WORDS, min_size=1, max_size=12).map(" ".join),
    st.builds(lambda word, times: f"{word}. " * times, WORDS, st.integers(1, 120)),
    st.integers(1, 900).map("x".__mul__),
)
TEXTS = st.lists(LINES, max_size=60).map("\n".join)
SIZES = st.builds(Size, st.integers(50, 120), st.integers(0, 120))
SOURCES = st.sampled_from([Markdown(), Plain(), Code()])


def lines_of(text: str) -> list[str]:
    return clean(text).split("\n")


@given(TEXTS, SIZES, SOURCES)
def test_a_piece_is_the_text_of_its_lines(text: str, size: Size, source: Source) -> None:
    lines = lines_of(text)
    for piece in source.read(Material("/notes/a.md", text), size).pieces:
        assert 1 <= piece.start_line <= piece.end_line <= len(lines)
        whole = "\n".join(lines[piece.start_line - 1 : piece.end_line])
        assert piece.text in whole
        assert piece.text.strip()
        # Code without a grammar is cut by lines; a passage may be longer there.
        most = size.limit * TIMES if isinstance(source, Code) else size.limit
        assert count_tokens(piece.text) <= most
        if all(count_tokens(line) < size.limit for line in whole.split("\n")):
            assert piece.text == whole


@given(TEXTS, SIZES, SOURCES)
def test_no_character_is_lost(text: str, size: Size, source: Source) -> None:
    lines = lines_of(text)
    first = frontmatter(lines).lines if source.name == "markdown" else 0
    pieces = source.read(Material("/notes/a.md", text), size).pieces
    shown: dict[int, Counter[str]] = {}
    for piece in pieces:
        # Each line of a piece that is not cut off counts whole; a cut line adds up over its parts.
        for number in range(piece.start_line, piece.end_line + 1):
            shown.setdefault(number, Counter()).update(piece.text)
    for number, line in enumerate(lines[first:], first + 1):
        missing = Counter("".join(line.split())) - shown.get(number, Counter())
        assert not missing, (number, line, missing)


@given(TEXTS, st.integers(50, 120))
def test_without_overlap_nothing_is_lost_or_said_twice(text: str, limit: int) -> None:
    pieces = Plain().read(Material("/notes/a.txt", text), Size(limit, 0)).pieces
    said = "".join("".join(piece.text for piece in pieces).split())
    assert said == "".join(clean(text).split())


@given(TEXTS, SIZES)
def test_pieces_come_in_order(text: str, size: Size) -> None:
    pieces = Plain().read(Material("/notes/a.txt", text), size).pieces
    for before, after in itertools.pairwise(pieces):
        assert before.start_line <= after.start_line
        assert before.end_line <= after.end_line


@given(st.text(max_size=3000), st.integers(20, 400))
def test_a_message_keeps_every_word(text: str, limit: int) -> None:
    parts = cut_message(text, limit)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part and len(part) <= limit for part in parts)


@given(
    st.one_of(st.text(max_size=400), st.binary(max_size=400).map(lambda b: b.decode("latin-1"))),
    st.sampled_from(["a.md", "a.jsonl", "a.json", "a.py", "a.txt", "a"]),
)
@example('{"role": "user", "content": "\\ud800 \\u0000 x"}', "a.jsonl")
@example("---\n" + "- " * 5000 + "\n---\n", "a.md")
@example('{"role": "user", "content": ' + "9" * 5000 + "}", "a.jsonl")
@example('{"role": "user", "content": "a"}\n{"a":' + "[" * 100_000 + "}", "a.jsonl")
def test_no_text_makes_a_reader_raise(text: str, name: str) -> None:
    material = Material("/notes/" + name, text)
    reading = source_for(material).read(material, Size(400, 80))
    for piece in reading.pieces:
        piece.text.encode()
        assert "\0" not in piece.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    "type message role content timestamp sessionId uuid id parts text payload name input"
    " tool_use_id isMeta parentUuid messages info toolCalls $set $rewindTo output arguments".split()
)
VALUES = st.recursive(
    JSON
    | st.sampled_from("user assistant text tool_use tool_result message session gemini".split()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=8), st.sampled_from(["l", ""]))
def test_no_record_makes_a_reader_raise(records: list[dict[str, object]], suffix: str) -> None:
    text = "\n".join(json.dumps(record) for record in records)
    material = Material("/notes/a.json" + suffix, text)
    source_for(material).read(material, Size(400, 80))
