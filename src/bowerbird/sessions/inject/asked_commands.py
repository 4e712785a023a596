"""What a person said of the command of a task that a prompt names: of "run the tests" how they are run.

Such a prompt and "specs run with bin/rspec" share no word, and nothing else tells a rule that a start had
no room for. Pure.
"""

from bowerbird.core.origins import TAUGHT
from bowerbird.sessions.inject.selection import is_tentative, trusted
from bowerbird.sessions.learn.commands import purpose_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.selection import Sure

_LISTED = 40
_MOST = 2
_MARKS = ".,;:!?`'\"()"


def of_commands(
    memory: "Recall", purposes: "frozenset[str]", seen: "Collection[str]", sure: "Sure"
) -> "list[Entry]":
    """Return the newest of a person's own words that name a command of one of some purposes."""
    stated = memory.list(
        kinds=(),
        sources=(TAUGHT,),
        memories_only=True,
        min_trust="normal",
        coming=False,
        limit=_LISTED,
    )
    found = (one for one in stated if one.id not in seen and not purposes.isdisjoint(_of(one.text)))
    return [one for one in found if trusted(one) and sure(one) and not is_tentative(one)][:_MOST]


def _of(text: str) -> "set[str]":
    """Return the purposes of the commands that a sentence names: `bin/rspec`, "make lint"."""
    bare = [one.strip(_MARKS).rpartition("/")[2] for one in text.split()]
    return {
        purpose_of(f"{one} {behind}") for one, behind in zip(bare, [*bare[1:], ""], strict=True)
    }
