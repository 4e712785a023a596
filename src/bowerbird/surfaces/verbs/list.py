"""``bower list``: entries, newest first, or in another order.

Without a filter it lists memories and indexed passages of this folder's project and global ones.
Options that apply to memories only exclude passages.
"""

from bowerbird.core.answers import SORTS, Listed
from bowerbird.core.errors import BadInput
from bowerbird.core.types import ALIVE
from bowerbird.surfaces.fields import (
    EVERYWHERE,
    HTTP,
    MCP,
    NAME,
    Bowerbird,
    Field,
    Given,
    Notes,
    Tool,
    Verb,
)
from bowerbird.surfaces.narrowing import FILTERS, with_real_path

EXAMPLES = (
    ("bower list --memories", "memories, without passages of files"),
    ("bower list --kind decision --since 3mo", "this quarter's decisions"),
    ("bower list --state quarantined", "quarantined memories, which await review"),
    ("bower list --path incidents --limit 50", "passages of some files"),
    ("bower list --memories --sort fading --total", "the most faded first, and how many there are"),
)
_SHAPE = "shape of the answer"
VERB = Verb(
    "list",
    "List entries, newest first or in another order",
    (
        *FILTERS,
        Field(
            "limit", "whole", "maximum number (default 20)",
            default=20, low=1, high=200, metavar="N", group=_SHAPE, option=("-n", "--limit"),
            interfaces=EVERYWHERE,
        ),
        Field(
            "offset", "whole", "skip the first N",
            default=0, low=0, high=1_000_000, metavar="N", group=_SHAPE,
        ),
        Field(
            "sort", "text", "by time; memories also by stated or faded confidence, or by uses",
            default=SORTS[0], choices=SORTS, metavar="BY", group=_SHAPE,
        ),
        Field(
            "after", "text", "go on after the page whose `next` this is", default="", high=NAME,
            metavar="NEXT", group=_SHAPE,
        ),
        Field("total", "flag", "also count all that pass", default=False, group=_SHAPE),
        Field(
            "memories_only", "flag", "false: passages of files, too", default=True, interfaces=(MCP,),
            tool="memories",
        ),
        Field(
            "shape", "text", "entries in full, or a row each", default="full",
            choices=("full", "row"), interfaces=(HTTP,),
        ),
    ),
    Listed,
    group="Ask",
    order=4,
    route=("GET", "/list"),
    tool=Tool(
        "memory_list",
        "List memories",
        "List memories, newest first: what was kept lately, of a type, or what held on a day. For a"
        " question use memory_search.",
        always=("notice", "entries"),
    ),
    renderer="entries",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Listed:
    """List them."""
    about = dict(given)
    shape = about.pop("shape", "full")
    if about.get("needs_review"):
        # Most of what waits is quarantined.
        about.setdefault("states", ALIVE)
    return Listed(bird.list(**about), shape)


def beyond(bird: Bowerbird, found: Listed, given: Given) -> Listed:
    """Count what other projects hold of it, if this one holds nothing."""
    wide = given.get("all_projects") or given.get("after") or given.get("offset")
    if found.entries or wide or any(note.kind == "missing" for note in found.entries.notes):
        return found
    there = run(bird, given | {"all_projects": True, "limit": 1, "total": True})
    return found.replace(beyond=there.total or 0)


def typed(given: Given) -> Given:
    """What was typed. Raises BadInput by the names that were typed."""
    if given.get("limit", 1) < 1 or given.get("offset", 0) < 0:
        raise BadInput("--limit and --offset count entries", "give --limit 1 or more")
    return with_real_path(given)


def notes(found: Listed, given: Given) -> Notes:
    """What is to be said of them, and how there come to be some."""
    yield from found.entries.notes
    missing = any(note.kind == "missing" for note in found.entries.notes)
    if found.total is not None:
        yield f"{found.total:,} in all" + (f"; go on: --after '{found.next}'" if found.next else "")
    elif found.next:
        yield f"go on: --after '{found.next}'"
    if found.beyond:
        yield f"other projects hold {found.beyond:,}; see them with: --all-projects"
    elif not found.entries and (missing or not given.keys() - {"limit", "all_projects"}):
        yield "bower index and bower remember store some"
