"""``bower learn``: make memories of what recorded sessions teach.

Reads what agents record of their sessions (Claude Code, Codex, Gemini CLI, OpenClaw, OpenCode), what
hooks recorded, and archives of `bower rescue`: the oldest first, each session once; one that went on
since is read again. What is learned: what somebody told the agent to do for good, errors with what cured
them, what successful work found to be the cause or decided, the commands that build, test and lint the
project, and where things are. A session gives three memories at most; twenty, where its tests passed or a
commit landed. `bower get ID --evidence` shows from which sessions and lines one comes, and it belongs to
the project that the session was held in. What a session did after it had read what outsiders
wrote waits in quarantine, and what is not sure enough waits to be looked at: `bower review`.

When a session ends, hooks do the same, unless the setting agent.learn is off.
"""

from bowerbird.core.learned import SORTS, Learned
from bowerbird.surfaces import TYPED, Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird

EXAMPLES = (
    ("bower learn ~/.claude/projects --dry-run", "what all sessions would teach, and why"),
    ("bower learn ~/.claude/projects", "learn it"),
    ("bower learn ~/.claude/projects --format json", "with lines and counts"),
)
VERB = Verb(
    "learn",
    "Make memories of what recorded sessions teach",
    (
        Field(
            "paths", "texts", "transcripts, or folders of them",
            needed=True, doors=(TYPED,), option=("PATH",), words="+", whole=True,
        ),
        Field(
            "dry_run", "flag", "only tell what would be proposed", default=False, doors=(TYPED,),
        ),
        Field(
            "sort", "text", "what sort of sessions they are, which says when and how much they may give;"
            " else that is found out", choices=SORTS, doors=(TYPED,),
        ),
    ),
    Learned,
    "write",
    group="Keep",
    order=8,
    slow=True,
)  # fmt: skip


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Learned:
    """Read them."""
    return bird.admin.learn(
        *given["paths"],
        dry_run=given.get("dry_run", False),
        sort=given.get("sort") or "",
        progress=given.get("progress"),
    )
