"""Tells a test runner's verdict (`PASS: name`) from a password that is given behind the same word."""

from bowerbird.guard.automaton import pattern

# Bytes before a value in which its verdict stands, and on either side in which others do.
_BEFORE = 48
_AROUND = 400
_VERDICT = (
    r"(?i)(?:^|[\s\[|>\x1b\dm])x?(?:pass|passes|passed)\]?(?::|\s|\x1b\[[\d;]*m)[ \t]{0,8}[\"'`]?$"
)
_SIGNS = frozenset(b"=(,;/@&-"[at : at + 1] for at in range(8))
# Marks before the verdict, and what stands behind a test's name: its time, its number, its module.
_MARKED = r"(?:-{2,}|={2,}|[\[*|\x80-\xff])\s*$"
_TIMED = (
    r"^[\"'`]?[,:]?\s{0,4}(?:[(\[]\s?[\d.<]|\.{2,}|\((?:test|\w+\.)|in \d|\d+ms|\d+(?:\.\d+)?s\b)"
)
# Names of tests: of a file, of a function, of a case in either.
_TEST = (
    r"(?i)^(?:un|sub)?(?:tests?|specs?|bench(?:mark)?|example|check|suite|it|should|fuzz)(?:[_:./-]|[A-Z0-9]|$)"
    r"|(?:[_./:-]|[a-z0-9])(?:tests?|specs?)(?:[_./:-]|$)|::|^[\w.-]+/[\w./-]+$"
    r"|\.(?:[jt]sx?|[cm][jt]s|py|go|rs|rb|php|java|kt|sh|bats|t|c|cc|cpp|ll|exs?|dart|swift|html)(?:$|[:\[(])"
)
# Other verdicts beside it.
_OTHERS = (
    r"(?m)^[ \t\[]*(?:-{3} )?(?:FAIL|XFAIL|SKIP|XPASS|ERROR|UNRESOLVED|UNTESTED|BENCH|TODO)(?:ED|PED)?"
    r"\]?[: ]"
    r"|^=== (?:RUN|PAUSE|CONT)|^(?:not )?ok \d|^# (?:TOTAL|PASS|tests)\b|^Test(?:s| Suites?):"
)


def verdict(data: bytes, begin: int, end: int) -> bool:
    """Whether a value is the name of a test behind its runner's verdict."""
    # Most values stand behind a sign, as in name=value, and no verdict ends with one.
    if data[begin - 1 : begin] in _SIGNS:
        return False
    before = _lines(data[max(0, begin - _BEFORE) : begin]).rpartition(b"\n")[2]
    said = pattern(_VERDICT).search(before)
    if not said:
        return False
    around = _lines(data[max(0, begin - _AROUND) : end + _AROUND])
    return (
        bool(pattern(_MARKED).search(before[: said.start() + 1]))
        or bool(pattern(_TEST).search(data[begin:end]))
        or bool(pattern(_TIMED).search(data[end : end + _BEFORE]))
        or bool(pattern(_OTHERS).search(around))
    )


def _lines(data: bytes) -> bytes:
    """With the line ends that JSON escapes."""
    return data.replace(b"\\n", b"\n")
