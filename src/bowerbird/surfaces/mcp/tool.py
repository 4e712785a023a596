"""A tool as clients are told of it: plain data, so that telling needs neither the SDK nor a store."""

from bowerbird.core.value import Value
from bowerbird.surfaces.birds import READ, Lane

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]


class Tool(Value):
    """A tool: what it is called, when to use it, what it takes and gives.

    `takes` and `gives` are JSON Schemas by name; the `required` arguments must be given, the
    `always` fields are in every answer. `lane` says whose turns it takes, `destroys` that it takes
    something out of the store, `repeatable` that calling it again changes nothing more.
    """

    __slots__ = (
        "always",
        "description",
        "destroys",
        "gives",
        "lane",
        "name",
        "repeatable",
        "required",
        "takes",
        "title",
    )

    def __init__(
        self,
        name: str,
        title: str,
        description: str,
        takes: "dict[str, Schema]",
        gives: "dict[str, Schema]",
        required: tuple[str, ...] = (),
        always: tuple[str, ...] = (),
        lane: Lane = READ,
        destroys: bool = False,
        repeatable: bool = True,
    ) -> None:
        self.name = name
        self.title = title
        self.description = description
        self.takes = takes
        self.gives = gives
        self.required = required
        self.always = always
        self.lane = lane
        self.destroys = destroys
        self.repeatable = repeatable

    @property
    def writes(self) -> bool:
        """Whether it changes the store."""
        return self.lane.writes

    def told(self) -> "dict[str, Any]":
        """The tool as the protocol writes it. Memory is a closed world: nothing leaves the store."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": object_of(self.takes, self.required) | {"additionalProperties": False},
            "outputSchema": object_of(self.gives, self.always),
            "annotations": {
                "readOnlyHint": not self.writes,
                "destructiveHint": self.destroys,
                "idempotentHint": self.repeatable,
                "openWorldHint": False,
            },
        }


def object_of(properties: "dict[str, Schema]", required: tuple[str, ...] = ()) -> "Schema":
    """The schema of an object with these fields."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


def text(description: str = "", **more: object) -> "Schema":
    """The schema of a text."""
    return _described({"type": "string", **more}, description)


def texts(description: str = "", **more: object) -> "Schema":
    """The schema of a list of texts."""
    return _described({"type": "array", "items": {"type": "string"}, **more}, description)


def whole(description: str = "", **more: object) -> "Schema":
    """The schema of a whole number."""
    return _described({"type": "integer", **more}, description)


def flag(description: str = "", **more: object) -> "Schema":
    """The schema of a yes or no."""
    return _described({"type": "boolean", **more}, description)


def _described(schema: "Schema", description: str) -> "Schema":
    return schema | {"description": description} if description else schema
