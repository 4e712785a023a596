"""Recall of evidence by vectors alone: the built-in model, BM25, and wordllama if installed.

    python benchmarks/embedder.py DATA [--out benchmarks/embedder.md]

DATA has one folder per set with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; each `scope` is a
store of its own, and its questions are asked only there. The metric is recall@10: the share of a
question's evidence among the first ten documents, averaged over questions. "Weighted" multiplies each
query word by a / (a + p), where p is the word's share of that store's words.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import struct
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import apsw
import numpy as np

from bowerbird.core.text import words
from bowerbird.models.embed.static import StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Weight = Callable[[str], float]

SETS = ("locomo-turn", "beam-100k", "cosqa-dev", "scifact-train", "cranfield", "xquad-en")
TOP = 10
# The smoothing of question words; the best of 1e-4 … 1e-2 on conversations.
SMOOTHING = 1e-3
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "not",
        "of",
        "on",
        "or",
        "our",
        "she",
        "should",
        "so",
        "that",
        "the",
        "their",
        "them",
        "there",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


class Model(Protocol):
    """A compared model: converts documents and queries to rows."""

    name: str

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Unit rows (n, dims) of documents; a zero row for a text without known words."""

    def question(self, text: str, weight: Weight | None) -> Matrix:
        """One row (1, dims) of a query, its words multiplied by `weight`."""


class Builtin:
    """The model that ships with the package, through its public methods."""

    name = "built-in"

    def __init__(self, path: Path | None = None) -> None:
        self._embedder = StaticEmbedder.builtin() if path is None else StaticEmbedder(path)

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The batch path's vectors, from their int8 bytes."""
        rows = b"".join(vector.values for vector in self._embedder.embed(texts))
        return unit(np.frombuffer(rows, dtype=np.int8).reshape(len(texts), -1))

    def question(self, text: str, weight: Weight | None) -> Matrix:
        """The pure Python path's vector."""
        vector = self._embedder.embed_query(text, weight)
        return unit(np.frombuffer(vector.values, dtype=np.int8)[None])


class WordLlama:
    """The baseline, if installed: wordllama with 256 dimensions, the mean of token rows."""

    name = "wordllama 256"

    def __init__(self) -> None:
        found = importlib.util.find_spec("wordllama")
        if found is None or found.submodule_search_locations is None:
            raise ImportError("wordllama")
        from tokenizers import Tokenizer

        # Its own loader looks for the tokenizer online although the wheel holds it.
        folder = Path(found.submodule_search_locations[0])
        data = (folder / "weights" / "l2_supercat_256.safetensors").read_bytes()
        (size,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + size])
        (entry,) = (entry for name, entry in header.items() if name != "__metadata__")
        table = np.frombuffer(data[8 + size :], np.float16).reshape(entry["shape"])
        self._table: Matrix = table.astype(np.float32)
        self._tokenizer = Tokenizer.from_file(
            str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json")
        )

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Means of token rows."""
        rows = [
            self._table[self._tokenizer.encode(text, add_special_tokens=False).ids].sum(0)
            for text in texts
        ]
        return unit(np.stack(rows))

    def question(self, text: str, weight: Weight | None) -> Matrix:
        """The same; with weights, word by word."""
        if weight is None:
            return self.documents([text])
        total = np.zeros(self._table.shape[1], dtype=np.float32)
        for word in words(text):
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids
            total += self._table[ids].sum(0) * weight(word)
        return unit(total[None])


def unit(rows: NDArray[np.generic]) -> Matrix:
    """Rows scaled to length one; zero rows stay zero."""
    values = np.asarray(rows, dtype=np.float32)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    result: Matrix = values / np.maximum(length, 1e-9)
    return result


class Scope:
    """One store of a set: its documents and questions."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.questions: list[tuple[str, set[str]]] = []

    def weight(self) -> Weight:
        """a / (a + p) from this store's word counts."""
        counts: Counter[str] = Counter()
        for text in self.texts:
            counts.update(words(text))
        total = max(1, sum(counts.values()))
        return lambda word: SMOOTHING / (SMOOTHING + counts[word] / total)


