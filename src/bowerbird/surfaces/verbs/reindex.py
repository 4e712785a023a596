"""``bower reindex``: let today's model read what only another one has read, or none.

Needed after embed.provider or embed.model has changed, and after a model's server was away; `bower
index` does it too. Until it ends, what was not read is found by its words. Stopped, it goes on from
there the next time. --words builds the word indexes anew from the texts, --all them and every vector:
for what verify or doctor find damaged. Others may ask and write meanwhile.
"""

from bowerbird.core.health import Reread
from bowerbird.surfaces import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower reindex", "read the whole store with the model that is set"),
    ("bower reindex --words", "build the word indexes anew from the texts"),
    ("bower reindex --all", "build everything anew that can be made from the texts"),
)


def _what(name: str, meaning: str) -> Field:
    return Field(name, "flag", meaning, default=False, doors=(TYPED,), apart="what")


VERB = Verb(
    "reindex",
    "Let today's model read what it has not read yet",
    (
        _what("words", "the word indexes alone"),
        _what("all", "the word indexes and every vector"),
    ),
    Reread,
    "anew",
    group="Look after",
    order=8,
    renderer="upkeep:reindex",
    route=("POST", "/reindex"),
    reach="",
    slow=True,
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
