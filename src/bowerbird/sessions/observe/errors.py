"""The lines of an output that state an error, and what identifies each of them. Pure.

Two prints of a line, both hashes, since a line of output may hold anything, instructions included, and
must not come back from memory. The exact one keeps names and ports, and leaves out what changes from run
to run: positions, durations, folders. The general one leaves out all names and numbers, so that a
linter's rule is the same in every file. Beside the exact one there is that of what an error is about: its
name with what it quotes, as the rest is worded after the data; and that of the test that failed.
"""

import re

from bowerbird.core.ids import text_hash
from bowerbird.core.pattern import late
from bowerbird.sessions.observe.fingerprint import fingerprint

# Lines examined at either end of an output: a compiler begins with its errors, a traceback ends with it.
_EDGE = 150
_LONGEST_LINE = 300
# The prefix that task runners put before each line: `[lint] a.go:1:2: …`.
_TASK = r"^\[[\w:-]+\]\s+"
# Colours; what test runners, npm and shells put before a message.
_COLOUR = r"\x1b\[[0-9;]*m"
_BEFORE = (
    r"^(?:E\s{2,}|npm (?:ERR!|error)\s+|FAILED \S+ - |ERROR \S+ - |(?:\S*/)?(?:ba|z|da|k|fi)?sh:"
    r" (?:line )?(?:\d+: )?|\S*/(?=[\w.+-]+: ))+"
)
_LOCATED = r"^(?P<path>[\w./@-]+\.[a-zA-Z]\w{0,5})(?::\d+(?::\d+)?:?\s+|\(\d+,\d+\): )(?=\S)"
_STATES = (
    r"(?i)\b(?:error|exception|fatal|panic|cannot|can't|could not|couldn't|unable|missing"
    r"|not found|no such"
    r"|unknown|unrecognized|unsupported|invalid|illegal|denied|refused|rejected"
    r"|already in use|timed? ?out"
    r"|undefined|unresolved|failed to|forbidden|out of date|stale|needed|no module|not a"
    r"|requires?|required"
    r"|does not|doesn't|no rule|not installed|not running|externally-managed)\b"
)
# The name of an error: an exception's class, or one of the operating system's codes; "ERROR:" names none.
ERROR_NAME = r"\b(?:[A-Z]\w*(?:Error|Exception)|E(?!RRORS?\b)[A-Z]{4,}\d?)\b"
# What runs commands reports when one of them failed: the same for every error.
_OUTCOME = late(
    r"(?i)\bwarn(?:ing)?\b|exit(?:ed)?(?: with)? (?:code|status)|exited with|task failed|command failed"
    r"|\b\d+ (?:errors?\b|failed\b(?!:))"
    r"|\bFAIL\b|^make(?:\[\d+\])?: \*\*\* \[|elifecycle|^error: (?:recipe|script) "
    r"|complete log of this run"
    r"|test failed, to rerun|could not compile|^\W*errors?\W*$|error summary"
    r"|warnings? summary|no test files"
)
# What stands above a message that says itself nothing of an error: "Compilation Error".
_HEADING = r"(?i)^(?:[\w./-]+ ){0,4}errors?:?$"
# A line of source code that a traceback or a compiler shows.
_CODE = late(
    r"^(?:>|raise\b|throw\b|return\b|assert\b|if\b|for\b|at\s|File \"|from .* import\b|\d+ ?\|)"
)
_VOLATILE = (
    r"\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b|\b\d{4}-\d\d-\d\d\S*|\b\d\d:\d\d:\d\d\S*"
    r"|\b\d+(?:\.\d+)?\s?(?:ms|s|secs?|seconds?|minutes?)\b|\b(?:line|pid|column|position) \d+"
    r"|(?<=\.\w\w):\d+\b"
    r"|(?:~|\.{0,2})?(?:/[\w.@+-]+)*/(?=[\w.@+-])"
)
_WORD = r"[a-z0-9_]+(?:[-.][a-z0-9_]+)*"
# Words that say no more than that something failed.
_EMPTY = frozenset(
    "error errors err failed failure failing fatal exception exit code status command test"
    " tests build task"
    " process the a an of to in is was with and or for at on by not no".split()
)
# Marks of a specific message: a quoted part, a port, an identifier, the name of an error or a program.
_SPECIFIC = (
    r"['\"`‘“]\S|\d{3,}|\w[_/@-]\w|\w\.\w|[a-z][A-Z]|^[\w.+-]+: (?:command )?not found"
    r"|not found: \S"
    rf"|{ERROR_NAME}"
)
# Words of a message that is specific without such a mark, and of a general print.
_MANY = 4
_FEWEST = 2
_FEWEST_GENERAL = 4
# The code of a checker's rule: one that is a word, such as `(errcheck)`, is a word of the form.
_RULE = r"\b[A-Z]{1,4}\d{3,5}\b"
_NAMED_RULE = r"[(\[][a-z][\w/-]{2,30}[)\]]\s*$"
# Identifiers with inner capitals, signatures, and types in brackets.
_NAMED = r"\bsig: .*?(?=\(\w+\)$|$)|\b\w*[a-z][A-Z]\w*\b|\([^()\s]*[./][^()\s]*\)"
# What an error quotes.
_QUOTES = late(r"(?<!\w)['\"`‘“]([^\s'\"`’”]{2,60})['\"`’”]")
# The name of a test that failed, as runners report it.
_FAILED_TEST = late(
    r"^(?:(?:FAIL|ERROR): (?P<unittest>\w+ \([\w.]+\))"
    r"|(?:FAILED|ERROR) (?P<pytest>\S+\.py::\S+)|--- FAIL: (?P<go>\S+)|not ok \d+ -? ?(?P<tap>[^#]+)"
    r"|test (?P<cargo>\S+) \.\.\. FAILED|● (?P<jest>.+ › .+)|FAIL\s+(?P<vitest>\S+ > .+))"
)
# Characters of an error's name that is told.
_LONGEST_NAME = 40
# With more failed tests at once none of them is what the error is about.
_MOST_TESTS = 2
# Characters of a hash: two of a million prints are the same with a probability of 1 in 500.
_HASH = 12


