"""Decides whose files are trusted. Pure: the caller reads the disk and the user's answers."""

from bowerbird.core.grounds import Grounds, naming
from bowerbird.core.value import Advice, Do
from bowerbird.guard import known_commands as known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

# The owner of files that others can write to.
NOBODY = -1
_OTHERS_WRITE = 0o002
_GROUP_WRITES = 0o020
NOBODYS = Grounds(
    trusted=False,
    reason="in no repository, and in no folder that you named",
    remedy=Advice("name a folder of your own with: ", Do("trust", "PATH")),
)


def grounds_of(
    root: str,
    source: str,
    *,
    repository: bool,
    strangers: "Collection[int]",
    unread: bool,
    answer: bool | None,
    owners: "frozenset[int] | None",
    kept: bool = False,
) -> Grounds:
    """Whether the files of a repository, or of a folder named by the user, count as the user's own.

    They must be owned by the user, and either have been confirmed or belong to a repository without a
    foreign source. An address does not tell who may write there, so any `source` counts. `strangers` are
    the other users who own the root, its `.git` or its targets; `unread` says that not all of `.git`
    could be read; `answer` is the user's, None if not given. `kept`: an agent of the user keeps its
    sessions there.
    """
    trusted, reason = answer is True, "named by you"
    if strangers:
        names = ", ".join(str(one) for one in sorted(strangers))
        trusted, reason = False, f"it belongs to another user ({names})"
    elif answer is False:
        reason = "you said that you do not trust it"
    elif answer is None and source:
        reason = f"it comes from {source}, where others can write"
    elif answer is None and unread:
        reason = "where it comes from cannot be read"
    elif answer is None and kept:
        trusted, reason = True, "your agent keeps its sessions there"
    elif answer is None and repository:
        trusted, reason = True, "your own repository, without a remote"
    elif answer is None:
        reason = NOBODYS.reason
    remedy: str = Advice("if you trust its files: ", naming(root))
    if strangers:
        remedy = "copy it to a folder of your own, or take it over with chown"
    return Grounds(
        trusted=trusted,
        reason=reason,
        remedy="" if trusted else remedy,
        root=root,
        source=source,
        repository=repository,
        owners=owners,
        foreign=bool(strangers),
        answer=answer,
    )


def within(found: Grounds, folder: str, *, shared: bool) -> Grounds:
    """The grounds of a folder in one whose files are trusted.

    Not trusted are folders that are `shared`, as other users can write to them, and those that hold the
    code of others by convention.
    """
    vendored = known.vendored(folder.rpartition("/")[2]) and folder != found.root
    if not shared and not vendored:
        return found
    reason = "other users can write to it" if shared else "it holds code of others"
    remedy = ""
    if shared:
        import shlex  # start-up: most folders are not shared

        remedy = f"take that right from them: chmod go-w {shlex.quote(folder)}"
    return Grounds(
        trusted=False,
        reason=reason,
        remedy=remedy,
        root=folder,
        owners=found.owners,
        vendored=True,
    )


def sole_owner(owner: int, group: int, mode: int) -> int:
    """The owner of a file; NOBODY if other users can write to it.

    A group with the number of its only member's uid is that user's own, as most Linux systems make it.
    """
    shared = mode & _OTHERS_WRITE or (mode & _GROUP_WRITES and group != owner)
    return NOBODY if shared else owner
