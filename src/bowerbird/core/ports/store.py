"""A store as a whole, and what keeps stores."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bowerbird.core.clock import Clock
from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.health import Finding
from bowerbird.core.history import Moment, MomentRequest
from bowerbird.core.ports.files import Cached, Documents, Projects, Vectors
from bowerbird.core.ports.memories import (
    Aging,
    Audit,
    Contextual,
    Memories,
    NearestMemories,
    Relations,
)
from bowerbird.core.ports.progress import Progress
from bowerbird.core.ports.reading import CandidateSource, Entries, Words
from bowerbird.core.types import ModelIdentity
from bowerbird.core.value import Note


class Store(Protocol):
    """One open store. Knows nothing of configuration or of who asks."""

    path: str
    clock: Clock

    @property
    def damaged(self) -> set[int]:
        """The rows that could not be read, and were left out, since the last reading began."""
        ...

    @property
    def candidates(self) -> CandidateSource:
        """Rows by signal."""
        ...

    @property
    def words(self) -> Words:
        """Counts by word."""
        ...

    @property
    def entries(self) -> Entries:
        """Whole entries."""
        ...

    @property
    def vectors(self) -> Vectors:
        """Vectors and their renewal."""
        ...

    @property
    def contextual(self) -> Contextual:
        """What the contextual model read of memories."""
        ...

    @property
    def nearest(self) -> NearestMemories:
        """The memories nearest to a text."""
        ...

    @property
    def documents(self) -> Documents:
        """Indexed files."""
        ...

    @property
    def memories(self) -> Memories:
        """Curated beliefs."""
        ...

    @property
    def relations(self) -> Relations:
        """How they hang together."""
        ...

    @property
    def audit(self) -> Audit:
        """Who did what to them."""
        ...

    @property
    def aging(self) -> Aging:
        """What time did to them."""
        ...

    def transaction(
        self, ahead: "Callable[[], None] | None" = None
    ) -> AbstractContextManager[None]:
        """One writing transaction.

        Where other writers are waited for, `ahead` is called once this one is the next, before it takes
        the lock: what it finds out on a moment that is only read is hardly older than the transaction.
        """
        ...

    def rehearsal(self) -> AbstractContextManager[None]:
        """A writing transaction that is never kept."""
        ...

    def reading(self, *, once: bool = False) -> AbstractContextManager[None]:
        """One moment of the store for all that is read inside; `once`: one statement is."""
        ...

    def apart(self, slow: Callable[[], None]) -> bool:
        """Leave the reading under way while something slow is done; whether it still holds then."""
        ...

    @property
    def projects(self) -> Projects:
        """What entries belong to."""
        ...

    def ensure_model(self, identity: ModelIdentity) -> int:
        """The local number of a model, written down when new."""
        ...

    def model_row(self, identity: ModelIdentity) -> int | None:
        """The local number of a model, or None."""
        ...

    def generation(self) -> int:
        """Counts what was written, by anybody."""
        ...

    def moment(self, asked: MomentRequest, since: int | None = None, most: int = 0) -> Moment:
        """What is asked of it before a memory is written; `most` of what changed `since`."""
        ...

    def expired_between(self, then: int, now: int) -> bool:
        """Whether a memory's day came in that time."""
        ...

    def meta(self, key: str) -> Any:
        """A fact about this file."""
        ...

    def tally(self, key: str) -> None:
        """Count one more of something."""
        ...

    def tallies(self, prefix: str) -> dict[str, int]:
        """What was counted under keys that begin so, by the rest of the key."""
        ...

    def embeddings(self, most: int) -> Cached:
        """What models behind a server have read, up to a number of vectors."""
        ...

    def keep_resident(self) -> None:
        """Keep in memory what every question reads: for a process that stays."""
        ...

    def build_index(self, model: int, progress: Progress | None = None) -> int | None:
        """Build an index of a model's vectors; how many it holds. Raises MissingExtra."""
        ...

    def reword(self, progress: Progress | None = None) -> tuple[int, int]:
        """Build the word indexes anew: entries indexed, and those that cannot be read."""
        ...

    def stale(self) -> bool:
        """Whether it is to be opened anew."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...

    def spare_room(self, *, spare: bool) -> None:
        """Take less room while writing, at the cost of time."""
        ...

    def give_back(self, pages: int = ...) -> None:
        """Give what was freed back to the disk."""
        ...

    def fold(self) -> None:
        """Give back what is kept beside the data for a while."""
        ...

    def size(self) -> int:
        """The bytes that it takes."""
        ...

    def measured_recall(self, model: int) -> float | None:
        """What share of the exact answer that finds."""
        ...

    def healthy(self) -> bool:
        """Whether as many entries are indexed as there are."""
        ...

    def remarks(self) -> list[Note]:
        """What is unusual about this store and harms nothing."""
        ...

    def examine(self) -> Iterator[Finding]:
        """What may be wrong inside; where the data are damaged, nothing is looked at behind that."""
        ...


class Backend(Protocol):
    """One way to keep a store, which has a location. Knows nothing of what is asked of it."""

    def open(
        self,
        location: str,
        clock: Clock,
        *,
        write: bool,
        use: Callable[[float, float], tuple[float, float]],
    ) -> Store:
        """Open a store; a writer makes and upgrades it, a reader does neither.

        `use` says what a use makes of a memory's importance and its rate of decay. Raises the store
        errors of `core.errors`.
        """
        ...

    def ours(self, raised: Exception, location: str) -> BowerbirdError | None:
        """An error of the backend's own as one of ours; None for those of others."""
        ...

    def note_usage(
        self, location: str, ids: Sequence[str], session: str, now: int, drops: str
    ) -> bool:
        """Note which entries were used, without waiting; else count that in the file `drops`."""
        ...

    def about(self) -> Iterator[Finding]:
        """What may be wrong with the program that keeps stores."""
        ...

    def surroundings(self, location: str) -> Iterator[Finding]:
        """What may be wrong with the place of a store, whether there is one or not."""
        ...

    def cramped(self, location: str) -> bool:
        """Whether so little room is left there that nothing could be taken out."""
        ...

    def make_room(self, location: str) -> None:
        """Let go of the room that is kept for taking out."""
        ...

    def keep_room(self, location: str) -> None:
        """Keep it again, as far as there is some."""
        ...

    def verify(self, location: str, sample: int | None, progress: Progress | None) -> Verified:
        """Look for damage, in everything or in a sample of entries."""
        ...

    def back_up(
        self,
        location: str,
        target: str | None,
        now: int,
        keep: int | None,
        progress: Progress | None,
    ) -> BackedUp:
        """Copy a store as it is at this moment."""
        ...

    def restore(self, location: str, source: str, now: int, progress: Progress | None) -> Restored:
        """Go back to a backup."""
        ...

    def recover(
        self, location: str, into: str, clock: Clock, progress: Progress | None
    ) -> Recovered:
        """Save what can be read into a new store."""
        ...
