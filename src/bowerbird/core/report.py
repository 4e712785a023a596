"""The result of an index run: what was added, changed, removed and skipped."""

from bowerbird.core.value import Record, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.graph import Taken
    from bowerbird.core.grounds import Grounds


class Skipped(Record):
    """A file or record that indexing left out, and why."""

    path: str
    reason: str
    TABLE = ("*",)


class Report(Record):
    """What an index run did: counts of files, passages written, bytes read, and what was left out.

    `redacted` counts the removed secrets by kind. `unread` says why some entries have no vector yet:
    until they do, they are found by their words. `imported` lists the repositories whose files are not
    trusted as the user's own, with the reason. `cut` lists files of which only the beginning was read,
    and how much. `new_project` is the project that the run created because the store did not know the
    given name, else empty. `scip` is what was used of a SCIP index.
    """

    project: str = ""
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    passages: int = 0
    embedded: int = 0
    bytes_read: int = 0
    unknown_records: int = 0
    skipped: "tuple[Skipped, ...]" = ()
    took_ms: float = 0.0
    redacted: "dict[str, int]" = fresh(dict)
    unread: str = ""
    imported: "tuple[Grounds, ...]" = ()
    cut: "tuple[Skipped, ...]" = ()
    new_project: str = ""
    scip: "Taken | None" = None
    TABLE = (
        ("added", "whole"),
        ("bytes_read", "whole"),
        ("changed", "whole"),
        ("cut", [Skipped]),
        ("embedded", "whole"),
        ("imported", ["grounds"]),
        ("passages", "whole"),
        ("project", "text"),
        ("redacted", "counts"),
        ("removed", "whole"),
        ("skipped", [Skipped]),
        ("took_ms", "ms"),
        ("unchanged", "whole"),
        ("unknown_records", "whole"),
        ("unread", "text"),
        ("new_project", "text-"),
        ("scip", "taken-"),
    )


class Stopped(KeyboardInterrupt):
    """An index run was stopped by Ctrl-C; `kept` counts the files that it had written by then."""

    def __init__(self, kept: int) -> None:
        super().__init__(f"{kept} files were indexed")
        self.kept = kept
