"""``bower get``: one entry in full.

Ids stand in the answers of query and list; their first characters are enough where they name one
entry alone. A place in an indexed file, as query shows it, gives the passage that holds its first
line; the end of a path is enough. With --history also how a memory came to be what it is.
"""

import re

from bowerbird.core.types import MEMORY
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat import flat_entry
from bowerbird.surfaces.flat_memory import flat_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower get 019a2f6c-81d4-7000", "by the first characters of its id"),
    ("bower get notes/auth.md:12", "the passage that holds a line of a file"),
    ("bower get 019a2f6c-81d4-7000 --format json", "every field"),
    ("bower get 019a2f6c-81d4-7000 --history", "and what became of it"),
)
_ID = re.compile(r"[0-9a-fA-F-]+")
# As places are shown: `notes/auth.md:12-30`.
_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>\d{1,9})(?:-\d+)?)?", re.DOTALL)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The id, and how much of it."""
    parser.add_argument(
        "id",
        metavar="ID|PATH:LINE",
        help="the id or its first characters, at least six; or a place in an indexed file",
    )
    parser.add_argument("--history", action="store_true", help="its versions and changes too")


def run(call: "Call") -> Outcome:
    """Load the entry."""
    with call.open() as bird:
        entry = _found(bird, call.options.id)
        wanted = call.options.history and entry.family == MEMORY
        history = bird.history(entry.id) if wanted else None
    data = flat_entry(entry)
    notes: tuple[str, ...] = ()
    if call.options.history and not wanted:
        notes = ("a passage has no history of its own: it is as its file was indexed",)
    if history is not None:
        data["history"] = flat_history(history)
    return Outcome(data, (entry, history), notes, after=lambda: bird.used([entry.id]))


def _found(bird: "Bowerbird", given: str) -> "Entry":
    """What is named: what could be an id is one, anything else a place."""
    place = None if _ID.fullmatch(given) else _PLACE.fullmatch(given)
    if place is None:
        return bird.get(given)
    return bird.at(place["path"], int(place["line"] or 1))
