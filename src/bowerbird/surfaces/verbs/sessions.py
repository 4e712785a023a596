"""``bower sessions``: the sessions of agents as a time line, the latest first.

Each line is one session: when it ended, how long it took, its branch, what was asked first, and how many
memories it left. The lines come from the digests that learning keeps, of sessions that hooks recorded and
of those that `bower learn` read. `bower session ID --summary` shows one, `bower query "what did we do
yesterday?"` finds them by words and dates.
"""

from bowerbird.core.sessions import Timeline
from bowerbird.surfaces.fields import BOTH, TYPED, Field, Given, Notes, Verb

EXAMPLES = (
    ("bower sessions", "the last sessions of this project"),
    ("bower sessions --all-projects --limit 50", "the last fifty of all projects"),
    ("bower sessions --format json", "with everything that their digests hold"),
)
VERB = Verb(
    "sessions",
    "List the sessions of agents as a time line",
    (
        Field(
            "limit", "whole", "maximum number (default 20)",
            default=20, low=1, high=1_000, interfaces=BOTH, metavar="N", option=("-n", "--limit"),
        ),
        Field(
            "all_projects", "flag", "include every project", default=False, interfaces=(TYPED,),
        ),
    ),
    Timeline,
    group="Ask",
    order=5,
    route=("GET", "/sessions"),
)  # fmt: skip


def notes(found: Timeline, given: Given) -> Notes:
    """How there come to be some."""
    del given
    yield from found.notes
    if not found.sessions:
        yield "hooks record sessions (bower install), and bower learn reads older ones"
