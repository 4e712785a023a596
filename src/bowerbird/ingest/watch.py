"""Decides when changes in watched folders are indexed: after a pause. Pure.

Editors write a file in several steps, and programs thousands of files at once: so the folder is indexed
as a whole once nothing has changed for the pause of its sort of file.
"""

from bowerbird.ingest.sources.code import is_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

NOTES, CODE, TRANSCRIPTS = SORTS = ("notes", "code", "transcripts")
# Seconds without a change before a sort is indexed (chosen without measurement; sessions change every
# second).
QUIET = {NOTES: 1.5, CODE: 0.5, TRANSCRIPTS: 5.0}
# A file that keeps changing is indexed after this multiple of the pause.
_PATIENCE = 10
_TRANSCRIPT_ENDS = (".jsonl", ".jsonl.zst")


def sort_of(path: str) -> str:
    """The sort of file, by its path."""
    if path.endswith(_TRANSCRIPT_ENDS):
        return TRANSCRIPTS
    return CODE if is_code(path) else NOTES


class Pending:
    """The folders with changes, and since when."""

    def __init__(self, sorts: "Collection[str]" = SORTS) -> None:
        """Changes of other sorts than `sorts` wait for a change of one of these."""
        self._sorts = frozenset(sorts)
        # By folder and sort, the times of the first and the last change.
        self._changed: dict[tuple[str, str], tuple[float, float]] = {}

    def note(self, folder: str, path: str, now: float) -> None:
        """Records a change below a folder."""
        sort = sort_of(path)
        if sort in self._sorts:
            first, _ = self._changed.get((folder, sort), (now, now))
            self._changed[folder, sort] = first, now

    def due(self, now: float) -> tuple[str, ...]:
        """The folders to index now; they are no longer pending."""
        rested = {
            folder
            for (folder, sort), (first, last) in self._changed.items()
            if now - last >= QUIET[sort] or now - first >= _PATIENCE * QUIET[sort]
        }
        self._changed = {one: when for one, when in self._changed.items() if one[0] not in rested}
        return tuple(sorted(rested))
