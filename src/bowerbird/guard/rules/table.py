"""What each rule asks of a text, without the rules: a module of them is loaded for a text that has it.

It stands in a file that `scripts/rule_table.py` writes from the rules; a test compares them. Reading
a rule's pattern for it takes 100 µs, and what an agent says last calls for thirty rules: of that, 4 of 17
ms of CPU were spent, and 5 on rules that nothing called for.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The bytes of a match, the longest word of the value, whether that holds a digit, words of which one
    # stands beside a keyword.
    Asked = tuple[int, int, bool, tuple[bytes, ...]]

FILE = os.path.join(os.path.dirname(__file__), "asked.tsv")
# Marks of a rule: its value holds a digit, everyday texts hold its keywords.
DRAWN, COMMON = b"d", b"c"


class Table:
    """The rules in their order, each by its place: a line is taken apart when it is asked for."""

    def __init__(self) -> None:
        with open(FILE, "rb") as file:
            self._lines = file.read().splitlines()
        self._read: dict[int, Asked] = {}

    def keywords(self) -> "dict[bytes, list[int]]":
        """Of each keyword, which stands in a text in small letters, the rules."""
        found: dict[bytes, list[int]] = {}
        for number, line in enumerate(self._lines):
            for keyword in line[line.rindex(b"\t") + 1 :].split(b"|"):
                if keyword in found:
                    found[keyword].append(number)
                else:
                    found[keyword] = [number]
        return found

    def common(self) -> tuple[int, ...]:
        """The rules whose keywords everyday texts hold."""
        return tuple(at for at, line in enumerate(self._lines) if COMMON in line.split(b"\t", 4)[3])

    def asked(self, number: int) -> "Asked":
        """What a text must have so that a rule is run."""
        found = self._read.get(number)
        if found is None:
            _, width, least, marks, also, _ = self._lines[number].split(b"\t")
            words = tuple(also.split(b"|")) if also else ()
            found = self._read[number] = int(width), int(least), DRAWN in marks, words
        return found

    def where(self, number: int) -> tuple[str, int]:
        """The module that a rule stands in, and its place there."""
        module = self._lines[number].partition(b"\t")[0] + b"\t"
        first = number
        while first and self._lines[first - 1].startswith(module):
            first -= 1
        return module[:-1].decode(), number - first
