"""The settings, journal and taint records that hooks need, without opening the store.

Every event of an agent loads this module, so it imports only what each event needs.
"""

import os

from bowerbird.host.places import HANDED, NOTED, folder
from bowerbird.sessions.observe.journal import Journal
from bowerbird.wiring.settings import settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Self

    from bowerbird.core.config import Config
    from bowerbird.core.errors import UsageError
    from bowerbird.guard.reading import Reading
    from bowerbird.host.brought_in import BroughtIn
    from bowerbird.storage.foreign_files import ForeignFiles
    from bowerbird.storage.outcomes import Outcomes

# Suffixes of the side file after it was taken, and of the copy of what is in the store.
TAKEN = f"{NOTED}.taken"
COPY = ".external"
# Suffix of the copy of the outcomes of a store's memories.
OUTCOMES = ".outcomes"
# The trust of text that comes from outside.
EXTERNAL = "low"
_PATIENCE = "BOWER_HOOK_PATIENCE"
# Sessions of a project that receive the warning that its code is not fully indexed. Chosen in advance.
_WARNED_SESSIONS = 3


def state_folder() -> str:
    """The folder where hook activity is recorded, whatever the settings say."""
    return folder("state", os.environ)


def patience() -> float:
    """The factor by which hook time limits are multiplied; above 1 only on very slow machines."""
    try:
        return max(0.0, float(os.environ.get(_PATIENCE, "1")))
    except ValueError:
        return 1.0


class Hooking:
    """The settings of a hook, and what depends on them."""

    def __init__(
        self, config: "Config", state: str, path: str, faults: "Sequence[UsageError]" = ()
    ) -> None:
        """`faults` are settings that are wrong, and left out."""
        self.config = config
        self.faults = faults
        self.state = state
        self.path = path
        self.journal = Journal(path)

    @classmethod
    def from_environment(cls, flags: "dict[str, Any]") -> "Self":
        """Resolves the settings of this process; of those that are wrong, the default applies."""
        faults: list[UsageError] = []
        config, state, path, _ = settled(flags, faults)
        return cls(config, state, path, faults)

    def cleaner(self, cwd: str, known: "Mapping[str, str] | None" = None) -> "Callable[[str], str]":
        """Returns a redactor that does not treat plain paths below `cwd` as secrets.

        `known` are secrets of the same event, each with its mark: a program's output repeats them where
        nothing says what they are.
        """
        from bowerbird.guard.suspicion import suspicious
        from bowerbird.sessions.observe.record import besides_paths

        def clean(text: str) -> str:
            for value, mark in (known or {}).items():
                text = text.replace(value, mark)
            if not suspicious(besides_paths(text, cwd)):
                return text
            from bowerbird.guard.redact import redact
            from bowerbird.wiring.reach import allowed

            return redact(text, allowed(self.config)).text

        return clean

    def secrets_in(self, text: str, cwd: str) -> "dict[str, str]":
        """The secrets in a text, each with its mark, the longest first."""
        from bowerbird.guard.suspicion import suspicious
        from bowerbird.sessions.observe.record import besides_paths

        if not suspicious(besides_paths(text, cwd)):
            return {}
        from bowerbird.guard.redact import redact
        from bowerbird.wiring.reach import allowed

        values = redact(text, allowed(self.config)).values(text)
        return dict(sorted(values.items(), key=lambda one: -len(one[0])))

    @property
    def outcomes(self) -> "Outcomes":
        """The recorded outcomes of the store's memories."""
        from bowerbird.storage.outcomes import Outcomes

        return Outcomes(self.path)

    def outcomes_of(self, project: str) -> "Iterable[dict[str, Any]]":
        """The recorded outcomes of a project's memories; loads nothing where none ever was."""
        if any(os.path.exists(self.path + suffix) for suffix in (NOTED, TAKEN, OUTCOMES)):
            return self.outcomes.of(project)
        return ()

    def taint(self, readers: "tuple[str, ...]") -> bool:
        """Record that these readers were shown external text. Returns whether that was saved."""
        from bowerbird.storage.shown import Shown

        return Shown(self.path).note(readers, EXTERNAL)

    def reading_for(self, folder: str) -> "Reading":
        """What judges the calls of a session in a folder, by its project and the user's own files."""
        from bowerbird.host.reading_facts import ReadingFacts

        return ReadingFacts(os.environ, self._foreign_files()).reading_for(folder)

    def brought_in(self) -> "BroughtIn":
        """The files that came from outside, in this session and in earlier ones."""
        from bowerbird.host.brought_in import BroughtIn

        return BroughtIn(self._foreign_files())

    @property
    def is_brought_in(self) -> "Callable[[str, Sequence[str], int], bool]":
        """Whether a path came from outside (guard.reading); loads nothing where none ever did."""
        return self.brought_in().has if self.has_noted else lambda _path, _roots, _at: False

    @property
    def has_noted(self) -> bool:
        """Whether anything was ever recorded beside the store."""
        return any(os.path.exists(self.path + suffix) for suffix in (NOTED, TAKEN, COPY))

    def _foreign_files(self) -> "ForeignFiles":
        from bowerbird.storage.foreign_files import ForeignFiles

        return ForeignFiles(self.path)

    def begin(self, project: str, session: str, now: int) -> None:
        """Counts a session of a project, and deletes expired records. Raises OSError."""
        self.journal.count(project, session)
        days, megabytes = (self.config[f"agent.keep_{unit}"] for unit in ("days", "megabytes"))
        self.journal.sweep(now / 1000, days, megabytes)

    def drawing(self, project: str, unfinished: "Callable[[], int]") -> str:
        """A warning that the code graph is incomplete, for a project's first sessions; else empty."""
        waiting = 0 if self.journal.counted(project) > _WARNED_SESSIONS else unfinished()
        files = "1 file" if waiting == 1 else f"{waiting:,} files"
        return f"Code is still being indexed ({files} to go): impact may be incomplete." * bool(
            waiting
        )

    @property
    def handing(self) -> bool:
        """Whether an interface other than hooks ever returned entries to a session."""
        return os.path.exists(self.path + HANDED)

    def handed(self, readers: "tuple[str, ...]", since: int) -> set[str]:
        """The entries that other interfaces returned to these readers since `since`."""
        from bowerbird.storage.shown import Handed

        return Handed(self.path).ids(readers, since)

    def read_outside(self, session: str) -> bool:
        """Whether a session was ever shown external text."""
        if not self.has_noted:
            return False
        from bowerbird.storage.shown import Shown

        return Shown(self.path).lowest((session,)) == EXTERNAL

    def tainted(self, reader: str) -> bool:
        """Whether a reader was ever shown text of less than normal trust."""
        from bowerbird.storage.shown import Shown

        return bool(Shown(self.path).lowest((reader,)))
