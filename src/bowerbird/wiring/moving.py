"""Where other memories keep their data on this machine."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def brv_data(environment: "Mapping[str, str]") -> str:
    """ByteRover's own data folder; it may not be there."""
    home = os.path.expanduser("~")
    named, base = environment.get("BRV_DATA_DIR"), environment.get("XDG_DATA_HOME")
    if named:
        return named
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "brv")
    if sys.platform == "darwin" and not base:
        return os.path.join(home, "Library", "Application Support", "brv")
    return os.path.join(base or os.path.join(home, ".local", "share"), "brv")
