"""Texts that no store can hold are refused by the argument they were given for, by every verb."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.admin import Admin
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


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(("method", "parameter"), methods(Bowerbird))
def test_the_library_refuses_it(store_path: str, method: str, parameter: str, odd: str) -> None:
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput) as raised:
        call(bird, method, parameter, ODD[odd])
    assert str(raised.value).encode().startswith(parameter.encode())
    assert raised.value.remedy


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(("method", "parameter"), methods(Admin))
def test_maintenance_refuses_it(store_path: str, method: str, parameter: str, odd: str) -> None:
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput) as raised:
        call(bird.admin, method, parameter, ODD[odd])
    assert str(raised.value).encode().startswith(parameter.encode())


TEXTS = [one.key for one in SETTINGS if isinstance(one.default, str)]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", TEXTS)
def test_every_setting_refuses_it(
    store_path: str, tmp_path: Path, key: str, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(key, ODD[odd], "flag")]
    named = None if key == "store" else store_path
    with pytest.raises(BadConfig) as raised:
        Bowerbird.open(named, settings={key: ODD[odd]})
    assert str(raised.value).encode().startswith(key.encode())
    assert len(str(raised.value)) < 300
    assert raised.value.remedy
    with Bowerbird.open(store_path) as bird, pytest.raises(BadConfig, match=key):
        bird.under(Config.of(rows), str(tmp_path))
    if odd == "surrogate":
        monkeypatch.setenv("BOWER_" + key.replace(".", "_").upper(), "a\udcffb")
    elif odd == "nul":
        home = tmp_path / "config" / "bowerbird"
        home.mkdir(parents=True)
        (home / "config.toml").write_text(f'{key} = "a\\u0000b"\n')
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    else:
        return  # no variable and no file of that size is read
    with pytest.raises(BadConfig, match=key):
        Bowerbird.open(named)


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
@pytest.mark.parametrize(
    ("verb", "field", "interface"), FIELDS, ids=[f"{v.name}-{f.name}-{i}" for v, f, i in FIELDS]
)
def test_every_field_refuses_it(verb: Any, field: Any, interface: str, odd: str) -> None:
    value: Any = [ODD[odd]] if field.shape.startswith("texts") else ODD[odd]
    with pytest.raises(UsageError, match=field.called(interface)):
        checked(verb, interface, {field.called(interface): value}, "see the fields")


@pytest.mark.parametrize("odd", ["surrogate", "long"])
@pytest.mark.parametrize("command", ["query", "curate", "impact", "backup", "restore", "trust"])
def test_the_command_refuses_it(bower: Callable[..., Any], command: str, odd: str) -> None:
    given = ODD[odd][:100_000] if odd == "long" else ODD[odd].replace("\ud800", "\udcff")
    ran = bower(command, given)
    if odd == "surrogate":
        assert ran.code == 2
        assert "Unicode" in ran.err + ran.out
    assert "Traceback" not in ran.err


def test_a_text_is_no_number(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird, pytest.raises(BadInput, match="limit cannot be '5'"):
        bird.query("which port?", limit="5")  # type: ignore[arg-type]
