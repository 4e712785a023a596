"""Settings, to read: each value with where it is from; and the language and keys of these pages."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call


async def page(call: "Call") -> "dict[str, Any]":
    """Every setting, and the level."""
    found, level = await call.work(lambda bird: (bird.admin.settings(), bird.admin.level()))
    return {"found": found, "level": level}
