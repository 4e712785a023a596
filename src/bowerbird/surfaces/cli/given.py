"""Texts passed by a pipe or a file; loaded only if there is one."""

import sys

from bowerbird.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO


# Maximum bytes of one text, more than any verb accepts: endless input must not fill the memory.
ONE_TEXT = 4_000_000


def from_stdin(most: int = ONE_TEXT) -> str:
    """Standard input as text; at most `most` bytes, -1 for all.

    Raises BadInput if it is closed, too long, or not UTF-8.
    """
    if sys.stdin is None:
        raise BadInput("standard input is closed", "pipe a text into it, or give one")
    return _decoded(_read(sys.stdin.buffer, most, "standard input"), "standard input")


def from_file(path: str, most: int = ONE_TEXT) -> str:
    """The text of a file; at most `most` bytes, -1 for all.

    Raises BadInput if it cannot be read, is too long, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            return _decoded(_read(file, most, path), path)
    except (OSError, ValueError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        raise BadInput(f"{path!r} cannot be read: {why}", "name a text file") from error


def _read(file: "IO[bytes]", most: int, what: str) -> bytes:
    data = file.read(most + 1 if most >= 0 else -1)
    if len(data) > most >= 0:
        raise BadInput(
            f"{what} holds more than {most:,} bytes",
            "write it to a file and take that in with: bower index FILE",
        )
    return data


def _decoded(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{what} is no UTF-8 text", "convert it first, as with: iconv") from error
