"""What is erased at once, and the receipt of it: what, when, how much, by hashes; never a text.

Times are UTC milliseconds.
"""

from bowerbird.core.pattern import late
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_QUOTATION = late("“[^”]*”")


def unquoted(text: str) -> str:
    """A text without what it quotes."""
    return _QUOTATION.sub("“…”", text)


def reason_unquoted(reason: str, reviews: "Iterable[str]") -> str:
    """The reason of a version without the quotation that one of its reviews gives, too.

    The change that made both may be another copy's, and not known. `reviews` quote nothing any more.
    """
    bare = unquoted(reason)
    why = (one.partition(": ")[2] for one in reviews)
    return bare if any(one and one in bare for one in why) else reason


def erased_until(sessions: "Mapping[str, int]", session: str) -> int:
    """Until when a session was erased, of those that were; 0 if it was not.

    Hooks know it by its agent and its name, a transcript by its name alone.
    """
    named = (at for one, at in sessions.items() if one == session or one.endswith(f"-{session}"))
    return max(named, default=0)


class Part(Record):
    """A part of a store, by a session, an origin (`core.origins`), or a project by its uid."""

    session: str = ""
    origin: str = ""
    project: str = ""


class Traces(Record):
    """What a copy of a store holds if it holds what is erased.

    Memories by id and by text, indexed files by path, and the names of sessions and of a project.
    """

    ids: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    project: str = ""


class ErasedMemory(Record):
    """A memory that is gone: how many versions it had, and the SHA-256 of its last text, in hex."""

    id: str
    kind: str
    versions: int
    hash: str
    TABLE = ("*",)


class Quoting(Record):
    """What still quotes an erased memory: another memory, such as a session's digest, or a passage.

    `place` is the file, empty for a memory.
    """

    id: str
    kind: str
    place: str = ""
    TABLE = ("*",)


class Remaining(Record):
    """A memory that one which is erased replaced, or that replaced it, in any number of steps."""

    id: str
    kind: str
    state: str
    TABLE = ("*",)


class Erased(Record):
    """A receipt: `what` was deleted for good, `at` which time, and what became of copies of its words.

    `documents` are indexed files that left the store, `turns` what left it of indexed transcripts that
    stay, `sessions` those whose records were deleted.
    `lines` of journals and scratchpads were blanked, `archives` of transcripts rewritten or deleted.
    `removed` are deleted files: backups, exports, the index of vectors, and with everything the store's
    own. `copies` are the backups and exports that hold the words, or may, `quoting` what else of the
    store does, `remaining` former and later memories of the same chain, whose words differ, `sources`
    the files of others that an index or import would bring back, `transcripts` the agents' own files that
    say it and are not indexed there any more, `shared` the places with which this
    machine synchronised: other devices hold the words until each has synchronised again. `statements`
    are what whoever runs the store's server has to run there until no byte is left. `common` is how
    many runs of words stand in so many memories that those are not listed. With `dry_run` nothing was
    changed.
    """

    what: str
    at: int
    erased: tuple[ErasedMemory, ...] = ()
    documents: int = 0
    sessions: int = 0
    lines: int = 0
    archives: int = 0
    turns: int = 0
    removed: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    quoting: tuple[Quoting, ...] = ()
    remaining: tuple[Remaining, ...] = ()
    sources: tuple[str, ...] = ()
    transcripts: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    common: int = 0
    dry_run: bool = False
    TABLE = ("*", ("at", "moment"))
