"""When what changed in watched folders is taken in: once it has been quiet for a while. Pure.

Editors write a file in several steps, and programs thousands of files at once: so the folder is taken in
as a whole, by what differs, when nothing has changed for as long as its sort of file asks.
"""

from bowerbird.ingest.sources.code import is_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

NOTES, CODE, TRANSCRIPTS = SORTS = ("notes", "code", "transcripts")
# Seconds without a change after which a sort is taken in (set beforehand; sessions go on by the second).
QUIET = {NOTES: 1.5, CODE: 0.5, TRANSCRIPTS: 5.0}
# A file that keeps changing is indexed after this multiple of the pause.
_PATIENCE = 10
_TRANSCRIPT_ENDS = (".jsonl", ".jsonl.zst")


def sort_of(path: str) -> str:
    """Which sort of file a path names."""
    if path.endswith(_TRANSCRIPT_ENDS):
        return TRANSCRIPTS
    return CODE if is_code(path) else NOTES


class Pending:
    """The folders in which something has changed, and since when."""

    def __init__(self, sorts: "Collection[str]" = SORTS) -> None:
        """`sorts` are those that count; changes of others wait for a change that does."""
        self._sorts = frozenset(sorts)
        # By folder and sort, the moments of the first and of the last change.
        self._changed: dict[tuple[str, str], tuple[float, float]] = {}

    def note(self, folder: str, path: str, now: float) -> None:
        """Something has changed below a folder."""
        sort = sort_of(path)
        if sort in self._sorts:
            first, _ = self._changed.get((folder, sort), (now, now))
            self._changed[folder, sort] = first, now

    def due(self, now: float) -> tuple[str, ...]:
        """The folders to take in now, which are pending no more."""
        rested = {
            folder
            for (folder, sort), (first, last) in self._changed.items()
            if now - last >= QUIET[sort] or now - first >= _PATIENCE * QUIET[sort]
        }
        self._changed = {one: when for one, when in self._changed.items() if one[0] not in rested}
        return tuple(sorted(rested))
