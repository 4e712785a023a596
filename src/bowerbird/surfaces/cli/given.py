"""Texts that are handed over in a pipe or a file; loaded only where one is."""

import sys

from bowerbird.core.errors import BadInput


def from_stdin() -> str:
    """Standard input as text. Raises BadInput where it is closed or no UTF-8."""
    if sys.stdin is None:
        raise BadInput("standard input is closed", "pipe a text into it, or give one")
    return _decoded(sys.stdin.buffer.read(), "standard input")


def from_file(path: str) -> str:
    """The text of a file. Raises BadInput where it cannot be read or is no UTF-8."""
    try:
        with open(path, "rb") as file:
            return _decoded(file.read(), path)
    except (OSError, ValueError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        raise BadInput(f"{path!r} cannot be read: {why}", "name a text file") from error


def _decoded(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{what} is no UTF-8 text", "convert it first, as with: iconv") from error
