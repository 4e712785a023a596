"""What synchronising a store with others through a shared place has done, or would do."""

from bowerbird.core.exchange import Received, Refused
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Leaving(Record):
    """A memory that leaves this machine: its text shortened, and its project's name."""

    id: str
    kind: str
    project: str
    text: str
    TABLE = ("*",)


class Synced(Record):
    """One synchronisation.

    Args:
        target: the place.
        sent: how many memories left.
        rows: how many other rows left, such as links.
        leaving: the memories that leave, of a dry run.
        staying: how many memories stay here, by the reason.
        received: what became of what others had sent.
        devices: how many other copies of the store use the place.
        unread: files that could not be read, with the reason; they are tried again.
        passphrase: the new passphrase of a place that was set up now; it is not shown again.
    """

    target: str
    sent: int = 0
    rows: int = 0
    leaving: tuple[Leaving, ...] = ()
    staying: "Mapping[str, int]" = {}  # noqa: RUF012 never changed
    received: Received = Received()
    devices: int = 0
    unread: tuple[Refused, ...] = ()
    passphrase: str = ""
    dry_run: bool = False
    took_ms: float = 0.0
    TABLE = ("*", ("received", Received), ("passphrase", "text-"), ("took_ms", "ms"))
