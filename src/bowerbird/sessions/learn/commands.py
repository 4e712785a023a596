"""Splits shell command lines and classifies the parts by their purpose for a project. Pure."""

import re
from functools import lru_cache

from bowerbird.core.pattern import late
from bowerbird.core.value import Record
from bowerbird.guard.redact import ALLOW_NOTHING, redact

# Programs that run what belongs to a project; arguments of any other program are ignored.
_RUNNERS = frozenset(
    "mise make gmake just task npm pnpm yarn bun npx bunx cargo go python python3 uv poetry hatch tox nox"
    " pytest gradle gradlew mvn mvnw dotnet bundle rake rails mix composer phpunit swift bazel cmake"
    " ctest ninja meson deno tsc eslint prettier biome ruff black mypy pyright flake8 golangci-lint gofmt"
    " rubocop jest vitest mocha rspec stack cabal zig sbt clippy shellcheck buf pre-commit invoke turbo"
    " nx lerna node ruby php prove bats gotestsum".split()
)
_TYPES = r"type-?check|check[-:]types|\bmypy|pyright|\btsc\b.*--noEmit|\brun types$"
_LINTS = r"lint|clippy|\bruff (?!format)|flake8|\bvet\b|shellcheck|rubocop|pre-commit"
_TESTS = (
    r"\btests?\b|pytest|unittest|nextest|minitest|jest|vitest|rspec|\btox\b|\bnox\b|ctest|phpunit"
    r"|\bpest\b|mocha|gotestsum|\bava\b|\btap\b|\b(?:gradlew?|bundle exec rake) check\b"
    r"|\bmvnw? (?:\S+ )*(?:verify|install)\b"
)
_PURPOSES = tuple(
    (name, late(known))
    for name, known in (
        ("types", _TYPES),
        ("lint", _LINTS),
        ("format", r"\bfmt\b|format|prettier|\bblack\b|gofmt|biome"),
        ("generate", r"\bgen\b|generate|codegen|\bprotoc?\b"),
        ("test", _TESTS),
        ("build", r"\bbuild\b|compile\b|\bninja\b|\btsc\b"),
    )
)
_PARTS = late(r"\s*(?:&&|;|\n)\s*")
_QUIET = late(r"\s*(?:\d?>&\d|&?\d?>\s*/dev/null|\|\s*(?:tail|head|cat|tee|less)\b[^|]*)\s*")
_SHORTENS = late(r"\s*(?:\d?>&\d|\|\s*(?:tail|head)\b[^|;&]*)")
_SET = late(r"^(?:export\s+)?(?:\w+=(?:\$\([^()]*\)|\"[^\"]*\"|'[^']*'|\S)*\s+)+")
# Programs that only run another one; and the version in a program's name.
_AROUND = late(
    r"^(?:(?:time|env|nice|xvfb-run|command|exec)\s+(?:-\S+\s+)*|timeout\s+(?:-\S+\s+)*\d\S*\s+)+"
)
_VERSION = late(r"(?<=\w)[\d.]+$")
# Marks of a command for a single occasion: a named test, a file, quotes, variables.
_ONCE = late(
    r"[\"'`$|<>*{}()\\#]|\|\||--?(?:run|test|k|filter|grep|t|c|e|o)[= ]|::|/tmp/|~|\b\d{3,}\b"
    r"|\.(?:go|py|ts|tsx|js|jsx|rs|rb|java|kt|c|cc|cpp|swift|php|sh)\b|\s/\S"
)
# Selection of tests by name; and options that only change the output or the caching.
_BY_NAME = late(
    r"(?P<option>\s-{1,2}(?:run|k|t|testNamePattern|test-name-pattern|tests|filter|grep)[= ])"
    r"(?:\"[^\"]*\"|'[^']*'|[\w.|^$/*-]+)"
)
_NAMED = "NAME"
_SHOWS = late(r"\s(?:-v|--verbose|-count=1|-race|-timeout[= ]\w+|-s|-q)(?=\s|$)")
# What only prints about a program.
_ABOUT = late(r"\s(?:--version|--help|-V)(?:\s|$)")
# The file that a command writes, whose name says nothing of it ("go build -o entire-test").
_WRITES = late(r"\s(?:-o|--output)[\s=]\S+")
# Commands that anybody who knows the language would type anyway.
EVERYBODYS = frozenset(("go build ./...", "cargo build", "dotnet build", "swift build"))
_LONGEST = 90
# Cache size in lines: a long session's, as a dozen signals ask for the same ones.
_MOST_KNOWN = 2_000
# In characters; longer lines are scripts.
_LONGEST_LINE = 4_000


class Part(Record):
    """One command of a line, the folder that the line changed to before it, and its purpose."""

    text: str
    purpose: str
    folder: str = ""


def cut_short(text: str, most: int) -> str:
    """Return the first characters of a text, secrets removed first: no rule detects half a secret."""
    return redact(text, ALLOW_NOTHING).text[:most]


def parts(line: str) -> list[str]:
    """Return the commands of a line without variables and pipes that only show; none of a script."""
    if len(line) > _LONGEST_LINE or "<<" in line:
        return []
    return [" ".join(_QUIET.sub(" ", _bare(raw)).split()) for raw in _PARTS.split(line)]


def without_output(line: str) -> str:
    """Return a line without the parts that only redirect or shorten its output."""
    return " ".join(_SHORTENS.sub("", line).split())


@lru_cache(_MOST_KNOWN)
def checks(command: str) -> tuple[Part, ...]:
    """Return the commands of a line that build, test, lint, format or generate."""
    folder = ""
    found = []
    for part in parts(command):
        if part.startswith("cd "):
            folder = part[3:].strip("\"' ")
            continue
        purpose = purpose_of(part)
        if purpose:
            found.append(Part(part, purpose, folder))
    return tuple(found)


def one_test(line: str) -> tuple[str, ...]:
    """Return the commands of a line that run tests by name, with the name replaced by a placeholder."""
    found = []
    for shown in parts(line):
        part = " ".join(_SHOWS.sub("", shown).split())
        pattern, number = _BY_NAME.subn(rf"\g<option>{_NAMED}", part)
        rest = pattern.replace(_NAMED, "")
        if number == 1 and purpose_of(part) == "test" and not re.search(r"[\"'`$|<>*{}()\\]", rest):
            # The option goes last: the same command is written in many orders.
            option = _BY_NAME.search(pattern)
            words = pattern if option is None else pattern.replace(option[0], "") + option[0]
            found.append(" ".join(words.rstrip("/").split()))
    return tuple(found)


def _bare(raw: str) -> str:
    """Return a command without what is set for it and what runs it."""
    return _SET.sub("", _AROUND.sub("", _SET.sub("", raw.strip())))


def purpose_of(part: str) -> str:
    """Return the purpose of a command; empty if it is none of those that every project has."""
    words = part.split()
    program = words[0].rpartition("/")[2] if words else ""
    known = program in _RUNNERS or _VERSION.sub("", program) in _RUNNERS
    # Or a script of the project: "./lint", "bin/lint".
    if not known and not (words and "/" in words[0] and words[0][0] not in "/~$\"'"):
        return ""
    if _ABOUT.search(part):
        return ""
    bare = _WRITES.sub(" ", part)
    return next((name for name, sign in _PURPOSES if sign.search(bare)), "")


def lasting(part: str) -> bool:
    """Return whether a command is of general use, not for one test or one file."""
    return len(part) <= _LONGEST and not _ONCE.search(part)
