"""What the text of a document of pages looks like on its way to its reader."""

# Behind each page but the last one. No text that is read holds one.
PAGE_END = "\f"
# Between the depth of a heading and its title, in a line of its own.
HEADING = "\x01"
# Characters that a document may have: ten books of 700 pages.
MOST_CHARS = 20_000_000


class BrokenError(Exception):
    """What is wrong with a file, for people."""


class MissingError(Exception):
    """The library that reads a format is not installed."""
