"""What a language model of each provider is sent, and how its answer is read.

Requests equal those of the providers' own clients (`tests/remote/test_official_clients.py`).
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import Said
from bowerbird.models.http import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from bowerbird.core.thinking import Prompt

    class Wire(Protocol):
        """The requests and answers of one provider."""

        def path(self, model: str) -> str:
            """Where a request goes, below the provider's address."""
            ...

        def body(self, model: str, prompt: Prompt, context: int) -> dict[str, Any]:
            """The request; `context` is the number of tokens that a local model is to read."""
            ...

        def said(self, reply: dict[str, Any]) -> Said:
            """What the answer says. Raises KeyError, IndexError or TypeError for another shape."""
            ...


def _messages(prompt: "Prompt") -> "list[dict[str, str]]":
    return [
        {"role": "system", "content": prompt.instructions},
        {"role": "user", "content": prompt.message},
    ]


class OpenAI:
    """OpenAI's chat completions. Nothing is stored there; some models take no temperature."""

    def path(self, _model: str) -> str:
        """One path for all models."""
        return "/chat/completions"

    def body(self, model: str, prompt: "Prompt", _context: int) -> "dict[str, Any]":
        """A schema in strict mode."""
        return {
            "model": model,
            "messages": _messages(prompt),
            "response_format": _schema(prompt),
            "max_completion_tokens": prompt.most_tokens,
            "store": False,
        }

    def said(self, reply: "dict[str, Any]") -> Said:
        """The first choice."""
        choice, used = reply["choices"][0], reply.get("usage") or {}
        message, ended = choice["message"], choice.get("finish_reason") or "stop"
        return Said(
            message.get("content") or "",
            int(used.get("prompt_tokens") or 0),
            int(used.get("completion_tokens") or 0),
            whole=ended == "stop",
            refused=bool(message.get("refusal")) or ended == "content_filter",
        )


def _schema(prompt: "Prompt") -> "dict[str, Any]":
    schema = {"name": prompt.name, "strict": True, "schema": prompt.schema}
    return {"type": "json_schema", "json_schema": schema}


class Compatible(OpenAI):
    """A server with OpenAI's paths, in the words that all of them know."""

    def body(self, model: str, prompt: "Prompt", _context: int) -> "dict[str, Any]":
        """The older name of the limit, and no chance."""
        return {
            "model": model,
            "messages": _messages(prompt),
            "response_format": _schema(prompt),
            "max_tokens": prompt.most_tokens,
            "temperature": 0,
        }


class Ollama:
    """Ollama's own interface: only there the length that is read can be set, else it cuts silently."""

    def path(self, _model: str) -> str:
        """One path for all models."""
        return "/api/chat"

    def body(self, model: str, prompt: "Prompt", context: int) -> "dict[str, Any]":
        """No thinking aloud, which would use up the answer's tokens."""
        options = {"temperature": 0, "num_ctx": context, "num_predict": prompt.most_tokens}
        return {
            "model": model,
            "messages": _messages(prompt),
            "stream": False,
            "format": prompt.schema,
            "think": False,
            "options": options,
        }

    def said(self, reply: "dict[str, Any]") -> Said:
        """The message, with Ollama's own counts."""
        return Said(
            reply["message"]["content"],
            int(reply.get("prompt_eval_count") or 0),
            int(reply.get("eval_count") or 0),
            whole=reply.get("done_reason", "stop") == "stop",
        )


class Gemini:
    """Gemini's generateContent."""

    def path(self, model: str) -> str:
        """The model is in the path; the key is not."""
        return f"/models/{model}:generateContent"

    def body(self, _model: str, prompt: "Prompt", _context: int) -> "dict[str, Any]":
        """The schema as JSON Schema."""
        return {
            "contents": [{"role": "user", "parts": [{"text": prompt.message}]}],
            "systemInstruction": {"role": "user", "parts": [{"text": prompt.instructions}]},
            "generationConfig": {
                "temperature": 0,
                "maxOutputTokens": prompt.most_tokens,
                "responseMimeType": "application/json",
                "responseJsonSchema": prompt.schema,
            },
        }

    def said(self, reply: "dict[str, Any]") -> Said:
        """The first candidate; a prompt that was blocked has none."""
        used = reply.get("usageMetadata") or {}
        read = int(used.get("promptTokenCount") or 0)
        # What it thought is paid for like what it wrote.
        written = int(used.get("candidatesTokenCount") or 0) + int(
            used.get("thoughtsTokenCount") or 0
        )
        if (reply.get("promptFeedback") or {}).get("blockReason"):
            return Said("", read, written, refused=True)
        candidate = reply["candidates"][0]
        ended = candidate.get("finishReason", "STOP")
        parts = (candidate.get("content") or {}).get("parts") or []
        return Said(
            "".join(part.get("text", "") for part in parts if not part.get("thought")),
            read,
            written,
            whole=ended == "STOP",
            refused=ended not in ("STOP", "MAX_TOKENS"),
        )


class Anthropic:
    """Anthropic's messages."""

    def path(self, _model: str) -> str:
        """One path for all models."""
        return "/messages"

    def body(self, model: str, prompt: "Prompt", _context: int) -> "dict[str, Any]":
        """The schema as the format of the output."""
        return {
            "model": model,
            "max_tokens": prompt.most_tokens,
            "system": prompt.instructions,
            "messages": [{"role": "user", "content": prompt.message}],
            "output_config": {"format": {"type": "json_schema", "schema": prompt.schema}},
        }

    def said(self, reply: "dict[str, Any]") -> Said:
        """The text blocks."""
        used, ended = reply.get("usage") or {}, reply.get("stop_reason") or "end_turn"
        texts = (one["text"] for one in reply["content"] if one["type"] == "text")
        return Said(
            "".join(texts),
            int(used.get("input_tokens") or 0),
            int(used.get("output_tokens") or 0),
            whole=ended in ("end_turn", "stop_sequence"),
            refused=ended == "refusal",
        )


class Cloudflare:
    """Cloudflare Workers AI: the answer is in an envelope, and may be parsed already."""

    def path(self, model: str) -> str:
        """The model is in the path."""
        return f"/run/{model}"

    def body(self, _model: str, prompt: "Prompt", _context: int) -> "dict[str, Any]":
        """The bare schema."""
        return {
            "messages": _messages(prompt),
            "response_format": {"type": "json_schema", "json_schema": prompt.schema},
            "max_tokens": prompt.most_tokens,
        }

    def said(self, reply: "dict[str, Any]") -> Said:
        """What is in the envelope."""
        result = reply["result"]
        used, text = result.get("usage") or {}, result["response"]
        if not isinstance(text, str):
            from json import dumps  # start-up: one provider

            text = dumps(text)
        return Said(
            text, int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0)
        )


WIRES: "dict[str, Wire]" = {
    "openai": OpenAI(),
    "compatible": Compatible(),
    "ollama": Ollama(),
    "gemini": Gemini(),
    "anthropic": Anthropic(),
    "cloudflare": Cloudflare(),
}


def too_long(message: str) -> Refused:
    """The error for a prompt that is longer than a model of this machine is to read."""
    remedy = "raise llm.context, or use a model that reads more"
    return Refused(message, remedy, 400, None, too_long=True)


def read(wire: "Wire", reply: "Any", name: str) -> Said:
    """What an answer says. Raises ModelError for one of another shape."""
    try:
        return wire.said(reply)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        message = f"{name} answers in another shape than its provider's"
        raise ModelError(message, "check llm.provider and llm.endpoint") from None
