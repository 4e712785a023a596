"""PDF and DOCX: real files, broken files, and files that mean harm."""

from __future__ import annotations

import io
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.report import Skipped
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import read
from bowerbird.ingest.paged import pdf
from bowerbird.ingest.paged.docx import docx_text
from bowerbird.ingest.paged.pages import BrokenError
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sources.registry import source_for
from bowerbird.ingest.walk import Found

if TYPE_CHECKING:
    from pathlib import Path

    from bowerbird.core.document import Piece

MOST = 32_000_000
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pieces(path: Path) -> list[Piece]:
    contents = read(Found(str(path), path.stat().st_size, 0), MOST)
    assert not isinstance(contents, Skipped), contents.reason
    material = Material(str(path), contents.text)
    return source_for(material).read(material, Size(400, 0)).pieces


def skipped(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    contents = read(Found(str(path), len(data), 0), MOST)
    assert isinstance(contents, Skipped)
    return contents.reason


def bees(*pages: str, password: str = "") -> bytes:
    fpdf = pytest.importorskip("fpdf")
    pytest.importorskip("pypdfium2")
    made = fpdf.FPDF()
    if password:
        made.set_encryption(owner_password=password, user_password=password)
    made.set_font("Helvetica", size=12)
    for text in pages:
        made.add_page()
        made.multi_cell(0, 8, text)
    return bytes(made.output())


def test_a_pdf_by_page(tmp_path: Path) -> None:
    file = tmp_path / "bees.pdf"
    file.write_bytes(bees("The year was wet.", "Honey fell to 11 kg.", "Mites were treated."))
    found = [
        (piece.text, piece.context, piece.start_line, piece.end_line) for piece in pieces(file)
    ]
    assert found == [
        ("The year was wet.", "page 1", 1, 1),
        ("Honey fell to 11 kg.", "page 2", 2, 2),
        ("Mites were treated.", "page 3", 3, 3),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: b"", "a broken PDF"),
        (lambda: b"%PDF-1.7\n\0\0", "a broken PDF"),
        (lambda: bees("x")[:200], "a broken PDF"),
        (lambda: bees("secret", password="p"), "a PDF that a password locks"),
        (lambda: bees(""), "a PDF without text, as of a scanner"),
    ],
    ids=["empty", "bytes", "cut off", "locked", "no text"],
)
def test_a_pdf_that_says_nothing(tmp_path: Path, data: Any, reason: str) -> None:
    pytest.importorskip("pypdfium2")
    assert skipped(tmp_path / "a.pdf", data()) == reason


def test_without_the_extra_a_pdf_is_skipped_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    file = tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(OSError, match=r"to read it: .*bowerbird\[documents\]"):
        read(Found(str(file), 9, 0), MOST)


def test_what_was_told_until_a_reader_was_ended_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdfium2")
    script = "import time; print('\"one\"\\n\"tw', end='', flush=True); time.sleep(60)"
    monkeypatch.setattr(pdf, "_COMMAND", (sys.executable, "-c", script))
    monkeypatch.setattr(pdf, "_MOST_SECONDS", 1)
    assert pdf.pdf_text(b"") == ("one", True)


def test_pages_whose_tree_is_a_circle_end() -> None:
    pytest.importorskip("pypdfium2")
    data = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 900000000>>endobj\n"
        b"trailer<</Root 1 0 R/Size 3>>\n%%EOF\n"
    )
    with pytest.raises(BrokenError):
        pdf.pdf_text(data)


def test_a_word_file_by_heading_and_page(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    made = docx.Document()
    made.add_heading("Lease", 0)
    made.add_paragraph("The tenant pays 900 euros. " * 12)
    made.add_heading("Pets", 1)
    made.add_paragraph("Two cats are allowed. " * 14)
    made.add_page_break()
    made.add_heading("Keys", 2)
    made.add_paragraph("Three keys were handed over.")
    table = made.add_table(2, 2)
    for row, (left, right) in enumerate((("Room", "Size"), ("Kitchen", "12 m²"))):
        table.cell(row, 0).text, table.cell(row, 1).text = left, right
    file = tmp_path / "lease.docx"
    made.save(str(file))
    found = pieces(file)
    assert [(piece.context, piece.start_line) for piece in found] == [
        ("Lease · page 1", 1),
        ("Lease > Pets · page 1", 1),
        ("Lease > Pets > Keys · page 2", 2),
    ]
    assert found[-1].text.split() == (
        "Keys Three keys were handed over. Room | Size Kitchen | 12 m²".split()
    )


def test_a_word_file_that_tells_no_pages_counts_lines(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    made = docx.Document()
    made.add_paragraph("One.")
    made.add_paragraph("Two.")
    made.save(str(tmp_path / "a.docx"))
    (piece,) = pieces(tmp_path / "a.docx")
    assert (piece.text, piece.context, piece.start_line, piece.end_line) == (
        "One.\n\nTwo.",
        "",
        1,
        3,
    )


def word(body: str, **others: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>"
        )
        for name, text in others.items():
            packed.writestr(f"word/{name}.xml", text)
    return held.getvalue()


def test_headings_are_told_by_what_a_style_is_called_in_word_itself() -> None:
    styles = (
        f'<w:styles {W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Eigene"><w:name w:val="Eigene"/><w:basedOn w:val="berschrift1"/></w:style>'
        "</w:styles>"
    )
    body = '<w:p><w:pPr><w:pStyle w:val="Eigene"/></w:pPr><w:r><w:t>Titel</w:t></w:r></w:p>'
    assert docx_text(word(body, styles=styles))[0].startswith("2\x01Titel\n")


def test_what_was_deleted_is_no_text_of_a_word_file() -> None:
    body = (
        "<w:p><w:r><w:t>stays</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
    )
    assert docx_text(word(body))[0].strip() == "stays"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "a broken or locked Word file"),
        (b"PK\x03\x04 no archive", "a broken or locked Word file"),
        (word("<w:p>"), "a broken or locked Word file"),
        (word("<w:p>" * 5_000), "nested too deep"),
        (word("<!-- -->" + " " * 60_000_000), "unpacked it is over 200 times as large"),
    ],
    ids=["empty", "no archive", "broken XML", "deep", "bomb"],
)
def test_word_files_that_cannot_be_read(tmp_path: Path, data: bytes, reason: str) -> None:
    assert skipped(tmp_path / "a.docx", data) == reason


def test_a_word_file_declares_no_entities() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr("word/document.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    with pytest.raises(BrokenError, match="document type"):
        docx_text(held.getvalue())


def test_of_a_word_file_that_is_too_long_the_beginning_is_read() -> None:
    body = "<w:p><w:r><w:t>abcdefghij</w:t></w:r></w:p>" * 10
    text, cut = docx_text(word(body), most=25)
    assert (text.split(), cut) == (["abcdefghij", "abcdefghij", "abcde"], True)


def test_an_unknown_binary_stays_out(tmp_path: Path) -> None:
    assert skipped(tmp_path / "a.bin", b"\0\1\2") == "binary"
