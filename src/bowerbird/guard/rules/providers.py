"""Secrets of a distinctive form, from a file with one rule a line; a line is parsed when it is requested.

The fields, between tabs: kind; provider; the name of the judge of the value, in `heuristics` or
`wallets`; flags; keywords (lower case, between bars); pattern; pattern of the values inside a match.
Flags are `after` (the pattern is that of the value, found after its provider's name, which the keywords
are) and `common` (everyday texts contain the keywords).
"""

import os
from functools import cache

from bowerbird.guard import heuristics, wallets
from bowerbird.guard.rule import Rule, after_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FILE = os.path.join(os.path.dirname(__file__), "providers.tsv")


def provider_rule(index: int) -> Rule:
    """The rule at an index of the file, comments not counted."""
    kind, provider, judge, flags, keywords, pattern, *inner = _lines()[index].split("\t")
    if "after" in flags.split():
        return after_name(kind, provider, keywords, pattern)
    common = "common" in flags.split()
    return Rule(
        kind, keywords, pattern, _judge(judge), "".join(inner), provider=provider, common=common
    )


def provider_rules() -> tuple[Rule, ...]:
    """All rules of the file, in order."""
    return tuple(provider_rule(index) for index in range(len(_lines())))


@cache
def _lines() -> tuple[str, ...]:
    with open(FILE, encoding="utf-8") as file:
        return tuple(line.rstrip("\n") for line in file if not line.startswith("#"))


def _judge(name: str) -> "Callable[[str], bool]":
    judge: Callable[[str], bool] = getattr(heuristics, name, None) or getattr(wallets, name)
    return judge
