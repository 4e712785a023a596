"""What is injected into an agent's context unasked: entries, and text about its own session."""

from bowerbird.core.value import Record, fresh

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


class Injection(Record):
    """What is injected at an event: `about` is its heading, written by Bowerbird.

    `lines` are about sessions, `items` are entries; `reasons` give by id why an item was selected. `note`
    is an additional remark.
    """

    why: str
    about: str
    items: "tuple[Item, ...]" = ()
    lines: tuple[Line, ...] = ()
    reasons: "dict[str, str]" = fresh(dict)
    note: str = ""

    def __bool__(self) -> bool:
        return bool(self.items or self.lines or self.note)
