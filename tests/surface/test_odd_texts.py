"""Texts that no store can hold are refused by the argument they were given for, by every verb."""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.config import SETTINGS, Config
from bowerbird.core.errors import BadConfig, BadInput, UnknownName, UsageError
from bowerbird.surfaces.fields import HTTP, MCP, every
from bowerbird.surfaces.schema import checked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ODD = {"surrogate": "a\ud800b", "nul": "a\0b", "long": "x" * 10_000_000}
# Takes a name of the program's own; what is no parameter of a text.
PLAIN = {"setting"}
NONE = {("watch", "tell"), ("watch", "sorts")}


def methods(of: type) -> list[tuple[str, str]]:
    """Each public method with the name of a parameter that takes text."""
    found = []
    for name, method in inspect.getmembers(of, inspect.isfunction):
        if name.startswith("_") or name in PLAIN:
            continue
        parameters = inspect.signature(method).parameters.values()
        texts = [(name, one.name) for one in parameters if "str" in str(one.annotation)]
        found += [one for one in texts if one not in NONE]
    return found


def call(bird: Any, method: str, parameter: str, value: str) -> None:
    of = getattr(bird, method)
    parameters = inspect.signature(of).parameters
    needed: dict[str, Any] = {
        one.name: "x"
        for one in parameters.values()
        if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    }
    if "tell" in parameters:
        needed["tell"] = print
    if parameters[parameter].kind is inspect.Parameter.VAR_POSITIONAL:
        of(value, **needed)
    else:
        of(**needed | {parameter: value})


def refusal(attempt: Callable[[], object]) -> str:
    """How a text is refused; empty if it is taken, or no remedy is named."""
    try:
        attempt()
    except (BadConfig, BadInput, UsageError) as refused:
        return str(refused) if refused.remedy else ""
    return ""


@pytest.mark.parametrize("odd", ODD)
def test_library_and_maintenance_refuse_it(store_path: str, odd: str) -> None:
    wrong = []
    with Bowerbird.open(store_path) as bird:
        for where in (bird, bird.admin):
            for method, parameter in methods(type(where)):
                told = refusal(partial(call, where, method, parameter, ODD[odd]))
                if not told.encode().startswith(parameter.encode()):
                    wrong.append((method, parameter, told))
    assert wrong == []


def said_around(key: str, odd: str, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Sets a variable or writes a file; no text of the longest size is read there."""
    if odd == "surrogate":
        patch.setenv("BOWER_" + key.replace(".", "_").upper(), "a\udcffb")
    else:
        (home / "bowerbird").mkdir(parents=True, exist_ok=True)
        (home / "bowerbird" / "config.toml").write_text(f'{key} = "a\\u0000b"\n')
        patch.setenv("XDG_CONFIG_HOME", str(home))


@pytest.mark.parametrize("odd", ODD)
def test_every_setting_refuses_it(store_path: str, tmp_path: Path, odd: str) -> None:
    Bowerbird.open(store_path).close()
    wrong = []
    for key in [one.key for one in SETTINGS if isinstance(one.default, str)]:
        named = None if key == "store" else store_path
        told = [
            refusal(partial(Bowerbird.open, named, settings={key: ODD[odd]})),
            # What another process says of its own.
            refusal(partial(Config.of, [(key, ODD[odd], "flag")])),
        ]
        if odd != "long":
            with pytest.MonkeyPatch.context() as patch:
                said_around(key, odd, tmp_path / "config", patch)
                told.append(refusal(partial(Bowerbird.open, named)))
        wrong += [(key, one) for one in told if not one.startswith(key) or len(one) >= 300]
    assert wrong == []


@pytest.mark.parametrize("odd", ODD)
def test_what_another_process_says_of_a_setting_can_be_told(odd: str) -> None:
    with pytest.raises(UnknownName) as raised:
        Config.of([(ODD[odd], "x", "flag")])
    assert len(str(raised.value).encode()) < 500
    with pytest.raises(BadConfig) as refused:
        Config.of([("query.limit", "many", ODD[odd])])
    assert len(str(refused.value).encode()) < 5_000


FIELDS = [
    (verb, field, interface)
    for verb in [one.VERB for one in every()]
    for interface in (HTTP, MCP)
    if (verb.route if interface == HTTP else verb.tool)
    for field in verb.at(interface)
    if field.shape.rstrip("?") in ("text", "texts", "when")
]


@pytest.mark.parametrize("odd", ODD)
def test_every_field_refuses_it(odd: str) -> None:
    wrong = []
    for verb, field, interface in FIELDS:
        value: Any = [ODD[odd]] if field.shape.startswith("texts") else ODD[odd]
        given = {field.called(interface): value}
        told = refusal(partial(checked, verb, interface, given, "see the fields"))
        if field.called(interface) not in told:
            wrong.append((verb.name, field.name, interface, told))
    assert wrong == []


@pytest.mark.parametrize("odd", ["surrogate", "long"])
@pytest.mark.parametrize("command", ["query", "curate", "impact", "backup", "restore", "trust"])
def test_the_command_refuses_it(bower: Callable[..., Any], command: str, odd: str) -> None:
    given = ODD[odd][:100_000] if odd == "long" else ODD[odd].replace("\ud800", "\udcff")
    ran = bower(command, given)
    if odd == "surrogate":
        assert ran.code == 2
        assert "Unicode" in ran.err + ran.out
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("odd", ["nosuch", "\ud800", "", "query.limit\x00"])
def test_a_setting_or_a_transcript_that_is_none_is_refused_by_the_library(
    store_path: str, odd: str
) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("The barrel is full")
        with pytest.raises(UnknownName) as raised:
            bird.admin.setting(odd)
        assert raised.value.remedy
        if odd:
            with pytest.raises(BadInput) as refused:
                bird.admin.refresh(talk=odd)
            assert refused.value.remedy


def test_a_text_is_no_number(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput, match="limit cannot be '5'"):
        bird.query("which port?", limit="5")  # type: ignore[arg-type]
