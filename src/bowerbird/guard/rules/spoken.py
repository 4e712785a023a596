"""Secrets in prose: "the password is …", in several languages.

A gap between the words may not contain the mark of an earlier redaction: a second pass must find nothing
new.
"""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule


def _utf8(word: str) -> str:
    """The bytes of a word, escaped as a pattern."""
    return word.encode().decode("latin-1")


# "Password" in other languages, also in capitals, because RE2 sees bytes and not letters.
_WORDS = (
    "contraseña",
    "contrasena",
    "clave",
    "mot de passe",
    "mdp",
    "passwort",
    "kennwort",
    "zugangscode",
    "senha",
    "palavra-passe",
    "wachtwoord",
    "lösenord",
    "adgangskode",
    "passord",
    "salasana",
    "hasło",
    "heslo",
    "jelszó",
    "parola",
    "şifre",
    "пароль",
    "Пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "mật khẩu",
    "kata sandi",
    "slaptažodis",
    "geslo",
    "lozinka",
    "كلمة المرور",
    "סיסמה",
)
# A value may follow such a word within this number of bytes.
_REACH = 200
_SPEAKS = (
    "token|secret|api key|apikey|api-key|api_key|access key|access_key|auth key|license key|"
    "signing key|private key|encryption key|webhook|credential|bearer|passw|passphrase|dsn"
)

_DIGITS = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,128}"

# “The password for the VPN is …”: the word, whose it is, and what it is. A password field is none.
_STATED = (
    r"(?i)\b(?:password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|mdp|clave|senha"
    r"|contrase(?:\xc3\xb1|n)a|wachtwoord)"
    r"(?:\s(?:for|of|to|on|from|vom|von|f(?:\xc3\xbc|ue)r|der|des|du|de|del|da|do|pour|para|van)\s[^\n.,;:]{1,40}?)?"
)
_ITS_NAMES = (
    "password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|mdp|clave|senha|contrase"
    "|wachtwoord"
)
_IS = r"(?::|\s(?:is|was|ist|war|lautet|est|es|\xc3\xa9)(?:\s(?:now|jetzt|still))?:?)\s{1,2}"

