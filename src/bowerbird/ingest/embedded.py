"""What a model is given to read for a piece."""


def embedded_text(text: str, context: str, speaker: str) -> str:
    """Notes and code with the way to them above the text; turns of a conversation as they are.

    A turn's neighbours say more about it than any heading, and they join when a question is asked.
    """
    return f"{context}\n{text}" if context and not speaker else text
