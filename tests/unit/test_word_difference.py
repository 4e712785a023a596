"""Which words of two texts differ."""

from __future__ import annotations

import pytest

from bowerbird.core.word_difference import another_number, differing


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("hangs after 30 s", "hangs after 45 s", ["30"], ["45"]),
        ("the same", "the  same", [], []),
        ("", "all of it", [], ["all of it"]),
        ("start Redis first", "start first", ["Redis"], []),
        ("at most 10,000 rows", "at most 50,000 rows", ["10,000"], ["50,000"]),
        ("at most 10,000 rows", "up to 50,000 rows", ["at most 10,000"], ["up to 50,000"]),
        ("1 234,5 s", "1 234,6 s", ["234,5"], ["234,6"]),
        (
            "10\u202f000 lignes, 3",
            "50\u202f000 lignes, 4",
            ["10\u202f000", "3"],
            ["50\u202f000", "4"],
        ),
        ("port 6379.", "port 6379!", ["."], ["!"]),
    ],
)
def test_only_what_differs_is_marked(old: str, new: str, gone: list[str], come: list[str]) -> None:
    first, second = differing(old, new)
    assert [old[a:b] for a, b in first] == gone
    assert [new[a:b] for a, b in second] == come


@pytest.mark.parametrize(
    ("text", "other", "apart"),
    [
        ("It listens on port 6380.", "On port 6432 since May", ("port 6380", "port 6432")),
        ("Port: 6380", "the port is 6432", ("port 6380", "port 6432")),
        ("port 6380", "port 6380 of the cluster", None),
        ("ports 6380 and 6432 of port 80", "port 80", None),
        ("port 6380, later port 6432", "port 7000", None),
        ("Use port 6380", "Wait 30 seconds", None),
        ("version 3.11", "version 3.12.", ("version 3.11", "version 3.12")),
        ("commit 7c1d2ab", "commit 9", None),
    ],
)
def test_another_number_of_the_same_is_named(
    text: str, other: str, apart: tuple[str, str] | None
) -> None:
    assert another_number(text, other) == apart
