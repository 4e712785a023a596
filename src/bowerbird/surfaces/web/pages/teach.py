"""Remember: a sentence or three, with a preview of what would become of them."""

import os

from bowerbird.daemon.birds import WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.web.desk import Call

# What the name of a project begins with that is a folder without a repository elsewhere.
_PATH = "path:"
# Near memories that the preview shows.
_NEAR = 3
# The kinds that a person chooses first; most others are what agents and digests keep.
FIRST_KINDS = ("fact", "preference", "requirement", "decision", "gotcha", "procedure")


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


async def within(call: "Call") -> "dict[str, Any]":
    """The fields of a memory from those of the form, its files by their paths in the project."""
    found, root = about(call.form), await root_of(call)
    if root is not None and "files" in found:
        found["files"] = tuple(relative(one, root) for one in found["files"])
    return found


async def root_of(call: "Call") -> str | None:
    """The folder of the project; None where it is not known here, or is not theirs to know."""
    if not call.visit.person:
        return None

    def read(bird: "Bowerbird") -> str | None:
        known = bird.project
        return known.root or (known.uid[len(_PATH) :] if known.uid.startswith(_PATH) else None)

    return await call.work(read)


def relative(path: str, root: str) -> str:
    """A path in the project; as it is where it leads elsewhere."""
    whole = os.path.normpath(os.path.join(root, path))
    inside = os.path.commonpath((root, whole)) == root if os.path.isabs(whole) else False
    return os.path.relpath(whole, root) if inside else path


async def page(call: "Call") -> "dict[str, Any]":
    """The form; with a text in the address, what would become of it."""
    fields = {"files": call.query.get("file", ""), **call.query}
    return {"text": "", "fields": fields, "foreseen": None, "near": [], "kinds": await kinds(call)}


async def preview(call: "Call") -> "dict[str, Any]":
    """What would become of the text of the form, which no address and no log holds."""
    text = call.form.get("text", "").strip()
    given = await within(call)
    foreseen = await call.verb("curate", text=text, dry_run=True, **given)
    files = given.get("files", ())
    # As saving finds them: the end of a path is enough, unless several files have it.
    tied = await call.work(lambda bird: [bird.admin.tied(one) for one in files], WRITE)
    root = await root_of(call)
    ids = [one.id for one in foreseen.matched[:_NEAR]]
    near = await call.work(lambda bird: bird.named(*ids)) if ids else []
    return {
        "text": text,
        "fields": call.form,
        "foreseen": foreseen,
        "near": near,
        "given": {name: given.get(name, ()) for name in ("modules", "tags")},
        "files": [
            (one, relative(there, root) if there and root else there)
            for one, there in zip(files, tied, strict=True)
        ],
        "kinds": await kinds(call),
    }


async def kinds(call: "Call") -> dict[str, str]:
    """What each kind of memory means, by its name; first those that a person chooses first."""

    def read(bird: "Bowerbird") -> dict[str, str]:
        names = dict.fromkeys((*FIRST_KINDS, *bird.admin.kinds))
        return {name: bird.admin.kinds.get(name).meaning for name in names}

    return await call.work(read)
