"""The page: widths, cuts and ages."""

from __future__ import annotations

import pytest

from bowerbird.surfaces.cli.page import Page, cells, cut, cut_front, shown, table, wrap

NOW = 1_767_225_600_000
HOUR = 3_600_000
DAY = 24 * HOUR


def test_wide_characters_take_two_columns() -> None:
    assert cells("证书 ab") == 7
    assert cells("e\u0301") == 1
    assert cut("证书证书", 5) == "证书…"
    assert cut_front("docs/notes/auth.md:3-9", 12) == "…auth.md:3-9"


def test_wrapping_keeps_line_ends_and_breaks_long_words() -> None:
    assert wrap("one two three\n\nfour", 8) == ["one two", "three", "four"]
    assert wrap("x" * 10, 4) == ["xxxx", "xxxx", "xx"]
    assert wrap("  - indented words go on", 14) == ["  - indented", "  words go on"]


def test_paths_are_short_where_they_can_be() -> None:
    page = Page(cwd="/home/ada/shop", home="/home/ada")
    assert page.location("/home/ada/shop/docs/a.md", 3, 9) == "docs/a.md:3-9"
    assert page.location("/home/ada/notes.md", 4, 4) == "~/notes.md:4"
    assert page.path("/home/adam/x") == "/home/adam/x"


@pytest.mark.parametrize(
    ("ago", "expected"),
    [
        (0, "just now"),
        (5 * 60_000, "5 min ago"),
        (3 * HOUR, "3 h ago"),
        (DAY, "1 day ago"),
        (40 * DAY, "40 days ago"),
        (200 * DAY, "6 months ago"),
        (800 * DAY, "2 years ago"),
    ],
)
def test_ages_are_told_gently(ago: int, expected: str) -> None:
    assert Page(now=NOW).age(NOW - ago) == expected


def test_a_day_without_a_time_has_no_hours() -> None:
    day = NOW - NOW % DAY
    assert Page(now=day + 9 * HOUR).age(day) not in ("9 h ago", "just now")
    assert Page(now=day + 9 * HOUR).age(day + 1) == "8 h ago"
    assert Page(now=day + 9 * HOUR).age(day - 3 * DAY) == "3 days ago"


def test_colours_only_where_they_show() -> None:
    assert Page(colour=False).style("x", "bold") == "x"
    styled = Page(colour=True).style("x", "bold", "cyan")
    assert shown(styled) == "\x1b[1;36mx\x1b[0m"
    assert Page(unicode=False).bar(0.5, 4) == "##.."


def test_tables_align() -> None:
    assert table([("a", "1"), ("bb", "22")], (1,)) == ["a    1", "bb  22"]
