"""Downloads one file of a model, by its checksum, when a person asks for it. Nothing else downloads."""

import hashlib
import os
import urllib.request
from contextlib import suppress
from urllib.parse import urlsplit

from bowerbird.core.errors import BadInput, ModelError
from bowerbird.core.http import is_here
from bowerbird.core.model_choice import Fetched
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPMessage
    from typing import IO

    from bowerbird.core.ports.progress import Progress

_AT_ONCE = 1 << 20
# Seconds without a byte after which a download is given up.
_PATIENCE = 60.0
_HEXADECIMAL = 64
_HUGGING_FACE = "https://huggingface.co"


class Known(Record):
    """A file that can be named without an address: its address, which names a revision, and checksum."""

    url: str
    sha256: str


# Checksums as several projects that pin these files publish them. Licences: Apache-2.0, Gemma's terms,
# Apache-2.0.
KNOWN = {
    "nomic-embed-text-v1.5": Known(
        f"{_HUGGING_FACE}/nomic-ai/nomic-embed-text-v1.5-GGUF/resolve/"
        "0188c9bf409793f810680a5a431e7b899c46104c/nomic-embed-text-v1.5.Q8_0.gguf",
        "3e24342164b3d94991ba9692fdc0dd08e3fd7362e0aacc396a9a5c54a544c3b7",
    ),
    "embeddinggemma-300M": Known(
        f"{_HUGGING_FACE}/ggml-org/embeddinggemma-300M-GGUF/resolve/"
        "0f741b5a6585bd53aeb15cd1372c56f2a0f65e12/embeddinggemma-300M-Q8_0.gguf",
        "b5ce9d77a3fc4b3b39ccb5643c36777911cc4eb46a66962eadfa3f5f60490d63",
    ),
    "bge-reranker-v2-m3": Known(
        f"{_HUGGING_FACE}/gpustack/bge-reranker-v2-m3-GGUF/resolve/"
        "3093af03b1a635e67b084b1d8c03c5f5e020fd05/bge-reranker-v2-m3-Q8_0.gguf",
        "a43c7c9b11a4c1517e5bf95151960e1621d1b72f7a493364b01e386cf1aaa1d3",
    ),
}


def fetched(name: str, sha256: str, folder: str, progress: "Progress | None" = None) -> Fetched:
    """Download a known model, or the GGUF file at an address, into a folder; a file that is whole stays.

    `sha256` is needed for an address. Raises BadInput, and ModelError if the download fails or is another
    file; then nothing is left of it.
    """
    known = KNOWN.get(name)
    if known is None and "://" not in name:
        raise BadInput(
            f"{name!r} is no model that can be fetched by its name",
            f"name one of {', '.join(KNOWN)}, or give the address of a GGUF file with --sha256",
        )
    url, wanted = (name, sha256.lower()) if known is None else (known.url, known.sha256)
    if len(wanted) != _HEXADECIMAL or not all(one in "0123456789abcdef" for one in wanted):
        raise BadInput(
            "an address needs the checksum of its file",
            "give it with --sha256: 64 hexadecimal digits, which the file's page shows",
        )
    file = os.path.basename(urlsplit(url).path)
    if not file.lower().endswith(".gguf"):
        raise BadInput(f"{url} is no GGUF file", "give the address of one; it ends in .gguf")
    _require_safe(url)
    path = os.path.join(folder, file)
    if os.path.isfile(path) and _checksum(path) == wanted:
        return Fetched(name, path, os.path.getsize(path), wanted, was_there=True)
    os.makedirs(folder, exist_ok=True)
    part = f"{path}.{os.getpid()}.part"
    try:
        found = _download(url, part, progress)
        if found != wanted:
            raise ModelError(
                f"{url} is another file than the one asked for: its checksum is {found}",
                "nothing was kept; fetch it again, or see which checksum its page shows",
            )
        os.replace(part, path)
    except OSError as error:
        host = urlsplit(url).netloc
        said = str(getattr(error, "reason", "") or error.strerror or error).lower()
        message = f"{file} cannot be fetched from {host}: {said}"
        raise ModelError(
            message, "check the network, HTTPS_PROXY and the disk, and fetch it again"
        ) from error
    finally:
        with suppress(OSError):
            os.unlink(part)
    return Fetched(name, path, os.path.getsize(path), wanted)


def _require_safe(url: str) -> None:
    parts = urlsplit(url)
    here = is_here(parts.hostname or "")
    if parts.scheme != "https" and not (parts.scheme == "http" and here):
        raise BadInput(f"{url} is not one of https", "give the address with https")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, as hosts of models send to their caches; never to a plain address elsewhere."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: "IO[bytes]",
        code: int,
        msg: str,
        headers: "HTTPMessage",
        newurl: str,
    ) -> "urllib.request.Request | None":
        _require_safe(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _download(url: str, part: str, progress: "Progress | None") -> str:
    """Write a file; its checksum. Raises OSError."""
    opener = urllib.request.build_opener(_Redirects)
    sum = hashlib.sha256()
    with opener.open(url, timeout=_PATIENCE) as answer, open(part, "wb") as file:
        size = int(answer.headers.get("Content-Length") or 0)
        if progress is not None:
            progress.start("fetching", max(size // _AT_ONCE, 1))
        while block := answer.read(_AT_ONCE):
            sum.update(block)
            file.write(block)
            if progress is not None:
                progress.advance(1)
        if progress is not None:
            progress.finish()
        if file.tell() < size:
            raise OSError("the connection ended before the file did")
        file.flush()
        os.fsync(file.fileno())
    return sum.hexdigest()


def _checksum(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
