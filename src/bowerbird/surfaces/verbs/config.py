"""``bower config``: the effective settings, and where each was set.

Settings come from options, from variables such as BOWER_QUERY_LIMIT, from a project's .bowerbird.toml,
and from your own configuration file, which the first line names; create it to change one. --changed
shows only those that differ from the default.
"""

from bowerbird.core.config import Effective
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower config", "every setting, its value and its meaning"),
    ("bower config --changed", "only what was changed"),
)
VERB = Verb(
    "config",
    "Show the settings and the configuration file",
    (
        Field(
            "changed", "flag", "only settings that differ from the default", default=False,
        ),
    ),
    Effective,
    group="Look after",
    order=3,
    route=("GET", "/settings"),
    reach="",
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Effective:
    """Show them."""
    return bird.admin.settings(changed=given.get("changed", False))
