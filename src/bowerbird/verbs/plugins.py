"""What other packages add, and what of it the settings name."""

from bowerbird.core.errors import UnknownName
from bowerbird.core.plugins import (
    ADAPTERS,
    EMBEDDERS,
    GROUPS,
    LANGUAGE_MODELS,
    METHODOLOGIES,
    PREFIX,
    RERANKERS,
    SOURCES,
    Installed,
)
from bowerbird.host.plugins import installed as found
from bowerbird.host.plugins import made, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.config import Config

# The settings that name plug-ins of a group, one or several by commas.
_SETTINGS = {
    EMBEDDERS: "embed.provider",
    LANGUAGE_MODELS: "llm.provider",
    METHODOLOGIES: "agent.methodology",
    RERANKERS: "rerank.provider",
    SOURCES: "index.sources",
}


def installed(config: "Config") -> "Iterator[Installed]":
    """The installed plug-ins, and the sources that are named and not installed."""
    yield from found(lambda group, name: name in _chosen(config, group))
    for name in sorted(_chosen(config, SOURCES) - {*names(SOURCES)}):
        yield Installed(
            group=SOURCES,
            name=name,
            package="",
            use=GROUPS[SOURCES][1].format(name),
            chosen=True,
            error=f"the source {name!r} is not installed",
            remedy=f"install a package with an entry point {name!r} in {PREFIX}{SOURCES}, or take it"
            " out of index.sources",
        )


def _chosen(config: "Config", group: str) -> set[str]:
    """The names of a group that a setting holds."""
    key = _SETTINGS.get(group)
    return set() if key is None else {*filter(None, map(str.strip, config[key].split(",")))}


def adapted(name: str, bird: object) -> "Any":
    """What the adapter of an installed package makes of a Bowerbird. Raises UnknownName, PluginFailed."""
    value = made(ADAPTERS, name, bird)
    if value is None:
        raise UnknownName.among("adapter", name, names(ADAPTERS))
    return value
