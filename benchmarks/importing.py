"""What importing a vault of notes costs.

    benchmarks/importing.py SET... [--notes 1000] [--keep DIR]

Of the texts of evaluation sets those of 50 to 400 words become notes of a vault, with headings, tags,
links and front matter, and `bower import obsidian` takes them into an empty store in its own process: the
processor time of that, the time on the clock, and the most memory that it held. A second run must find
every note known. `--keep` leaves vault, store and answers there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LEAST, MOST = 50, 400
FOLDERS = "projects areas/ops areas/team journal inbox".split()
# How often a note has front matter, how often some sentences have a heading or a tag, or a link.
FRONT, BESIDE, LINK = 0.7, 0.2, 0.3
TAGS = "work ops research idea meeting todo reading people travel health".split()


def vault(sets: list[Path], count: int, root: Path) -> int:
    """Writes the notes; returns their words."""
    chosen = random.Random(3)  # noqa: S311 the same notes each time
    texts: list[str] = []
    for one in sets:
        with (one / "corpus.jsonl").open() as corpus:
            for line in corpus:
                row = json.loads(line)
                if LEAST <= len(row["text"].split()) <= MOST:
                    texts.append((row.get("title") or "") + "\n" + row["text"])
    chosen.shuffle(texts)
    texts = texts[:count]
    titles = [
        " ".join(re.sub(r"[^\w -]", "", text.strip())[:60].split()) + f" {at}"
        for at, text in enumerate(texts)
    ]
    for title, text in zip(titles, texts, strict=True):
        lines = []
        if chosen.random() < FRONT:
            day = f"202{chosen.randrange(3, 6)}-0{chosen.randrange(1, 10)}-1{chosen.randrange(10)}"
            tags = ", ".join(chosen.sample(TAGS, 2))
            lines.append(f"---\ntitle: {title}\ntags: [{tags}]\ncreated: {day}\n---")
        lines.append(f"# {title}")
        sentences = re.split(r"(?<=[.!?]) ", text.partition("\n")[2])
        for at in range(0, len(sentences), 3):
            if chosen.random() < BESIDE:
                lines.append("## " + chosen.choice(("Notes", "Results", "Questions")))
            said = " ".join(sentences[at : at + 3])
            said += f" #{chosen.choice(TAGS)}" if chosen.random() < BESIDE else ""
            said += f" See [[{chosen.choice(titles)}]]." if chosen.random() < LINK else ""
            lines.append(said)
        place = root / chosen.choice(FOLDERS) / f"{title}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n\n".join(lines))
    return sum(len(text.split()) for text in texts)


def taken(root: Path, store: Path) -> tuple[dict[str, object], float, float, int]:
    """What an import answers, its processor time and time in seconds, and the most memory in MB."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "bowerbird", "import", "obsidian", str(root)]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(  # noqa: S603 our own command
        [*command, "--store", str(store), "--format", "json", "-q"],
        env=environment, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    took, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout)["data"], cpu, took, after.ru_maxrss // 1024


def main() -> None:
    """Make the vault, import it twice, and print what that cost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = given.keep or Path(folder)
        words = vault(given.sets, given.notes, root / "vault")
        for name in ("first", "again"):
            data, cpu, took, memory = taken(root / "vault", root / "memory.db")
            (root / f"{name}.json").write_text(json.dumps(data))
            print(
                f"{name}: {data['added']} new, {data['known']} known, {data['links']} links,"
                f" {words:,} words: {cpu:.1f} s of processor, {took:.1f} s, {memory} MB"
            )


if __name__ == "__main__":
    main()
