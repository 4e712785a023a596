"""The contextual embedder of the package: what it makes of texts, and the files that it reads."""

import math
import runpy
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bowerbird.core.errors import ModelError
from bowerbird.core.types import Vector
from bowerbird.models.embed import contextual, wordpiece
from bowerbird.models.embed.contextual import (
    LONGEST,
    RECALLED,
    SAYINGS,
    TOLD,
    WEIGHTS,
    ContextualEmbedder,
)
from bowerbird.models.embed.glosses import REVISION
from bowerbird.models.embed.tensorfile import TensorFile
from bowerbird.models.embed.tokentable import TokenTable
from bowerbird.models.embed.wordpiece import WordPiece

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from model_files import write_tensors

WORDS = str(Path(WEIGHTS) / "minilm-words.bin")
LAYERS = str(Path(WEIGHTS) / "minilm-layers.bin")
SCRIPT = Path(__file__).parents[2] / "scripts" / "build_contextual.py"
# The first numbers of the vectors that all-MiniLM-L6-v2 makes in float32, and its word pieces.
REFERENCE = {
    "Staging Postgres listens on 5433.": (
        [0.0368, -0.0714, -0.0495, -0.0915, -0.0516, -0.0523, -0.0822, -0.1042],
        [
            "[CLS]",
            "staging",
            "post",
            "##gre",
            "##s",
            "listen",
            "##s",
            "on",
            "54",
            "##33",
            ".",
            "[SEP]",
        ],
    ),
    "Why does the naïve café's CI-job #12 fail?": (
        [-0.006, -0.0001, 0.0571, 0.0152, 0.0002, -0.0068, 0.0026, -0.0631],
        [
            "[CLS]",
            "why",
            "does",
            "the",
            "naive",
            "cafe",
            "'",
            "s",
            "ci",
            "-",
            "job",
            "#",
            "12",
            "fail",
            "?",
            "[SEP]",
        ],
    ),
}


@pytest.fixture(scope="module")
def model() -> ContextualEmbedder:
    return ContextualEmbedder.builtin()


def unit(vector: Vector) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    values = np.frombuffer(vector.values, np.int8).astype(np.float64)
    return np.asarray(values / math.sqrt(float(values @ values)))


@pytest.mark.parametrize("text", REFERENCE)
def test_vectors_are_those_of_the_model_it_was_made_from(
    model: ContextualEmbedder, text: str
) -> None:
    expected, _ = REFERENCE[text]
    found = unit(model.embed_query(text))[: len(expected)]
    assert np.abs(found - np.array(expected)).max() < 0.008


@pytest.mark.parametrize("text", REFERENCE)
def test_word_pieces_are_those_of_its_tokenizer(text: str) -> None:
    tokens = TokenTable(WORDS)
    pieces = [tokens.piece(row) for row in WordPiece(tokens).rows(text, LONGEST)]
    assert pieces == REFERENCE[text][1]


def test_it_knows_what_means_the_same_in_other_words(model: ContextualEmbedder) -> None:
    asked, same, other = map(
        unit,
        model.embed(
            [
                "how do I get money back to a customer?",
                "Refunds are issued from the Stripe dashboard.",
                "The bakery on the corner opens at seven.",
            ]
        ),
    )
    assert asked @ same > asked @ other + 0.1


def test_a_text_has_one_vector_whatever_is_read_beside_it(model: ContextualEmbedder) -> None:
    texts = ["Redis must be up first.", "", "!!!", "word " * 5_000, "日本語", "\ud800 half"]
    together = model.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert unit(model.embed_query(text)) @ unit(vector) > 0.999
        assert len(vector.values) == model.dims


def test_words_meet_alike_whether_texts_were_read_before_or_not(model: ContextualEmbedder) -> None:
    new, olds = "We moved the cache to Valkey.", ["The cache is Redis.", "Ducks fly.", "", "!!!"]
    for text in (new, *olds[:2]):
        model.embed_query(text)
    known = model.aligned(new, olds)
    for again in (model, ContextualEmbedder.builtin()):
        for one, other in zip(again.aligned(new, olds), known, strict=True):
            assert [word for word, _ in one.old] == [word for word, _ in other.old]
            ours, theirs = (
                [
                    said.announced,
                    said.changed,
                    said.happened,
                    *(near for _, near in (*said.old, *said.new)),
                ]
                for said in (one, other)
            )
            assert ours == pytest.approx(theirs, abs=1e-4)


def test_sayings_stand_in_the_file_as_the_model_reads_them(model: ContextualEmbedder) -> None:
    build = runpy.run_path(str(SCRIPT))
    kept = TensorFile(Path(WEIGHTS) / "minilm-sayings.bin")
    assert tuple(build["SAYINGS"]) == (*SAYINGS, RECALLED)
    for sort, values in build["sayings"](model).items():
        assert np.allclose(kept.array(sort), values, atol=1e-6)


