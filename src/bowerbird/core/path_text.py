"""A path as text."""

import os


def as_text(path: "str | os.PathLike[str]") -> str:
    """A path as text: bytes that are not valid text are escaped."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # a surrogate that encodes no byte: no file has this name
        return os.fspath(path).encode("utf-8", "backslashreplace").decode()
