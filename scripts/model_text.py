"""Training text for the built-in embedder: blocks of prose, code and conversation from open packages.

Input is a folder of unpacked packages, one folder per package (`dpkg-deb -x` or `unzip` of a wheel).
Output is JSON lines, one block per line: ``{"s": package, "t": title, "p": [paragraphs in order]}``. A
title is a heading, a function's docstring, a headword or a name; it may be empty. Neighbouring
paragraphs are related: the trainer draws its pairs from both.
"""

from __future__ import annotations

import ast
import gzip
import html
import json
import re
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    Block = tuple[str, list[str]]

# Shorter paragraphs contain no information; longer ones are tables or generated.
SHORTEST = 25
LONGEST = 3000
# Maximum characters of each package, so that none dominates.
PACKAGE_LIMIT = 14_000_000
FILE_LIMIT = 3_000_000
STRIDE = 7

_ASIDE = re.compile(r"/locale/|/tests?/|/LICENSE|copyright|/i18n/|changelog|searchindex")
_TAG = re.compile(r"<[^>]*>")
_SKIP = re.compile(r"<(script|style|nav|head|svg|math)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_PIECE = re.compile(
    r"<(h[1-6]|p|li|dt|dd|pre|para|title|td)\b[^>]*>(.*?)(?=</\1>|<(?:h[1-6]|p|li|dt|dd|pre|td)\b)",
    re.DOTALL | re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
_UNDERLINE = re.compile(r"^([^\n]{3,90})\n([=\-~^\"'#*+])\2{2,}\s*\n", re.MULTILINE)
_HASHES = re.compile(r"^#{1,6} +(.+?)#*$", re.MULTILINE)
_MARKUP = re.compile(r":[a-z:]+:`~?([^`<]*)[^`]*`|``([^`]*)``|[`*]{1,2}([^`*\n]+)[`*]{1,2}")
_POD_HEAD = re.compile(r"^=(?:head\d|item) +(.+)$", re.MULTILINE)
_POD_MARK = re.compile(r"[A-Z]<+ ?([^<>]*?) ?>+")
_ROFF = re.compile(r"\\f[A-Z(]|\\-|\\&|^\.(?!SH|SS|TP|PP)[A-Za-z]+ ?", re.MULTILINE)
_QUOTED = re.compile(r'(?:message|story|description|name|summary)\s*=\s*_ ?"([^"]{3,1200})"')
_TICKED = re.compile(r"`([^`]{12,900})`")


def plain(markup: str) -> str:
    """The text of a piece of HTML, white space collapsed."""
    return _SPACE.sub(" ", html.unescape(_TAG.sub(" ", markup))).strip()


def from_html(text: str) -> Iterator[Block]:
    """Headings with the paragraphs that follow them."""
    title = ""
    paragraphs: list[str] = []
    for name, body in _PIECE.findall(_SKIP.sub(" ", text)):
        piece = plain(body).rstrip("¶#").strip()
        if name[0] in "hH" or name.lower() in ("title", "dt"):
            if paragraphs:
                yield title, paragraphs
            title, paragraphs = piece, []
        elif piece:
            paragraphs.append(piece)
    if paragraphs:
        yield title, paragraphs


def from_text(text: str) -> Iterator[Block]:
    """Sections of reStructuredText, Markdown or plain text, split at headings and blank lines."""
    text = _HASHES.sub("\n\x00\\1\n\n", _UNDERLINE.sub("\n\x00\\1\n\n", text))
    text = _MARKUP.sub(lambda found: next(filter(None, found.groups()), ""), text)
    for section in text.split("\x00"):
        title, _, body = section.partition("\n\n")
        if not body or len(title) > 120:
            title, body = "", section
        paragraphs = [
            _SPACE.sub(" ", part).strip()
            for part in re.split(r"\n\s*\n", body)
            if not part.lstrip().startswith((".. ", "|", "+-", "==="))
        ]
        yield _SPACE.sub(" ", title).strip(), [part for part in paragraphs if part]


def from_pod(text: str) -> Iterator[Block]:
    """Perl's documentation: questions of its FAQ and headings with their text."""
    text = _POD_HEAD.sub("\n\x00\\1\n\n", _POD_MARK.sub(r"\1", _POD_MARK.sub(r"\1", text)))
    yield from from_text(re.sub(r"^=[a-z]+.*$", "", text, flags=re.MULTILINE))


def from_roff(text: str) -> Iterator[Block]:
    """Manual pages: the page's name with each section."""
    page = re.search(r"^\.SH NAME\s+(.+?)^\.SH", text, re.MULTILINE | re.DOTALL)
    name = _SPACE.sub(" ", _ROFF.sub("", page.group(1))).strip() if page else ""
    for part in re.split(r"^\.S[HS] ", text, flags=re.MULTILINE)[1:]:
        body = re.sub(r"^\.(?:PP|TP|IP).*$", "\n", part.partition("\n")[2], flags=re.MULTILINE)
        pieces = [_SPACE.sub(" ", p).strip() for p in re.split(r"\n\s*\n", _ROFF.sub("", body))]
        yield name, [piece for piece in pieces if piece]


def from_python(text: str) -> Iterator[Block]:
    """Functions: the docstring's first paragraph paired with the code, and docstrings as prose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        doc = ast.get_docstring(node)
        if not doc or len(doc) < SHORTEST:
            continue
        first, *rest = (_SPACE.sub(" ", part) for part in doc.split("\n\n"))
        rest = [part for part in rest if "---" not in part and ">>>" not in part][:4]
        if isinstance(node, ast.ClassDef):
            yield node.name + ": " + first, rest
            continue
        start = node.body[0].end_lineno or node.lineno
        code = "\n".join(lines[start : min(node.end_lineno or start, start + 40)])
        head = " ".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
        yield first, [(head + "\n" + code)[:1500], *rest]


def from_dictionary(data: str, index: str) -> Iterator[Block]:
    """A dictd database: headword and definition, by the offsets of its index."""
    digits = {
        char: value
        for value, char in enumerate(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        )
    }

    def number(code: str) -> int:
        value = 0
        for char in code:
            value = value * 64 + digits[char]
        return value

    raw = data.encode("utf-8", "surrogateescape")
    for line in index.splitlines():
        word, start, size = line.split("\t")[:3]
        if word.startswith("00-database"):
            continue
        body = raw[number(start) : number(start) + number(size)].decode("utf-8", "replace")
        body = re.sub(r"\[[^\]]{0,40}\]|\\[^\\]{0,60}\\|[{}]", "", body)
        yield word, [_SPACE.sub(" ", body).strip()[:900]]


def from_wordnet(text: str) -> Iterator[Block]:
    """WordNet's data files: the words of a sense, its gloss, its examples."""
    for line in text.splitlines():
        if line.startswith("  ") or " | " not in line:
            continue
        fields, _, gloss = line.partition(" | ")
        parts = fields.split()
        count = int(parts[3], 16)
        words = ", ".join(parts[4 + 2 * i].replace("_", " ") for i in range(count))
        meaning, *examples = (part.strip(' "') for part in gloss.split('; "'))
        yield words, [f"{words}: {meaning}", *examples]


def _strings(value: Any, found: list[str]) -> None:
    if isinstance(value, str):
        found.append(plain(value))
    elif isinstance(value, dict):
        for child in value.values():
            _strings(child, found)
    elif isinstance(value, list):
        for child in value:
            _strings(child, found)


def from_json(text: str) -> Iterator[Block]:
    """Game texts and API descriptions: the prose inside one object is one block."""
    top = json.loads(text)
    if isinstance(top, dict) and isinstance(top.get("shapes"), dict):
        top = [
            {"name": re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name), "text": shape.get("documentation")}
            for part in ("operations", "shapes")
            for name, shape in top.get(part, {}).items()
        ]
    for item in top if isinstance(top, list) else [top]:
        found: list[str] = []
        _strings(item, found)
        prose = [part for part in found if part.count(" ") >= 4]
        name = next((part for part in found if 2 < len(part) < 60 and " " in part), "")
        if prose:
            yield (name if name not in prose else ""), prose


