"""A page with a picture runs nothing and loads nothing, whatever files and symbols are called."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from bowerbird.surfaces.pictures import Drawing, dot, mermaid, page

HOSTILE = "\"'></title></text></svg><script src=//e.example>alert(1)</script><img onerror=x src=y>"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_names_of_others_are_no_markup() -> None:
    drawing = page(
        Drawing(
            HOSTILE, [(HOSTILE, HOSTILE, 0), ("b", "c", 1)], [(0, 1, HOSTILE, HOSTILE)], range(1)
        )
    )
    plain = page(Drawing("a", [("b", "c", 0), ("b", "c", 1)], [(0, 1, "d", "e")], range(1)))
    hostile, harmless = Tags(), Tags()
    hostile.feed(drawing)
    harmless.feed(plain)
    assert hostile.found == harmless.found
    assert hostile.attributes == harmless.attributes
    assert not hostile.found & {"script", "img", "link", "iframe", "object"}
    assert "://" not in plain


def test_long_names_stay_within_their_boxes_and_boxes_within_the_page() -> None:
    long = "locks_test.py:SemaphoreContextManagerTest.test_context_manager_async_await"
    drawing = page(Drawing("a", [("b", "c", 0), (long, long, 1)], [(0, 1, "calls", "")], range(1)))
    found = re.findall(r'<rect x="(\d+)" y="\d+" width="(\d+)"', drawing)
    boxes = [(int(x), int(wide)) for x, wide in found]
    # Letters of 12 pixels are 6 to 7 wide.
    assert boxes[1][1] >= 7 * len(long)
    (width,) = re.findall(r'<svg width="(\d+)"', drawing)
    assert max(x + wide for x, wide in boxes) <= int(width)
    assert boxes[0][0] + boxes[0][1] < boxes[1][0]


def test_a_line_tells_where_it_is_said() -> None:
    boxes = [("a", "b", 0), ("c", "d", 1)]
    few = Drawing("a", boxes, [(0, 1, "calls", "web.py:5")], range(1))
    assert "web.py:5</text>" in page(few)
    assert '|"calls web.py:5"|' in mermaid(few)
    assert 'label="calls web.py:5"' in dot(few)
    many = page(Drawing("a", boxes, [(0, 1, "calls", "web.py:5")] * 50, range(1)))
    assert "<title>calls web.py:5</title>" in many
    assert "web.py:5</text>" not in many
