"""Fuzzes all parsers of external input: they may raise declared errors only.

    python benchmarks/fuzz.py [--parser NAME] [--inputs 200000] [--seconds 600] [--seed 1]

Inputs are mutated from valid examples: JSON by its values, texts by their parts. An input fails if
another error than the declared ones is raised, if the result violates an invariant (lines that do not
exist, text that cannot be stored), or if it takes over a second of CPU.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import fuzz_agents
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.operators import matching
from bowerbird.core.period import period
from bowerbird.core.text import clean, words
from bowerbird.core.when import moment as asked_moment
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.host.git_objects import holds_commit
from bowerbird.host.repository import Repository
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import Contents, read
from bowerbird.ingest.dates import moment
from bowerbird.ingest.frontmatter import block, frontmatter
from bowerbird.ingest.importers.brv_note import fields_of, note_of, targets
from bowerbird.ingest.links import Notes, links
from bowerbird.ingest.paged.docx import docx_text
from bowerbird.ingest.paged.pages import BrokenError
from bowerbird.ingest.paged.pdf import pages_of
from bowerbird.ingest.patterns import Patterns, TooMuchError
from bowerbird.ingest.redaction import Redaction, read_safely
from bowerbird.ingest.walk import Found
from bowerbird.wiring.settings import settled
from fuzz_code import CODE
from fuzz_documents import (
    ASCIIDOC,
    CHATGPT,
    CLAUDE,
    DOCX,
    DOCX_STYLES,
    HTML,
    LINKS,
    NOTEBOOK,
    ORG,
    PDF,
    RST,
    TABLE,
)
from fuzz_examples import (
    AT,
    BRV,
    GEMINI,
    GIT,
    IGNORE,
    MARKDOWN,
    OPENCODE,
    QUESTIONS,
    RECORDS,
    TALK,
    TOML,
)
from fuzz_inputs import Inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Maximum CPU seconds for one input.
SLOWEST = 1.0
# Failures of a parser that are shown in full, and inputs between checks of the time.
SHOWN = 3
AT_ONCE = 500
NOW = 1_790_000_000_000
SIZES = (Size(400, 0), Size(50, 25))


def promised(kept: object, what: str) -> None:
    """Raises ValueError if an invariant is violated."""
    if not kept:
        raise ValueError(what)


def reads(name: str, made: Callable[[Inputs], str]) -> Callable[[Inputs], None]:
    """A fuzz target that parses a file of that name and checks the invariants of its pieces."""

    def once(inputs: Inputs) -> None:
        text = made(inputs)
        size = inputs.chance.choice(SIZES)
        # As `contents.read` returns it: bytes are decoded, whatever they were.
        text = text.encode("utf-8", "replace").decode()
        _, reading = read_safely("/nowhere/" + name, name, text, size, Redaction(ALLOW_NOTHING))
        last = text.count("\n") + text.count("\r") + 1
        for part in (reading, *(part.reading for part in reading.parts)):
            for piece in part.pieces:
                promised(
                    1 <= piece.start_line <= piece.end_line <= last, "lines that are not there"
                )
                promised(piece.text.strip(), "a piece that says nothing")
                (piece.text + piece.context + piece.speaker).encode()
            "".join((part.title, part.session, *part.tags)).encode()

    return once


def read_bytes(inputs: Inputs) -> None:
    """Any bytes as a file."""
    data = inputs.text(MARKDOWN).encode("utf-8", "surrogatepass")
    data = (
        bytes(inputs.chance.choice(b"\0\xff\xfe\x80a") for _ in range(inputs.chance.randint(0, 4)))
        + data
    )
    name = inputs.chance.choice(("a.md", "a.jsonl.zst"))
    with tempfile.NamedTemporaryFile(suffix=name, dir=fuzz_agents.MEMORY) as file:
        file.write(data)
        file.flush()
        try:
            found = read(Found(file.name, len(data), 0, 0), 100_000)
        except OSError:
            return
        if isinstance(found, Contents):
            found.text.encode()


def read_block(inputs: Inputs) -> None:
    """A front matter block of a note."""
    lines = inputs.text(MARKDOWN).split("\n")
    frontmatter(lines)
    fields, size = block(lines)
    promised(size <= len(lines), "lines that are not there")
    promised(all(isinstance(one, str) for texts in fields.values() for one in texts), "no text")
    moment(inputs.text(AT))


def read_patterns(inputs: Inputs) -> None:
    """An ignore file."""
    try:
        patterns = Patterns(inputs.text(IGNORE).split("\n"))
    except TooMuchError:
        return
    patterns.verdict(inputs.text("a/x/b/keep.log"))


def read_repository(inputs: Inputs) -> None:
    """A checkout with one unusual file."""
    name = inputs.chance.choice(list(GIT))
    with tempfile.TemporaryDirectory(dir=fuzz_agents.MEMORY) as tree:
        for one, text in GIT.items():
            if one == "commondir" and name != one:
                continue
            path = os.path.join(tree, ".git", one)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(
                    (inputs.text(text) if one == name else text).encode("utf-8", "surrogatepass")
                )
        found = Repository(tree)
        texts = (found.remote(), found.main_tree, found.head(), found.cloned_from())
        promised(all(isinstance(one, str) for one in texts), "no text")
        holds_commit(tree, "0" * 40, {})


def read_toml(inputs: Inputs) -> None:
    """A project's configuration file."""
    with tempfile.TemporaryDirectory(dir=fuzz_agents.MEMORY) as folder:
        here = os.getcwd()
        os.chdir(folder)
        try:
            with open(".bowerbird.toml", "wb") as file:
                file.write(inputs.text(TOML).encode("utf-8", "surrogatepass"))
            with patch.dict(
                os.environ, dict.fromkeys(("XDG_STATE_HOME", "XDG_CONFIG_HOME"), folder)
            ):
                settled({})
        finally:
            os.chdir(here)


