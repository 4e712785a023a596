"""What other packages add: the one shape of an addition, and the groups of entry points that hold them.

A package names a `Plugin` by an entry point of one of the groups; `docs/EXTENDING.md` shows one of each.
"""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Before the name of a group, in a package's own declaration.
PREFIX = "bowerbird."
ADAPTERS = "adapters"
EMBEDDERS = "embedders"
IMPORTERS = "importers"
LANGUAGE_MODELS = "language_models"
METHODOLOGIES = "methodologies"
RERANKERS = "rerankers"
SOURCES = "sources"
# What a plug-in of each group is called, and how one is used; {} stands for its name.
GROUPS = {
    ADAPTERS: ("adapter", "bird.adapter({!r})"),
    EMBEDDERS: ("embedder", "embed.provider = {}"),
    IMPORTERS: ("importer", "bower migrate {}"),
    LANGUAGE_MODELS: ("language model", "llm.provider = {}"),
    METHODOLOGIES: ("methodology", "agent.methodology = {}"),
    RERANKERS: ("reranker", "rerank.provider = {}"),
    SOURCES: ("source", "index.sources = {}"),
}


class Plugin(Record):
    """What a package adds to Bowerbird.

    Args:
        name: that of its entry point, by which settings and commands choose it.
        gives: what it adds, in a line.
        version: its own version, as `bower plugins` and `bower doctor` list it.
        make: makes the addition when it is used first; what it is called with, and what it has to
            return, depends on the group.
    """

    name: str
    gives: str
    version: str
    make: "Callable[..., Any]"


class Installed(Record):
    """An installed plug-in, its package, and how it is used.

    `chosen`: a setting names it. `error` says why it cannot be used, and `remedy` what to do; otherwise
    both are empty.
    """

    group: str
    name: str
    package: str
    use: str
    chosen: bool = False
    version: str = ""
    gives: str = ""
    error: str = ""
    remedy: str = ""
    TABLE = (
        ("group", "text"),
        ("name", "text"),
        ("version", "text"),
        ("gives", "text"),
        ("package", "text"),
        ("use", "text"),
        ("chosen", "flag"),
        ("error", "text-"),
        ("remedy", "text-"),
    )


class Plugins(Record):
    """The installed plug-ins, by group and name."""

    plugins: tuple[Installed, ...]
    TABLE = ("*",)
