"""The readers by name, and the choice of one for a file."""

from bowerbird.ingest.sources.asciidoc import AsciiDoc
from bowerbird.ingest.sources.chatgpt import ChatGpt
from bowerbird.ingest.sources.claude_ai import ClaudeAi
from bowerbird.ingest.sources.claude_code import ClaudeCode
from bowerbird.ingest.sources.code import Code
from bowerbird.ingest.sources.codex import Codex
from bowerbird.ingest.sources.conversation import Conversation
from bowerbird.ingest.sources.dialogue import Dialogue
from bowerbird.ingest.sources.gemini import Gemini
from bowerbird.ingest.sources.html import Html
from bowerbird.ingest.sources.markdown import Markdown
from bowerbird.ingest.sources.notebook import Notebook
from bowerbird.ingest.sources.openclaw import OpenClaw
from bowerbird.ingest.sources.opencode import OpenCode
from bowerbird.ingest.sources.org import Org
from bowerbird.ingest.sources.paged import Docx, Pdf
from bowerbird.ingest.sources.plain import Plain
from bowerbird.ingest.sources.rst import Rst
from bowerbird.ingest.sources.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.ingest.sources.reading import Material, Source

# The first that accepts a file reads it: special ones before general ones; plain text accepts all.
_SOURCES: "tuple[Source, ...]" = (
    Dialogue(),
    Markdown(),
    Rst(),
    AsciiDoc(),
    Org(),
    Html(),
    Notebook(),
    Table(),
    Pdf(),
    Docx(),
    Code(),
    ClaudeCode(),
    Codex(),
    OpenClaw(),
    Gemini(),
    OpenCode(),
    ChatGpt(),
    ClaudeAi(),
    Conversation(),
    Plain(),
)
# The names of the readers, which no reader of a package may have.
NAMES = frozenset(source.name for source in _SOURCES)


def source_for(material: "Material", before: "Iterable[Source]" = ()) -> "Source":
    """The reader of a file, by its suffix and content; those given `before` are asked first."""
    return next(source for source in (*before, *_SOURCES) if source.accepts(material))
