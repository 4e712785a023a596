"""Who takes over from somebody who left, and an exception that is over: what a later sentence ends."""

from __future__ import annotations

import pytest

from bowerbird.core.types import Entry
from bowerbird.sessions.learn.changed_values import changed_value

KEPT = (
    "Für Fragen zur Kasse ist Herr Okafor zuständig.",
    "Marek owns the front end.",
    "Camille s'occupe des traductions.",
    "You can use any in tests, but not in src.",
    "PRs are reviewed by two people, außer bei Hotfixes, da reicht einer.",
    "Wrap errors everywhere, except in migrations where panic is fine.",
    "Default exports sind verboten, außer in pages/.",
    "Always use tabs in Go files.",
    "We deploy on Tuesdays and Thursdays, nie freitags.",
    "Wir testen mit Postgres, nicht mit SQLite.",
)


@pytest.mark.parametrize(
    ("sentence", "ended"),
    [
        ("Herr Okafor ist im Ruhestand, Kasse macht jetzt Frau Blum", 0),
        ("Marek has left the company, Ines now owns the front end", 1),
        ("Camille est partie, c'est Louis qui gère les traductions maintenant", 2),
        # Not what else they did, nor who is there, nor what is no person.
        ("Marek has left the company, Ines now owns the back office", None),
        ("Marek is here, Ines now has the front end ready", None),
        ("Marek is on holiday, the front end build is red now", None),
        ("Herr Okafor ist krank, die Kasse bleibt jetzt bis Montag zu", None),
    ],
)
def test_who_does_now_what_somebody_did_who_left(sentence: str, ended: int | None) -> None:
    found = changed_value(sentence, _kept())
    wanted = None if ended is None else (KEPT[ended], sentence)
    assert (None if found is None else (found[0].text, found[1])) == wanted


@pytest.mark.parametrize(
    ("sentence", "ended"),
    [
        ("any in tests is not ok anymore either", 3),
        ("Hotfixes brauchen jetzt auch zwei Reviewer", 4),
        ("panic in migrations is no longer fine", 5),
        ("in pages/ sind default exports jetzt auch verboten", 6),
        ("Deploys jetzt auch freitags, aber nur vormittags", 8),
        ("wir testen jetzt auch mit SQLite", 9),
        ("die Tests laufen jetzt auch", None),
        ("freitags ist jetzt auch Training", None),
        ("the tests are ok now too", None),
        ("die Hotfixes sind jetzt auch auf staging", None),
        ("the migrations run fine now", None),
        ("die Seiten in pages/ gehen jetzt", None),
        ("Go files are ok now", None),
    ],
)
def test_an_exception_that_is_over_is_kept_with_its_rule(sentence: str, ended: int | None) -> None:
    found = changed_value(sentence, _kept())
    if ended is None:
        assert found is None
    else:
        assert found is not None
        assert found[0].text == KEPT[ended]
        assert found[1] == f"{sentence} (before: “{KEPT[ended].rstrip('.')}”)"
        # A session that goes on is read again: it changes nothing more.
        kept = [*_kept(), Entry(1, "new", "memory", "fact", found[1], "", "normal", "active", 0)]
        assert changed_value(sentence, kept) is None


def test_a_change_that_is_over_leaves_what_was_before() -> None:
    changed = changed_value("Deploys jetzt auch freitags, aber nur vormittags", _kept())
    assert changed is not None
    kept = [Entry(1, "new", "memory", "fact", changed[1], "", "normal", "active", 0)]
    found = changed_value("keine Freitags-Deploys mehr", kept)
    assert found is not None
    assert found[1] == (
        "keine Freitags-Deploys mehr (before: “We deploy on Tuesdays and Thursdays, nie freitags”)"
    )
    assert changed_value("keine Freitags-Releases mehr", kept) is None


def _kept() -> list[Entry]:
    return [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in KEPT]
