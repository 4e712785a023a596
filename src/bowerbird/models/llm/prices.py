"""What models cost: dollars for a million tokens read and written, as published in November 2026.

Of a model that is not listed `llm.price` gives the price; without it its cost counts as 0, and its tokens
are counted all the same. A server of this machine costs nothing, unless `llm.price` says so, since it may
pass on what it is sent; files and Ollama cost nothing.
"""

from bowerbird.core.errors import BadConfig

# By the beginning of the model's name, the longest that fits.
PRICES = {
    "openai gpt-6-luna": (0.10, 0.50),
    "openai gpt-5.6-luna": (0.20, 1.20),
    "openai gpt-6.1-sol": (2.0, 10.0),
    "gemini gemini-3.1-flash-lite": (0.25, 1.50),
    "gemini gemini-3.8-flash": (0.75, 3.75),
    "gemini gemini-4-argon": (2.0, 10.0),
    "anthropic claude-haiku-5-5": (0.10, 0.50),
    "anthropic claude-sonnet-5-5": (2.0, 10.0),
}
_MILLION = 1_000_000


def price(text: str) -> tuple[float, float] | None:
    """The setting `llm.price`, such as ``0.10/0.50``; None if it is empty. Raises BadConfig."""
    if not text:
        return None
    try:
        read, written = map(float, text.split("/"))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < _MILLION and 0 <= written < _MILLION):
        remedy = "dollars for a million tokens read and written, such as 0.10/0.50"
        raise BadConfig(f"llm.price = {text!r}", remedy)
    return read, written


def cost(model: str, read: int, written: int, given: tuple[float, float] | None) -> float:
    """The dollars for so many tokens of a model; `given` is its price if the user set one."""
    found = [one for one in PRICES if model.startswith(one)]
    rates = given or (PRICES[max(found, key=len)] if found else (0.0, 0.0))
    return (read * rates[0] + written * rates[1]) / _MILLION
