"""Which projects a Bowerbird works in, sees and may change: decided here alone."""

from bowerbird.core.errors import BadInput
from bowerbird.core.places import called, in_checkout, known_as, made_by, project_of, working_folder
from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.wiring.opened import Opened


class Reach:
    """The project that was named, or that of the working directory; a confined one leads no further."""

    def __init__(self, config: "Config", opened: "Opened", *, confined: bool) -> None:
        self.confined = confined
        self._config = config
        self._opened = opened
        self._found: Project | None = None
        # The project that somebody named: a file in a checkout says how its own is called.
        self._named = _safe(
            "" if in_checkout(config.place("project")) else config["project"], config
        )

    @property
    def named(self) -> bool:
        """Whether somebody named the project."""
        return bool(self._named)

    @property
    def project(self) -> "Project":
        """The project that verbs work in: named, or the working directory's repository."""
        if self._found is not None:
            return self._found
        # What is unknown now may be known at the next call.
        return self._known(self._named) if self._named else self._standing(working_folder())[0]

    def project_of(self, path: str) -> "Project":
        """Where an indexed path belongs: a named project, else the repository that holds it."""
        return self.project if self._named else self._standing(path)[0]

    @property
    def seen(self) -> tuple[str, ...]:
        """The projects that a verb sees by default, by their uids: this one and what is global."""
        if self._named:
            return tuple({self.project.uid, GLOBAL.uid})
        return tuple({*self._standing(working_folder())[1], GLOBAL.uid})

    @property
    def bounds(self) -> tuple[str, ...] | None:
        """The projects outside of which no id leads anywhere; None: every id counts."""
        return self.seen if self.confined else None

    @property
    def changed(self) -> tuple[str, ...]:
        """The projects whose memories may be changed from here: what is global is not one's own."""
        if self.confined and self.project.uid != GLOBAL.uid:
            return tuple(uid for uid in self.seen if uid != GLOBAL.uid)
        return self.seen

    def refuse_beyond(self, asked: bool, what: str) -> None:
        """Raise BadInput where something is asked that leads out of bounds."""
        if asked and self.confined:
            raise BadInput(f"{what} leads out of this project", f"leave out {what}")

    def new_in(self, store: "Store") -> str:
        """The project that a write makes here, for whoever mistyped a name; else empty."""
        project = self.project
        # One that was found stands: projects are not taken out again.
        new = self._named and self._found is None and store.projects.row(project.uid) is None
        return project.name if new else ""

    def notes(self) -> "tuple[Note, ...]":
        """What to say where a project was named that the store does not know."""
        remark = self._remark()
        return (Note("project", remark),) if remark else ()

    def _remark(self) -> str:
        # One that was found stands: projects are not taken out again.
        named = self._named and self._found is None and self._named != GLOBAL.name
        known = self._projects() if named else []
        if not known or any(one.uid == self.project.uid for one in known):
            return ""
        remark = f"no project {self.project.name!r} in this store"
        if self.confined:
            return remark
        names = ", ".join(one.name for one in known if one.uid != GLOBAL.uid) or "none"
        return f"{remark}; known: {names}"

    def _standing(self, path: str) -> "tuple[Project, tuple[str, ...]]":
        """The project of a folder as the store knows it, and the uids that are read there."""
        name = self._config["project"]
        found = called(project_of(path), name, self._config.place("project"))
        if not found.aliases:
            return found, (found.uid,)
        from bowerbird.core.errors import StoreMissing, StoreOutdated
        from bowerbird.wiring.standing import standing

        try:
            with self._opened.reading() as store:
                return standing(found, store.projects)
        except (StoreMissing, StoreOutdated):
            return found, (found.uid,)  # whoever needs the store will say so

    def _known(self, name: str) -> "Project":
        """The store's project of that uid or name, else one to be made. Raises BadInput."""
        if name == GLOBAL.name:
            return GLOBAL
        known = self._projects()
        found = known_as(name, known)
        if found is None and known:
            uids = [uid for uid, _, _ in self._opened.reader().projects.known_as([name])]
            found = known_as(uids[0], known) if uids else None
        if found is None:
            return made_by(name)
        self._found = found
        return found

    def _projects(self) -> "Sequence[Project]":
        from bowerbird.core.errors import StoreMissing

        try:
            with self._opened.reading(once=True) as store:
                return store.projects.all()
        except StoreMissing:
            return []


def allowed(config: "Config") -> "Allow":
    """What the user says is no secret. Raises BadConfig for what names nothing."""
    from bowerbird.guard.redact import Allow

    key = "guard.allow"
    return Allow.parse(config[key].split(","), config.place(key))


def _safe(name: str, config: "Config") -> str:
    """A name without secrets, because the store holds it."""
    if not name:
        return name
    from bowerbird.guard.redact import redact

    return redact(name, allowed(config)).text
