"""One row of the table of what secrets look like."""

from bowerbird.core.value import Value
from bowerbird.guard import heuristics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Rule(Value):
    """A shape. A text without any of the keywords (lower case, between bars) is not looked at.

    `accepts` judges the value, `named` says that the match begins with a name, which is judged too.
    `inner` finds the values inside each match; one of the words of `also` (between bars) must stand in
    the text beside a keyword. `common` says that everyday texts hold its keywords: it is tried together
    with the others of that kind.
    `reach` is how many bytes behind the match the inner values may stand, on the same line.
    `value` is the pattern of the value alone, where it is known apart.
    `provider` is who gives such secrets out; it is empty where the place tells and not the form.
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
        self.value = value


def shape(
    provider: str,
    noun: str,
    keywords: str,
    pattern: str,
    accepts: "Callable[[str], bool]" = heuristics.any_value,
    common: bool = False,
) -> Rule:
    """A form that tells by itself who gave it out: only placeholders are left alone."""
    kind = f"{provider}-{noun}" if noun else provider
    return Rule(kind, keywords, pattern, accepts, provider=provider, common=common)


# Words of which one stands between a provider's name and the value, or is part of the name.
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
# The rest of a variable's name or a few words, what assigns, and quotes.
_SAID = (
    r"[\w \t.\[\]\"'!?()/-]{0,40}?(?:=>|:=|={1,3}|:|,|\(|\s(?:is|was|ist|es|est|to)\s|\s|>)"
    r"[ \t\"'`\\(]{0,5}"
)
_BETWEEN = r"[\w \t./:@\[\](){}<>\"'?&,-]{0,48}?"


def named(provider: str, noun: str, names: str, value: str) -> Rule:
    """A form without a mark of its own, found behind its provider's name (in small letters)."""
    telling = [name for name in names.split("|") if any(word in name for word in _WORDS)]
    others = [name for name in names.split("|") if name not in telling]
    heads = []
    if telling:
        heads.append(rf"(?:{'|'.join(telling)})")
    if others:
        heads.append(rf"(?:{'|'.join(others)}){_BETWEEN}(?:{'|'.join(_WORDS)})")
    return Rule(
        f"{provider}-{noun}",
        names,
        rf"(?:\b|_)(?i:{'|'.join(heads)}){_SAID}({value})(?:$|[^\w+/=-])",
        heuristics.drawn,
        provider=provider,
        value=value,
    )
