"""A special case of a statement stands beside it and does not take its place."""

from __future__ import annotations

import pytest

from bowerbird.lifecycle.duplicates import compare


@pytest.mark.parametrize(
    ("general", "restricted"),
    [
        ("The kids go to bed at eight", "The kids go to bed at eight on school nights"),
        ("The kids go to bed at eight", "On school nights, the kids go to bed at eight"),
        ("The kids go to bed at eight", "The kids go to bed at eight, when there is school"),
        ("Retries are on", "Retries are on for uploads that are larger than a chunk"),
        ("The port is 5432", "Staging: the port is 5432"),
        ("Reports stay for a year", "Reports stay for a year which the board signed"),
        ("The service runs in a container", "The service runs in a container as root"),
        ("Die Heizung ist aus", "Die Heizung ist aus bei offenem Fenster"),
        ("La porte reste ouverte", "La porte reste ouverte pendant la pause"),
        ("El despacho abre a las nueve", "El despacho abre a las nueve en verano"),
    ],
)
def test_a_special_case_takes_no_place_of_the_general(general: str, restricted: str) -> None:
    assert compare(general, restricted).relation == ""
    assert compare(restricted, general).relation == ""
