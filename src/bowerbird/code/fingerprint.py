"""Fingerprints of code: equal for texts that differ only in comments, blanks, quotes or formatting."""

import os
import re

from bowerbird.core.ids import content_hash

# Languages whose comments begin with a hash sign; in the others they are `//` and `/* */`.
_HASHED = frozenset((".py", ".pyi", ".rb", ".sh", ".bash"))
# Where formatters add and remove semicolons.
_SEMICOLONS = frozenset(
    (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte")
)
_OTHERS = frozenset((".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp"))
# Larger files are read byte by byte: a million take .1 s.
_MOST_BYTES = 500_000
_TRIPLE = r"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_REST = r"\w+|[^\w\s]"
_WITH_HASH = re.compile(rf"{_TRIPLE}|{_STRING}|(?P<comment>#[^\n]*)|{_REST}", re.DOTALL)
_WITH_SLASHES = re.compile(
    rf"{_STRING}|(?P<comment>//[^\n]*|/\*.*?\*/)|{_REST}", re.DOTALL
)  # fmt: skip
# What stands in a fingerprint for the name of what is defined.
_NAME = "\0"


def fingerprint(code: bytes, path: str, name: str = "") -> str:
    """The fingerprint of code, as hexadecimal digits; empty if the language of its file is unknown.

    `name`: of what the code defines, which does not count, so that a renamed function keeps its own.
    """
    suffix = os.path.splitext(path)[1].lower()
    if len(code) > _MOST_BYTES or not (
        suffix in _HASHED or suffix in _SEMICOLONS or suffix in _OTHERS
    ):
        return ""
    pattern = _WITH_HASH if suffix in _HASHED else _WITH_SLASHES
    own = name.rpartition(".")[2]
    kept: list[str] = []
    for found in pattern.finditer(code.decode("utf-8", "replace")):
        one = found.group()
        if found.lastgroup == "comment" or (one == ";" and suffix in _SEMICOLONS):
            continue
        if one in ")]}" and kept and kept[-1] == ",":
            kept.pop()
        kept.append(_NAME if own and one == own else _quoted(one))
    return content_hash("\n".join(kept).encode()).hex()


def _quoted(one: str) -> str:
    """A string in one kind of quotes, where that changes nothing; anything else as it is."""
    if one[0] == "'" == one[-1] and len(one) > 1 and not set(one[1:-1]) & {'"', "\\", "'"}:
        return f'"{one[1:-1]}"'
    return one
