"""Why the files of a folder are trusted; guard/grounds.py implements the rule."""

from bowerbird.core.value import Do, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Grounds(Record):
    """Whether the files below a folder are trusted as the user's own, and why.

    `root` is the repository, or the folder that the user named; empty if there is neither. `source` is
    the normalised origin of a `repository`. `owners` are the uids whose files count; None on systems
    without uids. `foreign`: it belongs to another user, so the user's `answer` (None: not given) does not
    count. `vendored`: it is a tree of others' code inside of one's own.
    """

    trusted: bool
    reason: str
    remedy: str = ""
    root: str = ""
    source: str = ""
    repository: bool = False
    owners: "frozenset[int] | None" = None
    foreign: bool = False
    answer: bool | None = None
    vendored: bool = False
    TABLE = (("path", "text", "root"), "trusted", "source", "reason", "remedy")

    def origin(self, owner: int) -> str:
        """The origin of a file below the folder; another user's file always counts as imported."""
        mine = self.owners is None or owner in self.owners
        return "tool_internal" if self.trusted and mine else "import"


class TrustChange(Record):
    """The grounds of a folder now, and how many indexed files gained or lost trust."""

    grounds: Grounds
    raised: int = 0
    lowered: int = 0
    TABLE = (("", "grounds", "grounds"), ("raised", "whole"), ("lowered", "whole"))


def naming(root: str, **more: bool) -> Do:
    """The advice that declares a folder trusted."""
    import shlex  # start-up: most folders need no command

    return Do("trust", shlex.quote(root), **more)


class Answers(tuple["Grounds", ...]):
    """The folders about which the user said something."""

    __slots__ = ()

    def as_dict(self) -> "dict[str, Any]":
        """The folders as every interface serialises them."""
        return Folders(self).as_dict()


class Folders(Record):
    """Every folder with an answer of the user, and the files that came from outside, each with how."""

    folders: tuple[Grounds, ...]
    foreign: tuple[str, ...] = ()
    TABLE = ("*",)
