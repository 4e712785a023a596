"""The providers of model servers: where each is, and how a request shows its key.

What is said to each stands with the role: `embed/wires.py`, `rerank/wires.py`.
"""

from bowerbird.core.errors import BadConfig
from bowerbird.core.value import Record
from bowerbird.models.http import Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.models.gguf import GgufEndpoint

# How Ollama marks models that its server passes on to ollama.com.
_CLOUD = ("cloud", "-cloud")


class Provider(Record):
    """A provider: the address of its API, empty if everyone has their own, and its headers."""

    address: str
    key_header: str = "Authorization"
    headers: "Mapping[str, str] | None" = None


PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1"),
    # Any server with OpenAI's paths: llama.cpp, vLLM, LM Studio, OpenRouter.
    "compatible": Provider(""),
    "ollama": Provider("http://127.0.0.1:11434"),
    "gemini": Provider("https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key"),
    "voyage": Provider("https://api.voyageai.com/v1"),
    "cohere": Provider("https://api.cohere.com/v2"),
    "jina": Provider("https://api.jina.ai/v1"),
    # Its address holds the account: https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai
    "cloudflare": Provider(""),
    # Hugging Face's text-embeddings-inference.
    "tei": Provider(""),
    "anthropic": Provider(
        "https://api.anthropic.com/v1", headers={"anthropic-version": "2023-06-01"}
    ),
}


def endpoint(name: str, setting: str, address: str, key: str) -> Endpoint:
    """The endpoint of a provider; an empty `address` is its own. Raises BadConfig.

    `setting` is the part of the settings that says so, such as ``embed``.
    """
    provider = PROVIDERS[name]
    address = (address or provider.address).rstrip("/")
    if not address:
        shape = "https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai"
        example = shape if name == "cloudflare" else "http://127.0.0.1:8080/v1"
        remedy = f"give it the address of its API, such as {example}: bower model use NAME --endpoint URL"
        raise BadConfig(f"{setting}.endpoint is not set", remedy)
    if name == "ollama":
        address = address.removesuffix("/v1")  # its native API is beside OpenAI's
    return Endpoint(
        address,
        key,
        setting,
        key_header=provider.key_header,
        headers=provider.headers,
        keyed=address == provider.address and address.startswith("https"),
    )


def is_local(endpoint: "Endpoint | GgufEndpoint", model: str) -> bool:
    """Whether what is sent stays on this machine: not if Ollama passes it on to its cloud."""
    return endpoint.here and not model.rpartition(":")[2].endswith(_CLOUD)
