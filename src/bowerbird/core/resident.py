"""How much memory this process has in use."""

import os
import sys
from functools import cache

_PAGES = "/proc/self/statm"
_FIELD = 64


def resident_bytes() -> int:
    """The resident memory of this process in bytes; where it cannot be read, its peak so far.

    On Linux a call takes a microsecond, so that it may be asked for while something grows.
    """
    handle = _statistics()
    if handle >= 0:
        return int(os.pread(handle, _FIELD, 0).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    try:
        import resource  # start-up: elsewhere than on Linux
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@cache
def _statistics() -> int:
    try:
        return os.open(_PAGES, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return -1
