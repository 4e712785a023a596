"""Resolves the name of a phase: built-in, or of the configured methodology; with the weights in use."""

from bowerbird.core.config import setting
from bowerbird.core.errors import BadConfig, PluginFailed
from bowerbird.core.methodologies import NAME, OURS, UNKNOWN, Methodology
from bowerbird.core.phases import MOST_WEIGHT, PHASES, phase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.phases import Phase

_CHOICE = "agent.methodology"
_WEIGHTS = "agent.phase_weights"


def phase_named(config: "Config", name: str) -> "Phase":
    """A phase, with the weights of the settings. Raises UnknownName and BadConfig.

    One of the configured methodology may be named with it, as answers do. A phase that it does not
    define counts as `explore`.
    """
    found, chosen = PHASES.get(name), config[_CHOICE]
    if found is None and chosen != NAME:
        own = methodology(config).phase(name.removeprefix(f"{chosen}:"))
        found = phase(UNKNOWN) if own is None else own.replace(name=f"{chosen}:{own.name}")
    found = found or phase(name)
    weights = chosen_weights(config).get(found.name)
    return found.replace(weights={**found.weights, **weights}) if weights else found


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
    """The configured methodology. Raises BadConfig if no installed package has it."""
    name = config[_CHOICE]
    if name in OURS:
        return OURS[name]
    from bowerbird.core.plugins import METHODOLOGIES
    from bowerbird.host.plugins import made, names

    known = names(METHODOLOGIES)
    try:
        found: Methodology | None = made(METHODOLOGIES, name, has=Methodology.__slots__)
    except PluginFailed as error:
        why = error.message
    else:
        if found is not None:
            return found
        why = f"the methodology {name!r} is not installed"
    there = ", ".join(sorted({*OURS, *known} - {name}))
    place = config.set_by(_CHOICE)
    where = f" in {place}" if place.endswith(".toml") else ""
    what = setting(_CHOICE).variable if place == setting(_CHOICE).variable else _CHOICE
    remedy = f"install its package, or set {what}{where} to one of: {there}"
    raise BadConfig(why, remedy)


def methodology_or_native(config: "Config") -> Methodology:
    """The configured methodology; NATIVE if no installed package has it, which `doctor` reports.

    What is stored and learned must not depend on a package that was removed.
    """
    try:
        return methodology(config)
    except BadConfig:
        return OURS[NAME]
