"""The port to an optional language model that rewrites learned lessons."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Composer(Protocol):
        """Rewrites lessons. Knows nothing of stores, sessions or how lessons were found."""

        def compose(self, texts: "Sequence[str]") -> "Sequence[str]":
            """Each text in one to three self-contained sentences, in order; "" keeps the original.

            Called at most once per session. If it raises, the original texts are used.
            """
            ...
