"""Runs the rules whose keywords occur in a text by RE2, which is linear for any text.

The standard library's patterns backtrack; RE2's do not. A keyword costs its rules the time of one block.
"""

from bowerbird.guard.automaton import literals, pattern, together
from bowerbird.guard.checksums import checksum
from bowerbird.guard.detection import Detection
from bowerbird.guard.ending import whole
from bowerbird.guard.heuristics import about
from bowerbird.guard.keyblock import KEYWORD, key_spans
from bowerbird.guard.rules.registry import rule_at
from bowerbird.guard.rules.table import BEGINS, Table
from bowerbird.guard.verdicts import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bowerbird.guard.rule import Reader, Rule

    # What was judged already in a text, by the predicate: logs and lists repeat the same few values.
    Judged = dict[tuple[Callable[[str], bool], bytes], bool]

# Block size: a long text is scanned block by block, so that a keyword costs its rules the time of one
# block. Half of it reads files 3 to 10 % faster, and a text of every keyword a fifth slower.
BLOCK = 16_384
# If a block ends within a line, the next one begins this much earlier, to find values that were cut.
_OVERLAP = 2048
# If it ends at a line end, a few lines earlier: a name and its value may be on different lines.
_LINES = 400
# A value that reaches the end of its block is followed this far beyond it.
_LONGEST = 65_536
# Up to this number of keywords in a block it is cheaper to try a rule at each than to search the block:
# a try takes 2 µs, a search 37.
_FEW_PLACES = 12
# A match may begin this many bytes before the end of a line that was read, and reach beyond it; in a
# long line, before the place up to which that was read.
_STRADDLES = 64
_STRADDLES_WITHIN = 512
# After a name in code these begin a call or a look-up, not a value.
_CODES = (b"(", b"[")

_TABLE = Table()
_KEYWORDS = _TABLE.keywords()

# Minimum length of a long word with a digit, and without one: most values of providers are that long, and
# few words of code.
LONG = 20
LONGER = 32
_OTHER = "[A-Za-z_+/=.~:-]"
_WORD = "[A-Za-z0-9_+/=.~:-]"
# Other bytes separate words: each becomes a blank.
_PARTED = bytes(
    at if chr(at).isascii() and (chr(at).isalnum() or chr(at) in "_+/=.~:-") else 32
    for at in range(256)
)
# The same, with one digit for all.
_SHAPES = _PARTED.replace(b"123456789", b"0" * 9)
# The shortest word with a digit that the first of the patterns below finds.
_SHORTEST_DRAWN = 10
_DIGITS = tuple(b"0123456789"[at : at + 1] for at in range(10))
_LONG_WORDS = (
    rf"{_OTHER}{{10,}}[0-9]{_WORD}*|{_OTHER}{{0,9}}[0-9]{_WORD}{{9,}}",
    rf"{_WORD}{{{LONGER},}}",
)
# In bytes: a rule's keyword is at most this far before a value that is one word. The heads of all rules
# with a provider's name are shorter.
REACH = 256
_rules: "dict[int, Rule]" = {}
_SHORT: "dict[bytes, list[int]]" = {}
# Of 1,256 passages of library code these are due 2.6 times on average; one pass for all of them takes 7
# µs, and each alone 4 to 7. All rules without a provider together take 55.
_COMMON = _TABLE.common()
_IS_COMMON = frozenset(_COMMON)

_NAMES = tuple(_KEYWORDS)
# From this number of bytes on in one process, one automaton of all keywords is cheaper than single
# searches.
WORTH_COMBINING = 16_384
_read = {"singly": 0}
_combined: "list[Any]" = []


