"""Dates in the forms that files use."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bowerbird.ingest.dates import moment


def at(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2024-03-15", at(2024, 3, 15)),
        ("2024-03-15T10:20:30Z", at(2024, 3, 15, 10, 20, 30)),
        ("2024-03-15T10:20:30.500Z", at(2024, 3, 15, 10, 20, 30) + 500),
        ("2024-03-15T10:20:30+02:00", at(2024, 3, 15, 8, 20, 30)),
        ("2024-03-15 10:20", at(2024, 3, 15, 10, 20)),
        ("20240315", at(2024, 3, 15)),
        ("2024/3/5", at(2024, 3, 5)),
        ("15.3.2024", at(2024, 3, 15)),
        ("March-15-2024", at(2024, 3, 15)),
        ("March 15, 2024", at(2024, 3, 15)),
        ("15th of march 2024", at(2024, 3, 15)),
        ("1:56 pm on 8 May, 2023", at(2023, 5, 8, 13, 56)),
        ("12:05 am on 1 January, 2023", at(2023, 1, 1, 0, 5)),
        ("12:05 pm on 1 January, 2023", at(2023, 1, 1, 12, 5)),
        ("Fri, 15 Mar 2024 08:12:31 GMT", at(2024, 3, 15, 8, 12, 31)),
        ("May 2023", at(2023, 5, 1)),
        (1_710_498_030, 1_710_498_030_000),
        (1_710_498_030.25, 1_710_498_030_250),
        (1_710_498_030_123, 1_710_498_030_123),
        (1_710_498_030_123_000, 1_710_498_030_123),
        (1_710_498_030_123_000_000, 1_710_498_030_123),
        ("1710498030", 1_710_498_030_000),
        ("1710498030123", 1_710_498_030_123),
    ],
)
def test_a_date_is_read(said: object, meant: int) -> None:
    assert moment(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        None,
        True,
        "",
        "yesterday",
        "3/4/2024",
        "30 February 2024",
        "99:99 on 8 May, 2023",
        0,
        -5,
        12.5,
        86_400,
        float("nan"),
        float("inf"),
        10**40,
        "9" * 5000,
        "9" * 40,
        ["2024-03-15"],
        {"a": 1},
        "٢٠٢٤-٠٣-١٥ x",
    ],
)
def test_what_is_no_date_or_a_doubtful_one_is_none(said: object) -> None:
    assert moment(said) is None