def read_question(inputs: Inputs) -> None:
    """A query with operators and times."""
    text = inputs.text(inputs.chance.choice(QUESTIONS))
    period(text, words(text), NOW)
    matching(text)


def read_when(inputs: Inputs) -> None:
    """A time, as files and callers write it."""
    text = inputs.text(
        inputs.chance.choice((AT, "7d", "yesterday", "20260102", "2026-W01-1", "12:00+23:59"))
    )
    moment(text)
    moment(inputs.value(1_790_000_000))
    try:
        asked_moment(text, NOW, end_of_day=inputs.chance.choice((True, False)))
    except ValueError:
        return


def read_note(inputs: Inputs) -> None:
    """A note of ByteRover."""
    text = inputs.text(BRV)
    fields_of(text)
    signals = inputs.value({"importance": 70, "maturity": "core", "recency": 1.0})
    operations = inputs.value(
        [{"type": "ADD", "confidence": "high", "needsReview": True, "reason": "r"}]
    )
    note = note_of(
        "a/b.md",
        text,
        "user",
        signals if isinstance(signals, dict) else {},
        tuple(one for one in operations if isinstance(one, dict))
        if isinstance(operations, list)
        else (),
    )
    for link in note.links:
        list(targets(link))


def read_links(inputs: Inputs) -> None:
    """The links of a note, and their targets."""
    notes = Notes(["/n/Note.md", "/b c.md", "/n/x.png"], {"/b c.md": [inputs.text("e f")]})
    for link in links(clean(inputs.text(LINKS)).split("\n")):
        (link.target + link.heading + notes.meant(link, "/n/a.md")).encode()