def scan(text: str) -> list[Detection]:
    """The secrets in a text, in order, none overlapping another."""
    data = text.encode("utf-8", "surrogatepass")
    folded = data.lower()
    spans = list(key_spans(data)) if KEYWORD in folded else []
    judged: Judged = {}
    for start, stop in _blocks(data):
        block = folded if stop - start == len(data) else folded[start:stop]
        due = _due(block, data, start, stop)
        found = [
            one for number in due for one in _matches(number, folded, data, start, stop, judged)
        ]
        readers = [rule for rule in map(_rule, due) if rule.reads]
        found += _as_commands(readers, data, start, stop)
        spans += [one for one in found if not checksum(data, one[0], one[1])]
    if not spans:
        return []
    merged = _merged([(*_aligned(data, begin, end), kind) for begin, end, kind in spans])
    if len(data) == len(text):
        return [Detection(kind, start, end) for start, end, kind in merged]
    return list(_in_characters(data, merged))


def keywords() -> tuple[bytes, ...]:
    """All keywords of rules, in lower case."""
    return _NAMES


def keywords_in(folded: bytes) -> list[bytes]:
    """The keywords that occur in a lower-case text."""
    if not _combined:
        _read["singly"] += len(folded)
        if _read["singly"] <= WORTH_COMBINING:
            return [name for name in _NAMES if name in folded]
        # All at once: another thread that sees one of them uses the others, too.
        common = together(tuple(_rule(number).pattern for number in _COMMON))
        _combined.extend((literals(_NAMES), common, together(_LONG_WORDS)))
    return [_NAMES[number] for number in _combined[0].Match(folded) or ()]


def _blocks(data: bytes) -> "Iterator[tuple[int, int]]":
    start = 0
    while len(data) - start > BLOCK + _OVERLAP:
        stop = data.find(b"\n", start + BLOCK, start + BLOCK + _OVERLAP) + 1
        if stop:
            yield start, stop
            start = data.find(b"\n", stop - _LINES, stop) + 1
        else:
            yield start, start + BLOCK
            start += BLOCK - _OVERLAP
    yield start, len(data)


def _due(folded: bytes, data: bytes, start: int, stop: int) -> list[int]:
    """The numbers of the rules that a block's keywords and long words require, in order."""
    names = keywords_in(folded)
    if not names:
        return []
    size = stop - start
    words = _long_words(folded)
    drawn, longest = (max((stop - start for start, stop in one), default=0) for one in words)
    around = tuple(_around(one, folded) for one in words)
    numbers: set[int] = set()
    for name in names:
        numbers.update(_KEYWORDS[name] if drawn or longest else _without_long_words(name))
    due = []
    there: dict[bytes, bool] = {}
    for number in sorted(numbers):
        width, least, is_drawn, also, keywords = _TABLE.asked(number)
        if width > size or least > (drawn if is_drawn else longest):
            continue
        if keywords:
            near = around[not is_drawn]
            if not any(word in near for word in keywords):
                continue
        if not also or _one_of(also, folded, there):
            due.append(number)
    if _combined and len(_IS_COMMON.intersection(due)) > 1:
        # With the adjacent byte on each side, so that patterns see word and line boundaries.
        whole = data if size == len(data) else data[max(0, start - 1) : stop + 1]
        matched = {_COMMON[one] for one in _combined[1].Match(whole) or ()}
        due = [number for number in due if number not in _IS_COMMON or number in matched]
    return due


def _one_of(words: tuple[bytes, ...], folded: bytes, there: dict[bytes, bool]) -> bool:
    """Whether a block has one of some words: many rules ask for the same small ones."""
    for word in words:
        if word not in there:
            there[word] = word in folded
        if there[word]:
            return True
    return False


def _without_long_words(keyword: bytes) -> "list[int]":
    """The rules of a keyword that need no long word: for most texts only these are checked."""
    found = _SHORT.get(keyword)
    if found is None:
        found = [one for one in _KEYWORDS[keyword] if not _TABLE.asked(one)[1]]
        _SHORT[keyword] = found
    return found


def _rule(number: int) -> "Rule":
    found = _rules.get(number)
    if found is None:
        found = _rules[number] = rule_at(*_TABLE.where(number))
    return found


