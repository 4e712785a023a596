"""The grammars, loaded when first needed, and parsing within bounds."""

import re
import time
from functools import cache
from importlib import import_module

from bowerbird.core.value import Value
from bowerbird.ingest.syntax.mending import mended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query

# What is parsed at most: Python's grammar reads 3 MB a second, and takes thirty times the text in memory.
MOST_BYTES = 2_000_000
# Seconds of CPU that parsing one file may take, by its size: two megabytes of plain code take one, but
# half a kilobyte of TSX that is broken in the right places takes five.
_LEAST_SECONDS, _SECONDS_A_BYTE = 0.5, 2.5e-6
# Parts of a place that is no code. Looking for patterns takes time by the square of them: .7 s of 20,000
# brackets that nothing closes. (A query cannot be told to stop: tree-sitter 0.26 crashes of it.)
_MOST_BROKEN = 2_000


# A macro between class and its name, as for what a library exports: the grammar sees a function in it.
_MARKED = (
    rb"\b((?:class|struct)[ \t]+)([A-Z][A-Z0-9_]+)"
    rb"(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?(?:\{|:[^:]))"
)


class Grammar(Value):
    """One language: the module of its wheel, the function there that gives it, and whose rules it has."""

    __slots__ = ("function", "language", "wheel")

    def __init__(self, language: str, wheel: str, function: str = "language") -> None:
        self.language = language
        self.wheel = wheel
        self.function = function


_PYTHON = Grammar("python", "tree_sitter_python")
_SCRIPT = Grammar("script", "tree_sitter_javascript")
_TYPED = Grammar("script", "tree_sitter_typescript", "language_typescript")
_TSX = Grammar("script", "tree_sitter_typescript", "language_tsx")
_GO = Grammar("go", "tree_sitter_go")
_RUST = Grammar("rust", "tree_sitter_rust")
_JAVA = Grammar("java", "tree_sitter_java")
_C = Grammar("c", "tree_sitter_c")
_CPP = Grammar("cpp", "tree_sitter_cpp")
_SUFFIXES = {
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _SCRIPT),
    **dict.fromkeys((".ts", ".mts", ".cts"), _TYPED),
    ".tsx": _TSX,
    ".go": _GO,
    ".rs": _RUST,
    ".java": _JAVA,
    ".c": _C,
    # A header may be of either; what C has, C++ reads.
    **dict.fromkeys((".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp"), _CPP),
}


class Parsed(Value):
    """A tree with the bytes it is of."""

    __slots__ = ("data", "grammar", "root")

    def __init__(self, grammar: Grammar, root: "Node", data: bytes) -> None:
        self.grammar = grammar
        self.root = root
        self.data = data

    def text(self, node: "Node") -> str:
        """What stands at a node."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")


def grammar_of(suffix: str) -> Grammar | None:
    """The grammar that reads files of a suffix; None where there is none."""
    return _SUFFIXES.get(suffix)


def parse(text: str, grammar: Grammar) -> Parsed | None:
    """The tree of a text; None where it is too large, takes too long, or is no code."""
    data = text.encode(errors="replace")
    read = re.sub(_MARKED, _blank, data) if grammar is _CPP else data
    if len(data) > MOST_BYTES:
        return None
    deadline = time.thread_time() + _LEAST_SECONDS + _SECONDS_A_BYTE * len(data)
    root = _root(read, grammar, deadline)
    if root is None or _is_broken(root):
        return None
    if root.has_error and grammar not in (_C, _CPP):  # there macros look like errors, and cost less
        root = mended(root, read, lambda some: _root(some, grammar, deadline))
    return Parsed(grammar, root, data)


def _root(read: bytes, grammar: Grammar, deadline: float) -> "Node | None":
    """What a text is parsed to; None where that takes too long."""
    parser = _parser(grammar.wheel, grammar.function)
    try:
        tree = parser.parse(
            lambda offset, _: read[offset : offset + 65_536],
            progress_callback=lambda *_: time.thread_time() > deadline,
        )
    except ValueError:  # it was told to stop
        parser.reset()
        return None
    return tree.root_node


def _blank(match: "re.Match[bytes]") -> bytes:
    return match[1] + b" " * len(match[2])


def _is_broken(root: "Node") -> bool:
    """Whether any place is too large that is no code."""
    left = [root] if root.has_error else []
    while left:
        node = left.pop()
        if node.is_error and node.child_count > _MOST_BROKEN:
            return True
        left += [child for child in node.children if child.has_error]
    return False


@cache
def language(wheel: str, function: str) -> "Language":
    """A grammar as tree-sitter holds it."""
    from tree_sitter import Language  # start-up: where code is read

    return Language(getattr(import_module(wheel), function)())


@cache
def _parser(wheel: str, function: str) -> "Parser":
    from tree_sitter import Parser  # start-up: as above

    return Parser(language(wheel, function))


@cache
def query(wheel: str, function: str, patterns: str) -> "Query":
    """Patterns, compiled for one grammar."""
    from tree_sitter import Query  # start-up: as above

    return Query(language(wheel, function), patterns)
