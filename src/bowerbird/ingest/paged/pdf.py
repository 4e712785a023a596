"""PDF: the text of the pages by PDFium, in a separate process with a time limit.

For a manual of 36 pages PDFium took .17 s and 22 MB, pypdf 1.6 s and 40 MB. It is written in C++, so that
a crash on a broken file must not hit the process that has a store open.
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
# Seconds for one file: the reader stops itself after the first, and what it read until then is kept; the
# process is killed after the second.
_SECONDS = 30
_MOST_SECONDS = 45
# Maximum memory of the process: fifty times what it took for a manual of 36 pages, because the fonts and
# streams of others are larger.
_MOST_MEMORY = 1_000_000_000
_MOST_PAGES = 20_000
_BROKEN = "a broken PDF"
_LOCKED = "a PDF that a password locks"
# PDFium's mark for a hyphenated word at the end of a line.
_PARTED = "\x02"


def pdf_text(data: bytes) -> tuple[str, bool]:
    """The text of a PDF, with a mark after each page, and whether it was cut off.

    Raises MissingError without the library, BrokenError for an unreadable PDF.
    """
    if find_spec("pypdfium2") is None:
        raise MissingError
    pages: list[str] = []
    cut = True
    for line in _run(data).split(b"\n"):
        try:
            page = json.loads(line)
        except ValueError:
            # The process was killed while it wrote this line; the lines before are complete.
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
        import resource  # start-up: without this module only the time limit applies
    except ImportError:
        return
    for what, most in (("RLIMIT_AS", _MOST_MEMORY), ("RLIMIT_CPU", _MOST_SECONDS)):
        try:
            resource.setrlimit(getattr(resource, what), (most, most))
        except (ValueError, OSError):
            continue


def pages_of(data: bytes) -> "Iterator[str | bool]":
    """The text of each page within the limits of time and size, then whether those are all.

    Raises BrokenError for an unreadable PDF.
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
    """The text of a page; empty if it is broken."""
    import pypdfium2  # start-up: only needed for a PDF

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
    """Writes the pages of the PDF on stdin, one JSON string a line, then whether those are all."""
    data = sys.stdin.buffer.read()
    _limit()
    try:
        for said in pages_of(data):
            # Flushed at once, so that it is not lost if the process is killed.
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
    except BrokenError as error:
        sys.stdout.write(json.dumps({"broken": str(error)}) + "\n")


if __name__ == "__main__":
    _main()
