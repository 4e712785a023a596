"""Resolves the name of a phase: a built-in one, or one of the configured methodology."""

from bowerbird.core.errors import BadConfig
from bowerbird.core.methodologies import GROUP, NAME, OURS, UNKNOWN, Methodology
from bowerbird.core.phases import MOST_WEIGHT, PHASES, declare, phase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config

_WEIGHTS = "agent.phase_weights"
# Prefix of the name of a phase whose weights the user configured.
_CHOSEN = "own"


def phase_named(config: "Config", name: str) -> str:
    """The name of a phase in core.phases. Raises UnknownName and BadConfig.

    A phase that the configured methodology does not define counts as `explore`.
    """
    chosen = config["agent.methodology"]
    known, _, own_name = name.partition(":")
    if name in PHASES or chosen == NAME or (own_name and known == chosen):
        return _weighed(config, phase(name).name)
    own = methodology(config).phase(name)
    return _weighed(config, UNKNOWN if own is None else declare(chosen, own))


def _weighed(config: "Config", name: str) -> str:
    """The phase with the weights of the settings applied. Raises BadConfig."""
    own = chosen_weights(config).get(name)
    if not own:
        return name
    known = phase(name)
    return declare(_CHOSEN, known.replace(weights={**known.weights, **own}))


def chosen_weights(config: "Config") -> dict[str, dict[str, float]]:
    """The weights in agent.phase_weights, by phase and kind. Raises BadConfig."""
    found: dict[str, dict[str, float]] = {}
    for part in filter(None, map(str.strip, config[_WEIGHTS].split(","))):
        where, _, value = part.partition("=")
        name, _, kind = where.strip().rpartition(".")
        if not (name in PHASES or ":" in name) or not _is_weight(value):
            wanted = f"phase.kind=weight by commas, 0 to {MOST_WEIGHT:g}: implement.gotcha=1.75"
            raise BadConfig(f"{_WEIGHTS} holds {part!r}", f"write {wanted}")
        found.setdefault(name, {})[kind] = float(value)
    return found


def _is_weight(value: str) -> bool:
    try:
        return 0 <= float(value) <= MOST_WEIGHT
    except ValueError:
        return False


def methodology(config: "Config") -> Methodology:
    """The configured methodology. Raises BadConfig."""
    name = config["agent.methodology"]
    if name in OURS:
        return OURS[name]
    from importlib.metadata import entry_points

    known = {one.name: one for one in entry_points(group=GROUP)}
    found = known[name].load() if name in known else None
    if not isinstance(found, Methodology):
        there = ", ".join(sorted({*OURS, *known}))
        raise BadConfig(f"there is no methodology {name!r}", f"set agent.methodology to: {there}")
    return found
