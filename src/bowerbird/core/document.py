"""Documents: files as they are indexed, with their pieces, on their way into the store."""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.outline import Outline
    from bowerbird.core.types import Vector


class Piece(Record):
    """A passage before it is stored: lines are 1-based and inclusive.

    `trust` limits it below that of its document; empty: it does not.
    """

    text: str
    start_line: int
    end_line: int
    context: str = ""
    speaker: str = ""
    occurred: int | None = None
    trust: str = ""


class Document(Record):
    """An indexed file. `source` names its reader, `hash` its content, `session` its conversation.

    `name` is the part of the path whose words find it, `tags` are what it says that it is about, in
    their normal form, `outline` what source code says of itself.
    """

    path: str
    name: str
    source: str
    hash: bytes
    size: int
    modified: int
    title: str = ""
    session: str = ""
    tags: tuple[str, ...] = ()
    outline: "Outline | None" = None


class Incoming(Record):
    """A document on its way into the store: its pieces with their vectors, and its trust.

    `project` is the store's own number of the project.
    """

    project: int
    document: Document
    pieces: "Sequence[Piece]"
    vectors: "Sequence[Vector]"
    origin: str
    trust: str
