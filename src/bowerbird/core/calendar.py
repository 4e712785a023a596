"""The names of months and weekdays, folded: English first, then German, French, and Spanish.

Written here because the names of Python's `calendar` depend on the locale.
"""

MONTHS = (
    "january januar janvier enero",
    "february februar fevrier febrero",
    "march marz mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august aout agosto",
    "september septembre septiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember decembre diciembre",
)
WEEKDAYS = (
    "monday montag lundi lunes",
    "tuesday dienstag mardi martes",
    "wednesday mittwoch mercredi miercoles",
    "thursday donnerstag jeudi jueves",
    "friday freitag vendredi viernes",
    "saturday samstag sonnabend samedi sabado",
    "sunday sonntag dimanche domingo",
)
ENGLISH_MONTHS = tuple(names.split()[0] for names in MONTHS)
ENGLISH_DAYS = tuple(names.split()[0] for names in WEEKDAYS)
# The same in Italian, Portuguese, and Dutch, the months in Russian, too, as they stand in dates. Some
# are names and numbers as well (AMBIGUOUS_MONTHS).
FURTHER_MONTHS = (
    "gennaio janeiro januari января",
    "febbraio fevereiro februari февраля",
    "marzo marco maart марта",
    "aprile апреля",
    "maggio maio mei мая",
    "giugno junho июня",
    "luglio julho июля",
    "augustus agosto августа",
    "settembre setembro сентября",
    "ottobre outubro октября",
    "novembro ноября",
    "dicembre dezembro декабря",
)
FURTHER_WEEKDAYS = (
    "lunedi segunda maandag",
    "martedi terca dinsdag",
    "mercoledi quarta woensdag",
    "giovedi quinta donderdag",
    "venerdi sexta vrijdag",
    "sabato zaterdag",
    "domenica zondag",
)
# A man's name, and the ordinals that name Portuguese weekdays: dates only with more words beside them.
AMBIGUOUS_MONTHS = frozenset(("marco",))
AMBIGUOUS_DAYS = frozenset("segunda terca quarta quinta sexta".split())
