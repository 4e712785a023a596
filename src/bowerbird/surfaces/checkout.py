"""The commit a checkout stands at, read by hand: running git would cost more than the answer."""

import os

from bowerbird.core.repository import Repository

# From this file up to the folder that would hold .git: surfaces, bowerbird, src.
ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def own_commit() -> str | None:
    """The commit of the checkout that this package runs from; None for an installed package."""
    return commit_of(ROOT)


def commit_of(folder: str) -> str | None:
    """The commit that the checkout in `folder` stands at, or None."""
    return Repository(folder).head() or None
