"""Since when a text says that it holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bowerbird.lifecycle.dated import dated

SAID = round(datetime(2026, 6, 15, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Since March the port is 6432", "2026-03-01"),
        ("The port is 6432 since September", "2025-09-01"),
        ("Since the 3rd of May 2025, we deploy on Mondays", "2025-05-03"),
        ("since May 3, 2025 we deploy", "2025-05-03"),
        ("Since 2026-02-14 the queue is Kafka", "2026-02-14"),
        ("since 2024 we use Postgres", "2024-01-01"),
        ("As of 1 June the office is closed", "2026-06-01"),
        ("Seit dem 2. März 2026 läuft die Kasse", "2026-03-02"),
        ("depuis février 2026 le port est 6432", "2026-02-01"),
        ("Between September and December 2025 staging ran on Fly", "2025-09-01"),
        ("since December 2026 the port is 1", None),
        ("Since the tests hang, restart Redis", None),
        ("Since 3 nodes failed, we use five", None),
        ("Since Monday we use Kafka", "2026-06-15"),
        ("The port is 6432", None),
        ("since 2026-02-31 it is broken", None),
    ],
)
def test_the_day_that_a_text_names(text: str, day: str | None) -> None:
    found = dated(text, SAID).start
    shown = None if found is None else datetime.fromtimestamp(found / 1000, UTC).date().isoformat()
    assert shown == day


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("In May 2026 we moved to Hetzner.", "2026-05-01", None),
        ("We switched to NATS on 12 June.", "2026-06-12", None),
        ("Starting next Monday the standup is at 10.", "2026-06-22", None),
        ("From 1 January 2027 the port is 7000.", "2027-01-01", None),
        ("Ab dem 1. Juli kostet das Ticket 63 Euro.", "2026-07-01", None),
        ("The discount code is valid until 30 June.", None, "2026-06-30"),
        ("Until the end of August Anna is on leave.", None, "2026-08-31"),
        ("From 20 December until 6 January the shop is closed.", "2026-12-20", "2027-01-06"),
        ("Last week we switched the broker to NATS.", "2026-06-08", None),
        # Dates of nouns, of what recurs, and of what only happened.
        ("The report of May 2026 lies in the archive.", None, None),
        ("Logs from March are on the old host.", None, None),
        ("Every year in December the shop is closed.", None, None),
        ("We are open from Monday to Friday.", None, None),
        ("Python 3.9 was released in October 2020.", None, None),
        ("May I ask why the tests hang?", None, None),
        ("Tests run from 1 to 20 workers.", None, None),
        # Of several sentences each has its own time.
        ("The port is 6432. Until 30 June Anna is on leave.", None, None),
    ],
)
def test_the_time_that_a_text_speaks_of(text: str, start: str | None, end: str | None) -> None:
    found = dated(text, SAID)
    shown = [
        None if at is None else datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
        for at in (found.start, found.end and found.end - 1)
    ]
    assert shown == [start, end]
