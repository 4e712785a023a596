"""One row of the table of what secrets look like."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Rule(Value):
    """A shape. A text without any of the keywords (lower case, between bars) is not looked at.

    `accepts` judges the value, `named` says that the match begins with a name, which is judged too.
    `inner` finds the values inside each match, `also` must stand in the text beside a keyword.
    """

    __slots__ = ("accepts", "also", "inner", "keywords", "kind", "named", "pattern")

    def __init__(
        self,
        kind: str,
        keywords: str,
        pattern: str,
        accepts: "Callable[[str], bool]",
        inner: str = "",
        named: bool = False,
        also: str = "",
    ) -> None:
        self.kind = kind
        self.keywords = tuple(keyword.encode() for keyword in keywords.split("|"))
        self.pattern = pattern
        self.accepts = accepts
        self.inner = inner
        self.named = named
        self.also = also.encode()
