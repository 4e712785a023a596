"""The folders and types of files that a sentence names."""

from __future__ import annotations

import pytest

from bowerbird.core.anchors import falling_under
from bowerbird.sessions.learn.named_places import places_told_of


@pytest.mark.parametrize(
    ("sentence", "places"),
    [
        ("packages/tills still runs on ES5", ("packages/tills/",)),
        ("in tests/ we mock nothing", ("tests/",)),
        ("in the migrations folder nothing is edited", ("migrations/",)),
        ("the folder vendor is not ours", ("vendor/",)),
        ("im Ordner skripte nur sh", ("skripte/",)),
        ("files live below ./lib/crypto.", ("lib/crypto/",)),
        ("all .sql files begin with a comment", ("*.sql",)),
        ("no inline styles in *.vue or src/app/", ("src/app/", "*.vue")),
        ("see src/app.py, or https://example.org/a/b", ()),
        ("we never log addresses", ()),
    ],
)
def test_places_are_read_from_a_sentence(sentence: str, places: tuple[str, ...]) -> None:
    assert places_told_of(sentence) == places


def test_a_file_falls_under_its_folders_and_its_type() -> None:
    assert falling_under("a/b/c.sql") == ["a/b/c.sql", "a/b/", "a/", "*.sql"]
    assert falling_under("Makefile") == ["Makefile"]
