"""Secrets in prose: "the password is …", in several languages.

A gap between the words may not contain the mark of an earlier redaction: a second pass must find nothing
new.
"""

from bowerbird.guard import heuristics, told
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
# Those of them that may stand before a value without a word between.
_OTHER_WORDS = ("密码", "密碼", "パスワード", "비밀번호", "şifre", "parola", "пароль", "Пароль")
# A value may follow such a word within this number of bytes.
_REACH = 200
_SPEAKS = (
    "token|secret|api key|apikey|api-key|api_key|access key|access_key|auth key|license key|"
    "signing key|private key|encryption key|webhook|credential|bearer|passw|passphrase|dsn"
)


# “The password for the VPN is …”: the word, whose it is, and what it is. A password field is none.
_STATED = (
    r"(?i)\b(?:password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|mdp|clave|senha"
    r"|contrase(?:\xc3\xb1|n)a|wachtwoord|has(?:\xc5\x82|l)o|heslo|l\xc3\xb6senord)"
    r"(?:\s(?:for|of|to|on|at|in|you|we|here|there|from|vom|von|f(?:\xc3\xbc|ue)r|der|des|du|de|del|da|do"
    r"|di|pour|para|van|voor|wifi|wlan)\s[^\n.,;:]{1,40}?)?"
)
_KEYS_ABROAD = (
    r"(?:[\w\x80-\xff]+-|\bapi |zugangs|geheim)"
    r"(?:schl\xc3\xbcssel|sleutel|nyckel)"
    r"|\bcl\xc3\xa9 (?:d['\xe2\x80\x99]+)?(?:api|acc\xc3\xa8s|secr\xc3\xa8te|ssh)"
    r"|\bchiave (?:api|segreta|di accesso)|\bc(?:h|l)ave (?:de )?(?:api|secreta|acceso|acesso)"
    r"|\bklucz (?:do )?api"
)
_ITS_NAMES = (
    "password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|mdp|clave|senha|contrase"
    "|wachtwoord|hasło|heslo|lösenord"
)
_IS = (
    r"(?:\s?:|'s|,\sc'est|\s(?:is|was|ist|war|lautet|est"
    r"|c'est|es|\xc3\xa9|\xc3\xa8|to)(?:\s(?:now|jetzt|still))?:?)\s{1,2}"
)

# A grammar of telling one (its gaps are bounded by what ends a sentence: counted ones are slower to
# search): how it is called, what is told, and the words between them.
_CALLED = (
    r"(?:pass(?:word|wd|phrase|code|wort)?|pwd?|kennwort|mot de passe|mdp|contrase(?:\xc3\xb1|n)a|senha"
    r"|wachtwoord)"
)
# Behind a blank or a hyphen: code is full of the others.
_CALLS = " pass|-pass| pw | pw,| pw.| pw)|-pw | pwd| kennwort| mdp| contrase| senha| wachtwoord"
# The same without what is a verb, too.
_NOUN = (
    r"(?:password|passwd|passphrase|passcode|passwort|pwd?|kennwort|mot de passe|mdp"
    r"|contrase(?:\xc3\xb1|n)a|senha|wachtwoord)"
)
_CALLS_BEFORE = (
    "password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|contrase|wachtwoord"
    "|pw (|pwd ("
)
_TOLD = r"\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\=]{6,})"
# Behind the name the sentence ends, or says what the password is for: no password's hash or field.
_FOR = (
    r"(?:en|y|e|et|for|of|on|at|in|to|and|here|there|now|please|f(?:\xc3\xbc|ue)r|vom|von|und|pour"
    r"|para)\b"
)
_ENDS = rf"(?:$|[.,;:!?)\\\"]|\s{_FOR})"
# Of a name that code is full of, only with what follows it.
_NAMED = "|".join(
    f"{name}{then}"
    for name in (
        "api key",
        "apikey",
        "api-key",
        "access key",
        "deploy key",
        "ssh key",
        "signing key",
        "token",
        "secret",
    )
    for then in (
        ":",
        "'s",
        " is",
        " for ",
        " of ",
        " to ",
        " do ",
        " di ",
        " de ",
        " para ",
        " pour ",
        " we ",
        " in ",
        " on ",
        " from ",
    )
)
_ENTERS = (
    r"\b(?:log(?:ged)?[ -]?in(?:to)?|log on|sign(?:ed)?[ -]?in|melde dich|logg dich|connecte-toi)\b"
    r"[^\n.:=]*?(?:\b(?:with|as|using|mit|als|avec|comme)|\bw/)\s(?:(?:the\s)?(?:user|username|login)\s)?"
)
_USER = r"\\{0,3}[\"'`]?[\w.@+-]+[\"'`]?"
# A user's name by its form: a common one, an address, one with a digit.
_ACCOUNT = (
    r"\\{0,3}[\"'`]?(?:admin\w*|root|test\w*|demo|guest|user|[\w.+-]+@[\w.-]+"
    r"|[a-z]+[._-]?\d+)[\"'`]?"
)
_AND = r"(?:\s(?:and|und|et|with|mit)\s|\s?[:/]\s?|,\s)"

