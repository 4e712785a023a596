"""``python -m bowerbird``: the same as the ``bower`` command."""

import os
import sys

# Python looks for modules in the working directory first, which may be anybody's checkout, and its
# `mcp` or `json.py` is not what we mean. `python -P` sees to it before a single module is loaded.
try:
    if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
        del sys.path[0]
except FileNotFoundError:
    pass  # the working directory was removed: nothing is found there

from bowerbird.surfaces.cli.start import command

if __name__ == "__main__":
    sys.exit(command())
