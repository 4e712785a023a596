"""What a model is given to read for a piece."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def embedded_text(text: str, context: str, speaker: str, tags: "Iterable[str]" = ()) -> str:
    """Notes and code with the way to them and their tags above; turns of a conversation as they are.

    A turn's neighbours say more about it than any heading, and they join when a question is asked.
    """
    if speaker:
        return text
    above = " ".join(filter(None, (context, *(f"#{tag}" for tag in sorted(tags)))))
    return f"{above}\n{text}" if above else text
