"""What is injected into an agent's context unasked: entries, and text about its own session."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.packs import Item

# Why something is put before an agent.
START, PROMPT, FILE, COMPACTION = "start", "prompt", "file", "compaction"
CURE, NOTES, SEARCH = "cure", "notes", "search"


class Line(Value):
    """Something of a session by itself: what was said or left open, by whom, in few words."""

    __slots__ = ("speaker", "text")

    def __init__(self, speaker: str, text: str) -> None:
        self.speaker = speaker
        self.text = text


class Injection(Value):
    """What an agent is given at an event: `about` says in our words what it is.

    `lines` are of sessions, `items` of the store; `reasons` say by id why an item is among them. `note`
    is what we have to say besides.
    """

    __slots__ = ("about", "items", "lines", "note", "reasons", "why")

    def __init__(
        self,
        why: str,
        about: str,
        items: "tuple[Item, ...]" = (),
        lines: tuple[Line, ...] = (),
        reasons: "dict[str, str] | None" = None,
        note: str = "",
    ) -> None:
        self.note = note
        self.why = why
        self.about = about
        self.items = items
        self.lines = lines
        self.reasons = reasons or {}

    def __bool__(self) -> bool:
        return bool(self.items or self.lines or self.note)
