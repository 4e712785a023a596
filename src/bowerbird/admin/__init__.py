"""Maintenance of a store: verbs for people, used once in a while, one file for each subject."""

from bowerbird.admin.exchange import Exchange
from bowerbird.admin.indexing import Indexing
from bowerbird.admin.learning import Learning
from bowerbird.admin.safety import Safety
from bowerbird.admin.team import Sharing
from bowerbird.admin.trust import Trust
from bowerbird.core.config import setting as known_setting
from bowerbird.wiring.settings import effective, stages
from bowerbird.wiring.user_settings import set_setting
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from bowerbird.core.answers import Entries
    from bowerbird.core.config import Effective
    from bowerbird.core.draft import About
    from bowerbird.core.history import Relation
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.overview import Facets, Modules, Pulse, Score
    from bowerbird.core.plugins import Plugins
    from bowerbird.core.reviewed import Case, LeftBehind, Settled
    from bowerbird.core.types import Entry
    from bowerbird.verbs.root import Wiring


def optional_stages() -> "dict[str, str]":
    """The stages that can be left out (`without`), and the substitute of each."""
    return stages()


class Admin(Safety, Exchange, Indexing, Learning, Sharing, Trust):
    """The verbs of upkeep over one store; reached as `bird.admin`."""

    def __init__(self, wiring: "Wiring") -> None:
        self._wiring = wiring

    def setting(self, key: str) -> "Any":
        """The effective value of a setting. Raises UnknownName for an unknown one."""
        return self._wiring.config[known_setting(key).key]

    @in_turn
    def settings(self, *, changed: bool = False) -> "Effective":
        """The effective settings with their origins; with `changed`, only those that were set."""
        self._wiring.acting.who.require_local("config")
        return effective(self._wiring.config, changed=changed)

    @in_turn
    def set_setting(self, key: str, value: "Any") -> "Effective":
        """Write a setting into the user's configuration file, or take it out with None.

        It counts for what is opened from now on. Gives that setting as it then is. Raises Denied for an
        agent, UnknownName, BadInput for a value that it cannot have, and BadConfig where a variable
        overrides the file, or the file cannot be changed.
        """
        self._wiring.acting.who.require_no_agent("config set")
        return set_setting(self._wiring.config, key, value)

    @in_turn
    def pulse(self) -> "Pulse":
        """The number of the last change, and counts of this project: what a server watches."""
        return self._wiring.overview.pulse()

    @in_turn
    def narrowed(self, seconds: float, **narrowing: "Unpack[Narrowing]") -> "Facets":
        """What a page narrows a list by: `facets` without trust and states, in half the time."""
        filter = self._wiring.asking.filter(narrowing, everywhere=False, coming=True)
        return self._wiring.overview.facets(filter, seconds, ("kinds", "modules", "review"))

    @in_turn
    def module_names(self) -> "dict[str, str]":
        """The modules of this project as `modules` names them, by the names that memories may give."""
        return self._wiring.overview.module_names()

    @in_turn
    def tied(self, file: str) -> str:
        """The path of what a memory that names this file would be about; empty if it is found nowhere."""
        return self._wiring.keeping.tied(file)

    @in_turn
    def health(self, modules: int = 8) -> "tuple[Score, Modules]":
        """What `score` and `modules` give, so many of these, counted once."""
        return self._wiring.overview.health(modules)

    @in_turn
    def queue(self, *, all_projects: bool = False) -> "Sequence[str]":
        """The ids of what waits for review here, in the order in which a person is asked."""
        return self._wiring.overview.queue(everywhere=all_projects)

    @in_turn
    def reasons(self, *ids: str) -> "Sequence[Case]":
        """Some of what waits, by whole ids: each with code and words of why, and nothing else of it."""
        return self._wiring.overview.reasons(ids)

    @in_turn
    def to_review(self, *, all_projects: bool = False) -> int:
        """How many decisions wait: two memories that contradict each other are one."""
        return self._wiring.overview.to_review(everywhere=all_projects)

    @in_turn
    def said_before(self, words: "Sequence[str]", limit: int = 12) -> "Entries":
        """The memories of this project that said all of some words before, and do not now."""
        return self._wiring.overview.said_before(words, limit)

    @in_turn
    def settled(self, limit: int = 5, *, all_projects: bool = False) -> "Sequence[Settled]":
        """What a later statement took out of review, without a verdict; the latest first."""
        return self._wiring.overview.settled(limit, everywhere=all_projects)

    @in_turn
    def confirm_both(self, id: str, other: str, **about: "Unpack[About]") -> None:
        """Confirm two memories that contradict each other: both hold. `revert` of either undoes it.

        Raises NotFound, and BadInput for one that does not hold, or for a caller that is no person.
        """
        self._wiring.keeping.confirm_both(id, other, about)

    @in_turn
    def confirm_as(self, id: str, text: str, reason: str, **about: "Unpack[About]") -> None:
        """Confirm a memory in other words, as one operation.

        It replaces what it contradicts in these words, too. Raises as `confirm_both` does.
        """
        self._wiring.keeping.edit(id, text, about, reason, confirming=True)

    @in_turn
    def with_its_value(self, id: str) -> str | None:
        """What a memory contradicts, with the value that it says: the rest of that still holds."""
        return self._wiring.keeping.with_its_value(id)

    @in_turn
    def meanwhile(self, entry: "Entry") -> str:
        """Whether agents get a memory while it waits: held, asked (if a prompt asks for it) or told."""
        return self._wiring.keeping.meanwhile(entry)

    @in_turn
    def left_behind(self, id: str, text: str | None = None) -> "list[LeftBehind]":
        """What else those say that this one replaces if it is confirmed, maybe in other words."""
        return self._wiring.keeping.left_behind(id, text)

    @in_turn
    def change(self) -> int:
        """The number of the last change of a memory; cheaper than all of `pulse`."""
        return self._wiring.overview.change()

    @in_turn
    def relations(self, *ids: str) -> "dict[str, Sequence[Relation]]":
        """The relations of some memories, by the id of each, without the rest of their histories."""
        with self._wiring.store().reading():
            changes = self._wiring.keeping.changes(write=False)
            return {id: changes.relations(changes.memory(id)) for id in ids}

    @in_turn
    def read_ahead(self) -> None:
        """Lets the next question read what a process that stays keeps, however few were asked."""
        self._wiring.opened.reader().read_ahead()

    @in_turn
    def plugins(self) -> "Plugins":
        """What other packages add, each with what keeps it from being used."""
        return self._wiring.upkeep.plugins()

    @property
    def kinds(self) -> "Kinds":
        """The known kinds of memory; `register` adds one."""
        return self._wiring.kinds

    @in_turn
    def check(self) -> None:
        """Validates the settings that only a write would read. Raises BadConfig."""
        self._wiring.allowed()
