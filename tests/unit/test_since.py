"""Since when a text says that it holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bowerbird.lifecycle.since import since

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
        ("since December 2026 the port is 1", None),
        ("Since the tests hang, restart Redis", None),
        ("Since 3 nodes failed, we use five", None),
        ("Since Monday we use Kafka", None),
        ("The port is 6432", None),
        ("since 2026-02-31 it is broken", None),
    ],
)
def test_the_day_that_a_text_names(text: str, day: str | None) -> None:
    found = since(text, SAID)
    shown = None if found is None else datetime.fromtimestamp(found / 1000, UTC).date().isoformat()
    assert shown == day
