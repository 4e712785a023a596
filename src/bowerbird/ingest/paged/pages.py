"""The text format between the converters of paged documents and their readers."""

# After each page except the last. Texts that are read do not contain it.
PAGE_END = "\f"
# Between the depth of a heading and its title, on a line of its own.
HEADING = "\x01"
# Maximum characters of a document: ten books of 700 pages.
MOST_CHARS = 20_000_000


class BrokenError(Exception):
    """A file cannot be parsed; the message says why."""


class MissingError(Exception):
    """The library that parses a format is not installed."""