def _long_words(folded: bytes) -> "list[list[tuple[int, int]]]":
    """The spans of the long words with a digit, and of the longer ones of any characters."""
    if not _combined:
        # So little text is scanned faster than the two patterns for it are compiled.
        parted = folded.translate(_PARTED)
        long: list[tuple[int, int]] = []
        at = 0
        for word in parted.split():
            if len(word) >= LONG:
                at = parted.index(word, at)
                long.append((at, at + len(word)))
                at += len(word)
        drawn = [span for span in long if any(digit in folded[slice(*span)] for digit in _DIGITS)]
        return [drawn, long]
    # A single pass usually finds none.
    if not _combined[2].Match(folded):
        return [[], []]
    drawn, long = [], []
    at = 0
    for word in folded.translate(_SHAPES).split(b" "):
        size = len(word)
        if size >= _SHORTEST_DRAWN:
            if b"0" in word:
                drawn.append((at, at + size))
            if size >= LONGER:
                long.append((at, at + size))
        at += size + 1
    return [drawn, long]


def _around(words: "list[tuple[int, int]]", folded: bytes) -> bytes:
    """The long words of a block, each with as much before it as a rule's keyword may be away."""
    near = []
    at = 0
    for start, stop in words:
        near.append(folded[max(at, start - REACH) : stop])
        at = stop
    return b"".join(near)


def _matches(
    number: int, folded: bytes, data: bytes, start: int, stop: int, judged: "Judged"
) -> "Iterator[tuple[int, int, str]]":
    rule = _rule(number)
    if rule.reach:
        yield from _within_reach(rule, data, start, stop)
    elif not rule.reads:
        begins = _TABLE.has(BEGINS, number)
        places = _places(rule, folded, start, stop) if begins else None
        if places is None:
            matches = pattern(rule.pattern).finditer(data, start, stop)
        else:
            matches = _matches_at(places, rule, data, stop)
        groups = pattern(rule.pattern).groups
        for match in matches:
            yield from _values(rule, match, groups, data, stop, judged)


def _places(rule: "Rule", folded: bytes, start: int, stop: int) -> "list[int] | None":
    """Where a rule's keywords stand, in order; None if they are many."""
    places: list[int] = []
    for keyword in rule.keywords:
        at = folded.find(keyword, start, stop)
        while at >= 0:
            if len(places) == _FEW_PLACES:
                return None
            places.append(at)
            at = folded.find(keyword, at + 1, stop)
    return sorted(places)


def _matches_at(places: list[int], rule: "Rule", data: bytes, stop: int) -> "Iterator[Any]":
    """The matches that begin at some places, as a search from the left finds them."""
    end = 0
    for at in places:
        match = pattern(rule.pattern).match(data, at, stop) if at >= end else None
        if match:
            end = match.end()
            yield match


def _values(
    rule: "Rule", match: "Any", groups: int, data: bytes, stop: int, judged: "Judged"
) -> "Iterator[tuple[int, int, str]]":
    begin, end = _value_span(match, groups)
    if end == stop < len(data):
        longer = pattern(rule.pattern).search(data, match.start(), min(len(data), stop + _LONGEST))
        begin, end = _value_span(longer or match, groups)
    if rule.inner:
        for inner in pattern(rule.inner).finditer(data, begin, end):
            left, right = inner.span(1)
            if _accepts(rule, data, left, right, judged):
                yield left, right, rule.kind
        return
    if rule.named and (about(_decoded(data, *match.span(1))) or data[end : end + 1] in _CODES):
        return
    if _accepts(rule, data, begin, end, judged):
        if rule.provider:
            yield begin, end, rule.kind
        elif not verdict(data, begin, end):
            yield begin, whole(data, begin, end), rule.kind


def _accepts(rule: "Rule", data: bytes, begin: int, end: int, judged: "Judged") -> bool:
    """Whether a rule's predicate accepts a value, which is asked once for each value of a text."""
    key = rule.accepts, data[begin:end]
    found = judged.get(key)
    if found is None:
        found = judged[key] = rule.accepts(key[1].decode("utf-8", "replace"))
    return found


