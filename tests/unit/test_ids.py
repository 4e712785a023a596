"""Identifiers and hashes."""

import uuid

from bowerbird.core.ids import new_id, text_hash


def test_ids_are_version_seven_and_ascend_even_when_the_clock_steps_back() -> None:
    ids = [new_id(now) for now in [5_000, 5_000, 4_000, 9_000] + [9_000] * 5_000]
    assert ids == sorted(set(ids))
    parsed = uuid.UUID(ids[0])
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)


def test_the_hash_of_a_text_ignores_case_accents_and_white_space() -> None:
    assert text_hash("Redis  must\nbe UP") == text_hash("redis must be up")
    assert text_hash("port 5432") != text_hash("port 6432")
