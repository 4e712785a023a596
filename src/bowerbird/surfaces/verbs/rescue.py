"""``bower rescue``: keep the transcripts that agents delete.

Agents delete the transcripts of old sessions: Claude Code after 30 days, unless its setting
cleanupPeriodDays differs. This command archives those of Claude Code, Codex, Gemini CLI and OpenClaw,
compressed and with secrets removed, each under its original path, in `rescued` in your data folder.
It writes only new and changed transcripts, and keeps those that the agent has deleted. `bower index`
reads the archive like the original files, and counts a transcript in both places once. Hooks run it
once a day, when a session ends.
"""

from bowerbird.core.rescued import Rescued
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower rescue", "archive new and changed transcripts"),
    ("bower rescue --dry-run", "only show how many"),
    ("bower rescue --daily", "unless it ran less than a day ago"),
)
VERB = Verb(
    "rescue",
    "Archive the transcripts that agents are about to delete",
    (
        Field(
            "daily", "flag", "do nothing if it ran less than a day ago",
            default=False,
        ),
        Field("dry_run", "flag", "only show what would be archived", default=False),
    ),
    Rescued,
    group="Keep",
    order=9,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Rescued:
    """Archive them."""
    return bird.admin.rescue(daily=given.get("daily", False), dry_run=given.get("dry_run", False))
