"""A model in a folder: a tiny one in the layout of sentence-transformers, made here and read whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import ModelError
from bowerbird.models.embed.centred import STRANGERS
from bowerbird.models.embed.onnx import OnnxEmbedder

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the extra `onnx` is not installed")
onnx = pytest.importorskip("onnx", reason="onnx, which makes the model, is not installed")

WORDS = "[UNK] [PAD] walrus seal animal sleeps ice deploy friday release query: text:".split()
DIMS = 4


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Rows of a table as the tokens' vectors; animals lie near each other."""
    rows = np.zeros((len(WORDS), DIMS), np.float32)
    for word, row in {
        "walrus": (1, 0.1, 0, 0),
        "seal": (0.9, 0.2, 0, 0),
        "animal": (1, 0, 0, 0),
        "sleeps": (0.2, 1, 0, 0),
        "deploy": (0, 0, 1, 0),
        "friday": (0, 0, 1, 0.3),
        "release": (0, 0, 0.9, 0),
        "query:": (0, 0, 0, 0.2),
        "[PAD]": (9, 9, 9, 9),
    }.items():
        rows[WORDS.index(word)] = row
    helper = onnx.helper
    ids = helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["n", "t"])
    mask = helper.make_tensor_value_info("attention_mask", onnx.TensorProto.INT64, ["n", "t"])
    hidden = helper.make_tensor_value_info(
        "last_hidden_state", onnx.TensorProto.FLOAT, ["n", "t", DIMS]
    )
    table = onnx.numpy_helper.from_array(rows, "table")
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph([node], "tiny", [ids, mask], [hidden], [table])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    place = tmp_path / "tiny"
    (place / "onnx").mkdir(parents=True)
    onnx.save(model, str(place / "onnx" / "model.onnx"))
    vocabulary = {word: i for i, word in enumerate(WORDS)}
    reader = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    reader.normalizer = tokenizers.normalizers.Lowercase()
    reader.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    reader.enable_padding(pad_id=1, pad_token="[PAD]")
    reader.save(str(place / "tokenizer.json"))
    (place / "config.json").write_text(json.dumps({"hidden_size": DIMS}))
    return place


def values(model: OnnxEmbedder, text: str) -> list[int]:
    return list(memoryview(model.embed([text])[0].values).cast("b"))


def test_texts_are_read_with_the_mean_of_their_tokens_and_no_padding(folder: Path) -> None:
    model = OnnxEmbedder(str(folder))
    vectors = model.embed(["walrus", "", "walrus sleeps ice deploy friday", "seal"])
    assert [vector.norm for vector in vectors] == [1.0, 0.0, 1.0, 1.0]
    assert list(memoryview(vectors[0].values).cast("b")) == [127, 13, 0, 0]
    assert list(memoryview(vectors[3].values).cast("b")) == [127, 28, 0, 0]
    assert model.embed(["walrus"])[0] == vectors[0]
    assert model.identity.provider == "onnx"
    assert (model.identity.name, model.identity.dims) == ("tiny", DIMS)


def test_the_folder_says_how_its_model_wants_to_be_asked(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": DIMS, "pooling_mode_cls_token": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    assert values(OnnxEmbedder(str(folder)), "walrus deploy") == [127, 13, 0, 0]
    prompts = {"prompts": {"query": "query: ", "document": "text: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    asked = OnnxEmbedder(str(folder)).embed_query("walrus")
    assert list(memoryview(asked.values).cast("b")) == [0, 0, 0, 127]
    (folder / "config_sentence_transformers.json").unlink()
    (folder / "1_Pooling" / "config.json").unlink()
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 1}))
    assert values(OnnxEmbedder(str(folder)), "walrus deploy") == [127, 13, 0, 0]


def test_a_store_is_read_by_it_and_each_text_once(
    folder: Path, tmp_path: Path, store_path: str
) -> None:
    (tmp_path / "sea.md").write_text("The seal sleeps.\n")
    (tmp_path / "ops.md").write_text("Release on friday.\n")
    settings = {"embed.provider": "onnx", "embed.model": str(folder)}
    with Bowerbird.open(store_path, settings=settings) as bird:
        assert bird.index(tmp_path / "sea.md", tmp_path / "ops.md").embedded == 2
        kept = bird.remember("Deploy with care")
        hits = bird.query("animal", min_score=0.0)
        assert hits[0].semantic > 0.6
        assert hits[0].path == str(tmp_path / "sea.md")
        assert hits.trace.degraded == []
        state = bird.admin.cache_state()
        assert state.vectors == 3 + len(STRANGERS)
        assert [name.replace(" (", ", centred (") for name in state.models] == [hits.model]
        assert bird.get(kept.id).text == "Deploy with care"


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("onnx/model.onnx", "cannot be loaded"),
        ("tokenizer.json", "cannot be loaded"),
        ("config.json", "how many numbers"),
    ],
)
def test_a_broken_folder_is_reported_and_words_alone_answer(
    folder: Path, tmp_path: Path, store_path: str, broken: str, expected: str
) -> None:
    (folder / broken).write_text("{}")
    with pytest.raises(ModelError, match=expected):
        OnnxEmbedder(str(folder)).embed(["walrus"])
    (tmp_path / "sea.md").write_text("The walrus sleeps.\n")
    settings = {"embed.provider": "onnx", "embed.model": str(folder)}
    with Bowerbird.open(store_path, settings=settings) as bird:
        report = bird.index(tmp_path / "sea.md")
        assert expected in report.unread
        assert len(bird.query("walrus")) == 1


def test_another_number_of_dimensions_than_the_folder_says_is_reported(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"hidden_size": 8}))
    with pytest.raises(ModelError, match="vectors of 4 numbers, and says 8"):
        OnnxEmbedder(str(folder)).embed(["walrus"])
