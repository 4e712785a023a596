"""``bower revert``: take back the last change of a memory, or go back to a version.

A change is reverted as a whole: reverting a memory that replaced another one restores that one,
reverting a forgotten memory restores it, and reverting a link removes it. So is a verdict in review,
whichever of its memories is named. If another memory was stored by the change, only its effects on this
one are reverted; no other memory is ever forgotten by that.
If other memories change too, the command lists them and asks first; without a terminal, --yes
confirms. A second call reverts the change before; reverting the creation of a memory deletes it, which
a terminal is asked about, and the next call restores it. Nothing is lost: the revert is a version too.
"""

import sys

from bowerbird.core.errors import UsageError
from bowerbird.core.history import Reverted
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.page import cut, emit
from bowerbird.surfaces.fields import (
    BOTH,
    ID,
    ONE_ID,
    REASON,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Tool,
    Verb,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry

# Characters of a memory that a question quotes.
_SHOWN = 100

EXAMPLES = (
    ("bower revert 019a2f6c-81d4-7000", "the last change still in force"),
    ("bower revert 019a2f6c-81d4-7000 --to 019a2f6a-07c1", "to a version that history shows"),
)
VERB = Verb(
    "revert",
    "Revert the last change of a memory",
    (
        ONE_ID,
        Field(
            "to", "text", "the version to restore; default: the last change is reverted",
            pattern=ID, interfaces=BOTH, metavar="VERSION",
        ),
        Field(
            "yes", "flag", "confirm changes of other memories without being asked",
            default=False, interfaces=(TYPED,),
        ),
        REASON,
    ),
    Reverted,
    "write",
    group="Keep",
    order=4,
    route=("POST", "/revert"),
    tool=Tool(
        "memory_revert",
        "Undo",
        "Undo the last change of a memory that is still in force: forgetting it, or storing what replaced"
        " it. Called again, it undoes the change before.",
        always=("id", "state", "reason", "memories"),
        destroys=True,
        repeatable=False,
    ),
    renderer="memory:reverted",
    by_words="id",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Reverted:
    """Take it back."""
    return bird.revert(given["id"], given.get("to"), reason=given.get("reason", ""))


def command(call: Call) -> Outcome:
    """Take it back, once whoever sits there agrees to what becomes of others."""
    given = call.given(VERB)
    with call.open(writes=True) as bird:
        given = call.identified(bird, sys.modules[__name__], given)
        if not given.get("yes"):
            rehearsed = bird.revert(given["id"], given.get("to"), dry_run=True)
            _ask(rehearsed.others)
            if rehearsed.state == "deleted" and not rehearsed.others and _on_terminal():
                _ask_to_delete(bird.get(given["id"]))
        done = run(bird, given)
    return Outcome(done)


def _ask(others: tuple[str, ...]) -> None:
    """Go on only if whoever asks agrees to what becomes of other memories. Raises UsageError."""
    if not others:
        return
    if not _on_terminal():
        changed = "; ".join(others)
        raise UsageError(
            f"it concerns other memories, too, so nothing was changed: {changed}",
            "agree to it: --yes",
        )
    listed = "".join(f"  {line}\n" for line in others)
    _agree(f"This concerns other memories, too:\n{listed}Revert it? [y/N] ")


def _ask_to_delete(entry: "Entry") -> None:
    """Go on only if whoever sits at the terminal agrees to delete the memory. Raises UsageError."""
    text = cut(entry.text, _SHOWN)
    _agree(f"No change is left but its creation, so this deletes it:\n  {text}\nDelete it? [y/N] ")


def _agree(question: str) -> None:
    emit(sys.stderr, question)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was changed", "answer y, or write --yes")


def _on_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
