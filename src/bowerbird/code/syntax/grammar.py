"""Loads grammars when they are first needed, and parses within limits."""

import re
import time
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate

from bowerbird.code.syntax.mending import mended
from bowerbird.core.resident import resident_bytes
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query

# Maximum bytes that are parsed: Python's grammar reads 3 MB a second, and takes thirty times the text in
# memory; with the matches of the patterns, dense TypeScript of this size takes 270 MB in all.
MOST_BYTES = 1_500_000
# Maximum nodes of a tree: 1.5 MB of plain code have 300,000. Minified code has 750,000, and with 250,000
# statements of one letter, as many, a run took 308 MB; chains of one letter a step have 2,200,000, whose
# outline takes 4 s.
MOST_NODES = 350_000
# Maximum CPU seconds for parsing one file, by its size: two megabytes of plain code take one, but half a
# kilobyte of TSX that is broken in the right places takes five.
_LEAST_SECONDS = 0.5
_SECONDS_A_BYTE = 1.5e-6
# Maximum bytes by which the process may grow while it parses one file: two megabytes of plain code take
# 60 MB, but `a<` repeated took 1.2 KB a byte (a generalised parser follows all readings of such a text).
_MOST_GROWTH = 150_000_000
# Maximum children of an error node. Pattern queries take quadratic time in them: .7 s for 20,000 unclosed
# brackets. (A query cannot be cancelled: tree-sitter 0.26 crashes.)
_MOST_BROKEN = 2_000
# Maximum brackets that are open at once: the parser recurses, and 150,000 in Go overflowed the stack.
_MOST_OPEN = 10_000
_OPENING = b"([{"
_CLOSING = b")]}"
_BRACKETS = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)


# A macro between `class` and its name, as used to export symbols: the grammar would parse a function.
_MARKED = (
    rb"\b((?:class|struct)[ \t]+)([A-Z][A-Z0-9_]+)"
    rb"(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?(?:\{|:[^:]))"
)
# Files with a script between markup and styles, as Vue and Svelte have them.
COMPONENTS = (".vue", ".svelte")
_SCRIPT_ELEMENTS = re.compile(r"<script\b[^>]*>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_NO_NEWLINE = re.compile(r"[^\n]")


class Grammar(Record):
    """One language: the module of its wheel, the function there that returns it, and its rules."""

    language: str
    wheel: str
    function: str = "language"


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
    ".cs": Grammar("csharp", "tree_sitter_c_sharp"),
    **dict.fromkeys((".rb", ".rake"), Grammar("ruby", "tree_sitter_ruby")),
    ".php": Grammar("php", "tree_sitter_php", "language_php"),
    **dict.fromkeys((".kt", ".kts"), Grammar("kotlin", "tree_sitter_kotlin")),
    ".swift": Grammar("swift", "tree_sitter_swift"),
    **dict.fromkeys((".scala", ".sc"), Grammar("scala", "tree_sitter_scala")),
    ".lua": Grammar("lua", "tree_sitter_lua"),
    **dict.fromkeys((".sh", ".bash"), Grammar("bash", "tree_sitter_bash")),
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _SCRIPT),
    # Of a component, its scripts: their JavaScript is nearly always TypeScript too.
    **dict.fromkeys((".ts", ".mts", ".cts", *COMPONENTS), _TYPED),
    ".tsx": _TSX,
    ".go": _GO,
    ".rs": _RUST,
    ".java": _JAVA,
    ".c": _C,
    # A header may be C or C++; the C++ grammar parses C too.
    **dict.fromkeys((".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp"), _CPP),
}


class Parsed(Record):
    """A tree with the bytes that it was parsed from."""

    grammar: Grammar
    root: "Node"
    data: bytes

    def text(self, node: "Node") -> str:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")


def grammar_of(suffix: str) -> Grammar | None:
    """The grammar for files with a suffix; None if there is none, or its wheel is not installed."""
    found = _SUFFIXES.get(suffix)
    return found if found is not None and _is_installed(found.wheel) else None


@cache
def _is_installed(wheel: str) -> bool:
    """Whether a grammar can be imported: those of some languages are an extra."""
    return find_spec(wheel) is not None


def parse(text: str, grammar: Grammar) -> Parsed | None:
    """The tree of a text; None if either is too large, costs too much time or memory, or is no code."""
    data = text.encode(errors="replace")
    read = re.sub(_MARKED, _blank, data) if grammar is _CPP else data
    if len(data) > MOST_BYTES or _is_too_deep(data):
        return None
    deadline = time.thread_time() + _LEAST_SECONDS + _SECONDS_A_BYTE * len(data)
    root = _root(read, grammar, deadline)
    if root is None or root.descendant_count > MOST_NODES or _is_broken(root):
        return None
    if root.has_error and grammar not in (_C, _CPP):  # in C, macros look like errors, and cost less
        root = mended(root, read, lambda some: _root(some, grammar, deadline))
    return Parsed(grammar, root, data)


def scripts(text: str) -> str:
    """A component with blanks in place of all but its scripts, so that each line keeps its number."""
    kept: list[str] = []
    end = 0
    for found in _SCRIPT_ELEMENTS.finditer(text):
        kept += (_NO_NEWLINE.sub(" ", text[end : found.start(1)]), found[1])
        end = found.end(1)
    return "".join((*kept, _NO_NEWLINE.sub(" ", text[end:])))


def _is_too_deep(data: bytes) -> bool:
    """Whether more brackets are open at once than the parser's stack may bear."""
    brackets = data.translate(None, _NO_BRACKETS)
    if len(brackets) <= _MOST_OPEN:
        return False
    return max(accumulate(_BRACKETS[byte] for byte in brackets)) > _MOST_OPEN


def _root(read: bytes, grammar: Grammar, deadline: float) -> "Node | None":
    """The root of a text's tree; None if parsing takes too long or too much memory."""
    parser = _parser(grammar.wheel, grammar.function)
    most = resident_bytes() + _MOST_GROWTH

    def too_much(*_: object) -> bool:
        return time.thread_time() > deadline or resident_bytes() > most

    try:
        tree = parser.parse(
            lambda offset, _: read[offset : offset + 65_536], progress_callback=too_much
        )
    except ValueError:  # parsing was cancelled
        parser.reset()
        return None
    return tree.root_node


def _blank(match: "re.Match[bytes]") -> bytes:
    return match[1] + b" " * len(match[2])


def _is_broken(root: "Node") -> bool:
    """Whether an error node is too large."""
    left = [root] if root.has_error else []
    while left:
        node = left.pop()
        if node.is_error and node.child_count > _MOST_BROKEN:
            return True
        left += [child for child in node.children if child.has_error]
    return False


@cache
def language(wheel: str, function: str) -> "Language":
    """A grammar as tree-sitter's object."""
    from tree_sitter import Language  # start-up: only needed to read code

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
