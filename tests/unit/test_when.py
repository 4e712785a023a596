"""Moments as people write them: ages, dates, and days on which the clocks change."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.when import moment
from bowerbird.lifecycle.complete import expiry

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUR = 3_600_000


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clocks change on 8 March and 1 November 2026. Spelt out: not every machine has the database."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "EST5EDT,M3.2.0,M11.1.0")
        time.tzset()
        yield
    time.tzset()


def utc(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW = utc("2026-03-08T18:00")


def test_moments() -> None:
    assert moment("2024-03-15T10:00:00Z", NOW) == utc("2024-03-15T10:00")
    assert moment("12h", NOW) - moment("1d", NOW) == 12 * HOUR
    assert moment("12h", NOW, ahead=True) == NOW + 12 * HOUR
    assert moment("10m", NOW) == moment("10min", NOW) == moment("600s", NOW) == NOW - HOUR / 6
    assert moment("1mo", NOW) == moment("30d", NOW)
    assert moment(" Now ", NOW) == NOW
    assert moment("20.03.2026", NOW) == moment("2026-3-20", NOW) == moment("2026-03-20", NOW)
    for wrong in (
        "soon",
        "1 March 2026 or so",
        "since March",
        "32 March 2026",
        "7 parsecs",
        "",
        "31.2.2026",
        "2026-13-1",
        "99999999-01-01",
    ):
        with pytest.raises(ValueError, match=r".*"):
            moment(wrong, NOW)


@pytest.mark.parametrize(
    ("text", "now", "start", "end"),
    [
        ("today", "2026-03-08T18:00", "2026-03-08T05:00", "2026-03-09T04:00"),
        ("yesterday", "2026-03-09T12:00", "2026-03-08T05:00", "2026-03-09T04:00"),
        ("today", "2026-11-01T18:00", "2026-11-01T04:00", "2026-11-02T05:00"),
        ("2026-11-01", "2026-12-01T18:00", "2026-11-01T04:00", "2026-11-02T05:00"),
        ("1.11.2026", "2026-12-01T18:00", "2026-11-01T04:00", "2026-11-02T05:00"),
        ("1 November 2026", "2026-12-01T18:00", "2026-11-01T04:00", "2026-11-02T05:00"),
        ("March 2026", "2026-12-01T18:00", "2026-03-01T05:00", "2026-04-01T04:00"),
        ("March", "2026-12-01T18:00", "2026-03-01T05:00", "2026-04-01T04:00"),
        ("2025", "2026-12-01T18:00", "2025-01-01T05:00", "2026-01-01T05:00"),
        ("last week", "2026-12-02T02:00", "2026-11-23T05:00", "2026-11-30T05:00"),
        ("last Monday", "2026-12-02T02:00", "2026-11-30T05:00", "2026-12-01T05:00"),
    ],
)
@pytest.mark.usefixtures("new_york")
def test_a_day_is_whole_when_the_clocks_change(text: str, now: str, start: str, end: str) -> None:
    assert moment(text, utc(now)) == utc(start)
    assert moment(text, utc(now), end_of_day=True) == utc(end) - 1


@pytest.mark.usefixtures("new_york")
def test_a_memory_is_believed_to_the_end_of_its_day_when_the_clocks_change() -> None:
    assert expiry("2026-03-08", utc("2026-03-01T00:00")) == utc("2026-03-09T04:00") - 1
    assert expiry("2026-11-01", utc("2026-03-01T00:00")) == utc("2026-11-02T05:00") - 1
