"""The location of a detected secret."""

from bowerbird.core.value import Value

# The kind of a private key, which spans many lines and is marked once.
PRIVATE_KEY = "private-key"


class Detection(Value):
    """A detected secret: its kind and its offsets in characters, never the secret itself."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
