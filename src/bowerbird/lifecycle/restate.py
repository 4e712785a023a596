"""What a known memory gains when it is told again: only what was said, and nothing is taken away."""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memories import Draft, Fields


class Restated(Value):
    """The fields of a memory after it was told again, and the names of those that changed."""

    __slots__ = ("changed", "fields")

    def __init__(self, fields: "Fields", changed: tuple[str, ...]) -> None:
        self.fields = fields
        self.changed = changed


def restated(kept: "Fields", told: "Fields", draft: "Draft") -> Restated:
    """The kept fields with what the draft says of kind, tags, expiry, payload and the like."""
    wanted = kept.replace(
        kind=told.kind if draft.kind else kept.kind,
        tags=tuple(dict.fromkeys((*kept.tags, *told.tags))),
        expires=told.expires if draft.expires is not None else kept.expires,
        metadata={**kept.metadata, **told.metadata},
        payload=kept.payload if told.payload is None else told.payload,
        scope=told.scope if draft.scope else kept.scope,
        audience=told.audience if draft.audience else kept.audience,
        confidence=kept.confidence if draft.confidence is None else told.confidence,
        files=tuple(dict.fromkeys((*kept.files, *told.files))),
        modules=tuple(dict.fromkeys((*kept.modules, *told.modules))),
    )
    changed = tuple(name for name in kept.__slots__ if getattr(kept, name) != getattr(wanted, name))
    return Restated(wanted, changed)
