"""Files of agents are changed where it is asked and nowhere else, whatever stands in them."""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird.surfaces.installer.jsonc import Jsonc, Unparseable
from bowerbird.surfaces.installer.toml import Toml

NAMES = st.text(max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | NAMES
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
BLANKS = st.sampled_from(["", " ", "\n", "\t", "\r\n", "// a, b: {\n", "/* } */", "  \n\n  "])
SERVER = {"command": "/opt/bower", "args": ["mcp"]}


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody may have written it: with blanks, comments and commas at the end."""

    def tell(one: Any) -> str:
        if isinstance(one, dict):
            inner = [f"{gap()}{tell(key)}{gap()}:{gap()}{tell(held)}" for key, held in one.items()]
            return "{" + ",".join(inner) + end(inner) + "}"
        if isinstance(one, list):
            inner = [gap() + tell(held) for held in one]
            return "[" + ",".join(inner) + end(inner) + "]"
        text = json.dumps(one, ensure_ascii=draw(st.booleans()))
        if (
            isinstance(one, str)
            and "'" not in one
            and '"' not in text[1:-1]
            and draw(st.booleans())
        ):
            text = f"'{text[1:-1]}'"
        return text

    def gap() -> str:
        return str(draw(BLANKS))

    def end(inner: list[str]) -> str:
        comma = bool(inner) and draw(st.booleans())
        return gap() + ("," + gap() if comma else "")

    return gap() + tell(value) + gap()


@settings(max_examples=60)
@given(st.data(), OBJECTS)
def test_what_is_put_in_and_taken_out_leaves_every_byte(data: st.DataObject, value: Any) -> None:
    text = data.draw(written(value))
    opened = Jsonc(text)
    assert opened.value == value
    fresh = [one for one in ("servers", "hooks") if one not in value]
    for name in fresh:
        opened.put((name, "bowerbird"), SERVER)
    assert opened.value == value | {name: {"bowerbird": SERVER} for name in fresh}
    for name in reversed(fresh):
        opened.remove((name,))
    assert opened.value == value
    # Of an empty object's inside the blanks alone may go.
    if value:
        assert opened.text == text


@settings(max_examples=60)
@given(st.data(), OBJECTS)
def test_any_member_can_be_taken_out_and_any_set(data: st.DataObject, value: Any) -> None:
    opened = Jsonc(data.draw(written(value)))
    for key in list(value):
        if data.draw(st.booleans()):
            opened.remove((key,))
            del value[key]
        elif data.draw(st.booleans()):
            opened.put((key,), SERVER)
            value[key] = SERVER
        assert opened.value == value
        assert list(opened.value) == list(value)


def positions(opened: Jsonc, node: Any) -> Any:
    """Where each value of a document stands, and what it is."""
    inner = [(key, positions(opened, one)) for key, one in opened._opened(node).members]
    return node.start, node.end, node.keys, node.value, inner


@settings(max_examples=60)
@given(st.data(), st.dictionaries(NAMES, OBJECTS, min_size=1, max_size=4))
def test_after_a_change_inside_everything_stands_where_it_would_be_read(
    data: st.DataObject, value: Any
) -> None:
    """Only the changed container is parsed again; the rest is moved."""
    opened = Jsonc(data.draw(written(value)))
    for name in value:
        for path in ((name, "hooks"), (name, "hooks", "Stop")):
            if not isinstance(value[name].get("hooks", {}), dict):
                continue
            opened.append(path, SERVER) if len(path) > 2 else opened.put(path, {})
        opened.put((name, "more"), data.draw(VALUES))
        read = Jsonc(opened.text)
        assert positions(opened, opened._root) == positions(read, read._root)


@given(VALUES)
def test_plain_json_is_read_as_a_whole_and_member_by_member_alike(value: Any) -> None:
    """A comment at the end of a container has its members parsed one by one."""
    whole, parted = Jsonc(json.dumps([value])), Jsonc(json.dumps([value])[:-1] + "/**/]")
    assert whole._root is not None
    assert parted._root is not None
    assert (whole._root.opened, parted._root.opened) == (False, True)
    assert whole.value == parted.value == [value]


@pytest.mark.parametrize("end", ["", "/**/"])
def test_values_nested_too_deep_are_refused_in_plain_json_too(end: str) -> None:
    assert Jsonc("[" * 201 + end + "]" * 201).value
    assert Jsonc("[" * 200 + "1" + end + "]" * 200).value
    with pytest.raises(Unparseable, match="too deep"):
        Jsonc("[" * 201 + "1" + end + "]" * 201)
    with pytest.raises(Unparseable, match="too deep"):
        Jsonc("[" * 202 + end + "]" * 202)


@given(st.text(max_size=40) | st.text("{}[]\",:'/* \n1a\\", max_size=40))
def test_what_is_json_is_read_as_json_and_nothing_else_breaks_it(text: str) -> None:
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        with suppress(Unparseable):  # it may be JSON5
            Jsonc(text)
    else:
        assert Jsonc(text).value == plain


def test_a_number_of_too_many_digits_is_reported_as_such() -> None:
    with pytest.raises(Unparseable, match=r"too many digits at line 1, column 7"):
        Jsonc('{"a": ' + "9" * 5_000 + "}")


def test_a_million_digits_that_are_no_number_are_reported_at_once() -> None:
    """In time by their square they took hours."""
    with pytest.raises(Unparseable, match="no value"):
        Jsonc('{"a": ' + "9" * 1_000_000 + "x}")


@given(
    st.lists(
        st.sampled_from(
            [
                "# mine", "", 'model = "x" # why', "[tui]\ntheme = 'dark'", "[a.b]\nc = [1,\n 2]",
                '[mcp_servers.other]\ncommand = "y"', "[[many]]\nn = 1", "deep.er = 1979-05-27",
            ]
        ),
        unique=True,
    ),
    st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip
def test_a_table_is_put_in_and_taken_out_of_toml(parts: list[str], newline: str) -> None:
    parts.sort(key=lambda one: "[" in one)
    text = newline.join([*parts, ""]).replace("\r\n", "\n").replace("\n", newline)
    before = tomllib.loads(text)
    opened = Toml(text)
    opened.put(("mcp_servers", "bowerbird"), SERVER)
    found = tomllib.loads(opened.text)
    assert found["mcp_servers"].pop("bowerbird") == SERVER
    assert {key: held for key, held in found.items() if held} == {
        k: v for k, v in before.items() if v
    }
    opened.remove(("mcp_servers", "bowerbird"))
    assert opened.text == text


@pytest.mark.parametrize(
    "text", ["// mine", "/* a */ // b", "\n// mine", "// mine\r\n// too", "/* a */"]
)
def test_a_file_of_comments_takes_a_value(text: str) -> None:
    document = Jsonc(text)
    document.put(("mcpServers", "bowerbird"), SERVER)
    assert Jsonc(document.text).value == {"mcpServers": {"bowerbird": SERVER}}
    assert document.text.startswith(text)
