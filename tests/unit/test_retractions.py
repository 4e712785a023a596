"""What a person takes back by naming it, and which memory they mean."""

from __future__ import annotations

import pytest

from bowerbird.core.types import Entry
from bowerbird.sessions.learn.retractions import fulfilled, named_by, retracted

# "Commit" alone would name the third or the fourth of these.
KEPT = (
    "From now on max 72 chars per line.",
    "Use tabs for indentation.",
    "Commit messages are in the imperative.",
    "Commit before lunch.",
)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("scrap what i said about the line length, the formatter does it", KEPT[0]),
        ("forget the tabs rule", KEPT[1]),
        ("ignore what I told you about commit messages", KEPT[2]),
        # Of a rule all words count: another one on commits is not meant.
        ("forget the commit signing rule", ""),
        # Two are meant equally; a linter's rule; what nobody said.
        ("forget what I said about commit times", ""),
        ("drop the tabs rule from the linter", ""),
        ("forget what I said about the holidays", ""),
    ],
)
def test_what_is_taken_back_by_its_subject(prompt: str, wanted: str) -> None:
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in KEPT]
    found = [named_by(subject, kept, in_part=said) for _, subject, said in retracted([prompt])]
    assert [one.text for one in found if one] == [wanted] * bool(wanted)


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("Tom is back", "Don't touch the Makefile until Tom is back."),
        ("good news: Jonas is back", "Leave package.json alone while Jonas is away."),
        ("Emma is back, ask her", "Emma is on holiday until the 14th."),
        ("the release is finally out", "No deploys until the release is out."),
        ("is Tom back?", ""),
        ("when Tom is back we change the Makefile", ""),
        ("Tom is not back yet", ""),
        ("the tests are done", ""),
    ],
)
def test_what_holds_until_something_is_so_ends_with_it(said: str, ended: str) -> None:
    kept = (
        "Don't touch the Makefile until Tom is back.",
        "Leave package.json alone while Jonas is away.",
        "Emma is on holiday until the 14th.",
        "No deploys until the release is out.",
        "Run the tests before the code is merged.",
    )
    entries = [
        Entry(at, str(at), "memory", "fact", text, "", "full", "active", 0)
        for at, text in enumerate(kept)
    ]
    assert "".join(one.text for _, one in fulfilled([said], entries)) == ended
