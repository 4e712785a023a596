"""The folders that the user marked as trusted or not: a file of the user's own.

As git's ``safe.directory`` it names paths, and as with direnv an answer holds only for what it was given
for: each is stored with the repository's origin. Another repository at the path, or an added remote,
needs a new answer. Device and inode are no evidence: they change with a restart or a backup.
"""

from bowerbird.core import plainjson
from bowerbird.core.errors import BadConfig
from bowerbird.core.path_text import as_text
from bowerbird.core.value import Advice, Do, Record
from bowerbird.host.foreign import whole
from bowerbird.host.places import write_own

# Room for thousands of folders; a larger file was not written by Bowerbird.
_LARGEST = 4_000_000


class Choice(Record):
    """The user's answer for a folder: whether its files are trusted while its origin stays the same."""

    root: str
    source: str
    trusted: bool


class Trusted:
    """The answers of one user, by the real path of each folder. The file is read once per object."""

    def __init__(self, path: str) -> None:
        """`path` is the file of answers; it need not exist. Raises BadConfig."""
        self.path = path
        self._answers = self._read()

    def all(self) -> tuple[Choice, ...]:
        """Every answer, by path."""
        return tuple(self._answers[root] for root in sorted(self._answers))

    def about(self, root: str, source: str) -> bool | None:
        """Whether a folder is trusted; None if there is no answer for its current content."""
        answer = self._answers.get(as_text(root))
        return answer.trusted if answer is not None and answer.source == source else None

    def put(self, root: str, source: str, *, trusted: bool) -> None:
        """Saves an answer in place of an older one. Raises BadConfig if it cannot be written."""
        self._answers = self._read()
        root = as_text(root)
        self._answers[root] = Choice(root, source, trusted)
        self._write()

    def drop(self, root: str) -> bool:
        """Removes the answer for a folder. Returns whether there was one. Raises BadConfig."""
        self._answers = self._read()
        if self._answers.pop(as_text(root), None) is None:
            return False
        self._write()
        return True

    def _read(self) -> dict[str, Choice]:
        try:
            parsed = plainjson.loads(whole(self.path, _LARGEST).decode())
            return {
                root: Choice(root, str(one["source"]), one["trusted"] is True)
                for root, one in parsed["folders"].items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadConfig(
                f"{self.path} cannot be read: {error}",
                Advice("mend it, or remove it and name your folders again: ", Do("trust", "PATH")),
            ) from error

    def _write(self) -> None:
        import json  # start-up: only a choice is written

        folders = {one.root: {"trusted": one.trusted, "source": one.source} for one in self.all()}
        try:
            write_own(self.path, json.dumps({"folders": folders}, indent=1) + "\n")
        except OSError as error:
            raise BadConfig(
                f"{self.path} cannot be written: {error.strerror}", "look at its folder's rights"
            ) from error
