"""The user's trust in a folder's files: stored, and reported by status and doctor."""

import os
from functools import cached_property

from bowerbird.core.errors import BadConfig, BadInput, BowerbirdError
from bowerbird.core.grounds import TrustChange, naming
from bowerbird.core.health import PROBLEM, WARNING, Finding
from bowerbird.core.path_text import as_text
from bowerbird.core.value import Advice, Do, iso
from bowerbird.host.brought_in import BroughtIn
from bowerbird.host.ownership import Whose, owner_of, real_path
from bowerbird.host.places import trusted_file
from bowerbird.host.trusted import Trusted
from bowerbird.ingest.ignore import within_generated
from bowerbird.ingest.trust_update import untrusted, update_trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.answers import Status
    from bowerbird.core.grounds import Answers
    from bowerbird.wiring.opened import Opened

# How a file became the user's own, in the store and in an answer.
_BY_TRUST = "trust"
_NAMED = "named by you"
# Files from outside that a finding names.
_FEW = 3


class Trusting:
    """The user's answers about whether folders are trusted, for one store. Read once for each object."""

    def __init__(self, opened: "Opened") -> None:
        self._opened = opened
        self._brought_in: BroughtIn | None = None

    @cached_property
    def whose(self) -> Whose:
        """The owner of each folder's files, by the answers so far. Raises BadConfig."""
        return Whose(Trusted(trusted_file(os.environ)), os.environ)

    def answer(self, path: str, *, trusted: bool) -> TrustChange:
        """Saves an answer, and updates the trust of what the store holds from that folder."""
        if trusted and os.path.isfile(real_path(path)):
            return self._answer_file(path)
        grounds = self.whose.answer(path, trusted=trusted)
        self._brought_in = None
        if not self._opened.exists() and not self._opened.foreign_files.any:
            return TrustChange(grounds)
        if trusted:
            self._settle(grounds.root)
        changed = update_trust(self._opened.writer(), grounds.root, self._origin)
        return TrustChange(grounds, *changed)

    def _answer_file(self, path: str) -> TrustChange:
        """A file that came from outside is the user's own from now on."""
        real = real_path(path)
        files = self._opened.foreign_files
        if not files.any or not self._settle(real):
            inside = BroughtIn(files).folder_of(real)
            if inside:
                remedy = Advice("if all of it is yours: ", naming(inside))
                raise BadInput(f"{as_text(real)} came with {as_text(inside)}", remedy)
            remedy = Advice("name its folder: ", naming(os.path.dirname(real)))
            message = f"{as_text(real)} is no folder, and no session brought it in from outside"
            raise BadInput(message, remedy)
        changed = update_trust(self._opened.writer(), real, self._origin)
        grounds = self.whose.of(os.path.dirname(real))
        if grounds.trusted:
            grounds = grounds.replace(root=as_text(real), reason=_NAMED)
        return TrustChange(grounds, *changed)

    def _settle(self, path: str) -> int:
        """The files at and below a path that came from outside are the user's own; their number."""
        store, at = self._opened.writer(), BroughtIn(self._opened.foreign_files)
        with store.transaction():
            files = [one for one in store.outside.files() if at.holds(path, one)]
            settled = store.outside.settle(files, self._opened.clock(), _BY_TRUST)
        if settled:
            with store.transaction():
                store.outside.write_copy()
        return settled

    def foreign(self) -> "list[str]":
        """The files that came from outside, are there and nobody's own yet, each with how and when.

        Without caches and build output, which no index reads, and about which there is nothing to say.
        """
        if not self._opened.foreign_files.any or not self._opened.exists():
            return []
        with self._opened.reading() as store:
            found = store.outside.files()
        whole = (os.path.join(one.root, one.path) for one in found)
        return [
            f"{path}: {one.why} {iso(one.at)[:10]}"
            for path, one in zip(whole, found, strict=True)
            if os.path.lexists(path) and not (one.root and within_generated(path, one.root))
        ]

    def _origin(self, path: str) -> str:
        """The origin of an indexed file. One that was deleted has no owner: its trust is never raised."""
        if self._brought_in is None:
            self._brought_in = BroughtIn(self._opened.foreign_files)
        grounds = self.whose.of(os.path.dirname(path))
        if self._brought_in.has(path, (grounds.root,) if grounds.repository else ()):
            return "tool_external"
        return grounds.origin(owner_of(path))

    def answers(self) -> "Answers":
        """Every folder about which the user said something, as it is now. Raises BadConfig."""
        from bowerbird.core.grounds import Answers

        return Answers(self.whose.answers())

    def annotated(self, status: "Status") -> "Status":
        """A status that includes the named folders, and those of the projects that are not trusted."""
        filled = {one["uid"] for one in status.projects if one["passages"]}
        with self._opened.reading() as store:
            known = [one.root for one in store.projects.all() if one.uid in filled]
        return status.replace(
            trusted=tuple(one.root for one in self.whose.answers() if one.trusted),
            imported=tuple(root for root in known if root and not self.whose.of(root).trusted),
        )

    def findings(self) -> "Iterator[Finding]":
        """Reports trusted folders, untrusted indexed files, and answers that no longer apply."""
        try:
            known = self.whose
        except BadConfig as error:
            yield Finding("trusted", error.message, PROBLEM, error.remedy)
            return
        for one in known.answers():
            if one.trusted:
                yield Finding("trusted", f"{one.root}: {one.reason}")
            elif one.answer is not False:  # the path holds another repository now, or none
                yield Finding("trusted", f"{one.root}: {one.reason}", WARNING, one.remedy)
        try:
            with self._opened.reading() as store:
                found = untrusted(store, known.of)
            foreign = self.foreign()
        except BowerbirdError:
            return  # doctor's check of the store reports it
        if foreign:
            some = "; ".join(foreign[:_FEW]) + "; …" * (len(foreign) > _FEW)
            detail = f"files from outside: {len(foreign):,}: {some}"
            listed = Do("trust", list=True)
            remedy = Advice("if one is yours: ", naming("FILE"), "; all of them: ", listed)
            yield Finding("foreign", detail, remedy=remedy)
        for one, files in found:
            detail = f"{one.root or 'elsewhere'}: {one.reason}; indexed files: {files:,}"
            yield Finding("imported", detail, remedy=one.remedy)
