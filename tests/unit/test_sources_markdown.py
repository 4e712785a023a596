"""Notes, plain text and code as pieces."""

from __future__ import annotations

from bowerbird.core.document import Piece
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.sources.reading import Material, Reading
from bowerbird.ingest.sources.registry import source_for

SIZE = Size(100, 20)
LONG = "A sentence that fills the section so that it stands for itself. " * 5


def read(text: str, name: str = "a.md", size: Size = SIZE) -> Reading:
    material = Material("/notes/" + name, text)
    return source_for(material).read(material, size)


def contexts(reading: Reading) -> list[str]:
    return [piece.context for piece in reading.pieces]


def test_the_context_is_the_way_of_headings() -> None:
    reading = read(f"# A\n{LONG}\n## B\n{LONG}\n### C\n{LONG}\n## D ##\n{LONG}\n")
    assert contexts(reading) == ["A", "A > B", "A > B > C", "A > D"]
    assert [p.start_line for p in reading.pieces] == [1, 3, 5, 7]
    assert reading.title == "A"


def test_a_heading_that_says_little_joins_the_section_below_it() -> None:
    reading = read(f"# A\n\n## B\n\n{LONG}\n\n## C\n\nshort\n\n## D\n\nshorter\n")
    assert contexts(reading) == ["A > B", "A > C", "A > D"]
    assert reading.pieces[0].text.startswith("# A\n\n## B\n\nA sentence")
    assert reading.pieces[1].text == "## C\n\nshort"


def test_underlined_headings() -> None:
    reading = read(
        f"Title\n=====\n{LONG}\n\nPart\n----\n{LONG}\n\n- item\n---\n\na | b\n--- | ---\n"
    )
    assert contexts(reading) == ["Title", "Title > Part"]


def test_marks_inside_fenced_code_are_no_headings() -> None:
    reading = read("# A\n```sh\n# not a heading\n```\ntext\n````\n```\n# nor this\n````\n")
    assert contexts(reading) == ["A"]


def test_the_end_of_a_fence_is_no_title() -> None:
    assert contexts(read("# A\n\n```\ncode\n\n```\n---\n\ntext\n")) == ["A"]


def test_a_fence_that_is_never_closed_swallows_nothing() -> None:
    reading = read(f"# A\n```\ncode\n{LONG}\n# B\n{LONG}\n")
    assert contexts(reading) == ["A", "B"]


def test_code_within_a_line_opens_no_fence() -> None:
    assert contexts(read(f"```x``` y\n{LONG}\n# B\n```\nz\n```\n")) == ["", "B"]


def test_fenced_code_stays_whole_where_it_fits() -> None:
    code = "\n".join(f"call_number({i})  # line" for i in range(10))
    prose = "\n".join(f"prose line {i} with words" for i in range(9))
    reading = read(f"# A\n{prose}\n```python\n{code}\n```\n{prose}\n", size=Size(100, 0))
    whole = [p for p in reading.pieces if "```python" in p.text]
    assert len(whole) == 1
    assert whole[0].text.count("```") == 2


def test_frontmatter_gives_context_and_time() -> None:
    reading = read(
        "---\ntitle: Outage\ntags: [redis, ops]\ndate: 2024-03-15\n---\n# Cause\n\nDisk.\n"
    )
    (piece,) = reading.pieces
    assert (piece.context, reading.tags) == ("Outage > Cause", ("redis", "ops"))
    assert piece.occurred == 1_710_460_800_000
    assert (piece.text, piece.start_line, piece.end_line) == ("# Cause\n\nDisk.", 6, 8)
    assert reading.title == "Outage"


def test_links_and_other_names_come_with_the_note() -> None:
    reading = read("---\naliases: [Go live, Ship it]\n---\nSee [[Plan]].\n\n```\n[[no]]\n```\n")
    assert reading.aliases == ("Go live", "Ship it")
    assert [(link.target, link.line) for link in reading.links] == [("Plan", 4)]


def test_frontmatter_that_says_more_is_found_by_its_words() -> None:
    reading = read("---\nname: deploy\ndescription: how to ship on Fridays\n---\nText.\n")
    assert "ship on Fridays" in reading.pieces[0].text
    assert (reading.pieces[0].start_line, reading.pieces[0].end_line) == (1, 4)


def test_a_title_that_repeats_the_first_heading_stands_once() -> None:
    assert contexts(read("---\ntitle: A\n---\n# A\ntext\n")) == ["A"]


def test_windows_line_ends_count_as_lines() -> None:
    (piece,) = read("# A\r\n\r\ntext\r\n").pieces
    assert (piece.text, piece.end_line) == ("# A\n\ntext", 3)


def test_an_empty_note_has_no_pieces() -> None:
    assert read("").pieces == []
    assert read("\n\n").pieces == []


def test_plain_text_has_no_context() -> None:
    reading = read("# not a heading here\ntext\n", "log.txt")
    assert reading.pieces == [Piece("# not a heading here\ntext", 1, 2)]


def test_a_short_function_is_one_piece_with_its_file_as_context() -> None:
    text = "def add(a, b):\n    total = a + b\n\n    return total\n"
    (piece,) = read(text, "shop/cart.py").pieces
    assert (piece.text, piece.start_line, piece.end_line) == (text.rstrip("\n"), 1, 4)
    assert piece.context == "shop/cart.py | add function"


def test_code_is_cut_before_a_definition() -> None:
    function = "def step_{0}(value):\n    first = value + {0}\n\n    return first * {0}\n\n\n"
    text = "".join(function.format(number) for number in range(12))
    pieces = read(text, "steps.py", Size(60, 0)).pieces
    assert len(pieces) > 2
    assert all(piece.text.startswith("def step_") for piece in pieces)
