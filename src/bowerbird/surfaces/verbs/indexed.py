"""How far a server has come with taking in its folders."""

from bowerbird.core.runs import Run
from bowerbird.surfaces.fields import FAR, Field, Given, Indexing, Verb

VERB = Verb(
    "indexed",
    "Show how far taking in folders has come, and what came of it",
    (
        Field(
            "run", "whole", "its number; without it the one under way, or the last",
            low=1, high=FAR,
        ),
        Field(
            "wait", "number", "seconds to wait until it is done",
            default=0, low=0, high=25,
        ),
    ),
    Run,
    "after",
    route=("GET", "/index"),
    reach="",
    owners=True,
)  # fmt: skip


def served(indexing: Indexing, given: Given) -> Run:
    """The run, once it is done or the time is over."""
    run: Run = indexing.run(given.get("run"))
    indexing.wait(run, given["wait"])
    return run