def read_docx(inputs: Inputs) -> None:
    """A Word file with unusual XML or bytes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("word/document.xml", inputs.text(DOCX).encode("utf-8", "replace"))
        packed.writestr("word/styles.xml", inputs.text(DOCX_STYLES).encode("utf-8", "replace"))
    try:
        text, _ = docx_text(odd_bytes(inputs, archive.getvalue()))
    except BrokenError:
        return
    text.encode()


def read_pdf(inputs: Inputs) -> None:
    """A PDF with unusual bytes; parsed in this process, while the product uses another one."""
    try:
        for page in pages_of(odd_bytes(inputs, PDF)):
            str(page).encode("utf-8", "surrogatepass")
    except BrokenError:
        return


def odd_bytes(inputs: Inputs, data: bytes) -> bytes:
    """Bytes with up to four random changes."""
    changed = bytearray(data)
    for _ in range(inputs.chance.choice((0, 1, 4))):
        offset = inputs.chance.randrange(len(changed))
        changed[offset : offset + inputs.chance.choice((0, 1, 3))] = bytes(
            inputs.chance.choices(range(256), k=inputs.chance.choice((0, 1, 3)))
        )
    return bytes(changed)


def whole(example: Any) -> Callable[[Inputs], str]:
    """A file that is one JSON value."""
    return lambda inputs: json.dumps(inputs.value(example), indent=inputs.chance.choice((None, 1)))


def broken(example: Any) -> Callable[[Inputs], str]:
    """A JSON file with broken syntax."""
    return lambda inputs: inputs.text(json.dumps(example, indent=1))


def transcript(name: str) -> Callable[[Inputs], str]:
    """A file of JSON lines."""
    return lambda inputs: inputs.lines(RECORDS[name])


def text_of(example: str) -> Callable[[Inputs], str]:
    """A file of text."""
    return lambda inputs: inputs.text(example)


PARSERS: dict[str, Callable[[Inputs], None]] = {
    **{name: reads("a.jsonl", transcript(name)) for name in RECORDS},
    "gemini-whole": reads("a.json", whole(GEMINI)),
    "opencode": reads("a.json", whole(OPENCODE)),
    "markdown": reads("a.md", text_of(MARKDOWN)),
    "dialogue": reads("a.txt", text_of(TALK)),
    **{f"code{suffix}": reads("a" + suffix, text_of(text)) for suffix, text in CODE.items()},
    # A language without a grammar.
    "code": reads("a.rb", text_of("def a\n  return 1\nend\n\nclass B\n  x = 2\nend\n" * 3)),
    "rst": reads("a.rst", text_of(RST)),
    "asciidoc": reads("a.adoc", text_of(ASCIIDOC)),
    "org": reads("a.org", text_of(ORG)),
    "html": reads("a.html", text_of(HTML)),
    "table": reads("a.csv", text_of(TABLE)),
    "notebook": reads("a.ipynb", whole(NOTEBOOK)),
    "notebook-text": reads("a.ipynb", broken(NOTEBOOK)),
    "chatgpt": reads("a.json", whole(CHATGPT)),
    "chatgpt-text": reads("a.json", broken(CHATGPT)),
    "claude": reads("a.json", whole(CLAUDE)),
    "links": read_links,
    "docx": read_docx,
    **({"pdf": read_pdf} if find_spec("pypdfium2") else {}),
    "text": reads("a.txt", text_of("a,b\n1,2\n\nSome words. More of them! 你好。\n" * 3)),
    "bytes": read_bytes,
    "frontmatter": read_block,
    "ignore": read_patterns,
    "git": read_repository,
    "toml": read_toml,
    "question": read_question,
    "when": read_when,
    "brv": read_note,
    **fuzz_agents.PARSERS,
}


def failures(parser: str, inputs: int, seed: int, first: int = 0) -> Iterator[str]:
    """Failures, each with the seed that reproduces it."""
    for number in range(first, first + inputs):
        own = f"{parser}:{seed}:{number}"
        begun = time.thread_time()
        try:
            PARSERS[parser](Inputs(hash_of(own)))
        except BowerbirdError:
            pass
        except Exception:  # noqa: BLE001 whatever it is, it is what was looked for
            yield f"{own}\n{traceback.format_exc(limit=-3)}"
        took = time.thread_time() - begun
        if took > SLOWEST:
            yield f"{own} took {took:.1f} s"


def hash_of(name: str) -> int:
    """A hash of a name that is equal on every machine."""
    return int.from_bytes(name.encode(), "big")


def main() -> int:
    """Fuzz the named parsers; returns 1 if anything failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--parser", choices=PARSERS, action="append", help="one of them; else all")
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=math.inf, help="CPU a parser, at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    broken = 0
    for name in given.parser or PARSERS:
        begun = time.process_time()
        found, done = [], 0
        while done < given.inputs and time.process_time() - begun < given.seconds:
            some = min(AT_ONCE, given.inputs - done)
            found += list(failures(name, some, given.seed, done))
            done += some
        print("\n".join(found[:SHOWN]))
        broken += len(found)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{name}: {done:,} inputs, {len(found)} failures,"
            f" {time.process_time() - begun:.0f} s of CPU, peak {peak} MB",
            flush=True,
        )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
