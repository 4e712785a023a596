"""Questions about what was done before are told from others by their wording."""

from __future__ import annotations

import pytest

from bowerbird.core.past import (
    asks_of_the_past,
    goes_on_with_earlier_work,
    names_the_session_before,
)

ASKING = [
    "where was the leak you found last session? lets fix it now",
    "did we already add retries to the webhooks?",
    "which rounding did we choose for invoices",
    "remind me where we said sessions should be stored",
    "ok. how far had we come with the import?",
    "warum haben wir pandas verworfen?",
    "hattest du nicht rausgefunden, was den build so langsam macht?",
    "pourquoi on avait choisi postgres ?",
    "¿qué decidimos sobre redis?",
    "perché avevamo scartato pandas?",
    "waarom hadden we voor postgres gekozen?",
    "o que a gente decidiu sobre o redis?",
]
OTHERS = [
    "add retries to the webhooks",
    "how do webhooks work here?",
    "which python versions did django 4 support?",
    "did the tests pass?",
    "I was wrong, the limit is 40",
    "was macht diese Funktion?",
    "where is the cache?",
    "we did it like this before",
    "pourquoi le build est lent ?",
]


@pytest.mark.parametrize("text", ASKING)
def test_a_question_about_earlier_work(text: str) -> None:
    assert asks_of_the_past(text)


@pytest.mark.parametrize("text", OTHERS)
def test_another_prompt(text: str) -> None:
    assert not asks_of_the_past(text)


def test_the_session_before_is_named() -> None:
    assert names_the_session_before(ASKING[0])
    assert names_the_session_before("was hast du letztes mal am import geändert?")
    assert not names_the_session_before(ASKING[1])
    # Not what others did.
    assert not names_the_session_before("what was the reason of the vendor the last time?")


@pytest.mark.parametrize(
    "text",
    [
        "carry on with the billing export",
        "ok let's go back to the login form",
        "weiter mit dem Lieferantenimport",
        "reprenons la page des clients",
        "sigue con la importación de clientes",
    ],
)
def test_a_request_that_goes_on_with_what_was_begun(text: str) -> None:
    assert goes_on_with_earlier_work(text)


@pytest.mark.parametrize(
    "text", ["continue", "go on with the next step", "continue with step 2", "add a back button"]
)
def test_a_request_that_names_nothing_begun(text: str) -> None:
    assert not goes_on_with_earlier_work(text)
