"""Documents that are text: reStructuredText, AsciiDoc, Org, HTML, tables, notebooks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.ingest.chunk import Size
from bowerbird.ingest.sources.reading import Material, Reading
from bowerbird.ingest.sources.registry import source_for

if TYPE_CHECKING:
    from bowerbird.core.document import Piece

SIZE = Size(100, 0)
LONG = "A sentence that fills the section so that it stands for itself. " * 5


def read(name: str, text: str, size: Size = SIZE) -> Reading:
    material = Material("/notes/" + name, text)
    return source_for(material).read(material, size)


def holding(reading: Reading, text: str) -> Piece:
    (found,) = [piece for piece in reading.pieces if text in piece.text]
    return found


def shown(reading: Reading) -> list[tuple[str, int, int]]:
    return [(piece.context, piece.start_line, piece.end_line) for piece in reading.pieces]


def test_rst_sections_nest_by_the_order_of_their_adornments() -> None:
    text = "====\nBook\n====\n\nL\n\nPart\n====\n\nL\n\nSub\n---\n\nL\n\nLast\n====\n\nL\n"
    reading = read("a.rst", text.replace("L\n", LONG + "\n"))
    assert shown(reading) == [
        ("Book", 1, 5),
        ("Book > Part", 7, 10),
        ("Book > Part > Sub", 12, 15),
        ("Book > Last", 17, 20),
    ]
    assert reading.title == "Book"


@pytest.mark.parametrize(
    "text",
    [
        "=====  =====\nA      B\n=====  =====\n1      2\n",
        "Text before\nno title\n--------\n",
        "- item\n\n   indented\n   --------\n",
        "A long line of text that is no title.\n---\n",
    ],
    ids=["table", "in a paragraph", "indented", "too short"],
)
def test_rst_lines_that_look_like_titles(text: str) -> None:
    assert [piece.context for piece in read("a.rst", text).pieces] == [""]


def test_asciidoc_sections_and_tags() -> None:
    text = (
        "= Manual\n:keywords: pumps, water works\n:revdate: 2024-03-15\n\n"
        f"{LONG}\n\n== Use\n\n----\n== no title\n----\n\n{LONG}\n"
    )
    reading = read("a.adoc", text)
    assert shown(reading) == [("Manual", 1, 5), ("Manual > Use", 7, 13)]
    assert reading.tags == ("pumps", "water works")
    assert reading.pieces[0].occurred == 1_710_460_800_000


def test_a_block_of_asciidoc_that_is_never_closed_is_none() -> None:
    assert read("a.adoc", f"= A\n\n----\n\n== B\n\n{LONG}\n").pieces[-1].context == "A > B"


def test_a_signature_is_no_asciidoc() -> None:
    key = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
    assert source_for(Material("/a.asc", key)).name == "text"


def test_org_headings_without_states_priorities_and_tags() -> None:
    text = (
        f"#+TITLE: Plan\n#+FILETAGS: :home:work:\n\n* TODO [#A] Order seeds :buy:\n{LONG}\n** Heap\n"
        f"{LONG}\n#+begin_src c\n,* no heading\n#+end_src\n"
    )
    reading = read("a.org", text)
    assert [piece.context for piece in reading.pieces][-1] == "Plan > Order seeds > Heap"
    assert holding(reading, "Order").context == "Plan > Order seeds"
    assert (reading.title, reading.tags) == ("Plan", ("home", "work"))


def test_html_is_read_as_it_is_seen() -> None:
    text = (
        "<html><head><title>Ferry &amp; bus</title><style>p { color: red }</style>\n"
        "<script>if (a < b) document.write('<p>unseen</p>')</script></head><body>\n"
        "<!-- <p>hidden</p> --><nav><a href='/'>Home</a></nav>\n"
        "<h1>To <em>Rønne</em></h1>\n"
        '<p title="a > b">Leaves at\nsix &lt;daily&gt;.</p>\n'
        "<ul><li>Adults pay<li><p>Children ride free</p></ul>\n"
        "<table><tr><th>Car<th>Price<tr><td>Small<td>400</table>\n"
        "<pre>\n  x = 1\n    y\n</pre></body></html>"
    )
    reading = read("a.html", text)
    (piece,) = reading.pieces
    assert piece.text == (
        "To Rønne\n\nLeaves at\nsix <daily>.\n\n- Adults pay\n- Children ride free\n\n"
        "Car | Price\nSmall | 400\n\n  x = 1\n    y"
    )
    assert (piece.context, piece.start_line, piece.end_line) == ("Ferry & bus > To Rønne", 4, 11)
    assert reading.title == "Ferry & bus"


def test_the_lines_of_html_are_those_of_the_file() -> None:
    text = "<html>\n\n<p>one\n\n\n<p>two <b>more</b>\n<div>\n<div>three</div>\n"
    pieces = read("a.html", text, Size(3, 0)).pieces
    assert [(p.text, p.start_line) for p in pieces] == [("one", 3), ("two more", 6), ("three", 8)]


@pytest.mark.parametrize(
    "text",
    [
        "<" * 300_000,
        "<!--" * 100_000,
        "<div>" * 100_000 + "deep",
        "<a x='" * 50_000,
        '<a x="' * 50_000 + ">",
        "<script>" * 50_000,
        "<title>" * 50_000,
        "<b>x</b>" * 50_000,
        "</nav><nav>" * 50_000,
        "&" * 300_000,
    ],
    ids=range(10),
)
def test_hostile_html_is_read_in_one_pass(text: str) -> None:
    """What takes longer than linear time here would take hours."""
    assert read("a.html", text * 3) is not None


def test_a_table_is_found_by_its_columns() -> None:
    (piece,) = read("a.csv", "country;capital\nAustria;Vienna\n").pieces
    assert (piece.context, piece.text) == ("country, capital", "country;capital\nAustria;Vienna")
    (piece,) = read("a.tsv", "1\t2\n3\t4\n").pieces
    assert piece.context == ""


def test_of_a_long_table_the_head_is_read_and_the_rest_told() -> None:
    reading = read("a.csv", "name,value\n" + "a,1\n" * 5_000)
    assert reading.pieces[-1].end_line == 1_000
    assert reading.left_out.startswith("the first 1,000 lines of the table are read")
    assert read("a.csv", "name,value\n" + "a,1\n" * 999).left_out == ""


def notebook(*cells: dict[str, Any]) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1)


CELLS = (
    {"cell_type": "markdown", "source": ["# Churn\n", "\n", "Who left."]},
    {
        "cell_type": "code",
        "source": ["import pandas as pd\n", "print('rows')"],
        "outputs": [
            {"output_type": "stream", "text": ["rows: 7043\n"]},
            {
                "output_type": "display_data",
                "data": {"image/png": "iVBOR", "text/plain": ["<Figure>"]},
            },
            {
                "output_type": "error",
                "ename": "KeyError",
                "evalue": "'x'",
                "traceback": ["\x1b[31mlong"],
            },
        ],
    },
    {"cell_type": "markdown", "source": "## Model\n\nA forest."},
)


def test_a_notebook_is_read_by_cell() -> None:
    text = notebook(*CELLS)
    reading = read("a.ipynb", text)
    assert [piece.context for piece in reading.pieces] == [
        "Churn > cell 1",
        "Churn > cell 2",
        "Churn > Model > cell 3",
    ]
    assert reading.pieces[1].text == (
        "import pandas as pd\nprint('rows')\n\nrows: 7043\n\n<Figure>\n\nKeyError: 'x'"
    )
    assert reading.title == "Churn"


def test_the_lines_of_a_notebook_are_those_of_the_file() -> None:
    text = notebook(*CELLS)
    rows = text.split("\n")
    for piece in read("a.ipynb", text).pieces:
        first, last = piece.text.split("\n")[0], piece.text.split("\n")[-1]
        assert first in json.loads(
            rows[piece.start_line - 1].strip().rstrip(",").split(": ", 1)[-1]
        )
        assert last.split(":")[0] in rows[piece.end_line - 1]


def test_a_long_output_is_cut_and_no_secret_with_it() -> None:
    said: list[str] = []

    def safe(text: str) -> str:
        said.append(text)
        return text

    long = {
        "cell_type": "code",
        "source": "x",
        "outputs": [{"output_type": "stream", "text": "b" * 9_000}],
    }
    material = Material("/a.ipynb", notebook(long), safe)
    reading = source_for(material).read(material, Size(1_000, 0))
    assert sum(piece.text.count("b") for piece in reading.pieces) == 2_000
    assert "b" * 9_000 in said


@pytest.mark.parametrize("text", ["{", '{"cells": 3}', '{"cells": [[]]}', "[" * 9_000, '{"cells"'])
def test_a_broken_notebook_gives_nothing(text: str) -> None:
    assert (
        read("a.ipynb", text).pieces == [] or source_for(Material("/a.ipynb", text)).name == "text"
    )
