"""A cross-encoder in a folder: a tiny one, made here, whose score is the sum of a table's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig

if TYPE_CHECKING:
    from pathlib import Path

    from bowerbird.core.answers import Hits

pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the extra `onnx` is not installed")
onnx = pytest.importorskip("onnx", reason="onnx, which makes the model, is not installed")

# The number of a token that belongs to the text; those of the question count nothing.
WORDS = {
    "[UNK]": 0.0,
    "[PAD]": 50.0,
    "Deploys": 3.0,
    "per": 1.0,
    "seal": -2.0,
    "monitored": 99.0,
}
# A question to which no text is clearly the best.
UNSURE = "how is the service monitored"
TEXTS = (
    "Tests of the beach service need a seal image.",
    "Deploys of the gate service happen at nine.",
    "Ice machines are billed per service call.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made(tmp_path / "tiny-reranker", outputs=1)


def made(place: Path, *, outputs: int) -> Path:
    """score = sum over tokens of table[token] * type * mask"""
    helper, kinds = onnx.helper, onnx.TensorProto
    rows = np.array([[number] * outputs for number in WORDS.values()], np.float32)
    names = ("input_ids", "token_type_ids", "attention_mask")
    inputs = [helper.make_tensor_value_info(name, kinds.INT64, ["n", "t"]) for name in names]
    logits = helper.make_tensor_value_info("logits", kinds.FLOAT, ["n", outputs])
    constants = [
        onnx.numpy_helper.from_array(rows, "table"),
        onnx.numpy_helper.from_array(np.array([2], np.int64), "last"),
        onnx.numpy_helper.from_array(np.array([1], np.int64), "along"),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("Mul", ["token_type_ids", "attention_mask"], ["of_text"]),
        helper.make_node("Cast", ["of_text"], ["weight"], to=kinds.FLOAT),
        helper.make_node("Unsqueeze", ["weight", "last"], ["weights"]),
        helper.make_node("Mul", ["each", "weights"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "along"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, [logits], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    place.mkdir()
    onnx.save(model, str(place / "model.onnx"))
    vocabulary = {word: i for i, word in enumerate(WORDS)}
    reader = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    reader.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    reader.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A", pair="$A:0 $B:1", special_tokens=[]
    )
    reader.enable_padding(pad_id=1, pad_token="[PAD]")
    reader.save(str(place / "tokenizer.json"))
    return place


def asked(
    store: str, question: str = UNSURE, without: tuple[str, ...] = (), **settings: object
) -> Hits:
    named = {f"rerank.{key}": value for key, value in settings.items()}
    with Bowerbird.open(store, settings=named) as bird:
        for text in () if bird.status().total_memories else TEXTS:
            bird.remember(text)
        return bird.query(question, explain=True, without=without, min_score=0.0)


def test_it_orders_the_best_and_changes_neither_scores_nor_relevance(
    folder: Path, store_path: str
) -> None:
    plain = asked(store_path)
    hits = asked(store_path, provider="onnx", model=str(folder))
    assert [hit.text for hit in hits] == [TEXTS[1], TEXTS[2], TEXTS[0]]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in plain])
    sure = {hit.text: hit.relevance for hit in plain}
    assert {hit.text: hit.relevance for hit in hits} == pytest.approx(sure)
    for hit in hits:
        assert sum(hits.trace.contributions(hit.entry.row).values()) == pytest.approx(hit.score)


def test_only_as_many_as_the_settings_say_are_ordered(folder: Path, store_path: str) -> None:
    plain = asked(store_path)
    hits = asked(store_path, provider="onnx", model=str(folder), most=2)
    assert hits[2].text == plain[2].text


def test_its_scores_are_kept_and_another_file_has_its_own(folder: Path, store_path: str) -> None:
    first = asked(store_path, provider="onnx", model=str(folder))
    (folder / "tokenizer.json").rename(folder / "tokenizer.kept")
    again = asked(store_path, provider="onnx", model=str(folder))
    assert again.trace.degraded == []
    assert [hit.text for hit in again] == [hit.text for hit in first]
    other = asked(
        store_path, "how is the service monitored here", provider="onnx", model=str(folder)
    )
    assert any("cannot be loaded" in one for one in other.trace.degraded)
    (folder / "tokenizer.kept").rename(folder / "tokenizer.json")
    data = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(data.replace(b"tiny", b"Tiny"))
    assert asked(store_path, provider="onnx", model=str(folder)).trace.degraded == []


def test_it_is_not_asked_where_the_best_is_clear_or_it_is_left_out(
    folder: Path, store_path: str
) -> None:
    clear = asked(store_path, TEXTS[0], provider="onnx", model=str(folder))
    (stage,) = (one for one in clear.trace.stages if one.name == "rerank")
    assert stage.note.startswith("not asked")
    assert clear[0].text == TEXTS[0]
    without = asked(store_path, without=("rerank",), provider="onnx", model=str(folder))
    assert [hit.text for hit in without] == [hit.text for hit in asked(store_path)]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("two", "is no reranker: it gives [3, 2] numbers for 3 texts"),
        ("weights", "holds no model.onnx"),
        ("garbage", "cannot be loaded"),
        ("nan", "gives scores that are no numbers"),
    ],
)
def test_a_folder_that_cannot_score_keeps_the_order_and_says_so(
    folder: Path, tmp_path: Path, store_path: str, broken: str, said: str
) -> None:
    if broken == "two":
        folder = made(tmp_path / "two", outputs=2)
    elif broken == "weights":
        (folder / "model.onnx").unlink()
    elif broken == "garbage":
        (folder / "model.onnx").write_bytes(b"no network")
    else:
        data = (folder / "model.onnx").read_bytes()
        deploys = np.float32(3.0).tobytes()
        (folder / "model.onnx").write_bytes(data.replace(deploys, np.float32("nan").tobytes()))
    plain = asked(store_path)
    hits = asked(store_path, provider="onnx", model=str(folder))
    assert [hit.text for hit in hits] == [hit.text for hit in plain]
    (degraded,) = hits.trace.degraded
    assert said in degraded


def test_a_reranker_without_a_model_is_a_mistake_of_the_settings(store_path: str) -> None:
    with pytest.raises(BadConfig, match=r"rerank\.model is not set"):
        asked(store_path, provider="onnx")