def _as_commands(
    rules: "list[Rule]", data: bytes, start: int, stop: int
) -> "Iterator[tuple[int, int, str]]":
    """What the rules read in the lines of their matches: each line once, whichever of them matched."""
    readers: dict[Reader, list[_Places]] = {}
    for rule in rules:
        if rule.reads:
            readers.setdefault(rule.reads, []).append(_Places(rule, data, start, stop))
    for reader, several in readers.items():
        read = start
        while there := [place.span for place in several if place.span]:
            first, last = min(there)
            if last > read:
                found, read = reader(data, max(read, first), start, stop)
                for begin, end, kind in found:
                    yield begin, whole(data, begin, end), kind
            for place in several:
                place.go_on((first, last), read)


class _Places:
    """The matches of a rule in a block in order, without most of those in lines that were read."""

    def __init__(self, rule: "Rule", data: bytes, start: int, stop: int) -> None:
        self._pattern = pattern(rule.pattern)
        self._data, self._stop = data, stop
        self.span: tuple[int, int] | None = None
        self._search(start)

    def _search(self, at: int) -> None:
        found = self._pattern.search(self._data, at, self._stop)
        self.span = found.span() if found else None

    def go_on(self, done: tuple[int, int], read: int) -> None:
        """To the first match that is not `done` and reaches beyond what was read."""
        # A line that is longer than its reader's reach was read up to any place in it.
        ended = self._data[read : read + 1] == b"\n"
        after = read - (_STRADDLES if ended else _STRADDLES_WITHIN)
        while self.span and (self.span <= done or self.span[1] <= read):
            self._search(max(self.span[1], after))


def _within_reach(
    rule: "Rule", data: bytes, start: int, stop: int
) -> "Iterator[tuple[int, int, str]]":
    """The inner values with a match at most a number of bytes before them on their line.

    Values are rarer than names, so they are searched first. A bracket ends the reach too: the mark of an
    earlier redaction begins with one.
    """
    for inner in pattern(rule.inner).finditer(data, start, stop):
        left, right = inner.span(1)
        begin = max(start, left - rule.reach)
        line = data[begin : inner.start()]
        begin += max(line.rfind(b"\n"), line.rfind(b"[")) + 1
        if right == stop < len(data):
            longer = pattern(rule.inner).search(
                data, inner.start(), min(len(data), right + _LONGEST)
            )
            left, right = longer.span(1) if longer else (left, right)
        # To judge a value takes five times as long as to look for the name before it.
        if pattern(rule.pattern).search(data, begin, inner.start()) and rule.accepts(
            _decoded(data, left, right)
        ):
            yield left, right, rule.kind


def _value_span(match: "Any", groups: int) -> tuple[int, int]:
    """The last group that took part, or the whole match."""
    for group in range(groups, 0, -1):
        begin, end = match.span(group)
        if begin >= 0:
            return begin, end
    begin, end = match.span()
    return begin, end


def _decoded(data: bytes, begin: int, end: int) -> str:
    return data[begin:end].decode("utf-8", "replace")


def _merged(spans: "list[tuple[int, int, str]]") -> "list[tuple[int, int, str]]":
    """Overlapping spans merged, in order, under the name of the rule that comes first."""
    merged: list[tuple[int, int, str]] = []
    # Sorting is stable: of spans with the same start the one found first stays first.
    for start, end, kind in sorted(spans, key=lambda span: span[0]):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged


def _aligned(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """A span that cuts no character in two."""
    while begin and data[begin] & 0xC0 == 0x80:  # noqa: PLR2004 a byte within a character
        begin -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:  # noqa: PLR2004
        end += 1
    return begin, end


def _in_characters(data: bytes, spans: "list[tuple[int, int, str]]") -> "Iterator[Detection]":
    byte = char = 0
    for start, end, kind in spans:
        char += len(data[byte:start].decode("utf-8", "surrogatepass"))
        begin = char
        char += len(data[start:end].decode("utf-8", "surrogatepass"))
        byte = end
        yield Detection(kind, begin, char)
