"""Where secrets stand in a text: a prefilter by keywords, then RE2 where one hits.

A short text without a keyword costs substring tests, 0.1 ms a kilobyte, and RE2 is not loaded (5 ms)
for it. Once it is, its set of all keywords reads fifty times as fast. Patterns run in RE2 alone,
whose time is linear in the text for any pattern and any text; the standard library's backtrack.
"""

from bowerbird.core.value import Value
from bowerbird.guard import rules
from bowerbird.guard.plausible import about, any_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.guard.rule import Rule

# A long text is looked at block by block, so that a keyword costs its rules one block's time.
_BLOCK = 8192
# Where a block ends inside a line, the next one begins so much earlier, to meet what was cut.
_OVERLAP = 2048
# And where it ends with one, a few lines earlier: a name and its value may stand on several.
_LINES = 400
# After so many bytes, in this process, loading RE2 costs less than the substring tests it saves.
_WORTH_LOADING = 65_536
# A value that reaches its block's end is followed so far beyond it.
_LONGEST = 65_536
# A line of a private key has 64 characters or 76; a shorter block than a half is no key.
_KEY_LINE = 32
# What may stand on a key's line beside it: indentation, marks of a diff or quotation, quotes.
_LEAD = 100
_KEY_LEADS = b" \t\r+>|-\"'\\"
_KEY_TAILS = (b"", b"\n", b"\r", b"\\", b'"', b"'", b" ")
# What follows a name in code, which then is no value but a call or a look-up.
_CODES = (b"(", b"[")

_KEYWORDS: "dict[bytes, list[int]]" = {}
for _place, _rule in enumerate(rules.RULES):
    for _keyword in _rule.keywords:
        _KEYWORDS.setdefault(_keyword, []).append(_place)

_NAMES = tuple(_KEYWORDS)

_compiled: "dict[str, Any]" = {}
_read = {"plainly": 0}


class Finding(Value):
    """A secret by its kind and place, in characters. It never carries the secret itself."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end


def find(text: str) -> list[Finding]:
    """The secrets in a text, in order, none overlapping another."""
    data = text.encode("utf-8", "surrogatepass")
    folded = data.lower()
    spans = list(_key_spans(data)) if rules.KEY_KEYWORD in folded else []
    for start, stop in _blocks(data):
        for rule in _due(folded if stop - start == len(data) else folded[start:stop]):
            spans += _matches(rule, data, start, stop)
    if not spans:
        return []
    merged = _merged(spans)
    if len(data) == len(text):
        return [Finding(kind, start, end) for start, end, kind in merged]
    return list(_in_characters(data, merged))


def keywords() -> tuple[bytes, ...]:
    """What a text must hold, in lower case, to be looked at more closely."""
    return _NAMES


def _blocks(data: bytes) -> "Iterator[tuple[int, int]]":
    start = 0
    while len(data) - start > _BLOCK + _OVERLAP:
        stop = data.find(b"\n", start + _BLOCK, start + _BLOCK + _OVERLAP) + 1
        if stop:
            yield start, stop
            start = data.find(b"\n", stop - _LINES, stop) + 1
        else:
            yield start, start + _BLOCK
            start += _BLOCK - _OVERLAP
    yield start, len(data)


def _due(folded: bytes) -> "list[Rule]":
    """The rules that a block's keywords call for, in the order of the table."""
    places = {place for keyword in _keywords(folded) for place in _KEYWORDS[keyword]}
    due = [rules.RULES[place] for place in sorted(places)]
    return [rule for rule in due if rule.also in folded]


def _keywords(folded: bytes) -> list[bytes]:
    _read["plainly"] += len(folded)
    if _compiled or _read["plainly"] > _WORTH_LOADING:
        return [_NAMES[place] for place in _keyword_set().Match(folded) or ()]
    return [keyword for keyword in _NAMES if keyword in folded]


