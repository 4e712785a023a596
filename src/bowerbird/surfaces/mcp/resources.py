"""Memory as resources: one entry by its id, and the newest memories."""

import re

from bowerbird.core.errors import NotFound
from bowerbird.core.ids import id_prefix
from bowerbird.core.recalled import item_of
from bowerbird.surfaces.fields import ID
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.answer import Result, answer, recall
from bowerbird.surfaces.verbs import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.bird import Bowerbird
    from bowerbird.core.who import Who

_ENTRY = catalogue.ENTRY.removesuffix("{id}")
# Number of memories in the list of the newest.
_NEWEST = 20


def read(
    bird: "Bowerbird", who: "Who", uri: str, say: "Callable[[str], str]"
) -> tuple[Result, list[str]]:
    """The content of a resource and the ids of its entries; `say` words advice.

    Raises NotFound.
    """
    if uri == catalogue.RECENT:
        newest = bird.list(memories_only=True, coming=False, all_projects=who.wide, limit=_NEWEST)
        items = [item_of(entry, entry.text) for entry in newest]
        found = recall(items, "The newest first.", {}, ranked=False)
        return found, [entry.id for entry in newest]
    if uri == catalogue.ONBOARDING:
        items = [item_of(entry, entry.text) for entry in bird.onboarding()]
        return recall(items, "The best first.", {}, ranked=False), []
    id = id_prefix(uri.removeprefix(_ENTRY)) if uri.startswith(_ENTRY) else ""
    if re.fullmatch(ID, id):
        shown = get.run(bird, {"id": id})
        return answer(get.VERB, shown, say), get.used(shown)
    known = f"{catalogue.RECENT}, {catalogue.ONBOARDING} and {catalogue.ENTRY}"
    raise NotFound(f"no resource {uri}", f"there are {known}")