def lines(output: str) -> list[str]:
    """Return the examined lines of an output, stripped, without what task runners put before them."""
    raw = re.sub(_COLOUR, "", output).splitlines()
    if len(raw) > 2 * _EDGE:
        raw = raw[:_EDGE] + raw[-_EDGE:]
    found = [re.sub(_TASK, "", one.strip()).strip()[:_LONGEST_LINE] for one in raw]
    above = ["", *found]
    return [
        f"error: {one}" if one and re.match(_HEADING, over) else one
        for over, one in zip(above, found, strict=False)
    ]


def message(line: str) -> str:
    """Return what a line says is wrong, without its position; empty if it states no error of its own."""
    bare = re.sub(_BEFORE, "", line)
    located = re.match(_LOCATED, bare)
    what = re.sub(_BEFORE, "", bare[located.end() :]) if located else bare
    if _CODE.match(what) or _OUTCOME.search(what):
        return ""
    # A position alone is no error: tests print their logs behind one.
    known = (_STATES, ERROR_NAME, _RULE, _NAMED_RULE) if located else (_STATES, ERROR_NAME)
    stated = any(re.search(one, what) for one in known)
    return " ".join(what.split()) if stated else ""


def exact_print(line: str) -> str:
    """Return the hash of a line's message with its names; empty for one that is too general."""
    what = message(line)
    if not what:
        return ""
    words = {*re.findall(_WORD, re.sub(_VOLATILE, " ", what).lower())}
    telling = words - _EMPTY
    specific = re.search(_SPECIFIC, what) is not None or len(telling) >= _MANY
    # Shells state the same words in several orders: `uv: command not found`, `command not found: uv`.
    named = len(telling) >= _FEWEST or (telling and re.search(ERROR_NAME, what) is None)
    return _hashed(" ".join(sorted(telling))) if specific and named else ""


def subject_print(line: str) -> str:
    """Return the hash of a line's error name and of what it quotes; empty without either."""
    what = message(line)
    named = {*re.findall(ERROR_NAME, what)}
    quoted = {re.sub(_VOLATILE, " ", one).strip() for one in _QUOTES.findall(what)} - {""}
    return _hashed(" ".join(("about", *sorted(named), *sorted(quoted)))) if named and quoted else ""


def test_print(line: str) -> str:
    """Return the hash of the name of a test that a line says has failed; empty if it names none."""
    found = _FAILED_TEST.match(line)
    name = next(filter(None, found.groups()), "") if found else ""
    return _hashed(f"test {' '.join(name.split())}") if name else ""


def error_name(line: str) -> str:
    """Return the name of the error that a line states, or the code of its rule; empty without."""
    found = re.search(ERROR_NAME, message(line)) or re.search(_RULE, line)
    if found is None and re.match(_LOCATED, line):
        found = re.search(_NAMED_RULE, line)
    name = found[0].strip("()[] ") if found else ""
    return name if len(name) <= _LONGEST_NAME else ""


def general_print(line: str) -> str:
    """Return the hash of a line without names, numbers and positions; empty for one that is too short."""
    form = general_form(line)
    rule = re.search(_RULE, line)
    if rule is not None:
        return _hashed(f"{rule[0]} {form}")
    return _hashed(form) if len(form.split()) >= _FEWEST_GENERAL else ""


def general_form(line: str) -> str:
    """Return what two findings of one rule share: no identifiers, and no details of their types."""
    return fingerprint(re.sub(_NAMED, " ", re.sub(_LOCATED, "", re.sub(_BEFORE, "", line))))


def exact_prints(output: str, most: int) -> tuple[str, ...]:
    """Return the exact prints of an output's error lines, at most `most`: half of them the last ones."""
    found = [*dict.fromkeys(one for line in lines(output) if (one := exact_print(line)))]
    if len(found) <= most:
        return tuple(found)
    half = most // 2
    return (*found[: most - half], *found[-half:])


def subject_prints(output: str, most: int) -> tuple[str, ...]:
    """Return the prints of what an output's errors are about, at most `most`, and of its failed tests."""
    examined = lines(output)
    about = dict.fromkeys(one for line in examined if (one := subject_print(line)))
    tests = dict.fromkeys(one for line in examined if (one := test_print(line)))
    return (*[*about][-most:], *(tests if len(tests) <= _MOST_TESTS else ()))


def _hashed(text: str) -> str:
    return text_hash(text).hex()[:_HASH]
