"""A folder through which copies of a store reach each other: on a disk, or one that is synchronised."""

import os
import re
import tempfile
from contextlib import suppress

from bowerbird.core.errors import BadInput
from bowerbird.host.foreign import whole

# Set up once, for all replicas.
HEADER = "bowerbird-sync.json"
# End of the names of files, and the beginning of one that is being written.
END = ".bower"
_UNFINISHED = ".unfinished-"
_LONGEST_HEADER = 10_000
# A file holds at most this, in bytes: more than any that we write.
LARGEST = 256_000_000
NAME = re.compile(r"\d{8}-[0-9a-f]{8}\.bower", re.ASCII)
REPLICA = re.compile(r"[\w-]{1,64}", re.ASCII)


class SharedFolder:
    """Files of several replicas, a folder each."""

    def __init__(self, path: str) -> None:
        self.path = os.path.realpath(os.path.expanduser(path))

    def header(self) -> bytes | None:
        """The header; None if the folder was not set up. Raises BadInput."""
        try:
            return whole(os.path.join(self.path, HEADER), _LONGEST_HEADER)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(
                f"{self.path} cannot be read: {why}", "name a folder of yours"
            ) from error

    def set_up(self, header: bytes) -> None:
        """Write the header. Raises BadInput."""
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise BadInput(f"{self.path} is a file", "name a folder")
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(os.path.join(self.path, HEADER), flags, 0o600), "wb") as file:
                file.write(header)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            raise BadInput(f"{self.path} was set up by another device", "try again") from None
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(
                f"{self.path} cannot be written: {why}", "name a folder of yours"
            ) from error

    def replicas(self) -> list[str]:
        """The names of all replicas that wrote here."""
        return sorted(
            one
            for one in os.listdir(self.path)
            if REPLICA.fullmatch(one) and os.path.isdir(os.path.join(self.path, one))
        )

    def files(self, replica: str) -> list[str]:
        """The names of a replica's files, in order; what has another form is none of ours."""
        try:
            names = os.listdir(os.path.join(self.path, replica))
        except FileNotFoundError:
            return []
        return sorted(filter(NAME.fullmatch, names))

    def read(self, replica: str, name: str) -> bytes:
        """A file's bytes. Raises OSError."""
        return whole(os.path.join(self.path, replica, name), LARGEST)

    def write(self, replica: str, name: str, data: bytes) -> None:
        """Write a file atomically. Raises OSError."""
        folder = os.path.join(self.path, replica)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=folder, prefix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, os.path.join(folder, name))
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise

    def remove(self, replica: str, name: str) -> None:
        """Remove a file, if it is there. Raises OSError."""
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self.path, replica, name))
