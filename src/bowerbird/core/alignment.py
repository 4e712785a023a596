"""How the words of two texts meet, as a model that reads whole sentences sees them."""

from bowerbird.core.value import Value


class Alignment(Value):
    """Each word of two texts, folded, with the best cosine that it has to a word of the other one.

    `nearer` is how much nearer the newer text is than the older one to the nearest of some sayings.
    """

    __slots__ = ("nearer", "new", "old")

    def __init__(
        self,
        old: tuple[tuple[str, float], ...],
        new: tuple[tuple[str, float], ...],
        nearer: float,
    ) -> None:
        self.nearer = nearer
        self.old = old
        self.new = new
