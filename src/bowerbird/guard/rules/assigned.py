"""Values of fields and variables whose name says that they are secret."""

from bowerbird.guard import fields, heuristics
from bowerbird.guard.rule import Rule

# A character of an unquoted value; a backslash begins an escaped line end or quote.
_BARE = r"[^\s\"'`,;&<>()\[\]{}\\]"
_QUOTED = r"\\{0,3}\"([^\"\\\n]{4,})|\\{0,3}'([^'\\\n]{4,})|`([^`\\\n]{4,})"
_SAYS = r"[\"'`\\\]]{0,4}\s{0,4}(?::\s?[A-Za-z]{1,12}\s?=|:=|=>|={1,3}|:)[ \t]{0,4}[bru]{0,2}"
# Names of values that people choose, and of values that programs generate: they are judged differently.
_CHOSEN = r"(?:pass(?:word|wd|phrase|code|wort)|pwd|kennwort|(?:\b|[_.-])pass|(?:\b|[_.-])pw)"
_DRAWN = (
    r"(?:secret|token|credential|"
    r"(?:api|access|auth|private|signing|encryption|account|license|master|secret)[_ -]?key)"
)
_CHOSEN_KEYWORDS = "pass|pwd|kennwort|pw:|pw=|pw "
_DRAWN_KEYWORDS = (
    "secret|token|credential|api-key|api_key|api key|apikey|access-key|access_key|"
    "access key|accesskey|auth-key|auth_key|authkey|private_key|privatekey|signing_key|"
    "signingkey|encryption_key|encryptionkey|account_key|accountkey|license_key|licensekey|"
    "master_key|masterkey|account-key"
)

SHAPES = (
    # A name and its value as two arguments: define('DB_PASSWORD', '…')
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)(?:{_CHOSEN}|{_DRAWN}|apikey)[\"'],\s?[\"']([^\s\"'\\]{{6,}})[\"']",
        heuristics.password,
        common=True,
    ),
    Rule(
        "password",
        _CHOSEN_KEYWORDS,
        rf"(?i)({_CHOSEN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{6,}}))",
        heuristics.password,
        named=True,
        common=True,
    ),
    Rule(
        "secret",
        _DRAWN_KEYWORDS,
        rf"(?i)({_DRAWN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{16,}}))",
        heuristics.random,
        named=True,
        common=True,
    ),
    # A value that does not look like one is one by its place: in quotes, alone, beside a user.
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|haslo|senha|contrasena|wachtwoord",
        rf"(?i){fields.NAME}{fields.VALUE}",
        heuristics.argument,
        common=True,
        reads=fields.secrets,
    ),
    # Keys that are shorter than most, or were chosen.
    Rule(
        "secret",
        _DRAWN_KEYWORDS,
        rf"(?i)({_DRAWN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:\\{{0,3}}[\"']([A-Za-z0-9]{{12,15}})\\{{0,3}}[\"']"
        r"|([A-Za-z0-9]{12,15})\s*(?:$|\n))",
        heuristics.short_key,
        named=True,
    ),
    Rule(
        "secret",
        _DRAWN_KEYWORDS,
        rf"(?i)({_DRAWN}[A-Za-z0-9_-]{{0,24}}){_SAYS}\\{{0,3}}[\"']([^\s\"'`<>\\]{{10,}})\\{{0,3}}[\"']",
        heuristics.mixed,
        named=True,
    ),
    # Upper case, as environment variables: the value may contain what code does not.
    Rule(
        "password",
        "password=|passwd=|_pass=|_pwd=",
        r"\b([A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|PWD))=([^\s\"'`\\;$][^\s\"'`\\]{7,})",
        heuristics.setting,
        named=True,
    ),
    Rule(
        "secret",
        "_key",
        rf"\b([A-Z][A-Z0-9_]*_KEY)[\"']?\s?[:=]\s?(?:{_QUOTED}|({_BARE}{{16,}}))",
        heuristics.random,
        named=True,
    ),
    # The older of the two syntaxes by which a Dockerfile sets a variable.
    Rule(
        "secret",
        "env ",
        r"\bENV\s+\w*(?:TOKEN|KEY|SECRET|PASSWORD|PASS)\w*\s+[\"']?([^\s\"'$]{8,})",
        heuristics.password,
    ),
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)<(?:[a-z]+:)?[a-z_-]*(?:{_CHOSEN}|{_DRAWN}"
        rf"|apikey)(?:\s[^<>\n]{{0,60}})?>([^<\s]{{6,}})</",
        heuristics.password,
        also="</",
    ),
    Rule(
        "secret",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)(?:{_CHOSEN}|{_DRAWN}|apikey)[\"']\s{{1,3}}value=[\"']([^\"'\n]+)",
        heuristics.password,
        also="value=",
    ),
    Rule(
        "secret",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)variable\s+\"\w*(?:{_CHOSEN}|{_DRAWN})\w*\"\s*\{{[^}}]{{0,300}}?"
        r"default\s*=\s*\"([^\"\n]+)\"",
        heuristics.password,
        also="variable",
    ),
)
