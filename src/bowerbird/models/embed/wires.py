"""What each provider is sent to embed texts, and where the vectors are in its response.

None is asked to cut a text that is too long for it, where it can be told not to: that would be unseen.
"""

from bowerbird.core.value import Record
from bowerbird.models.embed.known import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Body = dict[str, Any]
    Fields = Mapping[str, Any]

# Requests under way at once.
IN_FLIGHT = 10


class Wire(Record):
    """How a provider is asked for vectors.

    `path` of a model's request; `body` of model, texts, dimensions (0: its own) and the fields of their
    role; `vectors` in a response, in order. `fields` of a model that differ for a question and a passage;
    where none differ, the model's prefixes do (`known.py`). `tokens` that the response charges for.
    """

    path: "Callable[[str], str]"
    body: "Callable[[str, list[str], int, Fields], Body]"
    vectors: "Callable[[Any], Any]"
    fields: "Callable[[str, bool], Fields]" = lambda _model, _question: {}
    tokens: "Callable[[Any], Any]" = lambda _answer: 0
    texts: int = 100
    characters: int = 200_000
    in_flight: int = IN_FLIGHT


def _by_index(answer: "Any") -> "list[Any]":
    """The vectors of OpenAI's response, which promises an index, not an order."""
    found = {
        one.get("index", at): one.get("embedding")
        for at, one in enumerate(answer["data"])
        if isinstance(one, dict)
    }
    return [found[at] for at in range(len(found))]


def _openai(model: str, texts: "list[str]", dims: int, _fields: "Fields") -> "Body":
    body: Body = {"model": model, "input": texts, "encoding_format": "float"}
    return body | {"dimensions": dims} if dims else body


def _ollama(model: str, texts: "list[str]", dims: int, _fields: "Fields") -> "Body":
    # Its own limit is lower than the model's, unless it is told.
    body: Body = {
        "model": model,
        "input": texts,
        "truncate": False,
        "options": {"num_ctx": known(model).tokens},
    }
    return body | {"dimensions": dims} if dims else body


def _gemini(model: str, texts: "list[str]", dims: int, fields: "Fields") -> "Body":
    # One content a request: of several in one content it makes one vector.
    more = {"outputDimensionality": dims} if dims else {}
    requests = [
        {"model": f"models/{model}", "content": {"parts": [{"text": text}], "role": "user"}}
        | dict(fields)
        | more
        for text in texts
    ]
    return {"requests": requests}


def _gemini_fields(model: str, question: bool) -> "Fields":
    if known(model).query:
        return {}
    return {"taskType": "RETRIEVAL_QUERY" if question else "RETRIEVAL_DOCUMENT"}


def _voyage(model: str, texts: "list[str]", dims: int, fields: "Fields") -> "Body":
    body = {"model": model, "input": texts, "truncation": False} | dict(fields)
    return body | {"output_dimension": dims} if dims else body


def _cohere(model: str, texts: "list[str]", dims: int, fields: "Fields") -> "Body":
    body = {"model": model, "texts": texts, "embedding_types": ["float"], "truncate": "NONE"}
    body |= fields
    return body | {"output_dimension": dims} if dims else body


def _jina(model: str, texts: "list[str]", dims: int, fields: "Fields") -> "Body":
    body = {"model": model, "input": texts, "truncate": False} | dict(fields)
    return body | {"dimensions": dims} if dims else body


def _cloudflare(_model: str, texts: "list[str]", _dims: int, fields: "Fields") -> "Body":
    rest = dict(fields)
    return {rest.pop("texts", "text"): texts} | rest


def _cloudflare_fields(model: str, question: bool) -> "Fields":
    if "qwen3" in model:
        return {"texts": "queries" if question else "documents"}
    # Its other way of pooling makes other vectors: the way that the model was trained for.
    return {"pooling": "cls"} if "/bge-" in model and "bge-m3" not in model else {}


def _tei(_model: str, texts: "list[str]", _dims: int, _fields: "Fields") -> "Body":
    return {"inputs": texts, "truncate": False, "normalize": True}


def _usage(answer: "Any") -> "Any":
    return answer["usage"]["total_tokens"]


_OPENAI = Wire(lambda _model: "/embeddings", _openai, _by_index, tokens=_usage)

# A request to OpenAI has at most 2,048 texts and 300,000 tokens, which 200,000 characters never are.
WIRES = {
    "openai": _OPENAI.replace(texts=2_048),
    # DashScope takes ten: `embed.batch`.
    "compatible": _OPENAI,
    # A file that is run in this process.
    "gguf": _OPENAI.replace(in_flight=1),
    # It reads one request at a time, unless told otherwise.
    "ollama": Wire(
        lambda _model: "/api/embed",
        _ollama,
        lambda answer: answer["embeddings"],
        tokens=lambda answer: answer["prompt_eval_count"],
        in_flight=1,
    ),
    "gemini": Wire(
        lambda model: f"/models/{model}:batchEmbedContents",
        _gemini,
        lambda answer: [one["values"] for one in answer["embeddings"]],
        _gemini_fields,
        lambda answer: answer["usageMetadata"]["promptTokenCount"],
    ),
    # The largest of its models takes 120,000 tokens a request.
    "voyage": Wire(
        lambda _model: "/embeddings",
        _voyage,
        _by_index,
        lambda _model, question: {"input_type": "query" if question else "document"},
        _usage,
        texts=1_000,
        characters=100_000,
    ),
    "cohere": Wire(
        lambda _model: "/embed",
        _cohere,
        lambda answer: answer["embeddings"]["float"],
        lambda _model, question: {"input_type": "search_query" if question else "search_document"},
        lambda answer: answer["meta"]["billed_units"]["input_tokens"],
        texts=96,
    ),
    "jina": Wire(
        lambda _model: "/embeddings",
        _jina,
        _by_index,
        lambda _model, question: {"task": f"retrieval.{'query' if question else 'passage'}"},
        _usage,
    ),
    "cloudflare": Wire(
        lambda model: f"/run/{model}",
        _cloudflare,
        lambda answer: answer["result"]["data"],
        _cloudflare_fields,
    ),
    # Unless its --max-client-batch-size says more.
    "tei": Wire(lambda _model: "/embed", _tei, lambda answer: answer, texts=32),
}
