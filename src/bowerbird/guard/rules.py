"""What secrets look like: one row a shape, for RE2, which reads any text in linear time.

Written from the formats that providers document. The value is the last group that took part in the
match, or the whole match. Specific rows stand first: where two find the same text, the first names
it. Patterns see UTF-8 as bytes, ignore nothing but case where they say so, and never cross a line
end inside a value, so that lines keep their numbers.
"""

from bowerbird.guard import plausible
from bowerbird.guard.providers import PROVIDERS
from bowerbird.guard.rule import Rule

# A private key: from its head line to two dashes, which stand in no body. The redactor's `secrets`
# treats it apart, because it spans lines.
PRIVATE_KEY = "private-key"
KEY_KEYWORD = b"private key"
KEY_BLOCK = r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-[^-])*)"
KEY_END = b"-----END "
KEY_RUN = r"(?:\\[nr])*([A-Za-z0-9+/=]{4,})"

# Where a value ends that no quote encloses; a backslash begins an escaped line end or quote.
_BARE = r"[^\s\"'`,;&<>()\[\]{}\\]"
_QUOTED = r"\\{0,3}\"([^\"\\\n]{4,})|\\{0,3}'([^'\\\n]{4,})|`([^`\\\n]{4,})"
_SAYS = r"[\"'`\\\]]{0,4}\s{0,4}(?::\s?[A-Za-z]{1,12}\s?=|:=|=>|={1,3}|:)[ \t]{0,4}[bru]{0,2}"
# Names of what people choose, and of what machines draw: the values are judged differently.
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

_HEADERS = (
    Rule(
        "authorization",
        "authorization",
        r"(?i)authorization[\"'\\\]]{0,4}\s{0,3}[:=,]\s{0,3}[\"'`\\]{0,4}"
        r"(?:[a-z]{3,10}\s{1,2})?([A-Za-z0-9._~+/=:-]{8,})",
        plausible.opaque,
    ),
    Rule(
        "authorization",
        "bearer ",
        r"(?i)\bbearer\s{1,2}([A-Za-z0-9._~+/=-]{8,})",
        plausible.random,
    ),
    Rule(
        "cookie",
        "cookie",
        r"(?i)cookie[\"'\\]{0,3}\s{0,3}[:= ]\s{0,3}[\"'\\]{0,3}([^\r\n\"'\\]{8,})",
        plausible.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "cookie",
        "curl |wget |http ",
        r"\bcurl\b[^\n]*?\s-b\s*[\"']?([^\r\n\"'\\]{8,})",
        plausible.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "url-password",
        "://",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:\"'<>`\\]*:([^\s/\"'<>`\\]+)@",
        plausible.any_value,
        also="@",
    ),
    Rule("url-password", "jdbc:oracle", r"thin:[^\s/\"']+/([^\s@\"']+)@", plausible.any_value),
)

_COMMANDS = (
    Rule(
        "password", "sshpass", r"\bsshpass\s+-p\s*\\{0,3}[\"']?([^\s\"'\\]+)", plausible.any_value
    ),
    Rule(
        "password",
        "curl ",
        r"\bcurl\b[^\n]*?\s(?:-u|-U|--user|--proxy-user)[\s=]?\\{0,3}[\"']?[^\s:\"']+:([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "mysql|mariadb",
        r"\b(?:mysql|mariadb)(?:-?dump|-?admin|import)?\b[^\n]*?\s-p\\{0,3}[\"']?([^\s\"'-][^\s\"'\\]{3,})",
        plausible.any_value,
    ),
    Rule(
        "password",
        "redis-cli",
        r"\bredis-cli\b[^\n]*?\s(?:-a|--pass)\s+\\{0,3}[\"']?([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "net use",
        r"(?i)\bnet use\b[^\n]*?/user:\S+\s+\\{0,3}[\"']?([^\s\"'*\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "pass:",
        r"-pass(?:in|out)?\s+\\{0,3}[\"']?pass:([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "sudo",
        r"\becho\s+\\{0,3}[\"']?([^\s\"'|\\]+)\\{0,3}[\"']?\s*\|\s*sudo\s+-[A-Za-z]*S",
        plausible.any_value,
    ),
    Rule(
        "password",
        "ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami",
        r"\bldap[a-z]+\b[^\n]*?\s-w\s*\\{0,3}[\"']?([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        " login",
        r"\blogin\b[^\n]*?\s-p[\s=]\\{0,3}[\"']?([^\s\"'\\]{6,})",
        plausible.password,
    ),
    Rule(
        "password",
        "-password|-pass|--token|-token|-secret|-key",
        r"(?i)\s--?[a-z-]*(?:password|passwd|pass|token|secret|api-?key|account-key)[\s=]{1,2}"
        r"\\{0,3}[\"']?([^\s\"'\\]{6,})",
        plausible.password,
    ),
)

