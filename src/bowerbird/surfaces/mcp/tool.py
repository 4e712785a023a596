"""A verb as advertised to clients: plain data, without the SDK or a store."""

from bowerbird.core.kinds import KINDS
from bowerbird.core.value import Value
from bowerbird.daemon.birds import queue
from bowerbird.surfaces.fields import MCP, every
from bowerbird.surfaces.mcp.answer import view
from bowerbird.surfaces.schema import given_schema, taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.daemon.birds import Queue
    from bowerbird.surfaces.fields import Tool, Verb

    Schema = dict[str, Any]


class Offer(Value):
    """A verb that is offered as a tool; `module` is the verb's module."""

    __slots__ = ("about", "module", "name", "queue", "verb")

    def __init__(self, module: "Any") -> None:
        self.module = module
        self.verb: Verb = module.VERB
        self.about: Tool = module.VERB.tool
        self.name = self.about.name
        self.queue: Queue = queue(self.verb.queue)

    @property
    def writes(self) -> bool:
        """Whether it changes the store."""
        return self.verb.writes

    def takes(self, kinds: "Iterable[str]" = KINDS) -> "Schema":
        """The schema of its arguments, with the known types of memories."""
        return taken(self.verb, MCP, kinds)

    def gives(self) -> "Schema":
        """The schema of its data: whatever is empty is left out (`views.lean`), in its parts, too."""
        found: Schema = _optional(given_schema(view(self.verb), _described))
        properties = {"notice": {"type": "string"}} | found["properties"]
        return found | {"properties": properties, "required": [*self.about.always]}

    def as_tool(self, kinds: "Iterable[str]" = KINDS) -> "dict[str, Any]":
        """The tool in the protocol's format. Memory is a closed world: nothing leaves the store."""
        return {
            "name": self.name,
            "title": self.about.title,
            "description": self.about.description,
            "inputSchema": self.takes(kinds),
            "outputSchema": self.gives(),
            "annotations": {
                "readOnlyHint": not self.writes,
                "destructiveHint": self.about.destroys,
                "idempotentHint": self.about.repeatable,
                "openWorldHint": False,
            },
        }


def _described(kind: type[Value]) -> "Schema":
    return given_schema(kind.TABLE, _described)


def _optional(schema: "Any") -> "Any":
    """A schema that requires nothing, at any depth."""
    if isinstance(schema, list):
        return [_optional(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    required = isinstance(schema.get("required"), list)
    return {key: _optional(one) for key, one in schema.items() if key != "required" or not required}


OFFERS = {one.name: one for one in (Offer(m) for m in every() if m.VERB.tool is not None)}
