"""Since when a text says that it holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bowerbird.lifecycle.dated import dated, impossible, unclear

SAID = round(datetime(2026, 6, 15, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Since March the port is 6432", "2026-03-01"),
        ("The port is 6432 since September", "2025-09-01"),
        ("Since the 3rd of May 2025, we deploy on Mondays", "2025-05-03"),
        ("since May 3, 2025 we deploy", "2025-05-03"),
        # Behind its month a day stands in English alone, and no percentage is one.
        ("Die Mehrwertsteuer ist seit Januar 20 Prozent", "2026-01-01"),
        ("La TVA est depuis janvier 20 %", "2026-01-01"),
        ("Desde enero 21 servidores responden", "2026-01-01"),
        ("since January 20% VAT applies", "2026-01-01"),
        ("Since Sept. 5 we deploy on Mondays", "2025-09-05"),
        ("Since 2026-02-14 the queue is Kafka", "2026-02-14"),
        ("since 2024 we use Postgres", "2024-01-01"),
        ("As of 1 June the office is closed", "2026-06-01"),
        ("Seit dem 2. März 2026 läuft die Kasse", "2026-03-02"),
        ("depuis février 2026 le port est 6432", "2026-02-01"),
        ("Between September and December 2025 staging ran on Fly", "2025-09-01"),
        ("since December 2026 the port is 1", None),
        ("Desde março a porta é 6432", "2026-03-01"),
        ("С марта порт 6432", "2026-03-01"),
        ("Со 2 марта 2025 года порт 6432", "2025-03-02"),
        ("3月からポートは6432です", "2026-03-01"),
        ("2025年3月2日起端口是6432", "2025-03-02"),
        ("3월부터 포트는 6432입니다", "2026-03-01"),
        ("从三月起认证服务器的端口是7602", "2026-03-01"),
        ("自2025年十一月2日起端口是7602", "2025-11-02"),
        ("三月的发布失败了", None),
        ("3月のリリースは失敗します", None),
        ("13月からポートは6432です", None),
        ("Desde Marco é o chefe, a porta é 6432", None),
        # An event of a month has no day; one of a day has.
        ("Since the March release fails on ARM, we build twice", None),
        ("Since the March 2026 release the port is 6432", None),
        ("Since the 2025 rewrite we build twice", None),
        ("From the March release on the port is 6432", None),
        ("Since the 3 March outage we run two replicas", "2026-03-03"),
        ("Since March we build twice", "2026-03-01"),
        ("Since the end of March we build twice", "2026-03-31"),
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
        ("Deploys of the depot are frozen from Friday noon until Monday.", None, None),
        ("This week the line is closed from Thursday until Monday.", None, "2026-06-22"),
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
    # Until a longer time begins, unless its end is named.
    ("From January on Jonas takes over the app", "2027-01-01", None),
    ("From October on Jonas took over the app", "2026-10-01", None),
    ("No new dependencies till January", None, "2026-12-31"),
    ("Keine neuen Abhängigkeiten bis Februar", None, "2027-01-31"),
    ("The old API stays until 2028", None, "2027-12-31"),
    ("The old API stays through January", None, "2027-01-31"),
    ("The contract expires in January", None, "2027-01-31"),
    ("No new dependencies until the end of January", None, "2027-01-31"),
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
    # Italian, Portuguese and Dutch.
    ("Da marzo 2026 la porta è 6432", "2026-03-01", None),
    ("La porta è 6432 dal 12 maggio 2026", "2026-05-12", None),
    ("Dal 1° gennaio 2027 il biglietto costa 63 euro", "2027-01-01", None),
    ("Dal 20 dicembre al 6 gennaio il negozio è chiuso", "2026-12-20", "2027-01-06"),
    ("Dal 24 al 26 dicembre 2026 il supporto è chiuso", "2026-12-24", "2026-12-26"),
    ("Fino al 30 giugno 2027 Anna è in congedo", None, "2027-06-30"),
    ("Fino a fine anno i rilasci sono fermi", None, "2026-12-31"),
    ("Tra maggio e agosto 2027 Bob guida il gruppo", "2027-05-01", "2027-08-31"),
    ("Da lunedì usiamo Kafka", "2026-11-30", None),
    ("Dall'8 ottobre la porta è 6432", "2026-10-08", None),
    ("Dal 3 ottobre la porta è 6432", "2026-10-03", None),
    ("A partire dal 15 gennaio 2027 usiamo NATS", "2027-01-15", None),
    ("A maggio 2026 siamo passati a Hetzner", "2026-05-01", None),
    ("Il 12 giugno siamo passati a NATS", "2026-06-12", None),
    ("La settimana scorsa siamo passati a NATS", "2026-11-16", None),
    ("I log di marzo 2026 sono sul vecchio host", None, None),
    ("I log dal 3 marzo sono sul vecchio host", None, None),
    ("Siamo aperti dal lunedì al venerdì", None, None),
    ("Ogni dicembre il negozio è chiuso", None, None),
    ("La chiave viene da Marco", None, None),
    ("Da Montag und Dienstag frei sind, ruht der Betrieb", None, None),
    ("Desde 3 de março a porta é 6432", "2026-03-03", None),
    ("Desde março de 2026 a porta é 6432", "2026-03-01", None),
    ("A porta é 6432 desde o dia 12 de maio de 2026", "2026-05-12", None),
    ("A partir de 1º de janeiro de 2027 o bilhete custa 63 euros", "2027-01-01", None),
    ("A partir do dia 15 de janeiro de 2027 usamos NATS", "2027-01-15", None),
    ("De 20 de dezembro a 6 de janeiro a loja está fechada", "2026-12-20", "2027-01-06"),
    ("De 24 a 26 de dezembro de 2026 o suporte está fechado", "2026-12-24", "2026-12-26"),
    ("Até 30 de junho de 2027 a Ana está de licença", None, "2027-06-30"),
    ("Até o fim do ano os lançamentos estão congelados", None, "2026-12-31"),
    ("Entre maio e agosto de 2027 o Bob lidera a equipa", "2027-05-01", "2027-08-31"),
    ("Em maio de 2026 mudamos para a Hetzner", "2026-05-01", None),
    ("Desde segunda-feira usamos Kafka", "2026-11-23", None),
    ("O Marco tem a chave desde que chegou", None, None),
    ("Até segunda ordem a loja está fechada", None, None),
    ("O relatório de março de 2026 está no arquivo", None, None),
    ("O relatório de março e abril de 2026 está no arquivo", None, None),
    ("Abrimos de segunda a sexta", None, None),
    ("Del 3 de marzo al 5 de abril de 2027 el soporte cierra", "2027-03-03", "2027-04-05"),
    ("Vanaf 3 maart 2027 is de poort 6432", "2027-03-03", None),
    ("Vanaf 3 maart is de poort 6432", "2027-03-03", None),
    ("Sinds maart is de poort 6432", "2026-03-01", None),
    ("De poort is 6432 sinds 12 mei 2026", "2026-05-12", None),
    ("Met ingang van 1 januari 2027 kost het kaartje 63 euro", "2027-01-01", None),
    ("Per 1 februari 2027 vervalt de oude poort", "2027-02-01", None),
    ("Van 20 december tot 6 januari is de winkel gesloten", "2026-12-20", "2027-01-06"),
    ("Van 24 t/m 26 december 2026 is support gesloten", "2026-12-24", "2026-12-26"),
    ("Tot en met 30 juni 2027 is Anna met verlof", None, "2027-06-30"),
    ("Tot eind augustus 2027 is Anna met verlof", None, "2027-08-31"),
    ("Tussen mei en augustus 2027 leidt Bob het team", "2027-05-01", "2027-08-31"),
    ("In mei 2026 zijn we verhuisd naar Hetzner", "2026-05-01", None),
    ("Vorige week zijn we overgestapt op NATS", "2026-11-16", None),
    ("Het rapport van maart 2026 ligt in het archief", None, None),
    ("Logs vanaf 3 maart staan op de oude host", None, None),
    ("We zijn open van maandag tot vrijdag", None, None),
    ("Elke december is de winkel dicht", None, None),
    # In figures: day first with points and in all languages but English, where only 13 and more decides.
    ("Since 13/04/2026 the port is 6432", "2026-04-13", None),
    ("Since 04/13/2026 the port is 6432", "2026-04-13", None),
    ("Since 03/04/2026 the port is 6432", None, None),
    ("Until 03/04/2027 Anna is on leave", None, None),
    ("On 03.04.2026 we moved to NATS", "2026-04-03", None),
    ("From 2027/03/04 the port is 7000", "2027-03-04", None),
    ("Seit dem 03.04.2026 ist der Port 6432", "2026-04-03", None),
    ("Dal 03/04/2026 la porta è 6432", "2026-04-03", None),
    ("Desde 03/04/2026 a porta é 6432", "2026-04-03", None),
    ("Vanaf 03-04-2027 is de poort 6432", "2027-04-03", None),
    ("Du 24/12/2026 au 06/01/2027 le support est fermé", "2026-12-24", "2027-01-06"),
    ("The ratio 03/04/2027 is none", None, None),
    ("Bob ate Friday, and the tests passed", None, None),
    ("We moved to a Monday release", None, None),
    ("We switched to a 2026 model", None, None),
    ("We clean the van Monday", None, None),
    ("Version 10.12.2027.3 is out", None, None),
    ("After every deploy run the smoke test", None, None),
    ("From 3 to 5 replicas are enough", None, None),
    ("The backup keeps the last two weeks", None, None),
    ("Look after the March report", None, None),
    ("Until the March release the port is 6432", None, None),
    # The year of the end is that of the beginning, too.
    ("Tobias is on leave from 1 May until 31 July 2025.", "2025-05-01", "2025-07-31"),
    ("Tobias ist vom 1. Mai bis zum 31. Juli 2025 fort", "2025-05-01", "2025-07-31"),
    ("Tobias est absent du 1er mai jusqu'au 31 juillet 2025", "2025-05-01", "2025-07-31"),
    ("From 20 December until 6 January 2027 it is closed", "2026-12-20", "2027-01-06"),
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
        ("From 31/02/2027 the port is 7000", "31/02/2027"),
        ("From 13/13/2027 the port is 7000", "13/13/2027"),
        ("From 29 February 2028 the port is 7000", ""),
        ("From February 28, 2027 the port is 7000", ""),
    ],
)
def test_a_date_that_is_none(text: str, wrong: str) -> None:
    assert impossible(text) == wrong


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (
            "From 03/04/2027 the port is 7000",
            "03/04/2027 may be 2027-04-03 or 2027-03-04, and dates nothing: write one of these",
        ),
        ("Ab 03/04/2027 ist der Port 7000", "03/04/2027 was read as 2027-04-03"),
        ("From 13/04/2027 the port is 7000", ""),
        ("From 04/04/2027 the port is 7000", ""),
        ("The invoice of 03/04/2027 is paid", ""),
        ("From 3 April 2027 the port is 7000", ""),
    ],
)
def test_what_is_said_of_a_date_with_two_readings(text: str, remark: str) -> None:
    assert unclear(text, SAID) == remark
