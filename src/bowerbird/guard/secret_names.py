"""Tells from the name of an option, a variable or a setting whether its value is a secret."""

# Last words of such names, alone or at the end of a longer one (`dbpassword`, `requirepass`).
_CHOSEN = (
    "password passwd passphrase passcode passwort kennwort pass pwd pw psk pswd userpwd rootpw upw opw"
    " passe haslo senha contrasena wachtwoord"
).split()
_DRAWN = (
    "secret token apikey authkey accesskey secretkey authtoken credential credentials creds authtoken"
    " mnemonic bearer"
).split()
_ENDS = (*(one for one in (*_CHOSEN, *_DRAWN) if len(one) > len("pass")), "pass")
_NOT = ("bypass", "compass", "surpass", "trespass", "overpass", "multipass")
# "key" is a secret only after one of these: other keys are files, columns, or keys of a map.
KEYS = (
    "api access auth account master secret encryption private signing shared license storage service"
    " admin primary app application write read ingest client webhook"
).split()
# Behind such a word: `--secret-string`, `passwordText`.
_STEMS = (
    "pass",
    "haslo",
    "senha",
    "contrase",
    "wachtwoord",
    "pw",
    "key",
    "token",
    "secret",
    "cred",
    "psk",
    "mnemonic",
    "pswd",
    "kennwort",
    "bearer",
)
_FORMS = frozenset(("string", "value", "text", "plain", "plaintext"))
_PLAIN = frozenset(("secret", "secrets", "token", "key"))
# Whatever is no letter and no digit stands between words.
_APART = {code: " " for code in range(128) if not chr(code).isalnum()}


def with_stems(words: list[str]) -> set[str]:
    """Those of the words of a line, in lower case, that may be names of secrets: most lines have none."""
    line = "\n".join(words)
    stems = [stem for stem in _STEMS if stem in line]
    return {word for word in words for stem in stems if stem in word}


def secret_name(name: str) -> str:
    """`password` or `secret` if a name's value is one, else nothing."""
    low = name.lower()
    for stem in _STEMS:
        if stem in low:
            break
    else:
        return ""
    parts = _parts(name)
    if parts and parts[-1] in _FORMS:
        parts.pop()
    if not parts:
        return ""
    last = parts[-1].rstrip("0123456789")
    if last == "secret" and parts[-2:-1] in (["existing"], ["pull"], ["tls"]):
        return ""
    if last in _CHOSEN:
        return "password"
    if last in _DRAWN or parts[-2:] == ["key", "material"]:
        return "secret"
    if last in ("key", "string"):
        return "secret" if len(parts) > 1 and parts[-2] in KEYS else ""
    if last.endswith(_ENDS) and not last.endswith(_NOT):
        return "password" if last.endswith(tuple(_CHOSEN)) else "secret"
    return ""


def plain(name: str) -> bool:
    """Whether a name is but the word: `--secret` and `--token` may name one that is kept elsewhere."""
    return name.strip("-/").lower() in _PLAIN


def _parts(name: str) -> list[str]:
    """The words of a name: dbPassword, DB_PASSWORD, db.password, //host/:_authToken."""
    if name.isascii():
        words = name.translate(_APART)
        if words.islower() or words.isupper():
            return words.lower().split()
    found = [""]
    before = ""
    for char in name:
        if not char.isalnum():
            found.append("")
        elif char.isupper() and before.islower():
            found.append(char.lower())
        else:
            found[-1] += char.lower()
        before = char
    return [one for one in found if one]
