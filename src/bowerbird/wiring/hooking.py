"""What a hook needs without opening a store: its settings, its journal, and how a session is tainted.

Loaded by every event of an agent, so it imports what each of them needs and nothing else.
"""

import os

from bowerbird.agent.observe.journal import Journal
from bowerbird.core.places import HANDED, folder
from bowerbird.wiring.settings import settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# Suffix of the side file that holds the outcomes of a store's memories.
OUTCOMES = ".outcomes"
# How far what an outsider wrote is believed.
EXTERNAL = "low"
_PATIENCE = "BOWER_HOOK_PATIENCE"
# Sessions of a project that are warned that its code is not fully indexed: set beforehand.
_TOLD_OF_DRAWING = 3


def state_folder() -> str:
    """Where it is kept when hooks fired, whatever the settings say."""
    return folder("state", os.environ)


def patience() -> float:
    """How many times as long as usual a hook may take: more than once on machines that are very slow."""
    try:
        return max(0.0, float(os.environ.get(_PATIENCE, "1")))
    except ValueError:
        return 1.0


class Hooking:
    """The settings of a hook and what follows from them. Raises BadConfig."""

    def __init__(self, flags: "dict[str, Any]") -> None:
        self.config, self.state, self.path, _ = settled(flags)
        self.journal = Journal(self.path)

    def cleaner(self, cwd: str) -> "Callable[[str], str]":
        """Takes the secrets out of a text, which plain paths in it do not make suspicious."""
        from bowerbird.agent.observe.record import besides_paths
        from bowerbird.guard.suspicion import suspicious

        def clean(text: str) -> str:
            if not suspicious(besides_paths(text, cwd)):
                return text
            from bowerbird.guard.redact import redact
            from bowerbird.wiring.reach import allowed

            return redact(text, allowed(self.config)).text

        return clean

    def outcomes(self, project: str) -> "Iterable[dict[str, Any]]":
        """What became of the memories of a project."""
        if not os.path.exists(self.path + OUTCOMES):
            return ()  # most have none: nobody said anything yet
        from bowerbird.agent.outcomes import Outcomes

        return Outcomes(self.path).of(project)

    def taint(self, readers: "tuple[str, ...]") -> bool:
        """These readers were shown what an outsider wrote; whether that is noted now."""
        from bowerbird.storage.shown import Shown

        return Shown(self.path).note(readers, EXTERNAL)

    def begin(self, project: str, session: str, now: int) -> None:
        """Count a session for its project, and let go of what is kept for too long. Raises OSError."""
        self.journal.count(project, session)
        days, megabytes = (self.config[f"agent.keep_{unit}"] for unit in ("days", "megabytes"))
        self.journal.sweep(now / 1000, days, megabytes)

    def drawing(self, project: str, unfinished: "Callable[[], int]") -> str:
        """That the graph of code is not whole yet, for the first sessions of a project."""
        waiting = 0 if self.journal.counted(project) > _TOLD_OF_DRAWING else unfinished()
        files = "1 file" if waiting == 1 else f"{waiting:,} files"
        return f"Code is still being indexed ({files} to go): impact may be incomplete." * bool(
            waiting
        )

    @property
    def handing(self) -> bool:
        """Whether other doors ever returned anything to a session."""
        return os.path.exists(self.path + HANDED)

    def handed(self, readers: "tuple[str, ...]", since: int) -> set[str]:
        """The entries that other doors returned to these readers since that moment."""
        from bowerbird.storage.shown import Handed

        return Handed(self.path).ids(readers, since)

    def tainted(self, reader: str) -> bool:
        """Whether that reader was ever shown what is not believed."""
        from bowerbird.storage.shown import Shown

        return bool(Shown(self.path).lowest((reader,)))
