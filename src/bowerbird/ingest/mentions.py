"""Finds the code that a document mentions: definitions in backticks, and files by path."""

import os
import re

from bowerbird.code.naming import dotted, parted
from bowerbird.core.graph import DOCUMENTS
from bowerbird.core.outline import MODULE, Use
from bowerbird.ingest.sources.code import is_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.document import Piece

# Sources whose pieces contain the lines of their file unchanged.
OF_LINES = frozenset(("markdown", "restructuredtext", "asciidoc", "org", "text"))
# Maximum names kept for one document, and maximum length of a line that is searched.
_MOST = 1_000
_LONGEST = 2_000
_QUOTED = re.compile(r"`([^`\n]{2,200})`")
_FILE = re.compile(r"[\w./\\-]+\.[A-Za-z]\w{0,5}(?:(?:::|[:#])[A-Za-z_][\w.:]*)?(?![\w/])")
# Further extensions by which a name counts as a file.
_OTHERS = frozenset(
    ".md .rst .adoc .org .txt .json .jsonl .toml .yaml .yml .ini .cfg .xml .html .ipynb".split()
)
# Names unlike ordinary words: with dots, underscores, inner capitals, or call parentheses.
_NAME = re.compile(
    r"~?(?:[A-Za-z_]\w*(?:(?:\.|::|#)[A-Za-z_]\w*)+(?:\(\))?|[A-Za-z_]\w*\(\)|[A-Za-z]\w*_\w+"
    r"|[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)"
)


def mentions(pieces: "Sequence[Piece]", source: str) -> list[Use]:
    """The names that a document mentions, once per line; a file's name has a colon appended.

    Only names that are written as code count; they are resolved once all files are known.
    """
    found: dict[tuple[int, str], Use] = {}
    for piece in pieces if source in OF_LINES else ():
        for number, line in enumerate(piece.text.split("\n"), piece.start_line):
            if len(found) >= _MOST:
                return list(found.values())
            if len(line) > _LONGEST:
                continue
            for name, column in _of_line(line):
                one = Use(MODULE, name, DOCUMENTS, number, column, MODULE)
                found.setdefault((number, name), one)
    return list(found.values())


def _of_line(line: str) -> "Iterator[tuple[str, int]]":
    for match in _QUOTED.finditer(line) if "`" in line else ():
        written = match.group(1).strip()
        if _NAME.fullmatch(written):
            yield dotted(written.lstrip("~")), match.start(1)
    for match in _FILE.finditer(line) if "." in line else ():
        path, name = parted(match.group())
        if "//" not in path and (is_code(path) or os.path.splitext(path)[1] in _OTHERS):
            yield f"{path}:{name}", match.start()
