"""Source code: a passage is a function, method or class head if a grammar parses it, else lines."""

import os
import re

from bowerbird.code.syntax.grammar import grammar_of
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.text import clean
from bowerbird.core.types import GENERATED
from bowerbird.ingest.chunk import ITEM, LINE, PARAGRAPH, Size, cut
from bowerbird.ingest.sources.code_passages import passages
from bowerbird.ingest.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = frozenset(
    ".py .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .kt .kts .scala .groovy .c .h .cc"
    " .cpp .cxx .hh .hpp .m .mm .cs .fs .swift .dart .rb .php .pl .pm .lua .r .jl .ex .exs .erl .hs"
    " .ml .mli .clj .cljs .el .lisp .scm .vim .sh .bash .zsh .fish .ps1 .sql .proto .graphql"
    " .vue .svelte .css .scss .sass .less .zig .nim .v .sol .tf .cmake .gradle".split()
)
# Version of how code is cut into passages; code cut by another version is read again by the next run. 2:
# by the syntax tree; 3: a hundred lines without a tree; 4: generated files have a tag, and the scripts
# of components are parsed.
CUT = 4
# Without a grammar, the maximum lines of a passage, and its maximum size as a multiple of a note's: 80
# bytes a line.
_LINES = 100
TIMES = 5
# Why a file of a language with a grammar is cut by lines and missing in the graph.
UNREAD_TREE = (
    "read by lines, not in the graph: too large, slow to parse, or not what its suffix says"
)
# Unindented lines that continue the statement above them.
_CLOSING = (")", "]", "}", "else", "elif", "except", "finally", "catch", "end")


def is_code(path: str) -> bool:
    """Whether a file is in a programming language, by its suffix."""
    return os.path.splitext(path)[1].lower() in _SUFFIXES


class Code:
    """A file in a programming language, recognised by its suffix."""

    name = "code"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is that of a programming language."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces whose context is the end of the name, the file and its folder.

        With a grammar, the definition follows.
        """
        text = clean(material.text)
        lines = text.split("\n")
        folder, name = os.path.split(material.name)
        context = "/".join(part for part in (os.path.basename(folder), name) if part)
        tags = (GENERATED,) if is_generated(lines) else ()
        found = outlined(text, material.suffix)
        if found is None:
            wide = Size(size.limit * TIMES, size.overlap, _LINES)
            rest = UNREAD_TREE if grammar_of(material.suffix) is not None else ""
            return Reading(
                cut(lines, 1, wide, code_bounds, context), title=name, rest=rest, tags=tags
            )
        outline, parsed = found
        pieces = passages(lines, outline, parsed.root, size, context)
        return Reading(pieces, title=name, outline=outline, tags=tags)


def code_bounds(lines: "Sequence[str]") -> list[int]:
    """Rates each line as the first of a piece: at the top level, after a blank line, elsewhere."""
    bounds = []
    blank = True
    for line in lines:
        is_blank = not line or line.isspace()
        if blank and not is_blank:
            at_top = not line[0].isspace() and not line.startswith(_CLOSING)
            bounds.append(PARAGRAPH if at_top else ITEM)
        else:
            bounds.append(LINE)
        blank = is_blank
    return bounds


# It marked 673 of 11,976 files of installed packages (Python, C, JavaScript); of 45 drawn at random all
# were generated. Of 92 files whose names say that they are generated it marks 80: the others say so in no
# comment at their top.
# Generators say so at the top, below a licence at most.
_HEAD_LINES = 30
_COMMENT = re.compile(r"^\W*(?:#|//|/\*|\*|--|;|<!--|%|\"\"\"|''')")
_SAID = re.compile(
    r"@generated\b"
    r"|\bdo not (?:edit|modify|change) (?:this file|by hand|manually|directly)|\bdo not edit\b\W*$"
    r"|\b(?:file|code|module) (?:(?:is|was|has been) )?(?:auto-?|automatically )?generated\b"
    r"|^\W*(?:auto-?|automatically )?generated (?:by|from|with|using)\b",
    re.IGNORECASE,
)
# Lines above this length, in characters, are no person's; a file is minified if they are most of it.
_LONG_LINE = 1_000


def is_generated(lines: "Sequence[str]") -> bool:
    """Whether these lines of a file of code were written by a generator or a minifier."""
    head = (line for line in lines[:_HEAD_LINES] if len(line) <= _LONG_LINE)
    if any(_COMMENT.match(line) and _SAID.search(line) for line in head):
        return True
    long = sum(len(line) for line in lines if len(line) > _LONG_LINE)
    return long * 2 > sum(map(len, lines))
