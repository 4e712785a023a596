"""The readers by name, and which of them takes a file."""

from bowerbird.ingest.sources.claude_code import ClaudeCode
from bowerbird.ingest.sources.code import Code
from bowerbird.ingest.sources.codex import Codex
from bowerbird.ingest.sources.conversation import Conversation
from bowerbird.ingest.sources.dialogue import Dialogue
from bowerbird.ingest.sources.gemini import Gemini
from bowerbird.ingest.sources.markdown import Markdown
from bowerbird.ingest.sources.openclaw import OpenClaw
from bowerbird.ingest.sources.opencode import OpenCode
from bowerbird.ingest.sources.plain import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.sources.reading import Material, Source

# The first that accepts a file reads it: the special before the general, and plain text takes all.
_SOURCES: "tuple[Source, ...]" = (
    Dialogue(),
    Markdown(),
    Code(),
    ClaudeCode(),
    Codex(),
    OpenClaw(),
    Gemini(),
    OpenCode(),
    Conversation(),
    Plain(),
)


def source_for(material: "Material") -> "Source":
    """The reader of a file, by its suffix and by what it holds."""
    return next(source for source in _SOURCES if source.accepts(material))
