"""Source code: a passage a function, method or class head where a grammar reads it, else by lines."""

import os

from bowerbird.core.text import clean
from bowerbird.ingest.chunk import ITEM, LINE, PARAGRAPH, Size, cut
from bowerbird.ingest.sources.code_passages import passages
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.syntax.grammar import grammar_of
from bowerbird.ingest.syntax.outlining import outlined

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
# Counts the ways in which code has been cut into passages: what was cut by another one is read again by
# the next run. 2: where its tree says; 3: a hundred lines where there is none.
CUT = 3
# Without a grammar a passage is so many lines at most, and so many times what a passage of notes may be:
# 80 bytes a line.
_LINES, TIMES = 100, 5
# Why a file of a language with a grammar has passages by lines, and no place in the graph.
UNREAD_TREE = (
    "read by lines, not in the graph: too large, slow to parse, or not what its suffix says"
)
# Lines that go on with what stands above them although they are not indented.
_CLOSING = (")", "]", "}", "else", "elif", "except", "finally", "catch", "end")


def is_code(path: str) -> bool:
    """Whether a file is in a programming language, by its suffix."""
    return os.path.splitext(path)[1].lower() in _SUFFIXES


class Code:
    """A file in a programming language, told by its suffix."""

    name = "code"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is that of a programming language."""
        return material.suffix in _SUFFIXES

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces whose context is the end of the name, the file and the folder it stands in.

        Behind it stands what the piece is of, where a grammar tells that.
        """
        text = clean(material.text)
        lines = text.split("\n")
        folder, name = os.path.split(material.name)
        context = "/".join(part for part in (os.path.basename(folder), name) if part)
        found = outlined(text, material.suffix)
        if found is None:
            wide = Size(size.limit * TIMES, size.overlap, _LINES)
            rest = UNREAD_TREE if grammar_of(material.suffix) is not None else ""
            return Reading(cut(lines, 1, wide, code_bounds, context), title=name, rest=rest)
        outline, parsed = found
        pieces = passages(lines, outline, parsed.root, size, context)
        return Reading(pieces, title=name, outline=outline)


def code_bounds(lines: "Sequence[str]") -> list[int]:
    """How good each line is to begin a piece: at the top level, after a blank line, elsewhere."""
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
