"""Who quotes what is erased: what they say counts, in every field, and the names of fields do not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from typing import Any

    from bowerbird import Bowerbird


@pytest.mark.parametrize(
    "told",
    [
        {"summary": "The crane code is QX7741"},
        {"keywords": ("lift", "QX7741")},
        {"metadata": {"from": [{"said": "the crane code is QX7741"}]}},
    ],
)
def test_a_field_quotes(told: dict[str, Any], bird: Bowerbird) -> None:
    erased = bird.remember("The crane code is QX7741").id
    quotes = bird.remember("Ask Ines about the harbour, she has the keys", **told).id
    assert [one.id for one in bird.admin.erase([erased], dry_run=True).quoting] == [quotes]


def test_names_of_fields_and_files_do_not_quote(bird: Bowerbird) -> None:
    erased = bird.remember("Author confidence metadata keywords: that is the review order").id
    for number in range(3):
        path = f"src/author/confidence/metadata{number}.py"
        bird.remember(f"The depot {number} lies behind hall {number * 7}", files=(path,))
    assert bird.admin.erase([erased], dry_run=True).quoting == ()


def test_a_file_that_quotes_is_named_among_many_that_share_a_name(
    bird: Bowerbird, tmp_path: Path
) -> None:
    for number in range(4):
        lines = "\n\n".join(
            f"# Zephyrine {number}.{at}\n\nZephyrine zephyrine." for at in range(40)
        )
        (tmp_path / f"{number}.md").write_text(lines)
    (tmp_path / "quote.md").write_text(
        f"{'Much is said about the harbour and its halls, as always. ' * 8}"
        "The key of the depot is with Zephyrine, they say."
    )
    bird.index(tmp_path)
    erased = bird.remember("The key of the depot is with Zephyrine").id
    quoting = {Path(one.place).name for one in bird.admin.erase([erased]).quoting}
    assert "quote.md" in quoting