def test_a_text_that_tells_of_a_change_is_nearer_to_what_was_said_of_changes(
    model: ContextualEmbedder,
) -> None:
    (moved,) = model.aligned("The team moved to room 7.", ["The team sits in room 4."])
    (added,) = model.aligned(
        "There is another team in room 7 as well.", ["The team sits in room 4."]
    )
    assert moved.changed > added.changed


def test_the_words_of_a_question_are_met_by_those_of_a_text(model: ContextualEmbedder) -> None:
    texts = [
        "Refunds are issued from the Stripe dashboard.",
        "The bakery on the corner opens at seven.",
        "!!!",
    ]
    question = model.embed_query("who can give a refund?")
    words = {row: one.words for row, one in enumerate(model.embed(texts))}
    met = model.met(question, words)
    assert met.keys() == {0, 1}
    assert met[0][0] > met[1][0] + 0.1
    assert all(least <= mean for mean, least in met.values())
    assert model.met(model.embed_query("?"), words) == {}


def test_words_are_the_same_whatever_is_read_beside_them(model: ContextualEmbedder) -> None:
    texts = [f"Heron {number} stands in the reeds of the lake." for number in range(12)]
    together = model.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        alone = ContextualEmbedder.builtin().embed_query(text)
        met = model.met(alone, {0: vector.words})
        assert met[0][1] > 0.98


def test_what_is_kept_of_texts_that_were_read_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contextual, "KEPT_TOKENS", 50)
    small = ContextualEmbedder.builtin()
    for number in range(20):
        small.embed([f"heron {number} stands in the reeds"])
    assert sum(len(read.rows) for read in small._kept.values()) <= 50
    assert "heron 19 stands in the reeds" in small._kept


def test_long_texts_are_read_up_to_a_bound(model: ContextualEmbedder) -> None:
    rows = WordPiece(TokenTable(WORDS)).rows("word " * 5_000, LONGEST)
    assert len(rows) == LONGEST
    german = "Der Schlüssel " + "ist der die das " * 200
    assert model.embed([german + "Werkstatt"]) == model.embed([german])


def test_the_identity_follows_the_content_of_both_files(tmp_path: Path) -> None:
    first = write_tensors(tmp_path / "a.bin", "a", {"x": np.ones((2, 3), np.float32)})
    again = write_tensors(tmp_path / "b.bin", "a", {"x": np.ones((2, 3), np.float32)})
    other = write_tensors(tmp_path / "c.bin", "a", {"x": np.zeros((2, 3), np.float32)})
    assert first == again != other
    identity = ContextualEmbedder(WORDS, LAYERS).identity
    parts = (TokenTable(WORDS).revision[:6], TensorFile(LAYERS).revision[:6], REVISION)
    assert identity.revision == "".join(parts)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    matrix, row = np.arange(6, dtype=np.int8).reshape(2, 3), np.ones(5, np.float32)
    arrays: dict[str, np.ndarray[Any, Any]] = {"a": matrix, "b": row}
    write_tensors(tmp_path / "x.bin", "x", arrays)
    file = TensorFile(tmp_path / "x.bin")
    for name, values in arrays.items():
        assert (file.array(name) == values).all()


@pytest.mark.parametrize("damage", ["missing", "foreign", "short", "cut"])
def test_a_damaged_file_is_an_error_with_its_remedy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "layers.bin"
    data = Path(LAYERS).read_bytes()
    if damage != "missing":
        path.write_bytes(
            {"foreign": b"something else", "short": data[:20], "cut": data[: len(data) // 2]}[
                damage
            ]
        )
    with pytest.raises(ModelError) as raised:
        ContextualEmbedder(WORDS, path)
    assert raised.value.remedy


def test_what_a_process_keeps_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stays meets new words for ever: numbers, names, hashes."""
    most = 100
    monkeypatch.setattr(wordpiece, "CACHED_WORDS", most)
    pieces = WordPiece(TokenTable(WORDS))
    first = pieces.rows("heron 0", LONGEST)
    tracemalloc.start()
    for number in range(20 * most):
        pieces.rows(f"heron {number}", LONGEST)
        if number == most // 2:
            full = tracemalloc.get_traced_memory()[0]
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 4 * full
    assert pieces.rows("heron 0", LONGEST) == first


def test_the_sentences_of_a_text_are_told_each_in_its_context() -> None:
    model = ContextualEmbedder.builtin()
    rule, task = model.told(["Never push to main.", "Fix the cart."])
    assert len(rule) == len(TOLD)
    assert rule[0] > 0 > task[0]
    assert model.told([]) == []
    (alone,) = model.told(["Fix the cart."])
    assert alone != task
    # More than the model reads together, and one without any token.
    sentences = [f"The worker {number} listens on port {number}." for number in range(40)]
    assert len(model.told([*sentences, "\u200b"])) == len(sentences) + 1
