"""The requirements of each rule, so that only the modules that a text needs are loaded.

They are in a file that `scripts/rule_table.py` generates from the rules; a test compares them. Analysing
a rule's pattern takes 100 µs, and the final message of an agent needs thirty rules: that took 4 of 17 ms
of CPU, and 5 were spent on rules that nothing required.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The bytes of a match, the longest word of the value, whether that contains a digit, words of which
    # one must occur beside a keyword; the keywords, if the value follows soon after one.
    Asked = tuple[int, int, bool, tuple[bytes, ...], tuple[bytes, ...]]

FILE = os.path.join(os.path.dirname(__file__), "asked.tsv")
# Flags of a rule: its value contains a digit; everyday texts contain its keywords; each of its matches
# begins with one of them; its value follows soon after its keyword.
DRAWN = b"d"
COMMON = b"c"
BEGINS = b"b"
NEAR = b"n"


class Table:
    """The rules in order, each by its number; a line is parsed when it is requested."""

    def __init__(self) -> None:
        with open(FILE, "rb") as file:
            self._lines = file.read().splitlines()
        self._read: dict[int, Asked] = {}

    def keywords(self) -> "dict[bytes, list[int]]":
        """The rules of each keyword, in lower case."""
        found: dict[bytes, list[int]] = {}
        for number, line in enumerate(self._lines):
            for keyword in line[line.rindex(b"\t") + 1 :].split(b"|"):
                if keyword in found:
                    found[keyword].append(number)
                else:
                    found[keyword] = [number]
        return found

    def common(self) -> tuple[int, ...]:
        """The rules whose keywords everyday texts contain."""
        return tuple(number for number in range(len(self._lines)) if self.has(COMMON, number))

    def has(self, flag: bytes, number: int) -> bool:
        """Whether a rule has a flag."""
        return flag in self._lines[number].split(b"\t", 4)[3]

    def asked(self, number: int) -> "Asked":
        """What a text must contain for a rule to be run."""
        found = self._read.get(number)
        if found is None:
            _, width, least, marks, also, keywords = self._lines[number].split(b"\t")
            words = tuple(also.split(b"|")) if also else ()
            near = tuple(keywords.split(b"|")) if NEAR in marks and int(least) else ()
            found = self._read[number] = int(width), int(least), DRAWN in marks, words, near
        return found

    def where(self, number: int) -> tuple[str, int]:
        """The module of a rule, and its index there."""
        module = self._lines[number].partition(b"\t")[0] + b"\t"
        first = number
        while first and self._lines[first - 1].startswith(module):
            first -= 1
        return module[:-1].decode(), number - first
