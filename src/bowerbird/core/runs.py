"""The progress of a background indexing run."""

from bowerbird.core.clock import system_clock
from bowerbird.core.health import Failure
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.report import Report


class Run(Value):
    """The progress of indexing; `report` is set when it is done, `error` if it failed.

    `failure` is the exception that ended it early, `error_type` its name in the interfaces.
    """

    __slots__ = ("began", "done", "error_type", "failure", "number", "paths", "report")
    TABLE = (
        ("run", "whole", "number"),
        ("state", "text"),
        ("paths", "texts"),
        ("began", "moment"),
        ("report", "report?"),
        ("error", "failure?"),
    )

    def __init__(self, number: int, paths: "Sequence[str]") -> None:
        self.number = number
        self.paths = tuple(paths)
        self.began = system_clock()
        self.done = False
        self.report: Report | None = None
        self.failure: BowerbirdError | None = None
        self.error_type = ""

    @property
    def state(self) -> str:
        """running, done or failed."""
        if not self.done:
            return "running"
        return "done" if self.failure is None else "failed"

    @property
    def error(self) -> Failure | None:
        """The error, in the common format."""
        found = self.failure
        return None if found is None else Failure(found.message, found.remedy, self.error_type)
