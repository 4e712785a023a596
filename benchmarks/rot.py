"""The share of silent disk corruption that is found: single bits of live content, flipped one by one.

    .venv/bin/python benchmarks/rot.py --flips 500

Each bit is flipped in a copy of a closed store, by a process that does not link SQLite. A bit that
changes no row of any table was not live, and another one is drawn. The same number is flipped for each
sort of content.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError

# The tables of each sort of content.
SORTS = {
    "text": ("entry",),
    "facets": ("facet",),
    "vector": ("vector",),
    "fields": ("memory", "version", "tag", "relation", "access", "audit"),
    "file": ("document", "project"),
    "words": ("word_index_data", "word_index_docsize", "document_index_data", "word"),
}
TABLES = tuple(table for tables in SORTS.values() for table in tables)
# Copies a file with one bit flipped: source, target, byte, bit; one job per line.
FLIPPER = """
import sys
for line in sys.stdin:
    source, target, at, bit = line.rstrip("\\n").split("\\t")
    with open(source, "rb") as file:
        data = bytearray(file.read())
    data[int(at)] ^= 1 << int(bit)
    with open(target, "wb") as file:
        file.write(data)
    print("done", flush=True)
"""


def made(folder: Path, documents: int) -> str:
    """A closed store without a log, whose notes and memories have gone through all operations."""
    notes = folder / "notes"
    notes.mkdir()
    words = "broker port warehouse retry cache token index queue Zürich naïve 証明 deploy".split()
    draw = random.Random(7)  # noqa: S311 the same store every time
    for number in range(documents):
        parts = [
            f"## Part {part}\n\n" + " ".join(draw.choices(words, k=60)) + f" {draw.random()}.\n"
            for part in range(5)
        ]
        (notes / f"n{number}.md").write_text("\n".join(parts))
    path = str(folder / "memory.db")
    with Bowerbird.open(path, project="rot") as bird:
        bird.index(notes)
        ids = []
        for number in range(documents):
            fact = f"Service {number} listens on port {8000 + number}, {draw.choice(words)} aside"
            ids.append(bird.remember(fact, tags=(f"t{number}",)).id)
        for one, other in pairwise(ids):
            bird.link(one, other, "informs")
        for one in ids[:5]:
            bird.forget(one)
        bird.used(ids)
        bird.remember("The last one lets the uses be counted")
    return path


def pages(path: str) -> dict[str, list[int]]:
    """The page numbers of each table."""
    connection = apsw.Connection(path)
    connection.pragma("journal_mode", "delete")
    found: dict[str, list[int]] = {}
    for name, page in connection.execute("SELECT name, pageno FROM dbstat"):
        found.setdefault(str(name), []).append(int(str(page)))
    connection.close()
    return found


def rows(path: str) -> dict[str, Any]:
    """The rows of each table, or the error that reading it raised."""
    connection = apsw.Connection(path)
    rows: dict[str, Any] = {}
    for table in TABLES:
        try:
            rows[table] = list(connection.execute(f"SELECT * FROM {table}"))  # noqa: S608 our names
        except (apsw.Error, UnicodeDecodeError) as error:
            rows[table] = str(error)
    connection.close()
    return rows


def flipped(
    path: str, count: int, seed: int, folder: Path
) -> dict[str, list[tuple[int, int, bool]]]:
    """For each sort: byte, bit and whether it was found, for this number of flips each."""
    draw = random.Random(seed)  # noqa: S311 the same bits every time
    where = pages(path)
    before = rows(path)
    copy = str(folder / "copy.db")
    page_size = 4096
    found: dict[str, list[tuple[int, int, bool]]] = {sort: [] for sort in SORTS}
    with subprocess.Popen(  # noqa: S603 our own program, above
        [sys.executable, "-c", FLIPPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as flipper:
        if flipper.stdin is None or flipper.stdout is None:
            raise RuntimeError("a process without pipes")
        for sort, tables in SORTS.items():
            all_pages = [page for table in tables for page in where.get(table, [])]
            while len(found[sort]) < count:
                at = (draw.choice(all_pages) - 1) * page_size + draw.randrange(page_size)
                bit = draw.randrange(8)
                flipper.stdin.write(f"{path}\t{copy}\t{at}\t{bit}\n")
                flipper.stdin.flush()
                flipper.stdout.readline()
                if rows(copy) != before:
                    found[sort].append((at, bit, not sound(copy)))
        flipper.stdin.close()
    return found


def sound(path: str) -> bool:
    """Whether verify finds no damage; False if the store cannot be opened."""
    try:
        with Bowerbird.open(path) as bird:
            return not bird.admin.verify().damages
    except BowerbirdError:
        return False
    except Exception as error:  # noqa: BLE001 a fault of ours finds nothing
        print(f"fault: {type(error).__name__}: {error}")
        return True


def main() -> None:
    """Flip, verify, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=500)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = made(Path(name), options.documents)
        each = -(-options.flips // len(SORTS))
        found = flipped(path, each, options.seed, Path(name))
    total = hits = 0
    for sort, flips in found.items():
        seen = sum(one[2] for one in flips)
        total, hits = total + len(flips), hits + seen
        missed = [one[:2] for one in flips if not one[2]]
        print(f"{sort:8} {seen:4} of {len(flips):4}  {seen / len(flips):7.1%}  missed {missed[:5]}")
    print(f"{'all':8} {hits:4} of {total:4}  {hits / total:7.1%}")


if __name__ == "__main__":
    main()
