"""Talks written down as text."""

import pytest

from bowerbird.ingest.chunk import Size
from bowerbird.ingest.sources.dialogue import Dialogue
from bowerbird.ingest.sources.reading import Material

TALK = """Caroline: Hey Mel! Good to see you.
Melanie: Hey Caroline!
How have you been?

Caroline: I moved to Lyon in May.
Melanie: Wow, Lyon!
"""


def test_a_talk_is_read_turn_by_turn_with_its_lines_and_speakers() -> None:
    material = Material("/notes/talk.md", TALK)
    assert Dialogue().accepts(material)
    reading = Dialogue().read(material, Size(400, 0))
    assert [(piece.speaker, piece.start_line, piece.end_line) for piece in reading.pieces] == [
        ("Caroline", 1, 1),
        ("Melanie", 2, 4),
        ("Caroline", 5, 5),
        ("Melanie", 6, 7),
    ]
    assert reading.pieces[1].text == "Melanie: Hey Caroline!\n\nHow have you been?"
    assert reading.session == "talk"


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nRedis: up first.\nPort: 6379\n",
        "Title: a\nAuthor: b\nDate: c\nPlace: d\nTags: e\n",
        "A long paragraph.\n" * 9 + "Anna: yes\nBert: no\nAnna: yes\nBert: no\n",
        "Anna: a talk with oneself\nAnna: goes on\nAnna: and on\nAnna: and on\n",
        "",
    ],
)
def test_notes_with_keys_are_no_talk(text: str) -> None:
    assert not Dialogue().accepts(Material("/notes/a.md", text))


def test_code_is_no_talk() -> None:
    assert not Dialogue().accepts(Material("/notes/a.py", TALK))
