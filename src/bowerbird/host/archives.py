"""What is in an archive, without unpacking it."""

import os

# In bytes and in members; more is not looked at.
_LARGEST = 100_000_000
_MOST = 20_000


def top_names(path: str) -> list[str]:
    """The names of an archive's members without the folders below them; none if it cannot be read."""
    import tarfile  # start-up: unpacking is rare
    import zipfile  # start-up: as above

    names: dict[str, None] = {}
    try:
        if os.path.getsize(path) > _LARGEST:
            return []
        if path.endswith(".zip"):
            with zipfile.ZipFile(path) as packed:
                found = packed.namelist()[:_MOST]
        else:
            with tarfile.open(path) as bundle:
                found = [one.name for one, _ in zip(bundle, range(_MOST), strict=False)]
    except (OSError, ValueError, EOFError, tarfile.TarError, zipfile.BadZipFile):
        return []
    for name in found:
        first = os.path.normpath(name).split(os.sep)[0]
        if first not in ("", ".", ".."):
            names[first] = None
    return [*names]
