"""Cutting lines and messages: where, how long, and what neighbours share."""

from __future__ import annotations

import itertools

from bowerbird.core.text import count_tokens
from bowerbird.ingest.chunk import Size, cut, cut_message

SIZE = Size(50, 10)


def paragraph(word: str, lines: int) -> list[str]:
    return [f"{word} line {number} says a little more than nothing" for number in range(lines)]


def test_a_short_text_is_one_piece_without_its_blank_ends() -> None:
    pieces = cut(["", "one", "", "two", " "], 7, SIZE, context="A > B", occurred=5)
    assert [(p.text, p.start_line, p.end_line) for p in pieces] == [("one\n\ntwo", 8, 10)]
    assert (pieces[0].context, pieces[0].occurred) == ("A > B", 5)


def test_nothing_but_blanks_gives_no_piece() -> None:
    assert cut(["", "  ", "\t"], 1, SIZE) == []
    assert cut([], 1, SIZE) == []


def test_a_cut_falls_between_paragraphs_where_one_ends_in_reach() -> None:
    lines = [*paragraph("alpha", 3), "", *paragraph("beta", 3)]
    pieces = cut(lines, 1, Size(60, 0))
    assert [p.text.split()[0] for p in pieces] == ["alpha", "beta"]
    assert [(p.start_line, p.end_line) for p in pieces] == [(1, 3), (5, 7)]


def test_no_piece_is_longer_than_asked() -> None:
    lines = [*paragraph("alpha", 40), "x" * 1000, "One sentence. " * 60, "", *paragraph("beta", 9)]
    for piece in cut(lines, 1, SIZE):
        assert count_tokens(piece.text) <= 50


def test_neighbours_share_whole_lines_up_to_the_overlap() -> None:
    lines = paragraph("alpha", 30)
    pieces = cut(lines, 1, Size(60, 15))
    assert len(pieces) > 2
    for before, after in itertools.pairwise(pieces):
        shared = lines[after.start_line - 1 : before.end_line]
        assert shared
        assert count_tokens("\n".join(shared)) <= 15
    assert all(not cut_off.text.startswith(" ") for cut_off in pieces)


def test_without_overlap_neighbours_share_nothing() -> None:
    pieces = cut(paragraph("alpha", 30), 1, Size(60, 0))
    for before, after in itertools.pairwise(pieces):
        assert after.start_line == before.end_line + 1


def test_pieces_come_out_about_equally_long() -> None:
    sizes = [count_tokens(p.text) for p in cut(paragraph("alpha", 15), 1, Size(100, 0))]
    assert len(sizes) == 2
    assert min(sizes) > 0.5 * max(sizes)


def test_a_line_that_is_too_long_is_cut_at_sentences_and_keeps_its_number() -> None:
    line = " ".join(f"Sentence number {number} ends here." for number in range(40))
    pieces = cut(["before", line, "after"], 10, SIZE)
    inner = [p for p in pieces if "Sentence" in p.text]
    assert len(inner) > 3
    assert all(11 in range(p.start_line, p.end_line + 1) for p in inner)
    assert all(p.text.rstrip("after\n").endswith(".") for p in inner)
    assert all(p.text.startswith(("Sentence", "before")) for p in inner)


def test_a_line_without_sentences_is_cut_between_words_and_one_without_words_anywhere() -> None:
    words = " ".join(f"word{number}" for number in range(200))
    for piece in cut([words], 1, Size(50, 0)):
        assert set(piece.text.split()) <= set(words.split())
    solid = "界" * 500
    pieces = cut([solid], 1, Size(50, 0))
    assert "".join(p.text for p in pieces) == solid


def test_an_overlap_as_large_as_the_piece_still_moves_on() -> None:
    pieces = cut(paragraph("alpha", 50), 1, Size(50, 1000))
    assert pieces[-1].end_line == 50
    assert len(pieces) <= 50


def test_a_turn_is_cut_at_paragraphs_first() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "It goes on. " * 20 for number in range(6))
    parts = cut_message(text, 600)
    assert len(parts) > 2
    assert all(part.startswith("Paragraph") for part in parts)
    assert all(len(part) <= 600 for part in parts)


def test_a_turn_of_one_paragraph_is_cut_at_sentences_then_words() -> None:
    assert all(p.endswith(".") for p in cut_message("This is one of many. " * 100, 300))
    parts = cut_message("word " * 300, 300)
    assert " ".join(parts).split() == ["word"] * 300
    assert "".join(cut_message("x" * 1000, 300)) == "x" * 1000


def test_a_short_turn_stays_whole_and_an_empty_one_gives_nothing() -> None:
    assert cut_message("  hello \n") == ["hello"]
    assert cut_message(" \n ") == []
