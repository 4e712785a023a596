"""Synchronises the store by itself in a process that stays."""

from bowerbird.bird import Bowerbird


def sync_round(store: str) -> "dict[str, int] | None":
    """Synchronises, unless another process did so just now; returns counts if anything moved."""
    with Bowerbird.open(store) as bird:
        done = bird.admin.sync_if_due()
    if done is None:
        return None
    got = done.received
    moved = {"sent": done.sent, "added": got.added, "changed": got.changed, "gone": got.gone}
    return moved if any(moved.values()) else None
