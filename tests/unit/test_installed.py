"""A remedy names the command that works for the installation that runs."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird.host import installed
from bowerbird.host.installed import adding, compile_all, upgrading

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ("pipx_metadata.json", "pipx install --force 'bowerbird[http]'"),
        ("uv-receipt.toml", "uv tool install 'bowerbird[http]'"),
    ],
)
def test_a_tool_adds_what_it_has_installed(tmp_path: Path, left: str, expected: str) -> None:
    (tmp_path / left).touch()
    assert adding("http", str(tmp_path), "/usr") == expected


def test_an_upgrade_is_by_what_installed_it(tmp_path: Path) -> None:
    assert "-m pip install" in upgrading(str(tmp_path))
    (tmp_path / "uv-receipt.toml").touch()
    assert upgrading(str(tmp_path)) == "uv tool upgrade bowerbird"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"dir_info": {"editable": True}}, "git -C {at} pull && {python} -m pip install -e {at}"),
        ({"dir_info": {}}, "{python} -m pip install --upgrade {at}"),
        ({"archive_info": {}}, "{python} -m pip install --upgrade NEWER.whl"),
    ],
)
def test_what_no_index_gave_is_not_asked_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, object], expected: str
) -> None:
    packages, folder = tmp_path / "packages", tmp_path / "check out"
    about = packages / "bowerbird-9.dist-info"
    about.mkdir(parents=True)
    folder.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bowerbird\nVersion: 9\n")
    (about / "direct_url.json").write_text(json.dumps({"url": folder.as_uri()} | told))
    monkeypatch.syspath_prepend(str(packages))
    at, python = shlex.quote(str(folder)), shlex.quote(sys.executable)
    assert upgrading(str(tmp_path)) == expected.format(at=at, python=python)


def test_elsewhere_the_interpreter_that_runs_is_named(tmp_path: Path) -> None:
    command = shlex.split(adding("http", str(tmp_path), "/usr"))
    assert sys.executable in command
    assert command[-1] == "bowerbird[http]"


def test_what_was_installed_out_of_a_folder_is_added_to_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, folder = tmp_path / "packages", tmp_path / "check out"
    about = packages / "bowerbird-9.dist-info"
    about.mkdir(parents=True)
    folder.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bowerbird\nVersion: 9\n")
    expected = {"url": folder.as_uri(), "dir_info": {}}
    (about / "direct_url.json").write_text(json.dumps(expected))
    monkeypatch.syspath_prepend(str(packages))
    (tmp_path / "uv-receipt.toml").touch()
    assert adding("http", str(tmp_path), "/usr") == f"uv tool install '{folder}[http]'"


def test_a_package_without_bytecode_is_compiled_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "bowerbird"
    (package / "core").mkdir(parents=True)
    (package / "core" / "installed.py").write_text("one = 1\n")
    (package / "hook.py").write_text("two = 2\n")
    monkeypatch.setattr(installed, "__file__", str(package / "core" / "installed.py"))
    compile_all()
    assert len([*package.rglob("*.pyc")]) == 2