def read(folder: Path) -> list[Scope]:
    """The scopes of a set."""

    def lines(name: str) -> Iterator[dict[str, str]]:
        with (folder / name).open(encoding="utf-8") as file:
            yield from map(json.loads, file)

    evidence: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if float(grade) > 0:
            evidence[query].add(document)
    scopes: dict[str, Scope] = defaultdict(Scope)
    for row in lines("corpus.jsonl"):
        scope = scopes[row.get("scope", "")]
        scope.ids.append(row["_id"])
        scope.texts.append(f"{row['title']}\n{row['text']}" if row.get("title") else row["text"])
    for row in lines("queries.jsonl"):
        if row["_id"] in evidence:
            scopes[row.get("scope", "")].questions.append((row["text"], evidence[row["_id"]]))
    return list(scopes.values())


def recall(ranked: Sequence[str], wanted: set[str]) -> float:
    """The share of the wanted documents among those ranked."""
    return len(wanted.intersection(ranked)) / len(wanted)


def dense(model: Model, scopes: Sequence[Scope]) -> tuple[float, float]:
    """Recall@10 of the model alone: plain questions, weighted questions."""
    plain: list[float] = []
    weighted: list[float] = []
    for scope in scopes:
        rows = model.documents(scope.texts)
        for weight, found in ((None, plain), (scope.weight(), weighted)):
            for text, wanted in scope.questions:
                scores = (rows @ model.question(text, weight).T)[:, 0]
                best = np.argsort(-scores, kind="stable")[:TOP]
                found.append(recall([scope.ids[i] for i in best], wanted))
    return float(np.mean(plain)), float(np.mean(weighted))


def bm25(scopes: Sequence[Scope]) -> float:
    """Recall@10 of SQLite's full-text search: stemmed words without stop words, joined by OR."""
    found: list[float] = []
    for scope in scopes:
        base = apsw.Connection(":memory:")
        base.execute(
            "create virtual table doc using fts5(text, "
            "tokenize='porter unicode61 remove_diacritics 2')"
        )
        base.executemany("insert into doc(text) values (?)", ((text,) for text in scope.texts))
        for text, wanted in scope.questions:
            asked = [word for word in words(text) if word not in STOP_WORDS] or words(text)
            match = " OR ".join(f'"{word}"' for word in dict.fromkeys(asked))
            rows = base.execute(
                "select rowid from doc where doc match ? order by rank limit ?", (match, TOP)
            )
            found.append(recall([scope.ids[row - 1] for (row,) in rows], wanted))
        base.close()
    return float(np.mean(found))


def speed(model: Builtin, texts: Sequence[str]) -> float:
    """Megabytes of text that the built-in model embeds per second of CPU, including tokenization."""
    model.documents(texts[:50])
    start = time.process_time()
    model.documents(texts)
    return sum(map(len, texts)) / 1e6 / (time.process_time() - start)


def table(data: Path, models: Sequence[Model], sets: Sequence[str] = SETS) -> str:
    """The results as a Markdown table, one row per set."""
    head = ["set", "questions", "BM25"]
    head += [f"{model.name}{kind}" for model in models for kind in ("", " weighted")]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for name in sets:
        if not (data / name / "corpus.jsonl").exists():
            continue
        scopes = read(data / name)
        asked = sum(len(scope.questions) for scope in scopes)
        figures = [bm25(scopes)]
        for model in models:
            figures += dense(model, scopes)
        cells = [name, str(asked), *(f"{figure:.3f}" for figure in figures)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the results or write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder of evaluation sets")
    parser.add_argument("--out", type=Path, help="Markdown page to write")
    options = parser.parse_args()
    builtin = Builtin()
    models: list[Model] = [builtin]
    try:
        models.append(WordLlama())
    except ImportError:
        print("wordllama is not installed: its columns are left out", file=sys.stderr)
    figures = table(options.data, models)
    texts = [text for scope in read(options.data / SETS[1]) for text in scope.texts]
    page = (
        "# The built-in embedder alone\n\n"
        "Recall@10 of vectors alone, no fusion, no neighbours; made by `benchmarks/embedder.py`,\n"
        "which says how. Differences under .01 are noise, under .02 on the small sets. A store uses\n"
        "these vectors beside BM25, so the columns say what each brings, not what a search finds.\n"
        "No text of these sets was trained on; of seven whole candidate models, the one that ships\n"
        "was chosen by these figures.\n\n"
        f"{figures}\n\n"
        f"Batch speed on {SETS[1]}: {speed(builtin, texts):.1f} MB of text a CPU second, "
        "tokenizing included.\n"
    )
    print(page)
    if options.out:
        options.out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
