"""``bower impact``: what breaks if a file or a symbol changes, or what it needs.

A target is a file, file:symbol, or a symbol; or with --diff whatever changed since a commit. Dependents
are sorted by distance, then by the strength of the dependency, with the path to each, the tests that
reach it, and the memories that mention it. Files that changed since they were indexed are listed, and
their dependencies are left out.
"""

from bowerbird.core.graph import DEPENDENCIES, DEPENDENTS, Impact
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import (
    CODE_BUDGET,
    EVERYWHERE,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Tool,
    Verb,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call, Outcome

EXAMPLES = (
    ("bower impact src/auth.py", "what depends on a file"),
    ("bower impact src/auth.py:verify --depth 5", "on a function in it, more steps away"),
    ("bower impact Store.open --tests", "the tests that reach a method"),
    ("bower impact Store.open --direction dependencies", "what it depends on"),
    ("bower impact --diff HEAD", "what depends on your changes, and the tests to run"),
    ("bower impact --diff main..topic --tests", "the tests of a branch's changes"),
    ("bower impact verify --picture html > verify.html", "as a picture that needs no network"),
)
VERB = Verb(
    "impact",
    "Show what breaks if a file or a symbol changes",
    (
        Field(
            "target", "text", "a file, file:symbol, or a symbol such as Store.open", default="",
            high=1_000, interfaces=EVERYWHERE, option=("TARGET",), words="?",
        ),
        Field(
            "diff", "text", "instead of a target, what changed since a commit or branch, or from a..b",
            low=1, high=200, interfaces=EVERYWHERE, metavar="COMMIT",
        ),
        Field(
            "direction", "text", "what depends on it, or what it depends on", default=DEPENDENTS,
            choices=(DEPENDENTS, DEPENDENCIES), interfaces=EVERYWHERE,
        ),
        Field(
            "depth", "whole", "maximum number of steps (default 3)", default=3, low=1, high=10,
            interfaces=EVERYWHERE, metavar="N", tool="max_depth",
        ),
        Field("tests", "flag", "only tests", default=False, interfaces=EVERYWHERE),
        Field(
            "limit", "whole", "maximum number (default 500)", default=500, low=1, high=2_000,
            interfaces=EVERYWHERE, metavar="N", option=("-n", "--limit"),
        ),
        Field(
            "picture", "text", "as a picture instead: for Mermaid, Graphviz, or a self-contained page",
            choices=("mermaid", "dot", "html"), interfaces=(TYPED,),
        ),
    ),
    Impact,
    group="Ask",
    order=5,
    route=("GET", "/impact"),
    tool=Tool(
        "memory_impact",
        "See what a change touches",
        "Before changing a file, function or class: what depends on it, by how many steps, which tests"
        " reach it and which memories mention it. Read from the indexed code.",
        always=("target", "direction"),
        budget=CODE_BUDGET,
    ),
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Impact:
    """Follow the edges."""
    return bird.impact(**given)


def command(call: "Call") -> "Outcome":
    """Follow them, and draw what was found where a picture is asked for."""
    outcome: Outcome = load("pictures").drawn(call, VERB, run)
    return outcome
