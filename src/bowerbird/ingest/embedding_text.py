"""The text that is embedded for a passage."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def embedded_text(text: str, context: str, speaker: str, tags: "Iterable[str]" = ()) -> str:
    """Notes and code with their context and tags above; turns of a conversation unchanged.

    For a turn its neighbours say more than any heading, and they are joined at query time.
    """
    if speaker:
        return text
    above = " ".join(filter(None, (context, *(f"#{tag}" for tag in sorted(tags)))))
    return f"{above}\n{text}" if above else text
