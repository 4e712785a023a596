"""``bower learn``: make memories of what recorded sessions teach.

Reads the sessions that agents record (Claude Code, Codex, Gemini CLI, OpenClaw, OpenCode), those that
hooks recorded, and archives of `bower rescue`: the oldest first, each session once, or again after it
was continued. It learns standing instructions of the user, errors with their cures, causes and
decisions found by successful work, the commands that build, test and lint the project, and where
things are. A session yields at most three memories; twenty if its tests passed or a commit was made.
`bower get ID --evidence` shows the sessions and lines behind a memory, which belongs to the session's
project. Memories from after the session read external text are quarantined, and uncertain ones await
review: `bower review`.

With a language model (llm.provider) each session is then read once more, for what the rules do not see;
what the model proposes is checked against the lines that it quotes, and waits for review. Without PATH
only what still waits for the model is read.

Hooks do the same when a session ends, unless the setting agent.learn is off.
"""

from bowerbird.core.clock import day
from bowerbird.core.errors import BadInput, StoreMissing
from bowerbird.core.learned import SORTS, Learned
from bowerbird.core.types import DIGEST
from bowerbird.surfaces.fields import TYPED, Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird

EXAMPLES = (
    ("bower learn ~/.claude/projects --dry-run", "what would be learned, and why"),
    ("bower learn ~/.claude/projects", "learn it"),
    ("bower learn ~/.claude/projects --format json", "with lines and counts"),
    ("bower learn", "let the language model read what waits for it"),
)
VERB = Verb(
    "learn",
    "Learn memories from recorded sessions",
    (
        Field(
            "paths", "texts", "transcripts, or folders of them",
            default=(), interfaces=(TYPED,), option=("PATH",), words="*", whole=True,
        ),
        Field(
            "dry_run", "flag", "only show what would be proposed", default=False, interfaces=(TYPED,),
        ),
        Field(
            "sort", "text", "what sort of sessions they are, which says when and how much they may give;"
            " else that is found out", choices=SORTS, interfaces=(TYPED,),
        ),
    ),
    Learned,
    "write",
    group="Keep",
    order=8,
    slow=True,
)  # fmt: skip


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Learned:
    """Read them; then a language model reads what waits for it, if there is one."""
    paths, dry_run = given.get("paths") or (), given.get("dry_run", False)
    if not paths and not bird.admin.setting("llm.provider"):
        raise BadInput(_nothing(bird), "name a transcript, or a folder of them")
    done = Learned()
    if paths:
        done = bird.admin.learn(
            *paths, dry_run=dry_run, sort=given.get("sort") or "", progress=given.get("progress")
        )
    if dry_run:
        return done
    thought = bird.admin.think()
    return done.replace(
        lessons=(*done.lessons, *thought.lessons),
        skipped=(*done.skipped, *thought.skipped),
        pairs=thought.pairs,
    )


def _nothing(bird: "Bowerbird") -> str:
    """Why nothing is left to learn from: no session of this project was recorded, or each was read."""
    try:
        known = bird.list(kinds=(DIGEST,), memories_only=True, limit=1, total=True)
    except StoreMissing:
        return "there is nothing to learn from"
    if not known:
        return "there is nothing to learn from"
    last = day(known[0].created)
    number = known.total or len(known)
    which = "the session" if number == 1 else f"each of {number} sessions"
    return f"{which} recorded here was learned from already, the last one of {last}"
