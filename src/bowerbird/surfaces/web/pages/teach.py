"""Teach: a sentence or three, with a preview of what would become of them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

# Near memories that the preview shows.
_NEAR = 3


def about(fields: "dict[str, str]") -> "dict[str, Any]":
    """The fields of a memory from those of a form."""
    found: dict[str, Any] = {}
    for name in ("files", "modules", "tags"):
        values = tuple(filter(None, (one.strip() for one in fields.get(name, "").split(","))))
        if values:
            found[name] = values
    if fields.get("kind"):
        found["kind"] = fields["kind"]
    return found


async def page(call: "Call") -> "dict[str, Any]":
    """The form; with a text in the address, what would become of it."""
    fields = {"files": call.query.get("file", ""), **call.query}
    return {"text": "", "fields": fields, "foreseen": None, "near": [], "kinds": await _kinds(call)}


async def preview(call: "Call") -> "dict[str, Any]":
    """What would become of the text of the form, which no address and no log holds."""
    text = call.form.get("text", "").strip()
    foreseen = await call.verb("curate", text=text, dry_run=True, **about(call.form))
    ids = [one.id for one in foreseen.matched[:_NEAR]]
    near = await call.work(lambda bird: bird.named(*ids)) if ids else []
    return {
        "text": text,
        "fields": call.form,
        "foreseen": foreseen,
        "near": near,
        "kinds": await _kinds(call),
    }


async def _kinds(call: "Call") -> list[str]:
    return await call.work(lambda bird: [*bird.admin.kinds])
