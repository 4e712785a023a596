"""Where a fault of ours happened, for --verbose."""

import traceback


def trace(error: Exception) -> str:
    """The traceback as Python prints it."""
    return "".join(traceback.format_exception(error))
