"""``bower move``: put memories into another project, or where all projects see them.

They keep their id, history and dates, and `bower revert ID` takes it back. Without ids it moves those of
this project (or of --project) that all options fit. What another memory says there already stays where
it is.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.history import Relocated
from bowerbird.core.types import beside
from bowerbird.surfaces.cli.call import Call
from bowerbird.surfaces.fields import REASON, TYPED, Bowerbird, Field, Given, Notes, Verb
from bowerbird.surfaces.narrowing import FILTERS

EXAMPLES = (
    ("bower move 019a2f6c-81d4-7000 --to global", "one, for all projects"),
    ("bower move --source import --to global", "all that was imported into this project"),
    ("bower move --tag cooking --to home --project global", "from all projects into one"),
)
_CHOOSING = ("kinds", "tags", "sources", "since", "until")
# Memories that are listed at once.
_PAGE = 200
VERB = Verb(
    "move",
    "Put memories into another project",
    (
        Field(
            "ids", "texts", "memories, by id or its first characters",
            default=(), interfaces=(TYPED, "http"), option=("ID",), words="*",
        ),
        Field("to", "text", "the project, or global: for all", needed=True, metavar="NAME"),
        *(one for one in FILTERS if one.name in _CHOOSING),
        REASON.replace(interfaces=(TYPED, "http")),
    ),
    Relocated,
    "write",
    group="Keep",
    order=3,
    route=("POST", "/move"),
    renderer="memory:moved",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Relocated:
    """Move those that were named, or that fit."""
    ids = given.get("ids") or _fitting(bird, given)
    return bird.admin.move(ids, given["to"], reason=given.get("reason", ""))


def notes(done: Relocated, _: Given) -> Notes:
    """That a project was created, whose name may be mistyped."""
    yield from Call.note(done.new_project)


def _fitting(bird: Bowerbird, given: Given) -> list[str]:
    narrowing = {name: given[name] for name in _CHOOSING if given.get(name)}
    if not narrowing:
        raise BadInput("nothing to move", "name memories by id, or by --tag, --kind or --source")
    found: list[str] = []
    offset = 0
    while some := bird.list(memories_only=True, limit=_PAGE, offset=offset, **narrowing):
        found += [one.id for one in some if beside(one.project) == bird.project.uid]
        offset += len(some)
    return found
