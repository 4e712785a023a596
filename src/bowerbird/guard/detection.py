"""Where a secret stands."""

from bowerbird.core.value import Value

# The kind of a private key, which stands on many lines and is marked once.
PRIVATE_KEY = "private-key"


class Detection(Value):
    """A secret by its kind and place, in characters. It never carries the secret itself."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
