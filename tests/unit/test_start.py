"""The beginning of the command, before anything of it is loaded."""

import subprocess
import sys

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
