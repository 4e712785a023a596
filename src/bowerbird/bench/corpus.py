"""Generates a corpus from a seed: notes and conversations of recombined local sentences.

The sentences are those of the demo and of Python's own documentation; nothing is downloaded, and no
evaluation set is used. The same seed, size and Python give the same bytes.
"""

import ast
import hashlib
import json
import os
import random
import re
import sysconfig
from functools import cache

from bowerbird.core.text import sentences
from bowerbird.core.value import Record
from bowerbird.surfaces.demo.script import DATA, PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Sections of a note and turns of a conversation; each becomes one passage.
SECTIONS = 8
TURNS = 40
# Every second passage is a section of a note.
_PAIR = SECTIONS * TURNS
# Shorter sentences have no content, longer ones are listings.
_SHORTEST = 30
_LONGEST = 300
# One passage in this number mentions a name, from a vocabulary that grows with the corpus as that of real
# notes does (Heaps, 1978): without it every word would occur in a fixed share of the passages.
_NAMED = 2
_SYLLABLES = (
    "ba be bo ca co da de di do fa fe ga go ha ka ki la le li lo ma me mi mo na ne ni no pa pe po"
    " ra re ri ro sa se si so ta te ti to va ve vi vo wa we za ze zo".split()
)
_TALK = ("So", "Then", "As I said:", "Right,", "Let me look.", "Good question.", "Hm,", "Well,")
# The first second of the corpus: 1 January 2024, UTC.
_EPOCH = 1_704_067_200


class Corpus(Record):
    """The generated corpus: files, bytes, a digest of them, and questions about them."""

    files: int
    bytes: int
    digest: str
    questions: tuple[str, ...]
    sentences: int


def write_corpus(folder: str, passages: int, seed: int, questions: int) -> Corpus:
    """Writes files with about `size` passages, and returns them with questions about them."""
    draw = random.Random(f"{seed}/{passages}")  # noqa: S311 a seed is the point
    writer = _Writer(_sources(), draw, passages)
    digest = hashlib.sha256()
    files = size = written = 0
    asked: list[str] = []
    while written < passages:
        kind, count = ("note", SECTIONS) if written % _PAIR < _PAIR // 2 else ("talk", TURNS)
        count = min(count, passages - written)
        text = writer.note(count) if kind == "note" else writer.talk(count)
        name = f"{kind}-{files:05d}" + (".md" if kind == "note" else ".jsonl")
        path = os.path.join(folder, f"{files // 500:03d}", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = text.encode()
        with open(path, "wb") as file:
            file.write(data)
        digest.update(data)
        files, size, written = files + 1, size + len(data), written + count
        while len(asked) * passages < questions * written:
            asked.append(writer.question())
    draw.shuffle(asked)
    return Corpus(files, size, digest.hexdigest()[:16], tuple(asked[:questions]), writer.known)


def written(folder: str) -> "Iterator[str]":
    """The passages of a corpus as in its files: each section with its heading, each turn."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(at, name), encoding="utf-8") as file:
                text = file.read()
            if name.endswith(".md"):
                yield from ("## " + part.rstrip("\n") for part in text.split("\n\n## ")[1:])
            else:
                yield from (json.loads(line)["content"] for line in text.splitlines())


class _Writer:
    """Composes texts from sentences; keeps the passages of the last file, to ask about them."""

    def __init__(self, sources: "list[list[str]]", draw: random.Random, passages: int) -> None:
        self._sources = sources
        self._draw = draw
        self._names = max(50, passages // 5)
        self._passages: list[str] = []
        self.known = sum(map(len, sources))

    def note(self, sections: int) -> str:
        """A note in Markdown."""
        self._passages = []
        title = self._name().capitalize()
        parts = [f"# {title}"]
        for _ in range(sections):
            source = self._draw.choice(self._sources)
            heading = " ".join(self._draw.choice(source).split()[:5]).strip(".,:;")
            body = "\n\n".join(self._some(2, 4) for _ in range(self._draw.randint(1, 3)))
            parts.append(f"## {heading}\n\n{body}")
        return "\n\n".join(parts) + "\n"

    def talk(self, turns: int) -> str:
        """A conversation as JSON lines of role and content."""
        self._passages = []
        moment = _EPOCH + self._draw.randrange(31_536_000)
        lines = []
        for turn in range(turns):
            moment += self._draw.randint(5, 600)
            said = f"{self._draw.choice(_TALK)} {self._some(1, 3)}"[:580]
            role = "assistant" if turn % 2 else "user"
            lines.append(json.dumps({"role": role, "content": said, "timestamp": moment}))
        return "\n".join(lines) + "\n"

    def question(self) -> str:
        """A question by a person who remembers some words of a passage."""
        said = self._draw.choice(sentences(self._draw.choice(self._passages)))
        words = re.findall(r"[A-Za-z0-9-]{2,}", said)
        start = self._draw.randrange(max(1, len(words) - 6))
        return f"how is it with {' '.join(words[start : start + self._draw.randint(4, 8)])}?"

    def _some(self, fewest: int, most: int) -> str:
        """Some consecutive sentences of one source, and one of another."""
        source = self._draw.choice(self._sources)
        count = self._draw.randint(fewest, most)
        start = self._draw.randrange(max(1, len(source) - count))
        chosen = [
            *source[start : start + count],
            self._draw.choice(self._draw.choice(self._sources)),
        ]
        if self._draw.randrange(_NAMED) == 0:
            ticket = self._draw.randrange(10, 10 * self._names)
            chosen.append(f"See {self._name().upper()}-{ticket} about {self._name()}.")
        self._passages.append(" ".join(chosen))
        return self._passages[-1]

    def _name(self) -> str:
        """A made-up name; low numbers are more frequent, as names are (Zipf)."""
        number = int(self._names ** self._draw.random())
        name = ""
        for _ in range(3):
            number, syllable = divmod(number * 7 + 3, len(_SYLLABLES))
            name += _SYLLABLES[syllable]
        return name + (str(number) if number else "")


@cache
def _sources() -> "list[list[str]]":
    """The sentences of each source, in a fixed order; parsing them takes seconds."""
    found = []
    for text in (*_demo(), *_topics(), *_docstrings()):
        flat = (" ".join(sentence.split()) for sentence in sentences(text))
        kept = [one for one in flat if _SHORTEST <= len(one) <= _LONGEST]
        if kept:
            found.append(kept)
    return found


def _demo() -> "Iterator[str]":
    folder = os.path.join(DATA, PROJECT)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".md"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                yield file.read()


def _topics() -> "Iterator[str]":
    """The language reference, if Python includes it (some distributions leave it out)."""
    path = os.path.join(sysconfig.get_path("stdlib"), "pydoc_data", "topics.py")
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Dict):
            for value in node.values:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value


def _docstrings() -> "Iterator[str]":
    """The docstrings of the standard library's modules, one text per module."""
    folder = sysconfig.get_path("stdlib")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            yield "\n\n".join(_documented(_parsed(os.path.join(folder, name))))


def _documented(tree: ast.Module) -> "Iterator[str]":
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def _parsed(path: str) -> ast.Module:
    try:
        with open(path, encoding="utf-8") as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ast.Module([], [])
