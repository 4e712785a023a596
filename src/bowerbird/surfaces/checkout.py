"""The commit a checkout stands at, read by hand: running git would cost more than the answer."""

import os

# From this file up to the folder that would hold .git: surfaces, bowerbird, src.
ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def own_commit() -> str | None:
    """The commit of the checkout that this package runs from; None for an installed package."""
    return commit_of(ROOT)


def commit_of(folder: str) -> str | None:
    """The commit that the checkout in `folder` stands at, or None."""
    git = os.path.join(folder, ".git")
    try:
        if os.path.isfile(git):  # a worktree or submodule says where its own folder is
            git = os.path.join(folder, _read(git).partition("gitdir:")[2].strip())
        head = _read(os.path.join(git, "HEAD"))
    except OSError:
        return None
    if not head.startswith("ref:"):
        return head or None
    name = head.partition(":")[2].strip()
    common = git
    if os.path.isfile(os.path.join(git, "commondir")):  # a worktree shares its branches
        common = os.path.join(git, _read(os.path.join(git, "commondir")))
    for place in (git, common):
        try:
            return _read(os.path.join(place, name))
        except OSError:
            continue
    return _packed(common, name)


def _packed(git: str, name: str) -> str | None:
    try:
        lines = _read(os.path.join(git, "packed-refs")).splitlines()
    except OSError:
        return None
    for line in lines:
        commit, _, reference = line.partition(" ")
        if reference == name:
            return commit
    return None


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read().strip()
