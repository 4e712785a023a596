"""Creates a file's outline by the rules of its language."""

import os

from bowerbird.code.syntax import compiled, javascript, python
from bowerbird.code.syntax.grammar import COMPONENTS, grammar_of, parse, scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.code.syntax.grammar import Parsed
    from bowerbird.core.outline import Outline

_READERS = {"python": python.outline, "script": javascript.outline}


def outlined(text: str, suffix: str) -> "tuple[Outline, Parsed] | None":
    """The outline of a file, and its tree; None without a grammar, or beyond the parser's limits."""
    grammar = grammar_of(suffix)
    if grammar is None:
        return None
    parsed = parse(scripts(text) if suffix in COMPONENTS else text, grammar)
    if parsed is None:
        return None
    read = _READERS.get(parsed.grammar.language, compiled.outline)
    return read(parsed), parsed


def outline_of(path: str, data: bytes) -> "Outline | None":
    """The outline of a file with some content."""
    found = outlined(data.decode("utf-8", "replace"), os.path.splitext(path)[1].lower())
    return None if found is None else found[0]
