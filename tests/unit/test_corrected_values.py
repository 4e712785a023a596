"""Values that are corrected in so few words that the subject is missing."""

from __future__ import annotations

import pytest

from bowerbird.core.types import Entry
from bowerbird.sessions.learn.corrected_values import corrected_value

SAID = (
    "The staging database listens on 6432.",
    "Use npm for installing packages.",
    "The logs are in /var/log/shop.",
    "Uploads are limited to 10 MB.",
    "The dev API listens on 8080.",
)


@pytest.mark.parametrize(
    ("sentence", "reply", "wanted"),
    [
        ("6500", "I connect with psql -p 6432", "The staging database listens on 6500."),
        ("its 6500 not 6432", "", "The staging database listens on 6500."),
        ("it's on 6500 now", "It answers on port 6432.", "The staging database listens on 6500."),
        ("they're under /srv/logs now", "tail /var/log/shop", "The logs are in /srv/logs."),
        ("pnpm, not npm", "", "Use pnpm for installing packages."),
        ("25 MB", "the limit of 10 MB is in config.py", "Uploads are limited to 25 MB."),
        # Nobody named what it would correct, or two of them were.
        ("6500", "", ""),
        ("6500", "neither 6432 nor 8080 answers", ""),
        # A task, an answer to a choice, and a denial alone.
        ("try 6500", "psql -p 6432", ""),
        ("use 6500", "psql -p 6432", ""),
        ("6500?", "psql -p 6432", ""),
        ("2", "1. keep 6432\n2. take another port", ""),
        ("not 6432", "psql -p 6432", ""),
    ],
)
def test_what_a_person_corrects_keeps_its_subject(sentence: str, reply: str, wanted: str) -> None:
    found = corrected_value(sentence, reply, [_entry(text) for text in SAID])
    assert (found[1] if found else "") == wanted


def _entry(text: str) -> Entry:
    return Entry(1, text, "memory", "fact", text, "", "normal", "active", 0)
