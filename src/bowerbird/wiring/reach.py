"""Decides which project a Bowerbird works in, and which projects it may read and change."""

from functools import lru_cache

from bowerbird.core.errors import BadInput, NotFound, StoreMissing, nearest
from bowerbird.core.types import GLOBAL, Project, beside, personal_project, whose
from bowerbird.core.value import Do, Note
from bowerbird.core.who import USER
from bowerbird.host.places import (
    called,
    in_checkout,
    known_as,
    named_project,
    plain_project,
    project_of,
    working_folder,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.ports.store import Store
    from bowerbird.guard.redact import Allow
    from bowerbird.wiring.opened import Opened


# Names of projects whose redacted form a process keeps.
_MOST_NAMES = 64
_NO_CLONE = (
    "this folder names the remote of a known project but has none of its commits, so it is a project of"
    " its own; if it is your clone: "
)
_UNREAD = "whether this folder is a known project's is not known, as {where} cannot be read: {why}"


class Reach:
    """The named project, or that of the working directory.

    If confined, no other project is accessible.
    """

    def __init__(
        self,
        config: "Config",
        opened: "Opened",
        *,
        confined: bool,
        folder: str = "",
        person: str = USER,
    ) -> None:
        """`folder` stands for the working directory; empty: that of this process.

        `person` is whose own memories are read beside those of all.
        """
        self._person = person
        self.confined = confined
        self._folder = folder
        self._config = config
        self._opened = opened
        self._found: Project | None = None
        # Whether the folder names the remote of a known project and is no clone of it.
        self._stranger = False
        self._unread: dict[str, str] = {}
        # Here the user named the project; a checkout's own configuration file can do so too.
        self._named = _safe(
            "" if in_checkout(config.set_by("project")) else config["project"], config
        )

    @property
    def named(self) -> bool:
        """Whether the project was given by name."""
        return bool(self._named)

    @property
    def outside(self) -> bool:
        """Whether no project was named and the working directory is in none."""
        return not (self.confined or self._named) and self.project.uid == GLOBAL.uid

    @property
    def project(self) -> "Project":
        """The project that verbs work in: the named one, or the working directory's."""
        if self._found is not None:
            return self._found
        # Not cached: a project that does not exist yet may be created before the next call.
        if not self._named:
            return self._matched(self._here)[0]
        project, kept = self._looked_up(self._named)
        self._found = project if kept else None
        return project

    def project_of(self, path: str) -> "Project":
        """The project of an indexed path: the named one, else that of its repository."""
        return self.project if self._named else self._matched(path)[0]

    @property
    def seen(self) -> tuple[str, ...]:
        """The uids of the projects that verbs read by default: the current one and the global one.

        With what is the caller's own in them.
        """
        here = (self.project.uid,) if self._named else self._matched(self._here)[1]
        both = {*here, GLOBAL.uid}
        return (*both, *(self._own(uid) for uid in both))

    def _own(self, uid: str) -> str:
        return personal_project(self._person, Project(uid, "", None)).uid

    @property
    def everywhere(self) -> tuple[str, ...] | None:
        """The uids of all projects without what is other people's own; None if there is none of that."""
        try:
            with self._opened.reading(once=True) as store:
                known = [one.uid for one in store.projects.all()]
        except StoreMissing:
            return None
        kept = tuple(uid for uid in known if whose(uid) in ("", self._person))
        return None if len(kept) == len(known) else kept

    def personal(self, store: "Store") -> str:
        """Whose own a personal memory is that the caller writes; empty in a store that nobody shares."""
        return self._person if self._person != USER or store.projects.shared() else ""

    @property
    def _here(self) -> str:
        return self._folder or working_folder()

    @property
    def bounds(self) -> tuple[str, ...] | None:
        """The uids of the projects whose ids can be accessed; None means all."""
        return self.seen if self.confined else self.everywhere

    @property
    def changed(self) -> tuple[str, ...]:
        """The uids of the projects whose memories can be changed: without the global one."""
        if self.confined and self.project.uid != GLOBAL.uid:
            return tuple(uid for uid in self.seen if uid != GLOBAL.uid)
        return self.seen

    def refuse_beyond(self, asked: bool, what: str, remedy: str = "") -> None:
        """Raises BadInput if `asked` would leave the bounds."""
        if asked and self.confined:
            raise BadInput(f"{what} leads out of this project", remedy or f"leave out {what}")

    def new_in(self, store: "Store") -> str:
        """The name of the project that a write will create, to reveal a mistyped name; else empty."""
        project = self.project
        # Once found, a project exists for good.
        new = self._named and self._found is None and store.projects.row(project.uid) is None
        return project.name if new else ""

    def require_known(self) -> None:
        """Raises NotFound with the nearest name if a project was named that is not in the store."""
        if not self._remark():
            return
        names = [] if self.confined else [one.name for one in self._projects()]
        near = nearest(self.project.name, names)
        known = ", ".join(sorted({*names} - {GLOBAL.name}))
        raise NotFound(
            f"no project {self.project.name!r} in this store",
            f"did you mean {near}?" if near else f"known: {known or 'none'}",
        )

    def notes(self) -> "tuple[Note, ...]":
        """Notes for a named project that is not in the store, and for a folder that is no clone."""
        remark = self._remark()
        notes = [Note("project", remark)] if remark else []
        if self._stranger and not self.confined:
            notes.append(Note("project", _NO_CLONE, Do("trust")))
        if self._unread and not self.confined:
            where, why = next(iter(self._unread.items()))
            from bowerbird.core.project_names import visible

            notes.append(Note("project", _UNREAD.format(where=visible(where), why=why)))
        return tuple(notes)

    def _remark(self) -> str:
        # Once found, a project exists for good.
        named = self._named and self._found is None and self._named != GLOBAL.name
        known = self._projects() if named else []
        if not known or any(one.uid == self.project.uid for one in known):
            return ""
        remark = f"no project {self.project.name!r} in this store"
        if self.confined:
            return remark
        names = ", ".join(one.name for one in known if one.uid != GLOBAL.uid) or "none"
        return f"{remark}; known: {names}"

    def _matched(self, path: str) -> "tuple[Project, tuple[str, ...]]":
        """The project of a folder according to the store, and the uids that are read there."""
        name = self._config["project"]
        found = called(project_of(path), name, self._config.set_by("project"))
        if not (found.name.isascii() and found.name.isprintable()):
            from bowerbird.core.project_names import visible

            # The folder, or the file in it that names it, may have come with others' files.
            found = found.replace(name=visible(found.name) or "/")
        if not found.aliases:
            found = self._plain(path) or found
            return found, (found.uid,)
        from bowerbird.core.errors import StoreOutdated
        from bowerbird.host.project_matching import is_stranger, matched

        try:
            with self._opened.reading(once=True) as store:
                own, read = matched(found, store.projects, lambda: _vouched(found), self._unread)
        except (StoreMissing, StoreOutdated):
            return found, (found.uid,)  # the next access to the store reports it
        self._stranger = self._stranger or is_stranger(found, own)
        return own, read

    def _plain(self, path: str) -> "Project | None":
        """The project that a plain folder became, by what was said there; None if it did not."""
        from bowerbird.core.errors import StoreOutdated

        try:
            with self._opened.reading(once=True) as store:
                return plain_project(path, store.projects)
        except (StoreMissing, StoreOutdated):
            return None  # the next access to the store reports it

    def known(self, name: str) -> "Project":
        """The store's project with that uid or name, else a new one. Raises BadInput.

        What is the caller's own in a project is named by that project.
        """
        return self._looked_up(name)[0]

    def _looked_up(self, name: str) -> "tuple[Project, bool]":
        """As `known`, and whether the store holds it."""
        name = beside(name) if whose(name) == self._person else name
        if name == GLOBAL.name:
            return GLOBAL, False
        known = self._projects()
        found = known_as(name, self._here_or_all(name, known))
        if found is None and known:
            uids = [uid for uid, _, _ in self._opened.reader().projects.known_as([name])]
            found = known_as(uids[0], known) if uids else None
        if found is None and not self.confined and (here := self._of_folder(name)) is not None:
            return here, False
        if found is None:
            new = named_project(name)
            # Most names need no closer look.
            plain = new.name.isascii() and new.name.isprintable() and new.name == new.name.strip()
            if not plain or "/" in new.name or "\\" in new.name:
                from bowerbird.core.project_names import require_distinct

                require_distinct(new.name)
            return new, False
        return found, True

    def _here_or_all(self, name: str, known: "Sequence[Project]") -> "Sequence[Project]":
        """Of several projects of one name that of the working directory, if it is one; else all."""
        if self.confined or sum(one.name == name for one in known) < 2:  # noqa: PLR2004 several
            return known
        here = self._of_folder(name)
        return [one for one in known if here is not None and one.uid == here.uid] or known

    def _of_folder(self, name: str) -> "Project | None":
        """The project of the working directory if that is its name, though it holds nothing yet.

        Otherwise the store would come to have two projects of one name, this one being empty.
        """
        try:
            here = self._matched(self._here)[0]
        except BadInput:  # the working directory was removed
            return None
        return here if here.name == name and here.root is not None else None

    def _projects(self) -> "Sequence[Project]":
        try:
            with self._opened.reading(once=True) as store:
                return [one for one in store.projects.all() if not whose(one.uid)]
        except StoreMissing:
            return []


def allowed(config: "Config") -> "Allow":
    """Values that the user declared not to be secrets. Raises BadConfig for an unknown rule."""
    from bowerbird.guard.redact import Allow

    key = "guard.allow"
    return Allow.parse(config[key].split(","), config.set_by(key))


def _vouched(project: "Project") -> bool:
    """Whether the user said that a folder's files are their own, as long as it has its present source."""
    import os

    from bowerbird.host.places import trusted_file
    from bowerbird.host.repository import Repository
    from bowerbird.host.trusted import Trusted

    if project.root is None:
        return False
    source = Repository(project.root).source()
    return Trusted(trusted_file(os.environ)).about(project.root, source) is True


def _safe(name: str, config: "Config") -> str:
    """A project name with secrets redacted, because the store saves it."""
    if not name:
        return name
    from bowerbird.guard.suspicion import suspicious

    key = "guard.allow"
    return _redacted(name, config[key], config.set_by(key)) if suspicious(name) else name


@lru_cache(_MOST_NAMES)
def _redacted(name: str, allow: str, set_by: str) -> str:
    """Kept: a scan takes 1 ms of CPU, and a server asks at each call of a verb for the same projects."""
    from bowerbird.guard.redact import Allow, redact

    return redact(name, Allow.parse(allow.split(","), set_by)).text
