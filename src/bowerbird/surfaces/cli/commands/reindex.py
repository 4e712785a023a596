"""``bower reindex``: let today's model read what only another one has read, or none.

Needed after embed.provider or embed.model has changed, and after a model's server was away; ``bower
index`` does it too. Until it ends, what was not read is found by its words. Stopped, it goes on from
there the next time. --words builds the word indexes anew from the texts, --all them and every vector:
for what verify or doctor find damaged. Others may ask and write meanwhile.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower reindex", "read the whole store with the model that is set"),
    ("bower reindex --words", "build the word indexes anew from the texts"),
    ("bower reindex --all", "build everything anew that can be made from the texts"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What to build anew beside what was not read yet."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--words", action="store_true", help="the word indexes alone")
    what.add_argument("--all", action="store_true", help="the word indexes and every vector")


def run(call: "Call") -> Outcome:
    """Build anew, a batch at a time."""
    words, every = call.options.words, call.options.all
    data: dict[str, object] = {}
    with call.open() as bird:
        if words or every:
            indexed, unreadable = bird.admin.reindex_words(progress=call.progress())
            data |= {"indexed": indexed, "unreadable": unreadable}
        if not words:
            data["read"] = bird.admin.reindex(again=every, progress=call.progress())
            data["model_used"] = bird.status().model_used
    return Outcome(data, data)