# What is called a phrase is several words, up to the end of the sentence or a comma.
_PHRASES = (
    "passphrase|pass phrase|phrase secrète|phrase de passe|frase de paso|frase secreta|frase segreta"
    "|wachtzin"
)
_WORDS_ALONE = r"([a-z\x80-\xff]+(?: [a-z\x80-\xff]+){2,7})(?:[.!]?\s{0,2}$|[,;])"

SHAPES = (
    # A word that is close to one for a secret is judged by its looks and its place.
    Rule(
        "password",
        told.keywords(),
        "(?i)" + told.named(),
        heuristics.argument,
        common=True,
        reads=told.secrets,
    ),
    # “Use … as the root password”, “… is the pass”, “… (the wifi password)”.
    Rule(
        "password",
        _CALLS,
        rf"(?im)(?:^|[\s\"'`(,:]){_TOLD}[\"'`\\]{{0,4}},?"
        r"(?:\s(?:is|as|ist|als|comme|est|como|es|it's|that's)\s|\s\()"
        rf"(?:[a-z\x80-\xff'-]+\s){{0,3}}(?:[a-z]+-)?{_CALLED}{_ENDS}",
        heuristics.chosen,
    ),
    # “When it asks for the password, type …”.
    Rule(
        "password",
        "passw|passphrase|passcode|pwd|pw |pw,|kennwort",
        rf"(?i)\b(?:ask|prompt|want|need)\w{{0,4}}\b[^\n.]*?{_CALLED}\b[^\n.]*?"
        rf"\b(?:type|enter|use|try|give)\s(?:it\s|in\s)?{_TOLD}",
        heuristics.chosen,
        also="ask|prompt|want|need",
    ),
    # “Log in with admin and …”, “as ben, …”.
    Rule(
        "password",
        "login|logged in|logged-in|log in|log-in|log on|sign in|sign-in|signin|signed in|melde dich"
        "|logg dich|connecte-toi",
        rf"(?i){_ENTERS}{_USER}{_AND}(?:(?:(?:the|dem|das|le|la|el)\s)?{_CALLED}\s)?{_TOLD}",
        heuristics.chosen,
    ),
    # “The login is admin:…”, “creds: ben …”.
    Rule(
        "password",
        "creds|credential|login|zugangsdaten|basic auth|basic-auth",
        r"(?i)\b(?:creds?|credentials?|login|zugangsdaten|basic[ -]auth)\b"
        r"(?:\s(?:for|to|of|on|in|zum|zur|f\xc3\xbcr)\s[^\n.:=]+?)?"
        rf"(?:\s(?:is|are|sind|ist)|:)\s{_USER}{_AND}{_TOLD}",
        heuristics.chosen,
    ),
    Rule(
        "password",
        "creds|credential|zugangsdaten",
        rf"(?i)\b(?:creds?|credentials?|zugangsdaten)\b(?:\s(?:is|are|sind)|:)\s{_USER}\s{_TOLD}",
        heuristics.strong_password,
    ),
    # “… the password from … to …”.
    Rule(
        "password",
        "passw|passphrase|passcode|pwd |pw |kennwort|mdp|contrase|clave|senha",
        rf"(?i)\b(?:{_CALLED}|clave)\b[^\n.:=]*?\s(?:from|von|de)\s{_TOLD}[\"'`]?\s(?:to|auf|zu|a)\s",
        heuristics.chosen,
        also="from |von |de ",
    ),
    # “The password changed to …”, “a senha mudou para …”, “the password is now …”.
    Rule(
        "password",
        "passw|passphrase|passcode|pwd |pw |kennwort|mdp|contrase|clave|senha",
        rf"(?i)(?:{_CALLED}|\bclave)\b[^\n.:=]*?"
        r"\s(?:changed to|is now|mudou para|cambi\S+ a|wurde zu|ist jetzt"
        rf"|est maintenant|is nu|adesso \S+)\s{_TOLD}",
        heuristics.chosen,
        also="changed to|is now|mudou para|cambi|wurde zu|ist jetzt|est maintenant|is nu|adesso",
    ),
    # “the new password (…)”, “password → …”, “box7 (password …)”, “the password … first”.
    Rule(
        "password",
        _CALLS_BEFORE,
        rf"(?im)(?:^|[\s\"'`(,:]){_NOUN}(?:\s\((?:it's\s|is\s)?{_TOLD}\)|\s?(?:\xe2\x86\x92|->|=>)\s?{_TOLD}"
        rf"|\s{_TOLD}\s(?:first|then|please|works|there|{_FOR}))"
        rf"|(?:\(|,\s|\b(?:with|and|the|und|et|y)\s){_NOUN}:?\s{_TOLD}[\"'`]?(?:[),;]|\.?$|\.\s)",
        heuristics.chosen,
    ),
    # “put … into the password field”, “enter … when asked for the passphrase”.
    Rule(
        "password",
        _CALLS,
        rf"(?i)\b(?:put|enter|type|paste|give|gib|tippe)\s{_TOLD}[\"'`]?\s"
        rf"(?:in|into|to|for|as|when|at|if|wenn|ein|als)\s[^\n.,;:=]{{0,40}}?{_CALLED}\b",
        heuristics.chosen,
    ),
    # A pair behind the wish to log in, where the first is a user's name by its form.
    Rule(
        "password",
        "login|logged in|log in|log-in|log on|sign in|signin|melde dich|logg dich|connecte-toi",
        rf"(?i)\b(?:log(?:ged)?[ -]?in|log on|sign[ -]?in|melde dich|logg dich|connecte-toi)\b"
        rf"[^\n:=/]{{0,40}}?[\s?:]\s?{_ACCOUNT}{_AND}{_TOLD}(?:[\"'`,;.!)]|$|\s[^/])",
        heuristics.paired,
    ),
    # “The old pass was … and the new one is …”, “it's … btw, the sudo password”.
    Rule(
        "password",
        _CALLS,
        rf"(?i){_CALLED}\b[^\n]{{0,80}}?\b(?:new|old|other|current|neue|alte) one,?\s"
        rf"(?:is\s|was\s|\()?{_TOLD}",
        heuristics.chosen,
        also=" one",
    ),
    Rule(
        "password",
        _CALLS,
        rf"(?i)\b(?:it'?s|is)\s{_TOLD}(?:\sbtw)?,\s(?:the|your|my|that's the)\s"
        rf"(?:[\w-]+\s){{0,3}}{_CALLED}\b",
        heuristics.chosen,
    ),
    # “mot de passe « … »”, “clave del wifi de casa: …”.
    Rule(
        "password",
        _ITS_NAMES,
        rf"(?i)\b{_NOUN}\b(?:\s[\w\x80-\xff'-]+){{0,3}}?\s?:?\s?"
        r"(?:\xc2\xab|\xe2\x80[\x9c\x9e\x98]|\xc2\xbb)(?:\s|\xc2\xa0|\xe2\x80\xaf)?"
        r"([^\n\"<>{}\xc2\xe2]{6,60}?)(?:\s|\xc2\xa0|\xe2\x80\xaf)?"
        r"(?:\xc2\xbb|\xe2\x80[\x9c\x9d\x99]|\xc2\xab)",
        heuristics.quoted_words,
    ),
    # “api key … for the printer”; “unlock the zip with …”.
    Rule(
        "secret",
        "api key |apikey |api-key |access key |token ",
        rf"(?i)\b(?:api[ -]?key|access key|token)\s{_TOLD}\s{_FOR}",
        heuristics.told_key,
    ),
    # The seed of a second factor and codes of recovery, in groups.
    Rule(
        "secret",
        "2fa|totp|otp|mfa|backup code|backup-code|recovery code|recovery-code",
        r"(?i)\b(?:2fa|t?otp|mfa|(?:backup|recovery)[ -]codes?)\b[^\n:]{0,40}:\s{1,2}"
        r"([A-Z0-9]{4,10}(?:[ -][A-Z0-9]{4,10}){1,11})",
        heuristics.grouped,
    ),
    # What a program prints when it makes one.
    Rule(
        "password",
        "password|passwort",
        r"(?i)\b(?:temporary|generated|initial|random|new|following)\s(?:\w+\s){0,2}pass(?:word|wort)\b"
        r"[^\n:]{0,60}:\s{1,2}(\S{6,40})\s*(?:$|\n)",
        heuristics.likely,
        also="temporary|generated|initial|random|new|following",
    ),
    # “pw … for staging”, “pass for the zip: …”, “als Kennwort "…"”.
    Rule(
        "password",
        "pw |pwd |pass |pin ",
        rf"(?i)\b(?:pwd?\s{_TOLD}[\"'`]?\s(?:for|on|at)\s"
        rf"|(?:pwd?|pass|pin)\s(?:for|of|to)\s[^\n.,;:]+?:\s{_TOLD})",
        heuristics.chosen,
    ),
    Rule(
        "password",
        "password |passwd |passphrase |kennwort |passwort ",
        r"(?i)\b(?:password|passwd|passphrase|kennwort|passwort)\s"
        r"\\{0,3}[\"`]([^\s\"`\\]{6,})\\{0,3}[\"`]",
        heuristics.chosen,
    ),
    # A token, a key or a code that is no long word; the key of a wireless network.
    Rule(
        "secret",
        _NAMED + "|door code|access code|gate code",
        r"(?i)\b(?:api[ -]?key|(?:access|deploy|ssh|signing) key|token|secret"
        r"|(?:door|gate|access) code)\b"
        rf"(?:\s(?:for|of|to|do|di|de|du|para|pour|von|zu|zum|we|in|on|from)\s[^\n.:,=]+?)?"
        rf"(?::|'s|,|\s(?:is|ist))\s{{1,2}}{_TOLD}",
        heuristics.told_key,
    ),
    Rule(
        "password",
        "wifi|wi-fi|wlan|ssid",
        rf"(?i)\b(?:wi-?fi|wlan|ssid)\b[^\n{{}}\[\]\"]*?(?:\s/|,\s?(?:key|pw)|\skey)\s{{1,2}}{_TOLD}",
        heuristics.strong_password,
    ),
    # A key in other languages: Deploy-Schlüssel, clé d'API, chiave API, klucz API.
    Rule(
        "secret",
        "schlüssel|clé |chiave |clave |chave |klucz |sleutel|nyckel|ключ ",
        rf"(?i)(?:{_KEYS_ABROAD})[^\n.,;:=\[]{{0,48}}?(?:\s?:|\s(?:is|ist|lautet|est|es|\xc3\xa9|\xc3\xa8|to|\xc3\xa4r|c'est)"
        rf"(?:\s(?:now|jetzt|ora|maintenant|ahora|agora|teraz|nu))?:?)\s{{1,2}}{_TOLD}",
        heuristics.told_key,
    ),
    Rule(
        "password",
        _ITS_NAMES,
        rf"{_STATED}{_IS}\\{{0,3}}[\"'`]([^\s\"'`\\][^\"'`\n\\]{{5,59}})[\"'`]",
        heuristics.quoted_password,
        common=True,
    ),
    # “passphrase: …”, “die Passphrase lautet …”; behind “is” words alone that are no sentence.
    Rule(
        "passphrase",
        _PHRASES,
        rf"(?im)\b(?:{_utf8(_PHRASES)})\b[^\n:.,;]{{0,60}}?(?:\s?:|\slautet:?)\s{{1,2}}{_WORDS_ALONE}",
        heuristics.told_phrase,
    ),
    Rule(
        "passphrase",
        _PHRASES,
        rf"(?im)\b(?:{_utf8(_PHRASES)})\b[^\n:.,;]{{0,60}}?\s(?:is|ist|est|es|\xc3\xa9|\xc3\xa8)\s{{1,2}}{_WORDS_ALONE}",
        heuristics.several_words,
    ),
    # “DB password: …”, in words alone.
    Rule(
        "password",
        _ITS_NAMES,
        rf"(?im){_STATED}(?:\s?:|\s(?:is|ist))\s{{1,2}}([a-z]+(?: [a-z]+){{3,7}})[.\s]{{0,2}}$",
        heuristics.several_words,
        common=True,
    ),
    Rule(
        "pin",
        "pin is|pin for|pin of|pin ist|pin: |pin vom|pin f|pin d|pin es",
        r"(?i)\bpin(?:\s(?:for|of|vom|von|f(?:\xc3\xbc|ue)r|du|de|del|della|do|da)\s[^\n.,;:]{1,30}?)?"
        r"(?::|\s(?:is|ist|lautet|est|es)(?:\snow)?:?)\s{1,2}(\d{4,8})\b",
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
        "pass: |password: |passwd: ",
        r"(?i)\bpass(?:word|wd)?:\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\=:]{6,})[\"'`]?"
        r"\s(?:is|was|for|on|at|works)\s",
        heuristics.likely,
    ),
    # A value that is given as a variable whose name says what it is.
    Rule(
        "secret",
        "_key|_token|_secret|_password|_pass",
        r"(?i)\b(?:use|set|take|put)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\=]{8,})[\"'`]?"
        r"\s(?:as|for)\s(?:the\s)?[\"'`]?[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|PASS)\b",
        heuristics.strong_password,
        common=True,
    ),
    Rule(
        "password",
        "|".join(word.lower() if word.isascii() else word for word in _WORDS),
        rf"(?i)(?:{'|'.join(_utf8(word) for word in _WORDS)})[^\n\\\[=]{{0,48}}?"
        rf"(?:\s(?:is|to|ist|lautet|es|est|er|jest|je|on|{_utf8('é')}|{_utf8('è')}"
        rf"|{_utf8('är')})|:|=|\s-|{_utf8('：')}|{_utf8('是')}|{_utf8('は')}|{_utf8('—')})\s{{0,2}}"
        r"\\{0,3}[\"'`]?((?-i:[^\s\"'`,;<>()\\\xe3-\xed]{6,}))",
        heuristics.chosen,
    ),
    Rule(
        "password",
        "密码|密碼|パスワード|비밀번호|şifre|parola|пароль|Пароль",
        rf"(?i)(?:{'|'.join(map(_utf8, _OTHER_WORDS))})[^\n\\\[=]{{0,12}}?"
        rf"(?:\s|:|=|-|{_utf8('：')}|{_utf8('是')}|{_utf8('は')}|{_utf8('—')})\s{{0,2}}"
        r"\\{0,3}[\"'`]?([A-Za-z0-9!#$%&*+._-]{6,})",
        heuristics.chosen,
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
    # A randomly generated word anywhere in a line that mentions secrets.
    Rule(
        "secret",
        _SPEAKS,
        rf"(?i)(?:{_SPEAKS})",
        heuristics.strong,
        inner=r"(?:^|[\s\"'`=:(,|<>])([A-Za-z0-9_+/.~-]{20,}={0,2})",
        reach=_REACH,
    ),
)
