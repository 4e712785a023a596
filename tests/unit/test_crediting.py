"""What was injected is of use unless somebody corrected it in the meantime."""

from __future__ import annotations

from typing import Any

import pytest

from bowerbird.sessions.crediting import uncorrected


def said(what: str, id: str, at: int) -> dict[str, Any]:
    return {"what": what, "id": id, "at": at}


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], ["a", "b"]),
        ([said("flagged", "a", 5)], ["b"]),
        ([said("rejected", "a", 6), said("edited", "b", 7)], []),
        ([said("rejected", "a", 4)], ["a", "b"]),
        ([said("flagged", "a", 6), said("undone", "a", 7)], ["a", "b"]),
        ([said("confirmed", "a", 6)], ["a", "b"]),
    ],
    ids=["nothing", "one", "both", "before it was injected", "taken back", "confirmed"],
)
def test_what_was_corrected_since_was_of_no_use(
    outcomes: list[dict[str, Any]], expected: list[str]
) -> None:
    assert uncorrected(outcomes, ["a", "b"], 5) == expected
