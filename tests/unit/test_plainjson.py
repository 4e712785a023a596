"""JSON without its package says what the package says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core import plainjson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_is_what_the_package_writes_and_reads(value: object) -> None:
    text = plainjson.dumps(value)
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert plainjson.loads(text) == json.loads(text) == value
    assert plainjson.spaced(value) == json.dumps(value, ensure_ascii=False)
    assert plainjson.escaped(value) == json.dumps(value)


@given(st.text())
def test_what_is_no_json_for_the_package_is_none_here(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"(?s).+"):
            plainjson.loads(text)
    else:
        assert plainjson.loads(text) == expected


@pytest.mark.parametrize("text", ["", " ", "{", "[1] 2", '{"a":}', "nope", '"\x01"', "\ufeff{}"])
def test_broken_texts_raise_what_every_caller_catches(text: str) -> None:
    with pytest.raises(ValueError, match=r"(?s).+"):
        plainjson.loads(text)


def test_a_text_of_endless_brackets_is_too_deep() -> None:
    with pytest.raises(RecursionError):
        plainjson.loads("[" * 100_000)


def test_what_json_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        plainjson.dumps({"a": object()})
