"""The user's trust in a folder's files: stored, and reported by status and doctor."""

import os
from functools import cached_property

from bowerbird.core.errors import BadConfig, BowerbirdError
from bowerbird.core.grounds import TrustChange
from bowerbird.core.health import PROBLEM, WARNING, Finding
from bowerbird.core.places import trusted_file
from bowerbird.ingest.trust_update import untrusted, update_trust
from bowerbird.wiring.ownership import Whose, owner_of
from bowerbird.wiring.trusted import Trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.answers import Status
    from bowerbird.wiring.opened import Opened


class Trusting:
    """The user's answers about whether folders are trusted, for one store. Read once for each object."""

    def __init__(self, opened: "Opened") -> None:
        self._opened = opened

    @cached_property
    def whose(self) -> Whose:
        """The owner of each folder's files, by the answers so far. Raises BadConfig."""
        return Whose(Trusted(trusted_file(os.environ)), os.environ)

    def answer(self, path: str, *, trusted: bool) -> TrustChange:
        """Saves an answer, and updates the trust of what the store holds from that folder."""
        grounds = self.whose.answer(path, trusted=trusted)
        if not os.path.exists(self._opened.path):
            return TrustChange(grounds)
        store = self._opened.writer()
        return TrustChange(grounds, *update_trust(store, grounds.root, self.whose.of, owner_of))

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
        except BowerbirdError:
            return  # doctor's check of the store reports it
        for one, files in found:
            detail = f"{one.root or 'elsewhere'}: {one.reason}; indexed files: {files:,}"
            yield Finding("imported", detail, remedy=one.remedy)
