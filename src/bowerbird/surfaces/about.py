"""The fields of a memory, shared by `curate` and `edit`."""

from bowerbird.core.draft import Draft
from bowerbird.core.kinds import KINDS
from bowerbird.core.memories import Fields
from bowerbird.core.payloads import described
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import NAME, TEXT, Field, Given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.memories import Declared

_GROUP = "about it"


# The declared fields that callers give, in the order of the help; others follow.
_DECLARED = {**Draft.DECLARED, **Fields.DECLARED}
_FIRST = (
    "kind",
    "tags",
    "keywords",
    "summary",
    "citation",
    "priority",
    "importance",
    "confidence",
    "half_life",
    "expires",
    "valid_from",
    "files",
    "modules",
    "commit",
    "work_unit",
    "scope",
    "audience",
    "payload",
    "metadata",
    "pinned",
    "verified",
    "review",
)
# The shape in which a moment is given.
_GIVEN = {"moment": "when"}
# What a text and each of several texts may have at most and at least, where it is not declared.
_BOUNDS: "dict[str, dict[str, Any]]" = {"text": {"high": TEXT}, "texts": {"low": 1, "high": NAME}}


def _field(name: str, declared: "Declared") -> Field:
    """A declared field as the interfaces take it."""
    shape, given = declared.shape.rstrip("?"), declared.given or {}
    bounds = {} if "choices" in given else _BOUNDS.get(shape, {})
    own = {"default": Draft.USUAL[name], "group": "about it", **bounds, **given}
    return Field(name, _GIVEN.get(shape, shape), **own)


ABOUT = tuple(
    _field(name, declared)
    for name in dict.fromkeys((*_FIRST, *_DECLARED))
    if (declared := _DECLARED[name]).given is not None
)


def details() -> str:
    """The kinds, and the payload fields of those that have them."""
    width = max(len(name) for name in KINDS)
    lines = ["kinds:", *(f"  {one.name:<{width}}  {one.meaning}" for one in KINDS.values())]
    lines += ["  and those that your config.toml declares, see docs/settings.md"]
    lines += ["", "structures, for --payload:"]
    for one in KINDS.values():
        lines += [f"  {one.name}"] if one.payload else []
        lines += [f"    {field}" for field in described(one)]
    return "\n".join(lines)


def structured(given: Given) -> Given:
    """The given values with structured ones parsed. Raises BadInput for an invalid one."""
    if not given.keys() & {"payload", "metadata"}:
        return given
    read = load("cli.structure")
    if "payload" in given:
        given["payload"] = read.payload(given["payload"])
    if "metadata" in given:
        given["metadata"] = dict(read.pair(one, "--metadata") for one in given["metadata"])
    return given
