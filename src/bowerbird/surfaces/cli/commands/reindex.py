"""``bower reindex``: let today's model read what only another one has read, or none.

Needed after embed.provider or embed.model has changed, and after a model's server was away; ``bower
index`` does it too. Until it ends, what was not read is found by its words. Stopped, it goes on from
there the next time.
"""

from bowerbird.surfaces.cli.call import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (("bower reindex", "read the whole store with the model that is set"),)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """Nothing but what every command takes."""


def run(call: "Call") -> Outcome:
    """Read, a batch at a time."""
    with call.open() as bird:
        read = bird.admin.reindex(progress=call.progress())
        model = bird.status().model_used
    return Outcome({"read": read, "model_used": model}, (read, model))
