"""A file that holds, or may hold, what others wrote."""

from bowerbird.core.value import Record

# How it came about, in a person's words.
DOWNLOADED = "downloaded"
UNPACKED = "unpacked"
CLONED = "cloned"
WRITTEN = "written"
HOW = (DOWNLOADED, UNPACKED, CLONED, WRITTEN)


class ForeignFile(Record):
    """A file, or a folder with all that is below it.

    `projects` are all names of its project, the first its uid, none for the global one; `path` is below
    that project's `root`, else absolute. `at` is when `session` brought it in, in UTC milliseconds, and
    `why` one of the words above.
    """

    path: str
    why: str
    session: str
    at: int
    projects: tuple[str, ...] = ()
    root: str = ""
