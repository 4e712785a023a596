"""What a question is after, example by example."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bowerbird.core.language import STOP_WORDS, content_words
from bowerbird.core.period import DAY, days
from bowerbird.retrieval.intent import QUOTED, intent

# Thursday, 15 January 2026, 05:00 UTC.
NOW = days(2026, 1, 15) * DAY + DAY * 5 // 24


def day(moment: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(moment // 1000))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Class and identifiers.
        ("why do the auth tests hang?", {"form": "semantic", "identifiers": ()}),
        ("where is writeBoolean defined", {"form": "identifier", "identifiers": ("writeBoolean",)}),
        ("MAX_RETRIES", {"form": "identifier", "together": ("max retries",)}),
        ("what does token_store.refresh() do", {"identifiers": ("token_store.refresh",)}),
        ("look into src/auth/limits.py", {"together": ("src auth limits py",)}),
        ("read pyproject.toml again", {"identifiers": ("pyproject.toml",)}),
        ("the --no-fuzzy flag", {"form": "identifier", "together": ("no fuzzy",)}),
        ("std::vector is slow", {"identifiers": ("std::vector",)}),
        ("parse() raises", {"identifiers": ("parse",), "together": ()}),
        ("cats and/or dogs, e.g. ours", {"form": "semantic", "identifiers": ()}),
        ("mail bob@example.com about example.com", {"identifiers": ()}),
        ("see https://example.com/a/b", {"identifiers": ()}),
        ("at 3.5 volts", {"form": "semantic", "identifiers": ()}),
        ("what depends on TokenStore?", {"form": "structural", "kinds": ("causal_dependency",)}),
        ("what breaks if the queue changes", {"form": "structural"}),
        ("which modules are used by billing", {"form": "structural"}),
        # Kind wanted.
        ("what did we decide about Redis", {"kinds": ("decision",)}),
        ("why did we choose Postgres", {"kinds": ("decision",)}),
        ("how do I deploy", {"kinds": ("procedure", "workflow_recipe")}),
        ("steps to roll back", {"kinds": ("procedure", "workflow_recipe")}),
        ("any gotchas with the cache", {"kinds": ("gotcha",)}),
        ("why does the build fail", {"kinds": ("error_pattern", "gotcha")}),
        ("what have we tried already", {"kinds": ("dead_end",)}),
        ("which editor does she prefer", {"kinds": ("preference",)}),
        ("what must hold at release", {"kinds": ("requirement",)}),
        ("where were we", {"kinds": ("work_state",)}),
        ("how long does a migration take", {"kinds": ("task_calibration",)}),
        ("when is the party", {"kinds": ()}),
        # Names and phrases.
        ("When did Caroline go to New York?", {"names": ("Caroline", "New York")}),
        ("What is John's favourite food?", {"names": ("John",), "kinds": ("preference",)}),
        ("The party is in May. Who comes?", {"names": ()}),
        ('the "rate limit" of the API', {"phrases": ("rate limit",), "names": ("API",)}),
        ("what does “five attempts” mean", {"together": ("five attempts",)}),
        ('an open " quote', {"phrases": ()}),
        # Language.
        ("Wie oft wird die Zahlung wiederholt?", {"language": "de"}),
        ("Où est la clé du serveur ?", {"language": "fr"}),
        ("¿Cuándo es la fiesta de la empresa?", {"language": "es"}),
        ("黑豹队", {"language": "zh"}),
        ("サーバーはどこ", {"language": "ja"}),
        ("где сервер", {"language": "ru"}),
        ("redis timeout", {"language": ""}),
        ("requests per minute", {"language": ""}),
        ("cat name", {"language": ""}),
        ("die size of the man page", {"language": "en"}),
        ("die Portnummer des Gateways", {"language": "de"}),
        ("non-reentrant mutex in c", {"language": "en"}),
        ("production in eu-central-1", {"language": "en"}),
        ("garage door code", {"language": ""}),
    ],
)  # fmt: skip
def test_what_the_wording_tells(text: str, expected: dict[str, Any]) -> None:
    found = intent(text, NOW, QUOTED.expand(text))
    assert {name: getattr(found, name) for name in expected} == expected
    assert str(found).startswith(found.form)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what happened today", "2026-01-15", "2026-01-15"),
        ("what did I do yesterday", "2026-01-14", "2026-01-14"),
        ("the day before yesterday", "2026-01-13", "2026-01-13"),
        ("was haben wir gestern gemacht", "2026-01-14", "2026-01-14"),
        ("two days ago", "2026-01-13", "2026-01-13"),
        ("3 weeks ago", "2025-12-21", "2025-12-28"),
        ("in the last 7 days", "2026-01-08", "2026-01-15"),
        ("last week", "2026-01-05", "2026-01-11"),
        ("this week", "2026-01-12", "2026-01-18"),
        ("last month", "2025-12-01", "2025-12-31"),
        ("this year", "2026-01-01", "2026-12-31"),
        ("last Monday", "2026-01-12", "2026-01-12"),
        ("on Thursday", "2026-01-08", "2026-01-08"),
        ("in May 2024", "2024-05-01", "2024-05-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("in march", "2025-03-01", "2025-03-31"),
        ("on 3 June", "2025-06-03", "2025-06-03"),
        ("on the 2nd of January", "2026-01-02", "2026-01-02"),
        ("on May 7, 2023", "2023-05-07", "2023-05-07"),
        ("since 2024-03-15", "2024-03-15", "2026-01-15"),
        ("what changed since Monday", "2026-01-12", "2026-01-15"),
        ("since last week", "2026-01-05", "2026-01-15"),
        ("since 2024", "2024-01-01", "2026-01-15"),
        ("was ist seit gestern neu", "2026-01-14", "2026-01-15"),
        ("since this year began", "2026-01-01", "2026-12-31"),
        ("of 2024-03-15", "2024-03-15", "2024-03-15"),
        ("the notes of 2024-03", "2024-03-01", "2024-03-31"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("lately", "2026-01-01", "2026-01-15"),
        ("was haben wir letzte Woche gemacht?", "2026-01-05", "2026-01-11"),
        ("was war vor drei Wochen?", "2025-12-21", "2025-12-28"),
        ("in den letzten 7 Tagen", "2026-01-08", "2026-01-15"),
        ("was ist seit letzter Woche neu?", "2026-01-05", "2026-01-15"),
        ("was haben wir am Montag gemacht?", "2026-01-12", "2026-01-12"),
        ("was geschah am 3. März 2025", "2025-03-03", "2025-03-03"),
        ("was geschah im August 2025", "2025-08-01", "2025-08-31"),
        ("dieses Jahr", "2026-01-01", "2026-12-31"),
        ("qu'avons-nous fait la semaine dernière ?", "2026-01-05", "2026-01-11"),
        ("qu’est-ce qu’on a fait hier ?", "2026-01-14", "2026-01-14"),
        ("qu'a-t-on fait cette semaine ?", "2026-01-12", "2026-01-18"),
        ("les 7 derniers jours", "2026-01-08", "2026-01-15"),
        ("il y a trois semaines", "2025-12-21", "2025-12-28"),
        ("qu'a-t-on décidé l'année dernière ?", "2025-01-01", "2025-12-31"),
        ("le 3 février 2025", "2025-02-03", "2025-02-03"),
        ("depuis lundi", "2026-01-12", "2026-01-15"),
        ("aujourd’hui", "2026-01-15", "2026-01-15"),
        ("¿qué hicimos la semana pasada?", "2026-01-05", "2026-01-11"),
        ("hace tres semanas", "2025-12-21", "2025-12-28"),
        ("el mes pasado", "2025-12-01", "2025-12-31"),
        ("anteayer", "2026-01-13", "2026-01-13"),
        ("en mayo de 2024", "2024-05-01", "2024-05-31"),
        ("cosa abbiamo fatto la settimana scorsa?", "2026-01-05", "2026-01-11"),
        ("la scorsa settimana", "2026-01-05", "2026-01-11"),
        ("tre settimane fa", "2025-12-21", "2025-12-28"),
        ("quest'anno", "2026-01-01", "2026-12-31"),
        ("ieri", "2026-01-14", "2026-01-14"),
        ("o que fizemos na semana passada?", "2026-01-05", "2026-01-11"),
        ("há três semanas", "2025-12-21", "2025-12-28"),
        ("no mês passado", "2025-12-01", "2025-12-31"),
        ("ontem", "2026-01-14", "2026-01-14"),
        ("wat hebben we vorige week gedaan?", "2026-01-05", "2026-01-11"),
        ("drie weken geleden", "2025-12-21", "2025-12-28"),
        ("afgelopen maandag", "2026-01-12", "2026-01-12"),
        ("sinds gisteren", "2026-01-14", "2026-01-15"),
    ],
)
def test_time_words_become_a_range(text: str, start: str, end: str) -> None:
    found = intent(text, NOW).period
    assert found is not None
    assert (day(found.start), day(found.end)) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "may I go",
        "one day",
        "port 2024",
        "the week",
        "2024-13-01",
        "this query",
        "die Adresse ist hier",
        "le dernier test",
        "wie viele Tage hat ein Jahr",
        "life on mars",
        "en un mot",
        "la segunda parte",
    ],
)
def test_other_words_are_no_time(text: str) -> None:
    assert intent(text, NOW).period is None


def test_without_a_clock_no_time_is_read() -> None:
    assert intent("yesterday").period is None


@pytest.mark.parametrize(
    ("year", "month", "first"), [(1970, 1, 0), (2000, 3, 11_017), (2026, 1, 20_454)]
)
def test_days_are_those_of_the_calendar(year: int, month: int, first: int) -> None:
    assert days(year, month, 1) == first


def test_stop_words_go_by_language_and_stay_where_nothing_else_is_there() -> None:
    asked = ("wie", "oft", "wird", "die", "zahlung")
    assert content_words(asked, "de") == ("oft", "zahlung")
    assert content_words(("was", "ist", "das"), "de") == ("was", "ist", "das")
    assert content_words(("what", "redis"), "") == ("redis",)
    assert all(word == word.lower() for stops in STOP_WORDS.values() for word in stops)


def test_files_are_named_with_folders_or_without() -> None:
    asked = intent("postmortem file docs/operations.md, or Server.py", NOW)
    assert asked.files == ("docs/operations.md", "server.py")
    assert asked.names_file("/srv/docs/Operations.md")
    assert asked.names_file("src/server.py")
    assert not asked.names_file("/srv/old_docs/operations.md")
    assert not asked.names_file("src/test_server.py")
    assert not intent("what is 3.5 or node.js.org", NOW).names_file("/a/3.5")
