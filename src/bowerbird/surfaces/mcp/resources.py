"""Memory as resources: one entry by its id, and the newest memories."""

from bowerbird.core.errors import NotFound
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.answer import Answer, recall
from bowerbird.surfaces.mcp.tools import get
from bowerbird.surfaces.recalled import item_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.bird import Bowerbird
    from bowerbird.core.who import Who

_ENTRY = catalogue.ENTRY.removesuffix("{id}")
# Memories in the list of the newest.
_NEWEST = 20


def read(bird: "Bowerbird", who: "Who", uri: str) -> Answer:
    """What a resource holds. Raises NotFound."""
    if uri == catalogue.RECENT:
        newest = bird.list(memories_only=True, all_projects=who.wide, limit=_NEWEST)
        items = [item_of(entry, entry.text) for entry in newest]
        return recall(items, "The newest first.", {}, ranked=False)
    if uri.startswith(_ENTRY):
        return get(bird, who, {"id": uri.removeprefix(_ENTRY)})
    raise NotFound(f"no resource {uri}", f"there are {catalogue.RECENT} and {catalogue.ENTRY}")