def _options() -> "Any":
    import re2  # start-up: most commands meet no keyword

    options = re2.Options()
    # Bytes as they are: programs are smaller, and places need no decoding.
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return options


def _keyword_set() -> "Any":
    """All keywords as one automaton."""
    found = _compiled.get("")
    if found is None:
        import re2  # start-up: most commands meet no keyword

        found = re2.Set.SearchSet(_options())
        for keyword in _NAMES:
            found.Add(re2.escape(keyword))
        found.Compile()
        _compiled[""] = found
    return found


def _pattern(pattern: str) -> "Any":
    """The pattern compiled for bytes, once a process."""
    found = _compiled.get(pattern)
    if found is None:
        import re2  # start-up: most commands meet no keyword

        found = _compiled[pattern] = re2.compile(pattern.encode("latin-1"), _options())
    return found


def _matches(rule: "Rule", data: bytes, start: int, stop: int) -> "Iterator[tuple[int, int, str]]":
    for match in _pattern(rule.pattern).finditer(data, start, stop):
        begin, end = _value_span(match)
        if end == stop < len(data):
            longer = _pattern(rule.pattern).search(
                data, match.start(), min(len(data), stop + _LONGEST)
            )
            begin, end = _value_span(longer or match)
        if rule.inner:
            for inner in _pattern(rule.inner).finditer(data, begin, end):
                if rule.accepts(_decoded(data, *inner.span(1))):
                    yield *inner.span(1), rule.kind
            continue
        if rule.named and (about(_decoded(data, *match.span(1))) or data[end : end + 1] in _CODES):
            continue
        if rule.accepts(_decoded(data, begin, end)):
            yield begin, end, rule.kind


def _value_span(match: "Any") -> tuple[int, int]:
    """The last group that took part, or the whole match."""
    for group in range(match.re.groups, 0, -1):
        begin, end = match.span(group)
        if begin >= 0:
            return begin, end
    begin, end = match.span()
    return begin, end


def _decoded(data: bytes, begin: int, end: int) -> str:
    return data[begin:end].decode("utf-8", "replace")


def _key_spans(data: bytes) -> "Iterator[tuple[int, int, str]]":
    """The lines of private keys. One whose end is missing counts as far as its lines are long."""
    for block in _pattern(rules.KEY_BLOCK).finditer(data):
        begin, end = block.span(1)
        runs = [run.span(1) for run in _pattern(rules.KEY_RUN).finditer(data, begin, end)]
        long = [(start, stop) for start, stop in runs if stop - start >= _KEY_LINE]
        whole = long and data.startswith(rules.KEY_END, end)
        for start, stop in runs if whole else long:
            is_line = stop - start >= _KEY_LINE or _alone(data, start, stop)
            if is_line and any_value(_decoded(data, start, stop)):
                yield start, stop, rules.PRIVATE_KEY


def _alone(data: bytes, start: int, stop: int) -> bool:
    """Whether a short run is the last line of a key and no word of a header such as Proc-Type."""
    before = data[max(0, start - _LEAD) : start].replace(b"\\n", b"\n")
    lead = before.rpartition(b"\n")[2].strip(_KEY_LEADS)
    return not lead and (data[stop : stop + 1] in _KEY_TAILS or data.startswith(b"-----", stop))


def _merged(spans: "list[tuple[int, int, str]]") -> "list[tuple[int, int, str]]":
    """In order, those that overlap as one, under the name of the rule that stands first."""
    merged: list[tuple[int, int, str]] = []
    # Sorting is stable: of spans that begin together the one found first stays first.
    for start, end, kind in sorted(spans, key=lambda span: span[0]):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged


def _in_characters(data: bytes, spans: "list[tuple[int, int, str]]") -> "Iterator[Finding]":
    byte = char = 0
    for start, end, kind in spans:
        char += len(data[byte:start].decode("utf-8", "surrogatepass"))
        begin = char
        char += len(data[start:end].decode("utf-8", "surrogatepass"))
        byte = end
        yield Finding(kind, begin, char)
