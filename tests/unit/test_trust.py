"""How far something is believed."""

from __future__ import annotations

import pytest

from bowerbird.core.errors import UnknownName
from bowerbird.core.origins import TRUST_OF
from bowerbird.core.types import TRUSTS
from bowerbird.guard.grounds import grounds_of
from bowerbird.guard.trust import lowest, reaches, trust_of


def test_every_origin_has_a_trust_in_the_order() -> None:
    assert set(TRUST_OF.values()) <= set(TRUSTS)
    assert {origin: trust_of(origin) for origin in TRUST_OF} == TRUST_OF


def test_lineage_can_only_lower() -> None:
    assert trust_of("user", lineage=["normal", "imported"]) == "imported"
    assert trust_of("import", lineage=["full"]) == "imported"
    assert trust_of("agent", lineage=[]) == "normal"


def test_taint_leaves_low_trust_at_most() -> None:
    assert trust_of("user", tainted=True) == "low"
    assert trust_of("peer", lineage=["full"], tainted=True) == "low"


def test_the_lowest_of_nothing_lowers_nothing() -> None:
    assert lowest([]) == "full"
    assert lowest(["full", "low", "normal"]) == "low"


def test_a_floor_is_reached_from_above() -> None:
    assert reaches("normal", "normal")
    assert reaches("full", "normal")
    assert not reaches("imported", "normal")


@pytest.mark.parametrize("call", [lambda: trust_of("nobody"), lambda: lowest(["middling"])])
def test_unknown_names_are_refused(call: object) -> None:
    with pytest.raises(UnknownName):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("source", "repository", "strangers", "unread", "answer", "trusted"),
    [
        ("", True, (), False, None, True),
        ("", True, (), False, False, False),
        ("", True, (), True, None, False),
        ("", True, (), True, True, True),
        ("host/a", True, (), False, None, False),
        ("host/a", True, (), False, True, True),
        ("host/a", True, (7,), False, True, False),
        ("", True, (7,), False, None, False),
        ("", False, (), False, None, False),
        ("", False, (), False, True, True),
        ("", False, (7,), False, True, False),
    ],
)
def test_files_are_the_users_own_where_nobody_else_writes_them(
    source: str,
    repository: bool,
    strangers: tuple[int, ...],
    unread: bool,
    answer: bool | None,
    trusted: bool,
) -> None:
    grounds = grounds_of(
        "/shop",
        source,
        repository=repository,
        strangers=strangers,
        unread=unread,
        answer=answer,
        owners=frozenset({5}),
    )
    assert grounds.trusted is trusted
    assert bool(grounds.remedy) is not trusted
    assert grounds.origin(5) == ("tool_internal" if trusted else "import")
    assert grounds.origin(7) == "import"
