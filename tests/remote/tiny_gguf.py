"""Tiny GGUF files with random weights that llama.cpp runs: BERT embeds and scores, llama writes."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DIMS = 32
TOKENS = 64
WRITER_TOKENS = 4_096
_LAYER = 64
_ALIGNED = 32
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] ▁walrus ▁seal ▁ice ▁deploy ▁friday ▁tea ▁the ▁on ▁a".split()
MEAN, RANK = 1, 4
# The types of values: GGUF's numbers.
_U32, _F32, _BOOL, _STRING, _ARRAY, _I32 = 4, 6, 7, 8, 9, 5


def write(path: Path, pooling: int | None) -> Path:
    """A model that embeds, scores (RANK) or says nothing of it (None)."""
    facts: dict[str, tuple[int, Any]] = {
        "general.architecture": (_STRING, "bert"),
        "general.name": (_STRING, "tiny"),
        "bert.block_count": (_U32, 1),
        "bert.context_length": (_U32, TOKENS),
        "bert.embedding_length": (_U32, DIMS),
        "bert.feed_forward_length": (_U32, _LAYER),
        "bert.attention.head_count": (_U32, 2),
        "bert.attention.layer_norm_epsilon": (_F32, 1e-12),
        "bert.attention.causal": (_BOOL, False),
    }
    if pooling is not None:
        facts["bert.pooling_type"] = (_U32, pooling)
    facts |= {
        "tokenizer.ggml.model": (_STRING, "bert"),
        "tokenizer.ggml.token_type_count": (_U32, 2),
        "tokenizer.ggml.tokens": (_ARRAY, (_STRING, WORDS)),
        "tokenizer.ggml.scores": (_ARRAY, (_F32, [0.0] * len(WORDS))),
        "tokenizer.ggml.token_type": (_ARRAY, (_I32, [3] * 5 + [1] * (len(WORDS) - 5))),
        "tokenizer.ggml.padding_token_id": (_U32, 0),
        "tokenizer.ggml.unknown_token_id": (_U32, 1),
        "tokenizer.ggml.cls_token_id": (_U32, 2),
        "tokenizer.ggml.bos_token_id": (_U32, 2),
        "tokenizer.ggml.seperator_token_id": (_U32, 3),
        "tokenizer.ggml.eos_token_id": (_U32, 3),
        "tokenizer.ggml.mask_token_id": (_U32, 4),
    }
    return _written(path, facts, _tensors(rank=pooling == RANK))


def write_writer(path: Path) -> Path:
    """A model that writes: letters at random, but for what a schema holds it to."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    facts: dict[str, tuple[int, Any]] = {
        "general.architecture": (_STRING, "llama"),
        "general.name": (_STRING, "tiny"),
        "llama.block_count": (_U32, 1),
        "llama.context_length": (_U32, 100_000),
        "llama.embedding_length": (_U32, DIMS),
        "llama.feed_forward_length": (_U32, _LAYER),
        "llama.attention.head_count": (_U32, 2),
        "llama.attention.layer_norm_rms_epsilon": (_F32, 1e-5),
        "llama.rope.dimension_count": (_U32, DIMS // 2),
        "tokenizer.ggml.model": (_STRING, "llama"),
        "tokenizer.ggml.tokens": (_ARRAY, (_STRING, tokens)),
        "tokenizer.ggml.scores": (_ARRAY, (_F32, [0.0] * len(tokens))),
        "tokenizer.ggml.token_type": (_ARRAY, (_I32, [2, 3, 3, *[6] * 256])),
        # A grammar begins where the prompt ends, without a space between.
        "tokenizer.ggml.add_space_prefix": (_BOOL, False),
        "tokenizer.ggml.unknown_token_id": (_U32, 0),
        "tokenizer.ggml.bos_token_id": (_U32, 1),
        "tokenizer.ggml.eos_token_id": (_U32, 2),
    }
    return _written(path, facts, _writer_tensors(len(tokens)))


def _written(path: Path, facts: dict[str, tuple[int, Any]], tensors: dict[str, Any]) -> Path:
    head, data, place = b"", b"", 0
    for name, values in tensors.items():
        shape = values.shape[::-1]
        head += _text(name) + struct.pack("<I", len(shape))
        head += struct.pack(f"<{len(shape)}QIQ", *shape, 0, place)
        block = values.tobytes()
        block += bytes(-len(block) % _ALIGNED)
        data, place = data + block, place + len(block)
    whole = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    whole += b"".join(_text(key) + _value(*value) for key, value in facts.items()) + head
    path.write_bytes(whole + bytes(-len(whole) % _ALIGNED) + data)
    return path


def _some() -> Callable[..., Any]:
    random = np.random.default_rng(7)
    return lambda *shape: random.normal(0, 0.5, shape).astype(np.float32)


def _writer_tensors(tokens: int) -> dict[str, Any]:
    some, ones = _some(), np.ones(DIMS, np.float32)
    found = {
        "token_embd.weight": some(tokens, DIMS),
        "output_norm.weight": ones,
        "output.weight": some(tokens, DIMS),
        "blk.0.attn_norm.weight": ones,
        "blk.0.ffn_norm.weight": ones,
        "blk.0.ffn_gate.weight": some(_LAYER, DIMS),
        "blk.0.ffn_up.weight": some(_LAYER, DIMS),
        "blk.0.ffn_down.weight": some(DIMS, _LAYER),
    }
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        found[f"blk.0.{name}.weight"] = some(DIMS, DIMS)
    return found


def _tensors(*, rank: bool) -> dict[str, Any]:
    some = _some()

    def norm(name: str) -> dict[str, Any]:
        return {
            f"{name}.weight": np.ones(DIMS, np.float32),
            f"{name}.bias": np.zeros(DIMS, np.float32),
        }

    found = {
        "token_embd.weight": some(len(WORDS), DIMS),
        "position_embd.weight": some(TOKENS, DIMS),
        "token_types.weight": some(2, DIMS),
        **norm("token_embd_norm"),
        **norm("blk.0.attn_output_norm"),
        **norm("blk.0.layer_output_norm"),
    }
    sizes = {
        "attn_q": (DIMS, DIMS),
        "attn_k": (DIMS, DIMS),
        "attn_v": (DIMS, DIMS),
        "attn_output": (DIMS, DIMS),
        "ffn_up": (_LAYER, DIMS),
        "ffn_down": (DIMS, _LAYER),
    }
    for name, shape in sizes.items():
        found |= {f"blk.0.{name}.weight": some(*shape), f"blk.0.{name}.bias": some(shape[0])}
    if rank:
        found |= {"cls.weight": some(DIMS, DIMS), "cls.bias": some(DIMS)}
        found |= {"cls.output.weight": some(1, DIMS), "cls.output.bias": some(1)}
    return found


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    return struct.pack("<I", kind) + _bare(kind, value)


def _bare(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        return _text(value)
    if kind == _ARRAY:
        inner, values = value
        return struct.pack("<IQ", inner, len(values)) + b"".join(_bare(inner, v) for v in values)
    shape = {_U32: "I", _I32: "i", _F32: "f", _BOOL: "?"}[kind]
    return struct.pack(f"<{shape}", value)
