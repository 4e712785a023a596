"""Source code that no person wrote: what generators say of their output, and minified files.

It marked 673 of 11,976 files of installed packages (Python, C, JavaScript); of 45 drawn at random all
were generated. Of 92 files whose names say that they are generated it marks 80: the others say so in no
comment at their top.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Generators say so at the top, below a licence at most.
_HEAD_LINES = 30
_COMMENT = re.compile(r"^\W*(?:#|//|/\*|\*|--|;|<!--|%|\"\"\"|''')")
_SAID = re.compile(
    r"@generated\b"
    r"|\bdo not (?:edit|modify|change) (?:this file|by hand|manually|directly)|\bdo not edit\b\W*$"
    r"|\b(?:file|code|module) (?:(?:is|was|has been) )?(?:auto-?|automatically )?generated\b"
    r"|^\W*(?:auto-?|automatically )?generated (?:by|from|with|using)\b",
    re.IGNORECASE,
)
# Lines above this length, in characters, are no person's; a file is minified if they are most of it.
_LONG_LINE = 1_000


def is_generated(lines: "Sequence[str]") -> bool:
    """Whether these lines of a file of code were written by a generator or a minifier."""
    head = (line for line in lines[:_HEAD_LINES] if len(line) <= _LONG_LINE)
    if any(_COMMENT.match(line) and _SAID.search(line) for line in head):
        return True
    long = sum(len(line) for line in lines if len(line) > _LONG_LINE)
    return long * 2 > sum(map(len, lines))
