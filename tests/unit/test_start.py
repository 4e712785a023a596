"""The beginning of the command, before anything of it is loaded."""

import os
import pkgutil
import subprocess
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import pytest

import bowerbird
from bowerbird.surfaces.cli.start import OwnModules

# As if Ctrl-C were pressed while the command line is loaded.
STOPPED = """
import sys

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Pressed())
from bowerbird.surfaces.cli.start import main
sys.exit(main(["status"]))
"""


def test_pressed_while_it_loads_it_ends_without_a_traceback() -> None:
    command = [sys.executable, "-c", STOPPED, "bowerbird.surfaces.cli.app"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def own(name: str, *path: str) -> Any:
    return OwnModules.find_spec(name, path)


def test_own_modules_are_found_where_python_finds_them() -> None:
    paths = {"bowerbird": list(bowerbird.__path__)}
    modules = 0
    for found in pkgutil.walk_packages(bowerbird.__path__, "bowerbird."):
        path = paths[found.name.rpartition(".")[0]]
        standard: Any = PathFinder.find_spec(found.name, path)
        assert standard is not None
        ours = own(found.name, *path)
        assert ours is not None
        if found.ispkg:
            paths[found.name] = list(standard.submodule_search_locations or ())
        modules += 1
        for name in ("name", "origin", "parent", "has_location", "cached"):
            assert getattr(ours, name) == getattr(standard, name)
        assert ours.submodule_search_locations == standard.submodule_search_locations
        if found.name in sys.modules:
            made, usual = module_from_spec(ours), module_from_spec(standard)
            alike = vars(made).keys() - {"__spec__", "__loader__"}
            assert vars(made).keys() == vars(usual).keys()
            assert all(vars(made)[one] == vars(usual)[one] for one in alike)
            assert ours.loader.get_code(found.name) == standard.loader.get_code(found.name)
    assert modules > len(paths)
    assert OwnModules.find_spec("json", None) is None
    assert OwnModules.find_spec("bowerbird.core.nothing", paths["bowerbird.core"]) is None


def test_a_compiled_file_of_another_source_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    source = tmp_path / "told.py"
    source.write_text("SAID = 1\n")
    own("bowerbird.told", str(tmp_path)).loader.get_code("bowerbird.told")
    before = source.stat().st_mtime_ns
    for changed, when in (("SAID = 25\n", before), ("SAID = 3\n", before + 2_000_000_000)):
        source.write_text(changed)
        os.utime(source, ns=(when, when))
        spec = own("bowerbird.told", str(tmp_path))
        for _ in range(2):  # compiled now, and read from the compiled file
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            assert f"SAID = {module.SAID}\n" == changed
    compiled = Path(spec.cached)
    compiled.write_bytes(compiled.read_bytes()[:16] + b"cut")
    with pytest.raises((EOFError, ValueError, ImportError)):
        spec.loader.get_code("bowerbird.told")
