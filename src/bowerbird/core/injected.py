"""What is injected into an agent's context unasked: entries, and text about its own session."""

from bowerbird.core.value import Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.packs import Item

# The occasions of an injection.
START = "start"
PROMPT = "prompt"
FILE = "file"
COMPACTION = "compaction"
CURE = "cure"
NOTES = "notes"
SEARCH = "search"
# The reason of an item that was learned from what the user typed and is shown for the first time.
LEARNED_FROM_USER = "learned from you"


class Line(Record):
    """A statement about a session itself: what was said or left open, and by whom."""

    speaker: str
    text: str


class Injection(Value):
    """What is injected at an event: `about` is its heading, written by Bowerbird.

    `lines` are about sessions, `items` are entries; `reasons` give by id why an item was selected. `note`
    is an additional remark.
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
