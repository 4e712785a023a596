"""``bower reindex``: let today's model read what only another one has read, or none.

Needed after embed.provider or embed.model has changed, and after a model's server was unavailable;
`bower index` does it too. Until it ends, entries without a vector are found by their words. An
interrupted run is resumed by the next one. --words rebuilds the word indexes from the texts, --all
also every vector, to repair what verify or doctor find damaged. Other processes can read and write
meanwhile.
"""

from bowerbird.core.health import Reread
from bowerbird.surfaces.fields import ADMIN, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower reindex", "embed the whole store with the configured model"),
    ("bower reindex --words", "rebuild the word indexes from the texts"),
    ("bower reindex --all", "rebuild everything derived from the texts"),
)


def _what(name: str, meaning: str) -> Field:
    return Field(name, "flag", meaning, default=False, interfaces=(TYPED,), apart="what")


VERB = Verb(
    "reindex",
    "Embed what the current model has not read yet",
    (_what("words", "only the word indexes"), _what("all", "the word indexes and every vector")),
    Reread,
    "rebuild",
    group="Look after",
    order=8,
    renderer="upkeep:reindex",
    route=("POST", "/reindex"),
    reach="",
    slow=True,
    role=ADMIN,
)


def run(bird: Bowerbird, given: Given) -> Reread:
    """Build anew, a batch at a time."""
    words, every, progress = (given.get(name) for name in ("words", "all", "progress"))
    indexed, unreadable = (
        bird.admin.reindex_words(progress=progress) if words or every else (None, None)
    )
    if words:
        return Reread(indexed=indexed, unreadable=unreadable)
    read = bird.admin.reindex(again=bool(every), progress=progress)
    return Reread(read, bird.status().model_used, indexed, unreadable)
