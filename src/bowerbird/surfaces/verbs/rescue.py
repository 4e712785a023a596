"""``bower rescue``: keep the transcripts that agents delete.

Agents delete the transcripts of old sessions: Claude Code after 30 days, unless its setting
cleanupPeriodDays says otherwise. This archives those of Claude Code, Codex, Gemini CLI and
OpenClaw, compressed, each under the path that it had, in `rescued` in your data folder. Secrets are
taken out. Only what is new or was changed is written, and what the agent has deleted stays. `bower
index` reads the archive like the files themselves, and a transcript that it holds twice counts once. With
hooks it is done by itself, once a day as a session ends.
"""

from bowerbird.core.rescued import Rescued
from bowerbird.surfaces import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower rescue", "archive what is new"),
    ("bower rescue --daily", "unless that was done less than a day ago"),
)
VERB = Verb(
    "rescue",
    "Archive the transcripts that agents are going to delete",
    (
        Field(
            "daily", "flag", "do nothing if it was done less than a day ago",
            default=False,
        ),
    ),
    Rescued,
    group="Keep",
    order=9,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Rescued:
    """Archive them."""
    return bird.admin.rescue(daily=given.get("daily", False))
