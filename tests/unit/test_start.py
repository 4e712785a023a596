"""The beginning of the command, before anything of it is loaded."""

import pkgutil
import subprocess
import sys
from importlib.machinery import PathFinder

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


def test_own_modules_are_found_where_python_finds_them() -> None:
    paths = {"bowerbird": list(bowerbird.__path__)}
    modules = 0
    for found in pkgutil.walk_packages(bowerbird.__path__, "bowerbird."):
        path = paths[found.name.rpartition(".")[0]]
        standard = PathFinder.find_spec(found.name, path)
        assert standard is not None
        ours = OwnModules.find_spec(found.name, path)
        if found.ispkg:
            paths[found.name] = list(standard.submodule_search_locations or ())
            assert ours is None
            continue
        modules += 1
        assert ours is not None
        assert ours == standard
        assert (ours.has_location, ours.cached) == (standard.has_location, standard.cached)
    assert modules > len(paths)
    assert OwnModules.find_spec("json", None) is None
    assert OwnModules.find_spec("bowerbird.core.nothing", paths["bowerbird.core"]) is None
