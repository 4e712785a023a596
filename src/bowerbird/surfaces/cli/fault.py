"""The traceback of an internal error, for --verbose."""

import traceback


def trace(error: Exception) -> str:
    """The traceback as Python prints it."""
    return "".join(traceback.format_exception(error))
