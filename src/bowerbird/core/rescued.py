"""The results of archiving the transcripts that agents keep, and when those would be deleted."""

from bowerbird.core.report import Skipped
from bowerbird.core.value import Record

TYPE_CHECKING = False


class Rescued(Record):
    """Files archived now, those archived before, and those whose agent has deleted them since.

    `bytes_read` of what was archived now, `bytes_kept` of all that the folder contains; `redacted` counts
    the removed secrets by kind. `waited`: nothing was done, because the last run was less than a day ago.
    `dry_run`: nothing was written, and `archived` counts what would be.
    """

    folder: str
    redacted: "dict[str, int]"
    archived: int = 0
    unchanged: int = 0
    outlived: int = 0
    bytes_read: int = 0
    bytes_kept: int = 0
    skipped: tuple[Skipped, ...] = ()
    waited: bool = False
    dry_run: bool = False
    TABLE = (
        ("folder", "text"),
        ("archived", "whole"),
        ("unchanged", "whole"),
        ("outlived", "whole"),
        ("bytes_read", "whole"),
        ("bytes_kept", "whole"),
        ("redacted", "counts"),
        ("skipped", [Skipped]),
        ("waited", "flag"),
        ("dry_run", "flag"),
    )


class Sweep(Record):
    """What an agent deletes automatically: the files that are not archived, and when the first one goes.

    `days` is how long it keeps them, `first` the time of the first deletion in UTC milliseconds.
    """

    agent: str
    days: int
    files: int
    first: int
