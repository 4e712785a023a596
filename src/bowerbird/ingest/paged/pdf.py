"""PDF: the text of the pages by PDFium, in a process of its own that is ended where it goes on too long.

PDFium took .17 s of a manual of 36 pages for which pypdf took 1.6, and 22 MB for its 40. It is written
in C++, so that what a broken file does to it must not happen to the process that holds a store.
"""

import json
import subprocess
import sys
import time
from importlib.util import find_spec

from bowerbird.ingest.paged.pages import HEADING, MOST_CHARS, PAGE_END, BrokenError, MissingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_COMMAND = (sys.executable, "-P", "-m", "bowerbird.ingest.paged.pdf")
# Seconds for one file, of which the reader itself keeps the first: what was read till then is kept.
_SECONDS, _MOST_SECONDS = 30, 45
# Memory that the process may take: fifty times what it took for a manual of 36 pages, for the fonts and
# streams of others are larger.
_MOST_MEMORY = 1_000_000_000
_MOST_PAGES = 20_000
_BROKEN, _LOCKED = "a broken PDF", "a PDF that a password locks"
# What PDFium puts where a word was parted at the end of a line.
_PARTED = "\x02"


def pdf_text(data: bytes) -> tuple[str, bool]:
    """The text of a PDF, with a mark behind each page, and whether there was more.

    Raises MissingError without the library, BrokenError for what is no PDF that can be read.
    """
    if find_spec("pypdfium2") is None:
        raise MissingError
    pages: list[str] = []
    cut = True
    for line in _run(data).split(b"\n"):
        try:
            page = json.loads(line)
        except ValueError:
            # The process ended here; what comes before is whole.
            break
        if isinstance(page, dict):
            raise BrokenError(str(page["broken"]))
        if not isinstance(page, str):
            cut = page is not True
            break
        pages.append(page)
    if not pages:
        raise BrokenError(_BROKEN)
    if not any(page.strip() for page in pages):
        raise BrokenError("a PDF without text, as of a scanner")
    return PAGE_END.join(pages), cut


def _run(data: bytes) -> bytes:
    process = subprocess.Popen(  # noqa: S603 our own module
        _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        try:
            output, _ = process.communicate(data, timeout=_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    return output


def _limit() -> None:
    try:
        import resource  # start-up: where there is none, the clock alone ends it
    except ImportError:
        return
    for what, most in (("RLIMIT_AS", _MOST_MEMORY), ("RLIMIT_CPU", _MOST_SECONDS)):
        try:
            resource.setrlimit(getattr(resource, what), (most, most))
        except (ValueError, OSError):
            continue


def pages_of(data: bytes) -> "Iterator[str | bool]":
    """The text of each page, as long as there is time and room, then whether those are all.

    Raises BrokenError for what is no PDF that can be read.
    """
    import pypdfium2  # type: ignore[import-untyped,unused-ignore]  # start-up: where a PDF is read

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise BrokenError(_LOCKED if locked else _BROKEN) from error
    left = MOST_CHARS
    try:
        for number in range(len(document)):
            if left <= 0 or number == _MOST_PAGES or time.process_time() > _SECONDS:
                yield False
                return
            text = _page_text(document, number)
            yield text[:left]
            left -= len(text)
        yield True
    finally:
        document.close()


def _page_text(document: "Any", number: int) -> str:
    """The text of a page; nothing of one that is broken."""
    import pypdfium2  # start-up: where a PDF is read

    try:
        page = document[number]
        text: str = page.get_textpage().get_text_bounded()
    except pypdfium2.PdfiumError:
        return ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for mark in (PAGE_END, HEADING):
        text = text.replace(mark, " ")
    return text.replace(f"{_PARTED}\n", "").replace(_PARTED, "")


def _main() -> None:
    """Write the pages of the PDF that comes in, a JSON text a line, then whether those are all."""
    data = sys.stdin.buffer.read()
    _limit()
    try:
        for said in pages_of(data):
            # At once: what is told is there whatever becomes of this process.
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
    except BrokenError as error:
        sys.stdout.write(json.dumps({"broken": str(error)}) + "\n")


if __name__ == "__main__":
    _main()
