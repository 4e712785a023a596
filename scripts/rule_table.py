"""Writes a table of each secret rule's preconditions, which is read without importing the rules.

``--check`` fails if the table is out of date.
"""

import argparse
import sys
from pathlib import Path

from bowerbird.guard.heuristics import HOLD_A_DIGIT
from bowerbird.guard.rule import Rule
from bowerbird.guard.rules.table import BEGINS, COMMON, DRAWN, FILE, NEAR
from bowerbird.guard.rules.whole import BY_MODULE
from bowerbird.guard.scan import LONG, LONGER, REACH
from rule_starts import begins_with, head_width
from rule_widths import least_width, least_word


def main() -> int:
    """Write the table, or check whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if it is stale")
    path = Path(FILE)
    if parser.parse_args().check:
        return int(path.read_bytes() != table())
    path.write_bytes(table())
    return 0


def table() -> bytes:
    """The whole table."""
    lines = []
    for module, rules in BY_MODULE.items():
        lines += [row(module, rule) for rule in rules]
    return b"".join(lines)


def row(module: str, rule: Rule) -> bytes:
    """A rule as a line: module, widths of match and word, flags, context words, keywords.

    The widths are minima: bytes of a match, and characters of the longest word, 0 if that is short.
    """
    drawn = rule.accepts in HOLD_A_DIGIT
    least = least_word(rule.value or rule.inner or rule.pattern)
    # Words below these lengths are not measured when a text is read, so 0 excludes nothing.
    least = least if least >= (LONG if drawn else LONGER) else 0
    begins = begins_with(rule.pattern, rule.keywords)
    marks = DRAWN * drawn + COMMON * rule.common + BEGINS * begins
    # What is made of a provider's name begins with that, too, or with a character before it.
    near = (begins or rule.value) and head_width(rule.pattern) <= REACH
    marks += NEAR * bool(least and near)
    head = f"{module}\t{least_width(rule.pattern)}\t{least}\t".encode() + marks
    return head + b"\t" + b"|".join(rule.also) + b"\t" + b"|".join(rule.keywords) + b"\n"


if __name__ == "__main__":
    sys.exit(main())
