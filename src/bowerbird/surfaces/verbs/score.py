"""``bower score``: one number for how well memory does, and the formula that gives it.

Five shares are weighted: of injected memories those that nobody corrected (30 days); of memories about
files those that still match; of what asked for review what was decided (90 days); of sessions that were
injected memories those that used one; of modules worked on in two sessions those with a memory that a
person has seen. A share of too few is left out and its weight shared out. Deleting never raises the
score. The weights are ours, and not measured against corrections yet.
"""

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.health import PROBLEM
from bowerbird.core.overview import Score
from bowerbird.surfaces.fields import Bowerbird, Given, Verb

EXAMPLES = (("bower score", "the score, its parts, and what would move it"),)
VERB = Verb(
    "score",
    "Show how well memory does, as a number with its formula",
    (),
    Score,
    group="Look after",
    order=1,
    route=("GET", "/health-score"),
    reach="project",
    renderer="overview:score",
)


def run(bird: Bowerbird, given: Given) -> Score:
    """Judge it; what stops the memory from working replaces the number."""
    del given
    found = bird.score()
    if not bird.owned:
        return found
    try:
        examined = bird.admin.doctor()
    except BowerbirdError:
        return found
    problem = next((one for one in examined if one.level == PROBLEM), None)
    if problem is None:
        return found
    return found.replace(score=None, problem=f"{problem.found}: {problem.remedy}")
