"""The phase that is meant by a name: one of ours, or of the methodology that the settings choose."""

from bowerbird.core.errors import BadConfig
from bowerbird.core.methodologies import GROUP, NAME, OURS, UNKNOWN, Methodology
from bowerbird.core.phases import PHASES, declare, phase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config


def phase_named(config: "Config", name: str) -> str:
    """The name by which core.phases knows it. Raises UnknownName and BadConfig.

    A phase that a chosen methodology does not know is one of finding one's way.
    """
    chosen = config["agent.methodology"]
    known, _, own_name = name.partition(":")
    if name in PHASES or chosen == NAME or (own_name and known == chosen):
        return phase(name).name
    own = _methodology(chosen).phase(name)
    return UNKNOWN if own is None else declare(chosen, own)


def _methodology(name: str) -> Methodology:
    if name in OURS:
        return OURS[name]
    from importlib.metadata import entry_points

    known = {one.name: one for one in entry_points(group=GROUP)}
    found = known[name].load() if name in known else None
    if not isinstance(found, Methodology):
        there = ", ".join(sorted({*OURS, *known}))
        raise BadConfig(f"there is no methodology {name!r}", f"set agent.methodology to: {there}")
    return found