def from_game(text: str) -> Iterator[Block]:
    """Dialogue of a game's scripts, in order: the closest to conversation in open packages."""
    found = [plain(part) for part in _QUOTED.findall(text) + _TICKED.findall(text)]
    for start in range(0, len(found), 12):
        yield "", [part for part in found[start : start + 12] if part.count(" ") >= 2]


def _read(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix in (".gz", ".dz"):
        data = gzip.decompress(data)
    return data.decode("utf-8", "replace")


def blocks_of(path: Path) -> Iterator[Block]:
    """The blocks of one file, by its type; none for types without prose."""
    name = path.name.removesuffix(".gz")
    kind = name.rpartition(".")[2].lower() if "." in name else ""
    if kind in ("html", "htm", "xhtml", "docbook", "page"):
        yield from from_html(_read(path))
    elif kind == "py":
        yield from from_python(_read(path))
    elif kind in ("rst", "txt", "md", "adoc", "asciidoc"):
        text = _read(path)
        yield from from_game(text) if text.count("\t`") > 4 else from_text(text)
    elif kind in ("pod", "pm"):
        yield from from_pod(_read(path))
    elif re.fullmatch(r"[1-8](pm|posix)?", kind) and "/man" in str(path):
        yield from from_roff(_read(path))
    elif kind == "dz":
        index = path.with_name(name.removesuffix(".dict.dz") + ".index")
        yield from from_dictionary(_read(path), _read(index))
    elif name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        yield from from_wordnet(_read(path))
    elif kind == "json":
        yield from from_json(_read(path))
    elif kind == "cfg":
        yield from from_game(_read(path))
    elif not kind and "/fortunes/" in str(path):
        for saying in _read(path).split("\n%\n"):
            yield "", [_SPACE.sub(" ", part).strip() for part in saying.split("\n\n")]


def is_prose(text: str) -> bool:
    """Whether a paragraph is usable: of suitable length and mostly Latin letters."""
    if not SHORTEST <= len(text) <= LONGEST:
        return False
    letters = sum(map(text.count, " etaoinsrhld"))
    return letters > 0.45 * len(text)


def _worth_reading(path: Path) -> bool:
    """Whether a file may contain original prose: no tests, licences, translations or huge tables."""
    if path.is_symlink() or not path.is_file() or _ASIDE.search(str(path)):
        return False
    database = path.suffix == ".dz" or path.name.startswith("data.")
    return database or path.stat().st_size <= FILE_LIMIT


def gather(package: Path, seen: set[int], banned: Banned) -> Iterator[dict[str, Any]]:
    """The blocks of one unpacked package, each paragraph once, without those that `banned` matches."""
    left = PACKAGE_LIMIT
    files = sorted(filter(_worth_reading, package.rglob("*")))
    # Reading files with a stride spreads a truncated package over all of its parts.
    for path in (path for start in range(STRIDE) for path in files[start::STRIDE]):
        if left < 0:
            return
        try:
            found = list(blocks_of(path))
        except (OSError, EOFError, SyntaxError, ValueError, IndexError, RecursionError):
            continue  # a file whose content does not match its name is skipped
        for title, paragraphs in found:
            kept = []
            for paragraph in paragraphs:
                key = hash(paragraph)
                if key not in seen and is_prose(paragraph) and not banned(paragraph):
                    seen.add(key)
                    kept.append(paragraph)
            if kept:
                left -= sum(map(len, kept))
                yield {"s": package.name, "t": "" if banned(title) else title[:200], "p": kept}


class Banned:
    """Matches text of evaluation sets, which must not be trained on.

    A paragraph is banned if any eight consecutive words of it occur in one of those texts.
    """

    RUN = 8

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs = {run for text in texts for run in self._of(text)}

    def _of(self, text: str) -> list[int]:
        words = re.findall(r"[a-z0-9]+", text.lower())
        return [hash(" ".join(words[i : i + self.RUN])) for i in range(len(words) - self.RUN + 1)]

    def __call__(self, text: str) -> bool:
        """Whether the text shares eight consecutive words with a banned text."""
        return not self._runs.isdisjoint(self._of(text))


def licence_of(package: Path) -> str:
    """The licences in a package's `copyright` file or its wheel metadata."""
    for path in package.glob("usr/share/doc/*/copyright"):
        text = path.read_text("utf-8", "replace")
        found = re.findall(r"^License: *([\w.+-]+\d?\+?)", text, re.MULTILINE)
        found += re.findall(r"/usr/share/common-licenses/([\w.-]+\w)", text)
        return ", ".join(sorted(set(found))) or "see the package"
    for path in package.glob("*.dist-info/METADATA"):
        head = path.read_text("utf-8", "replace").partition("\n\n")[0]
        for pattern in (
            r"^License-Expression: (.+)$",
            r"^Classifier: License :: OSI Approved :: (.+)$",
            r"^License: (.+)$",
        ):
            if found := re.findall(pattern, head, re.MULTILINE):
                return ", ".join(found)[:120]
    return "see the package"
