"""One memory at a time: our name in a YAML file, in another's place; and a stand-in for a program."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from bowerbird.surfaces.installer.yaml import Yaml

if TYPE_CHECKING:
    from collections.abc import Callable

WHERE = ("memory", "provider")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: 1",
        "a: 1\r\nb: 2\r\n",
        "memory:\n",
        "memory: {}\n",
        "memory: {x: 1}\n",
        "memory:\n  provider: mem0 # mine\n  y: 2\n",
        "memory:\n    x: 1\nz: 3\n",
        "memory: null\nz: 1",
        "# top\nmemory:\n  # in\n  x: ''\n",
        "memory:\n  provider: ''\n",
    ],
)
def test_one_text_is_put_and_removed_and_the_rest_stays(text: str) -> None:
    before = yaml.safe_load(text) or {}
    opened = Yaml(text)
    opened.put(WHERE, "bowerbird")
    memory = {**(before.get("memory") or {}), "provider": "bowerbird"}
    assert opened.value == yaml.safe_load(opened.text) == {**before, "memory": memory}
    remarks = [one for one in text.split() if one.startswith("#")]
    assert all(one in opened.text for one in remarks)
    opened.remove(WHERE)
    del memory["provider"]
    assert opened.value == {**before, "memory": memory}
    opened.remove(("memory",))
    assert opened.value == {name: one for name, one in before.items() if name != "memory"}


@pytest.fixture
def config() -> Path:
    path = Path(os.environ["HOME"], ".hermes", "config.yaml")
    path.parent.mkdir()
    path.write_text("# mine\nmemory:\n  provider: mem0  # for now\n  memory_enabled: true\n")
    return path


def test_the_provider_before_comes_back(bower: Callable[..., Any], config: Path) -> None:
    before = config.read_bytes()
    assert bower("install", "hermes", "--yes").code == 0
    assert "  provider: bowerbird  # for now\n" in config.read_text()
    config.write_text(config.read_text() + "other: 1\n")
    assert bower("install", "hermes", "--uninstall", "--yes").code == 0
    assert config.read_bytes() == before + b"other: 1\n"


def test_a_provider_that_was_chosen_since_stays(bower: Callable[..., Any], config: Path) -> None:
    bower("install", "hermes", "--yes")
    config.write_text(config.read_text().replace("bowerbird", "honcho"))
    assert bower("install", "hermes", "--uninstall", "--yes").code == 0
    assert "provider: honcho" in config.read_text()
    assert not (config.parent / "plugins").exists()


def test_a_stand_in_runs_and_never_hides_a_real_program(
    bower: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = Path(os.environ["HOME"], ".brv-cli", "bin", "brv")
    assert bower("install", "brv-shim", "--yes").code == 0
    assert os.access(shim, os.X_OK)
    assert bower("install", "brv-shim", "--uninstall", "--yes").code == 0
    assert not shim.exists()
    real = tmp_path / "real" / "brv"
    real.parent.mkdir()
    real.write_text("#!/bin/sh\n")
    real.chmod(0o755)
    monkeypatch.setenv("PATH", f"{real.parent}:{os.environ['PATH']}")
    ran = bower("install", "brv-shim", "--yes", "--format", "json")
    assert (ran.code, ran.data["error"]) == (2, f"{real} is a real brv")
    shim.parent.mkdir(parents=True)
    shim.write_text("#!/bin/sh\necho mine\n")
    assert bower("install", "brv-shim", "--yes").code == 2
    assert "echo mine" in shim.read_text()
