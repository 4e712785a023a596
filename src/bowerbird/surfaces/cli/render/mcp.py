"""``bower mcp --setup`` in text; after serving nothing is left to say."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """A line to run, as it is; or a file's name, and what goes into it."""
    data = outcome.data
    if not data:
        return ""
    return f"Into {data['file']}:\n\n{data['text']}" if data["file"] else data["text"]
