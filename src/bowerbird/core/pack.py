"""What memory hands over for a task, packed into a budget of tokens.

Times are UTC milliseconds, tokens as core.text counts them.
"""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.trace import Trace


class Item(Value):
    """One memory or passage of a pack.

    `text` is what is handed over and may be cut; `citation` is where the whole stands: file and
    lines, or the kind and the id for `get`. `tokens` count the text.
    """

    __slots__ = (
        "citation",
        "created",
        "id",
        "kind",
        "path",
        "relevance",
        "speaker",
        "text",
        "tokens",
        "trust",
    )

    def __init__(
        self,
        id: str,
        kind: str,
        text: str,
        tokens: int,
        citation: str,
        relevance: float,
        trust: str,
        created: int,
        path: str | None = None,
        speaker: str = "",
    ) -> None:
        self.id = id
        self.kind = kind
        self.text = text
        self.tokens = tokens
        self.citation = citation
        self.relevance = relevance
        self.trust = trust
        self.created = created
        self.path = path
        self.speaker = speaker


class Pack(Value):
    """The context for a task: items of one file stand together, the most relevant file first.

    `spent` of `budget` tokens are used. An empty pack says that nothing relevant is known.
    """

    __slots__ = ("budget", "items", "phase", "task", "took_ms", "trace")

    def __init__(
        self,
        task: str,
        items: tuple[Item, ...],
        budget: int,
        phase: str | None,
        took_ms: float,
        trace: "Trace",
    ) -> None:
        self.task = task
        self.items = items
        self.budget = budget
        self.phase = phase
        self.took_ms = took_ms
        self.trace = trace

    @property
    def spent(self) -> int:
        """The tokens of all items' texts."""
        return sum(item.tokens for item in self.items)

    def __iter__(self) -> "Iterator[Item]":
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
