"""What learning asks of a model of language, where there is one: better words for what was found."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Composer(Protocol):
        """Puts lessons into words. Knows nothing of stores, sessions or how they were found."""

        def compose(self, texts: "Sequence[str]") -> "Sequence[str]":
            """Each text in one to three sentences that stand alone, in order; "" leaves one as it is.

            Asked once a session at most. Whatever it raises costs its words, and nothing else.
            """
            ...
