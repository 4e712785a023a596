"""``python -m bowerbird``: the same as the ``bower`` command."""

import sys

from bowerbird.surfaces.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