SHAPES = (
    # A word with a digit, several in quotes, or words behind a colon.
    Rule(
        "password",
        _ITS_NAMES,
        rf"{_STATED}{_IS}\\{{0,3}}([^\s\"'`,;<>()\\]{{6,}})",
        heuristics.stated_password,
        common=True,
    ),
    Rule(
        "password",
        _ITS_NAMES,
        rf"{_STATED}{_IS}\\{{0,3}}[\"'`]([^\s\"'`\\][^\"'`\n\\]{{5,59}})[\"'`]",
        heuristics.quoted_password,
        common=True,
    ),
    Rule(
        "passphrase",
        "passphrase",
        r"(?im)\bpassphrase\b[^\n:]{0,40}:\s{1,2}([a-z]+(?: [a-z]+){2,7})[.\s]{0,2}$",
        heuristics.passphrase,
    ),
    Rule(
        "pin",
        "pin is|pin for|pin of|pin ist|pin: |pin vom|pin f",
        r"(?i)\bpin(?:\s(?:for|of|vom|von|f(?:\xc3\xbc|ue)r)\s[^\n.,;:]{1,30}?)?"
        r"(?::|\s(?:is|ist|lautet)(?:\snow)?:?)\s{1,2}(\d{4,8})\b",
        heuristics.pin,
    ),
    Rule(
        "password",
        "passw|passphrase|passcode|passwd|pw |pwd|kennwort|contrase|mot de passe|credential|creds",
        r"(?i)(?:\b|root|admin)(?:password|passwd|passphrase|passcode|passwort|pwd?|kennwort|"
        r"contrase(?:\xc3\xb1|n)a|mot de passe|credentials?|creds)\b[^\n\\\[=]{0,40}?"
        r"(?:\s(?:is|was|to|ist|lautet|es|est|now|just)|:"
        r"|/)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{8,})",
        heuristics.strong_password,
        common=True,
    ),
    Rule(
        "password",
        "password |passwd |passphrase ",
        r"(?i)\b(?:password|passwd|passphrase)\s{1,3}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\]{8,})",
        heuristics.strong_password,
        common=True,
    ),
    # A user's name and a password behind the word for both; then a password whose purpose is told.
    Rule(
        "password",
        "creds|credential",
        r"(?i)\b(?:creds?|credentials?)\b:?\s{1,2}(?:(?:are|is|=|for\s\S{1,30}:?)\s{1,2})?\\{0,3}[\"'`]?"
        r"[\w.+@-]{2,40}(?:\s?:\s?|/)[\"'`]?([^\s\"'`,;<>()\\/]{6,})",
        heuristics.likely,
    ),
    Rule(
        "password",
        "with pass|with the pass|and pass|and the pass",
        r"(?i)\b(?:with|and)\s(?:the\s)?pass(?:word|wd|phrase|code)?\s{1,2}\\{0,3}[\"'`]?"
        r"([^\s\"'`,;<>(){}\[\]\\=:]{6,})",
        heuristics.likely,
    ),
    Rule(
        "password",
        "pass: |password: |passwd: ",
        r"(?i)\bpass(?:word|wd)?:\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\=:]{6,})[\"'`]?"
        r"\s(?:is|was|for|on|at|works)\s",
        heuristics.likely,
    ),
    # A pair that is given for something.
    Rule(
        "password",
        "login|log in|password|credential|auth",
        r"(?i)\b(?:use|with|as|using)\s{1,2}\\{0,3}[\"'`]?[\w.@+-]{2,40}:([^\s\"'`,;<>(){}\[\]\\/:]{8,})"
        r"[\"'`]?\s(?:for|on|at|to)\s",
        heuristics.strong_password,
    ),
    # A value that is given as a variable whose name says what it is.
    Rule(
        "secret",
        "_key|_token|_secret|_password|_pass",
        r"(?i)\b(?:use|set|take|put)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\=]{8,})[\"'`]?"
        r"\s(?:as|for)\s(?:the\s)?[\"'`]?[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|PASS)\b",
        heuristics.strong_password,
    ),
    # Log in as admin with the password itself.
    Rule(
        "password",
        "login|log in",
        r"(?i)\blog\s?in\b[^\n\\\[=:]{0,40}?\swith\s{1,2}\\{0,3}[\"'`]?"
        r"([^\s\"'`,;<>(){}\[\]\\=:/]{8,})",
        heuristics.strong_password,
    ),
    Rule(
        "passphrase",
        "passphrase",
        r"(?i)\bpassphrase\b[^\n\"'\[]{0,30}[\"']([a-z][a-z ]{10,}[a-z])[\"']",
        heuristics.passphrase,
    ),
    Rule(
        "secret",
        "api key|access key|token|secret",
        r"(?i)\b(?:api[ -]?key|access key|token|secret)\b[^\n\\\[=:]{0,40}?"
        r"(?:\s(?:is|was|to)|:)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,<>\\]{16,})",
        heuristics.random,
        common=True,
    ),
    Rule(
        "password",
        "|".join(word.lower() if word.isascii() else word for word in _WORDS),
        rf"(?i)(?:{'|'.join(_utf8(word) for word in _WORDS)})[^\n\\\[=]{{0,48}}?"
        rf"(?:\s(?:is|to|ist|lautet|es|est|er|jest|je|on|{_utf8('é')}|{_utf8('è')}"
        rf"|{_utf8('är')})|:|=|-|{_utf8('：')}|{_utf8('是')}|{_utf8('は')}|{_utf8('—')})\s{{0,2}}"
        r"\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{8,})",
        heuristics.strong_password,
    ),
    Rule(
        "password",
        "admin /|admin/|root /|root/|user /|user/|login|logon|konto|zugang|creds",
        # Not part of a path: "of-root/build-287/notes.md".
        r"(?i)(?:^|[\s\"'`(,:])(?:admin\w*|root|user|login|logon|account|konto|zugang"
        r"|creds)\b[^\n\[/=]{0,40}?\s?/\s?(?:pass\w*\s)?"
        r"[\"'`]?([^\s\"'`,;<>()\\/]{8,})(?:$|[\s\"'`,;<>()])",
        heuristics.strong_password,
    ),
    Rule(
        "password",
        "pass |pw |pwd |mdp |kennwort |passwort ",
        r"(?i)\b(?:pass|pw|pwd|mdp|kennwort|passwort)\s{1,2}[\"'`]?([^\s\"'`,;<>()\\]{8,})",
        heuristics.strong_password,
    ),
    # A randomly generated word anywhere in a line that mentions secrets.
    Rule(
        "secret",
        _SPEAKS,
        rf"(?i)(?:{_SPEAKS})",
        heuristics.strong,
        inner=r"(?:^|[\s\"'`=:(,|<>])([A-Za-z0-9_+/.~-]{20,}={0,2})",
        reach=_REACH,
    ),
    # Thirty-two digits or more, or a UUID, only directly after an unambiguous name.
    Rule(
        "secret",
        "api key|api-key|api token|api_key|api-token|access token|auth token|access key"
        "|secret key|client secret|"
        "personal token|bearer token|license key|licence key|service key|admin key|master key"
        "|signing secret|api secret",
        r"(?im)\b(?:(?:api|access|auth|admin|master|secret|service|licen[sc]e|personal"
        r"|bearer)[ _-](?:key|token|secret)|client secret|signing secret)\b"
        # On the next line only alone: else it is the id of an object, as git prints it before a title.
        rf"[^\n\[]{{0,40}}?(?:[ \t:=\"'`(]({_DIGITS})(?:$|[^A-Za-z0-9_-])"
        rf"|\n\s{{0,8}}({_DIGITS})\s{{0,8}}$)",
        heuristics.drawn,
    ),
)
