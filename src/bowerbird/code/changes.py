"""Which definitions changed between two versions of a project's files, by what git holds of the first."""

from bowerbird.code.fingerprint import fingerprint
from bowerbird.code.git_objects import History
from bowerbird.code.syntax.outlining import outline_of
from bowerbird.core.errors import BadInput
from bowerbird.host.foreign import whole
from bowerbird.host.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Larger files are generated, and are not outlined either.
_MOST_BYTES = 2_000_000


class Changes:
    """The changes since a commit (``HEAD``, a branch, a tag, digits), or between two (``a..b``)."""

    def __init__(self, since: str) -> None:
        self._since, _, self._until = since.partition("..")
        self._histories: dict[str, tuple[History, str, str]] = {}

    def of(self, paths: "Iterable[str]") -> dict[str, list[str]]:
        """The qualified names of the definitions that changed in each file that did.

        Of a file that changed outside of all definitions it is the empty name. Comments and formatting
        are no change. Raises BadInput if no repository of these files knows the commit.
        """
        found: dict[str, list[str]] = {}
        known = False
        for path in paths:
            history, since, until = self._history(path)
            if not since or (self._until and not until):
                continue
            known = True
            before = history.at(since, path)
            after = history.at(until, path) if self._until else _live(path)
            if before != after and (names := _changed(before or b"", after or b"", path)):
                found[path] = names
        if not known:
            named = "..".join(filter(None, (self._since, self._until)))
            raise BadInput(
                f"no repository of the indexed code knows {named}",
                "give HEAD, a branch, a tag, a commit, or two of them as a..b",
            )
        return found

    def _history(self, path: str) -> tuple[History, str, str]:
        """The history that a file belongs to, and the two commits in it, empty if unknown to it."""
        history = History(path)
        if history.tree not in self._histories:
            named = Repository(history.tree).commit_of
            until = named(self._until) if self._until else ""
            self._histories[history.tree] = (history, named(self._since), until)
        return self._histories[history.tree]


def _live(path: str) -> bytes:
    try:
        return whole(path, _MOST_BYTES)
    except OSError:
        return b""


def _changed(before: bytes, after: bytes, path: str) -> list[str]:
    """The innermost definitions of which one version has another text than the other, or none."""
    if fingerprint(before, path) == fingerprint(after, path) != "":
        return []
    then, now = _definitions(before, path), _definitions(after, path)
    changed = {name for name in then.keys() | now.keys() if then.get(name) != now.get(name)}
    inner = [name for name in changed if not any(one.startswith(f"{name}.") for one in changed)]
    return sorted(inner) or [""]


def _definitions(data: bytes, path: str) -> dict[str, str]:
    """The fingerprint of each definition, by its qualified name."""
    outline = outline_of(path, data)
    if outline is None:
        return {}
    lines = data.split(b"\n")
    found = {}
    for index, one in enumerate(outline.definitions):
        code = b"\n".join(lines[one.start_line - 1 : one.end_line])
        found[outline.qualified(index)] = fingerprint(code, path) or str(code)
    return found
