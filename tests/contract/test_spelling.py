"""What is read as a misspelt word, and what is not, through the whole of a question."""

import pytest

from bowerbird import Bowerbird


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        ("The WAN link passed its tests on the server", "Wann passen die Termine?"),
        ("The server of the office is called heron", "who will serve the office?"),
    ],
)
def test_a_real_word_is_read_as_it_is(bird: Bowerbird, kept: str, asked: str) -> None:
    bird.remember(kept)
    assert bird.query(asked).corrected == {}


def test_a_misspelt_word_is_read_as_the_nearest(bird: Bowerbird) -> None:
    bird.remember("The server of the office is called heron")
    assert bird.query("which srever is in the office?").corrected == {"srever": "server"}