# Files and calls in which the place alone says what stands there.
_PLACED = (
    Rule(
        "password",
        "login ",
        r"\blogin\s+\S+\s+password\s+[\"']?([^\s\"'\\]{4,})",
        plausible.any_value,
    ),
    Rule(
        "password",
        ".login(",
        r"\.login\(\s*[\"'][^\"'\n]+[\"'],\s*[\"']([^\"'\n]{6,})[\"']",
        plausible.any_value,
    ),
    Rule(
        "password",
        ":5432:|pgpass",
        r"(?m)^[^\s:#]+:(?:\d{2,5}|\*):[^\s:]+:[^\s:]+:([^\s:]+)$",
        plausible.any_value,
    ),
    Rule("npm-token", "_auth", r"\b_auth\s?=\s?\"?([A-Za-z0-9+/=]{12,})", plausible.opaque),
    Rule(
        "secret",
        "_key'|_salt'",
        r"define\(\s*'[A-Z_]+_(?:KEY|SALT)',\s*'([^'\n]{32,})'",
        plausible.salt,
    ),
)

_ASSIGNED = (
    # A name and its value as two arguments: define('DB_PASSWORD', '…')
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)(?:{_CHOSEN}|{_DRAWN}|apikey)[\"'],\s?[\"']([^\s\"'\\]{{6,}})[\"']",
        plausible.password,
    ),
    Rule(
        "password",
        _CHOSEN_KEYWORDS,
        rf"(?i)({_CHOSEN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{6,}}))",
        plausible.password,
        named=True,
    ),
    Rule(
        "secret",
        _DRAWN_KEYWORDS,
        rf"(?i)({_DRAWN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{16,}}))",
        plausible.random,
        named=True,
    ),
    # In capitals, as settings from the environment are: the value may hold what code may not.
    Rule(
        "password",
        "password=|passwd=|_pass=|_pwd=",
        r"\b([A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|PWD))=([^\s\"'`\\;$][^\s\"'`\\]{7,})",
        plausible.setting,
        named=True,
    ),
    Rule(
        "secret",
        "_key",
        rf"\b([A-Z][A-Z0-9_]*_KEY)[\"']?\s?[:=]\s?(?:{_QUOTED}|({_BARE}{{16,}}))",
        plausible.random,
        named=True,
    ),
    # The older of the two ways in which a Dockerfile sets a variable.
    Rule(
        "secret",
        "env ",
        r"\bENV\s+\w*(?:TOKEN|KEY|SECRET|PASSWORD|PASS)\w*\s+[\"']?([^\s\"'$]{8,})",
        plausible.password,
    ),
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)<(?:[a-z]+:)?[a-z_-]*(?:{_CHOSEN}|{_DRAWN}|apikey)(?:\s[^<>\n]{{0,60}})?>([^<\s]{{6,}})</",
        plausible.password,
    ),
    Rule(
        "secret",
        "value=",
        rf"(?i)(?:{_CHOSEN}|{_DRAWN}|apikey)[\"']\s{{1,3}}value=[\"']([^\"'\n]+)",
        plausible.password,
    ),
    Rule(
        "secret",
        "default",
        rf"(?i)variable\s+\"\w*(?:{_CHOSEN}|{_DRAWN})\w*\"\s*\{{[^}}]{{0,300}}?"
        r"default\s*=\s*\"([^\"\n]+)\"",
        plausible.password,
    ),
)

# "The password is …", and how that is said elsewhere. The gap may not hold the mark of what was
# redacted before: a second pass must find nothing that the first did not.
_SPOKEN = (
    Rule(
        "password",
        "passw|passphrase|passcode|passwd|pw |pwd|kennwort|contrase|mot de passe|credential|creds",
        r"(?i)(?:\b|root|admin)(?:password|passwd|passphrase|passcode|passwort|pwd?|kennwort|"
        r"contrase(?:\xc3\xb1|n)a|mot de passe|credentials?|creds)\b[^\n\[=]{0,40}?"
        r"(?:\s(?:is|was|to|ist|lautet|es|est|now|just)|:|/)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{8,})",
        plausible.strong_password,
    ),
    Rule(
        "password",
        "password |passwd |passphrase ",
        r"(?i)\b(?:password|passwd|passphrase)\s{1,3}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\]{8,})",
        plausible.strong_password,
    ),
    Rule(
        "passphrase",
        "passphrase",
        r"(?i)\bpassphrase\b[^\n\"'\[]{0,30}[\"']([a-z][a-z ]{10,}[a-z])[\"']",
        plausible.passphrase,
    ),
    Rule(
        "secret",
        "api key|access key|token|secret",
        r"(?i)\b(?:api[ -]?key|access key|token|secret)\b[^\n\[=:]{0,40}?"
        r"(?:\s(?:is|was|to)|:)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{16,})",
        plausible.random,
    ),
)

RULES = PROVIDERS + _HEADERS + _COMMANDS + _PLACED + _ASSIGNED + _SPOKEN
