"""Lists the files that are looked at for recorded sessions."""

import os

from bowerbird.ingest.ignore import generated_folder, marked_as_kept_out
from bowerbird.sessions.learn.transcript import ENDINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def given_files(paths: "Sequence[str]") -> dict[str, str]:
    """The files below some paths, each with the path that was given; a file that was given has itself."""
    given: dict[str, str] = {}
    for one in sorted(paths, key=os.path.isdir):
        for path in session_files([one]):
            given.setdefault(os.path.abspath(path), os.path.abspath(one))
    return given


def session_files(paths: "Sequence[str]") -> "Iterator[str]":
    """The files that may be transcripts: each that was given, and those below the folders."""
    for path in paths:
        if os.path.isdir(path):
            for folder, inside, names in os.walk(path):
                if folder != path and marked_as_kept_out({*names}):
                    inside.clear()
                    continue
                # Hidden folders are entered: agents keep their sessions in them.
                beside = {*inside, *names}
                inside[:] = [one for one in inside if not generated_folder(one, beside)]
                yield from (os.path.join(folder, name) for name in names if name.endswith(ENDINGS))
        else:
            yield path
