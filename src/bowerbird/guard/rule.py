"""A detection rule: one row of the tables of secrets."""

from bowerbird.core.value import Value
from bowerbird.guard import heuristics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # The secrets in what a match begins, and where that ends: of the data, the match's place, and the
    # bounds of the block.
    Reader = Callable[[bytes, int, int, int], tuple[list[tuple[int, int, str]], int]]


class Rule(Value):
    """A rule. A text without any of the keywords (lower case, between bars) is not scanned for it.

    `accepts` judges the value, `named` says that the match begins with a name, which is judged too.
    `inner` finds the values inside each match; one of the words of `also` (between bars) must occur in
    the text beside a keyword. `common` says that everyday texts contain its keywords: such rules are
    compiled together. `reach` is how many bytes after the match the inner values may be, on the same
    line. `value` is the pattern of the value alone, if it is known separately. `provider` issues such
    secrets; empty if the position identifies them, not the form. `reads` finds and judges the values
    where the pattern only says that some may be.
    """

    __slots__ = (
        "accepts",
        "also",
        "common",
        "inner",
        "keywords",
        "kind",
        "named",
        "pattern",
        "provider",
        "reach",
        "reads",
        "value",
    )

    def __init__(
        self,
        kind: str,
        keywords: str,
        pattern: str,
        accepts: "Callable[[str], bool]",
        inner: str = "",
        named: bool = False,
        also: str = "",
        provider: str = "",
        reach: int = 0,
        value: str = "",
        common: bool = False,
        reads: "Reader | None" = None,
    ) -> None:
        self.kind = kind
        self.keywords = tuple(keyword.encode() for keyword in keywords.split("|"))
        self.pattern = pattern
        self.accepts = accepts
        self.inner = inner
        self.named = named
        self.also = tuple(also.encode().split(b"|")) if also else ()
        self.common = common
        self.provider = provider
        self.reach = reach
        self.reads = reads
        self.value = value


# Words that occur between a provider's name and the value, or as part of the name.
_WORDS = (
    "key",
    "token",
    "secret",
    "pass",
    "pwd",
    "pat",
    "auth",
    "cred",
    "api",
    "dsn",
    "sid",
    "licen",
    "login",
)
# The rest of a variable's name or a few words, an assignment, and quotes.
_SAID = (
    r"[\w \t.\[\]\"'!?()/-]{0,40}?(?:=>|:=|={1,3}|:|,|\(|\s(?:is|was|ist|es|est|to)\s|\s|>)"
    r"[ \t\"'`\\(]{0,5}"
)
_BETWEEN = r"[\w \t./:@\[\](){}<>\"'?&,-]{0,48}?"


def after_name(kind: str, provider: str, names: str, value: str) -> Rule:
    """A rule for a form without a distinctive prefix, found after its provider's name (lower case)."""
    specific = [name for name in names.split("|") if any(word in name for word in _WORDS)]
    others = [name for name in names.split("|") if name not in specific]
    heads = []
    if specific:
        heads.append(rf"(?:{'|'.join(specific)})")
    if others:
        heads.append(rf"(?:{'|'.join(others)}){_BETWEEN}(?:{'|'.join(_WORDS)})")
    return Rule(
        kind,
        names,
        rf"(?:\b|_)(?i:{'|'.join(heads)}){_SAID}({value})(?:$|[^\w+/=-])",
        heuristics.drawn,
        provider=provider,
        value=value,
    )
