"""What is taken for a use by its name alone: told as such, weighed less, and not followed further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
class Press:
    def emboss(self):
        return 1


def surely():
    return Press().emboss()


def perhaps(machine):
    return machine.emboss()


def above_surely():
    return surely()


def above_perhaps():
    return perhaps(None)
"""


def test_nothing_is_told_that_hangs_on_a_guess(tmp_path: Path) -> None:
    (tmp_path / "press.py").write_text(CODE)
    with Bowerbird.open(tmp_path / "memory.db", project="press") as bird:
        bird.index(tmp_path / "press.py")
        found = bird.impact("Press.emboss").reached
    reached = {one.node.name: (one.origin, one.depth) for one in found}
    assert reached.pop("Press") == ("ast", 1)  # the class that it stands in
    assert reached == {"surely": ("ast", 1), "perhaps": ("rule", 1), "above_surely": ("ast", 2)}
    weights = {one.node.name: one.weight for one in found}
    assert weights["perhaps"] < weights["surely"]
