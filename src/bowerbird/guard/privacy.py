"""Tells whether a text names what belongs to one machine or one person, so that no lesson quotes it."""

from bowerbird.guard.automaton import pattern

# Folders below which each machine and each user has others; an option's letter may stand before them
# (`-I/tmp/x`).
_FOLDERS = (
    r"(?:^|[^\w.-]|(?:^|[^\w-])-[A-Za-z])/(?:home|Users|root|tmp|var|mnt|media|Volumes|private)/"
)
_DRIVES = r"(?:^|[^A-Za-z])(?:[A-Z]:\\+\w|[A-Za-z]:[\\/]+Users\b)|\\\\[\w.-]+\\\w"
# An account at a host, unlike a package's version (`left-pad@1.3.0`), and a host of a private network.
_ADDRESSES = (
    r"\w@(?:(?:[\w-]+\.)+[A-Za-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})"
    r"|(?:^|[^\w.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}(?:$|[^\w.])"
)
# What a redaction left: ours, and those of others.
_PLACEHOLDERS = "REDACTED"
_ELSEWHERE = f"{_FOLDERS}|{_DRIVES}|{_PLACEHOLDERS}"
_PRIVATE = f"{_ELSEWHERE}|{_ADDRESSES}"


def private(text: str, *, addresses: bool = False) -> bool:
    """Whether a text holds a path of one machine, an address of a person or host, or a placeholder.

    With `addresses` those may be in it.
    """
    return (
        pattern(_ELSEWHERE if addresses else _PRIVATE).search(text.encode("utf-8", "surrogatepass"))
        is not None
    )
