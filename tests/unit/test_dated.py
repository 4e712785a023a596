"""Since when a text says that it holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bowerbird.lifecycle.dated import dated, impossible

SAID = round(datetime(2026, 6, 15, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Since March the port is 6432", "2026-03-01"),
        ("The port is 6432 since September", "2025-09-01"),
        ("Since the 3rd of May 2025, we deploy on Mondays", "2025-05-03"),
        ("since May 3, 2025 we deploy", "2025-05-03"),
        ("Since 2026-02-14 the queue is Kafka", "2026-02-14"),
        ("since 2024 we use Postgres", "2024-01-01"),
        ("As of 1 June the office is closed", "2026-06-01"),
        ("Seit dem 2. März 2026 läuft die Kasse", "2026-03-02"),
        ("depuis février 2026 le port est 6432", "2026-02-01"),
        ("Between September and December 2025 staging ran on Fly", "2025-09-01"),
        ("since December 2026 the port is 1", None),
        ("Since the tests hang, restart Redis", None),
        ("Since 3 nodes failed, we use five", None),
        ("Since Monday we use Kafka", "2026-06-15"),
        ("The port is 6432", None),
        ("since 2026-02-31 it is broken", None),
    ],
)
def test_the_day_that_a_text_names(text: str, day: str | None) -> None:
    found = dated(text, SAID).start
    shown = None if found is None else datetime.fromtimestamp(found / 1000, UTC).date().isoformat()
    assert shown == day


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("In May 2026 we moved to Hetzner.", "2026-05-01", None),
        ("We switched to NATS on 12 June.", "2026-06-12", None),
        ("Starting next Monday the standup is at 10.", "2026-06-22", None),
        ("From 1 January 2027 the port is 7000.", "2027-01-01", None),
        ("Ab dem 1. Juli kostet das Ticket 63 Euro.", "2026-07-01", None),
        ("The discount code is valid until 30 June.", None, "2026-06-30"),
        ("Until the end of August Anna is on leave.", None, "2026-08-31"),
        ("From 20 December until 6 January the shop is closed.", "2026-12-20", "2027-01-06"),
        ("Last week we switched the broker to NATS.", "2026-06-08", None),
        # Dates of nouns, of what recurs, and of what only happened.
        ("The report of May 2026 lies in the archive.", None, None),
        ("Logs from March are on the old host.", None, None),
        ("Every year in December the shop is closed.", None, None),
        ("We are open from Monday to Friday.", None, None),
        ("Python 3.9 was released in October 2020.", None, None),
        ("May I ask why the tests hang?", None, None),
        ("Tests run from 1 to 20 workers.", None, None),
        # Of several sentences each has its own time.
        ("The port is 6432. Until 30 June Anna is on leave.", None, None),
    ],
)
def test_the_time_that_a_text_speaks_of(text: str, start: str | None, end: str | None) -> None:
    found = dated(text, SAID)
    shown = [
        None if at is None else datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
        for at in (found.start, found.end and found.end - 1)
    ]
    assert shown == [start, end]


# Written before the rules that read them. Not read: “in den nächsten zwei Wochen”, which may mean within.
WORDINGS = [
    ("For the next two weeks the lift is out of order", "2026-11-29", "2026-12-13"),
    ("The printer is reserved for the next 3 days", "2026-11-29", "2026-12-02"),
    ("Until the end of the year releases are frozen", None, "2026-12-31"),
    ("The badge works till the end of the month", None, "2026-11-30"),
    ("By the end of next month the old API is reachable", None, None),
    ("After 15 January 2027 the old gateway is gone", "2027-01-16", None),
    ("During December 2026 the office closes at four", "2026-12-01", "2026-12-31"),
    ("From 24 to 26 December 2026 support is closed", "2026-12-24", "2026-12-26"),
    ("The canteen is closed from 3 to 7 March 2027", "2027-03-03", "2027-03-07"),
    ("Between May and August 2027 Bob leads the team", "2027-05-01", "2027-08-31"),
    ("Between 3 and 9 January 2027 the shop is closed", "2027-01-03", "2027-01-09"),
    ("We no longer use Jenkins after Friday", "2026-12-05", None),
    ("Throughout March 2027 the bridge is shut", "2027-03-01", "2027-03-31"),
    ("For the rest of the year travel needs approval", None, "2026-12-31"),
    ("Für die nächsten drei Tage ist der Drucker belegt", "2026-11-29", "2026-12-02"),
    ("Bis Ende des Jahres ruhen die Releases", None, "2026-12-31"),
    ("Bis Jahresende ruhen die Releases", None, "2026-12-31"),
    ("Nach dem 15. Januar 2027 ist das alte Tor weg", "2027-01-16", None),
    ("Im Dezember 2026 schliesst das Büro um vier", None, None),
    ("Während des Dezembers 2026 schliesst das Büro um vier", None, None),
    ("Vom 24. bis 26. Dezember 2026 ist der Support zu", "2026-12-24", "2026-12-26"),
    ("Zwischen Mai und August 2027 leitet Bob das Team", "2027-05-01", "2027-08-31"),
    ("Pendant les deux prochaines semaines l'ascenseur est en panne", "2026-11-29", "2026-12-13"),
    ("Jusqu'à la fin de l'année les livraisons sont gelées", None, "2026-12-31"),
    ("Après le 15 janvier 2027 l'ancienne passerelle disparaît", "2027-01-16", None),
    ("Du 24 au 26 décembre 2026 le support est fermé", "2026-12-24", "2026-12-26"),
    ("Entre mai et août 2027 Bob dirige l'équipe", "2027-05-01", "2027-08-31"),
    ("Durante las próximas dos semanas el ascensor no funciona", "2026-11-29", "2026-12-13"),
    ("Hasta el final del año no hay entregas", None, "2026-12-31"),
    ("Hasta fin de mes vale la tarjeta", None, "2026-11-30"),
    ("Después del 15 de enero de 2027 la pasarela vieja no existe", "2027-01-16", None),
    ("Del 24 al 26 de diciembre de 2026 el soporte cierra", "2026-12-24", "2026-12-26"),
    ("Entre mayo y agosto de 2027 Bob dirige el equipo", "2027-05-01", "2027-08-31"),
    ("After every deploy run the smoke test", None, None),
    ("From 3 to 5 replicas are enough", None, None),
    ("The backup keeps the last two weeks", None, None),
    ("Look after the March report", None, None),
    ("Between 3 and 5 people review it", None, None),
    ("For two weeks we had no outage", None, None),
]


@pytest.mark.parametrize(("text", "start", "end"), WORDINGS)
def test_whole_times_and_what_is_left_of_them(
    text: str, start: str | None, end: str | None
) -> None:
    said = round(datetime(2026, 11, 29, 12, tzinfo=UTC).timestamp() * 1000)
    found = dated(text, said)
    shown = [
        None if at is None else datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
        for at in (found.start, found.end and found.end - 1)
    ]
    assert shown == [start, end]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("From 2027-02-30 the port is 7000", "2027-02-30"),
        ("Since 31 June 2026 the port is 7000", "31 June 2026"),
        ("Ab dem 31. April 2027 gilt der Tarif", "31. April 2027"),
        ("Sales start on February 31, 2027", "February 31, 2027"),
        ("Le tarif vaut dès le 30 février 2027", "30 février 2027"),
        ("From 29 February 2028 the port is 7000", ""),
        ("From February 28, 2027 the port is 7000", ""),
    ],
)
def test_a_date_that_is_none(text: str, wrong: str) -> None:
    assert impossible(text) == wrong
