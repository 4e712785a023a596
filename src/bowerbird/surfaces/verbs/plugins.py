"""``bower plugins``: what other packages add to Bowerbird.

A Python package in the same environment can add sources (readers of files), importers of other memory
tools, embedders, rerankers, methodologies, and adapters for frameworks; docs/EXTENDING.md says how. An
addition is loaded only where a setting or a command names it, and by this list and `bower doctor`, which
report what cannot be loaded. Install one beside Bowerbird: `pip install`, `pipx inject bowerbird`, or
`uv tool install bowerbird --with`.
"""

from bowerbird.core.plugins import Plugins
from bowerbird.surfaces.fields import Bowerbird, Given, Verb

EXAMPLES = (
    ("bower plugins", "what is installed, and how each is used"),
    ("bower plugins --format json", "the same for a program"),
)
VERB = Verb(
    "plugins",
    "List what other packages add",
    (),
    Plugins,
    group="Look after",
    order=10,
    owners=True,
)


def run(bird: Bowerbird, given: Given) -> Plugins:
    """List it."""
    del given
    return bird.admin.plugins()


def exit_code(found: Plugins) -> int:
    """1 where one in use cannot be used."""
    return int(any(one.error and one.chosen for one in found.plugins))
