"""Heuristics that decide whether a value found in the position of a secret is one.

Pure predicates on short texts. A provider's prefix is sufficient evidence. After "password =" or
"token:", code, placeholders and prose are far more common than secrets, so the value itself has to
decide.
"""

from itertools import pairwise

from bowerbird.core.language import STOP_WORDS

# Characters of a value that are examined, to bound the cost for longer ones.
_JUDGED = 512

# Parts of common placeholders in documentation. Each is so long that fewer than one in ten thousand
# random values contain one.
_MARKS = tuple(
    "${ {{ }} $( %( ... … xxxx *** example your- your_ change-me change_me changeme placeholder"
    " redacted dummy insert replace environ getenv process.env secrets. op:// keyring. getpass".split()
)
# Values that are common placeholders or defaults.
_WORDS = frozenset(
    "password passwd pass pwd pw secret token user username admin root guest test postgres mysql"
    " redis default none null true false string optional required pswd passphrase key value foo bar"
    " mypassword mypass userpass hidden unset empty public private".split()
)
# What is said of passwords, where one could stand.
_SAYS_OF_IT = frozenset(
    "see ask use never always minimum maximum least rotate reset change characters letters words digits"
    " plain vault manager".split()
)
# Algorithms and encodings with digits in their names, which prose mentions near passwords.
TERMS = tuple(
    "sha-1 sha1 sha-2 sha2 sha3 sha-3 sha5 md5 md4 utf utf- base64 base32 bcrypt argon2 pbkdf2 rfc"
    " aes ascii iso-8859 x.509 pkcs oauth2 varchar nvarchar socks4 socks5 http:// https://"
    " 1password".split()
)
# Names that contain "password" or "token" and hold something else.
ABOUT = tuple(
    "file path url uri hash hashed digest id name field type count limit length len size ttl expiry"
    " expires_in expires_at expiration policy prompt label hint regex pattern format class factory"
    " provider _at manager sha256 checksum manager public_key version endpoint budget usage".split()
)
# Parts of the names of fields, headers and options.
FIELDS = "pass token key secret auth user login cred case hash sensitive protected".split()
# Signs that join words, as the hyphen does.
_JOINTS = str.maketrans("+*&~", "----")
# Minimum number of different characters in a secret; placeholders have fewer.
_FEW = 4
_SHORTEST_PASSWORD = 8
# Minimum length of a password after a name that asks for one.
_SHORTEST_CHOSEN = 6
_SHORTEST_RANDOM = 16
# Runs of letters of this length count as words.
_WORD_RUN = 4
_MOST_WORDS = 0.5
_DIGIT_GROUPS = 3
# Random letters change case at every second position, joined words at every third at most.
_CHANGES = 0.35
_SHORTEST_RESTLESS = 12
# Endings of files, which stand where keys and passwords are read from.
_FILES = (
    ".pem",
    ".key",
    ".txt",
    ".json",
    ".yml",
    ".yaml",
    ".env",
    ".crt",
    ".cer",
    ".pub",
    ".p12",
    ".pfx",
    ".jks",
    ".gpg",
    ".asc",
    ".conf",
    ".cfg",
    ".ini",
    ".toml",
    ".sh",
    ".py",
    ".properties",
    ".xml",
    ".gz",
)
_PLACES = ("./", "../", "~/", "file:", "env:", "fd:", "arn:")
_KINDS = 3
_PHRASE = (3, 8)
SMALL_WORDS = frozenset(
    "a an the is for your to of and or not please enter this that it on".split()
)


def placeholder(value: str) -> bool:
    """Whether a value is a placeholder."""
    value = value[:_JUDGED]
    low = value.lower()
    if low.strip("*.-_ ") in _WORDS or len(set(low)) < _FEW:
        return True
    for mark in _MARKS:  # half the time of any(): this is asked of every value
        if mark in low:
            return True
    # <password>, or the beginning of it where a rule's value ends at a blank.
    if low.startswith(("your", "sk-ssh-", "sk-ecdsa-", "<")) or low.rfind(">") > low.find("<") >= 0:
        return True
    # $NAME, %NAME%, :name, {name}, @file, and YAML's !tag
    name = value[1:].rstrip("%}")
    return value[0] in "$%:{@!&" and name.replace("_", "").isalpha()


def random(value: str) -> bool:
    """Whether a value looks randomly generated: long, mixed, and not made of words."""
    value = value[:_JUDGED]
    if len(value) < _SHORTEST_RANDOM or " " in value or placeholder(value):
        return False
    if value.startswith(("/", "./", "../", "~/")) and _path(value):
        return False
    letters = sum(map(str.isalpha, value))
    if letters < _FEW:
        return False
    if _digit_groups(value) >= _DIGIT_GROUPS and not _dotted(value):
        return True
    mixed = any(map(str.isdigit, value)) or (value != value.lower() and value != value.upper())
    calm = _share_of_words(value) >= _MOST_WORDS and not _restless(value)
    return mixed and not calm and not _dotted(value)


def opaque(value: str) -> bool:
    """Whether a value in an authorization header is base64 or a token, not a word."""
    value = value[:_JUDGED]
    if len(value) < _SHORTEST_PASSWORD or placeholder(value):
        return False
    return (
        _share_of_words(value) < _MOST_WORDS
        or _digit_groups(value) >= _DIGIT_GROUPS
        or _restless(value)
    )


def any_value(value: str) -> bool:
    """Whether a value is not a placeholder, in a position where only secrets occur."""
    return len(value) >= _FEW and not placeholder(value)


def argument(value: str) -> bool:
    """Whether an argument of a command is a value itself: no variable, file, address or name of one."""
    value = value[:_JUDGED]
    if not any_value(value) or value.startswith(("$", "~", "\\\\", "@", "-")) or "://" in value:
        return False
    # Base64 may begin with a slash.
    if value[0] == "/" and (len(value) < _SHORTEST_STRONG or _path(value)):
        return False
    if _elsewhere(value) or (value[0] == value[-1] == "%"):
        return False
    # NAME_OF_A_VARIABLE
    return not (value.isupper() and "_" in value and value.replace("_", "").isalpha())


def likely(value: str) -> bool:
    """Whether an argument looks chosen or drawn: short ones too, but no word and no number."""
    if not argument(value) or len(value) < _SHORTEST_CHOSEN or _dotted(value):
        return False
    if not any(map(str.isalpha, value)):
        return False
    signed = any(char in "!#$^*@%&+?" or char.isdigit() for char in value)
    mixed = value != value.lower() and value != value.upper()
    return signed or password(value) or (mixed and opaque(value)) or value.count("-") > 1


def signed_password(value: str) -> bool:
    """A password with a sign that neither names nor patterns have."""
    signs = any(char in "!#$^%&@" for char in value)
    return signs and strong_password(value) and not any(char in ".*[](){}|\\:" for char in value)


def salt(value: str) -> bool:
    """Whether a long value is random, whatever its characters, and not a sentence."""
    return _share_of_words(value[:_JUDGED]) < _MOST_WORDS


def password(value: str) -> bool:
    """Whether a value looks like a chosen password: letters, digits, and not code."""
    value = value[:_JUDGED]
    # The cheapest test first, for the most common values in prose.
    if value.isalpha() and (value.islower() or value.isupper()):
        return False
    if len(value) < _SHORTEST_CHOSEN or " " in value or placeholder(value) or _dotted(value):
        return False
    if not any(map(str.isalpha, value)) or value.lower().startswith(TERMS) or _elsewhere(value):
        return False
    digits = sum(map(str.isdigit, value))
    if len(value) < _SHORTEST_PASSWORD:
        return digits > 1 and value.isalnum()
    if digits == 0:
        return _restless(value) or any(char in "!#$^" for char in value.strip("!?#$"))
    # A single digit at the end usually numbers a variable.
    return digits > 1 or not value[-1].isdigit() or not value[:-1].replace("_", "").isalpha()


def setting(value: str) -> bool:
    """Whether the value of an upper-case variable is a password: mixed case is sufficient."""
    mixed = value.isalnum() and not (value.islower() or value.isupper())
    return password(value) or (
        mixed and len(value) >= _SHORTEST_RESTLESS and not placeholder(value)
    )


def strong_password(value: str) -> bool:
    """A password that is unlikely in prose: three classes of characters, not only words."""
    value = value[:_JUDGED]
    if len(value) < _SHORTEST_PASSWORD or not password(value):
        return False
    kinds = (
        any(map(str.islower, value)),
        any(map(str.isupper, value)),
        any(map(str.isdigit, value)),
        not value.isalnum(),
    )
    if len(value) >= _SHORTEST_RANDOM and random(value):
        return True
    return sum(kinds) >= _KINDS and kinds[2] and "/" not in value


def told_password(value: str) -> bool:
    """Whether what a sentence gives as a password is one: with a digit or a sign, and no term."""
    value = value[:_JUDGED].rstrip(".?:")
    if len(value) < _SHORTEST_CHOSEN or value.lower().startswith(TERMS) or "/" in value:
        return False
    return likely(value) and not about(value)


def chosen(value: str) -> bool:
    """The same, and words that a sign or a dot joins: Amber-Kettle, tin+Whistle, sunny.Plover."""
    value = value[:_JUDGED].rstrip(".?:")
    return told_password(value) or ((_joined(value) or _two_words(value)) and not about(value))


def joined_field(value: str) -> bool:
    """Whether the value of a field is words that a sign joins, and no code."""
    return _joined(value) and not any(char in "%:|?=$" for char in value)


def asked(value: str) -> bool:
    """Whether what stands behind a prompt for a password was typed: no plain word, as of an error."""
    return (
        argument(value)
        and not value.endswith((".", ":", "..."))
        and (likely(value) or joined_field(value) or value.count("-") > 0)
    )


def quoted_field(value: str) -> bool:
    """The same in quotes, where two words that a dot joins are no code either."""
    return _two_words(value) or joined_field(value)


def names_code(value: str) -> bool:
    """Whether words that dots join are a name of code: in small letters, as settings.password."""
    return _dotted(value) and not _two_words(value) and value == value.lower()


def _joined(value: str) -> bool:
    """Whether a sign stands before a word with a capital, and the whole is no name of a field."""
    parts = value.translate(_JOINTS).split("-")
    return (
        len(value) >= _SHORTEST_PASSWORD
        and any(part[1:].islower() and part[:1].isupper() for part in parts[1:])
        and _names_nothing(value)
    )


def _two_words(value: str) -> bool:
    before, dot, behind = value.partition(".")
    return (
        len(value) >= _SHORTEST_PASSWORD
        and bool(dot)
        and before.isalnum()
        and behind.isalnum()
        and behind.istitle()
        and _names_nothing(value)
    )


def _names_nothing(value: str) -> bool:
    low = value.lower()
    named = low.startswith(TERMS) or any(word in low for word in FIELDS)
    return not named and argument(value)


def mixed(value: str) -> bool:
    """Whether a value has all that passwords are asked for: both cases, a digit and a sign, no path."""
    value = value[:_JUDGED]
    return (
        strong_password(value)
        and not value.isalnum()
        and value != value.lower()
        and value != value.upper()
        and not any(char in "./:()[]{}_ " for char in value)
    )


def paired(value: str) -> bool:
    """Whether what stands behind a user's name is a password: no plain word, as roles are."""
    value = value[:_JUDGED].rstrip(".?:")
    if value.isalpha() and (value.islower() or value.istitle()):
        return False
    code = "/" in value or (_dotted(value) and not _two_words(value))
    return len(value) >= _SHORTEST_CHOSEN and _names_nothing(value) and not code


def quoted_words(value: str) -> bool:
    """Whether what stands in quotes beside the word is a password, and no name of a thing."""
    return quoted_password(value) and _names_nothing(value)


def grouped(value: str) -> bool:
    """Whether groups of letters and digits are a seed or codes, and no words."""
    return (value == value.upper() and not value.replace(" ", "").isdigit()) or any(
        map(str.isdigit, value.replace("-", " ").partition(" ")[0])
    )


def told_key(value: str) -> bool:
    """Whether what a sentence calls a key is one."""
    value = value[:_JUDGED].rstrip(".?:")
    return strong_password(value) or short_key(value) or random(value) or _joined(value)


def short_key(value: str) -> bool:
    """Whether a value that is shorter than most keys is drawn: digits in three places among letters."""
    return (
        len(value) >= _SHORTEST_RESTLESS
        and value.isalnum()
        and _digit_groups(value) >= _DIGIT_GROUPS
        and not placeholder(value)
    )


def pin(value: str) -> bool:
    """Whether digits that a sentence calls a PIN are one: no year, and not the same digit only."""
    return len(set(value)) > 1 and not (len(value) == len("2026") and value[:2] in ("19", "20"))


def quoted_password(value: str) -> bool:
    """Whether what a sentence quotes as a password is one: anything but a placeholder or a name."""
    return argument(value) and not about(value) and len(value.split()) <= _PHRASE[1]


def passphrase(value: str) -> bool:
    """A sequence of words as password generators produce them, and not a sentence."""
    words = value.split()
    least, most = _PHRASE
    return (
        least <= len(words) <= most
        and all(map(str.isalpha, words))
        and value == value.lower()
        and not SMALL_WORDS.intersection(words)
    )


def several_words(value: str) -> bool:
    """A passphrase behind a name that more often stands before a sentence: no word is one of these.

    “password: never log plain text anywhere”, “password: stored encrypted inside vault”.
    """
    words = tuple(value.lower().split())
    return _says_nothing(words) and passphrase(value.lower()) and not _has_stops(words)


def told_phrase(value: str) -> bool:
    """The same behind “passphrase:”, with small words, too, if they are as many as generators give."""
    words = tuple(value.lower().split())
    least = _PHRASE[0] + _has_stops(words)
    return _says_nothing(words) and least <= len(words) <= _PHRASE[1]


def _has_stops(words: tuple[str, ...]) -> bool:
    return any(word in stops for stops in STOP_WORDS.values() for word in words)


def _says_nothing(words: tuple[str, ...]) -> bool:
    names = _SAYS_OF_IT | _WORDS | {*ABOUT}
    return not words[0].endswith("ed") and names.isdisjoint(words)


def about(name: str) -> bool:
    """Whether a name with "password" or the like refers to something else: its file, its hash."""
    low = name.lower().rstrip("\"'`\\] ")
    return low.endswith(ABOUT) and not low.endswith("access_key_id")


def _elsewhere(value: str) -> bool:
    """Whether a value says where the secret is: a file, a variable."""
    low = value.lower()
    return low.startswith(_PLACES) or low.endswith(_FILES)


def _dotted(value: str) -> bool:
    """Names joined by dots, as in code: digits stand in one place of a name, if in any."""
    parts = value.split(".")
    return len(parts) > 1 and all(
        part.replace("_", "a").isidentifier() and _digit_groups(part) <= 1 for part in parts
    )


def _restless(value: str) -> bool:
    """Whether upper and lower case alternate more often than in joined words."""
    if len(value) < _SHORTEST_RESTLESS:
        return False
    changes = sum(
        a.isalpha() and b.isalpha() and a.islower() != b.islower() for a, b in pairwise(value)
    )
    return changes >= _CHANGES * len(value)


def _digit_groups(value: str) -> int:
    groups = 0
    before = False
    letters = 0
    for char in value:
        is_digit = char.isdigit()
        letters += char.isalpha()
        groups += is_digit and not before
        before = is_digit
    # Dates and addresses are groups of digits too, so letters must make up a quarter.
    return groups if 4 * letters >= len(value) else 0


def _share_of_words(value: str) -> float:
    """The share of characters in runs of letters that could be words: abcd, Abcd, ABCD."""
    capitals = value.isupper()
    total = run = 0
    for char in value + " ":
        if char.isalpha() and (char.islower() or capitals):
            run += 1
            continue
        total += run if run >= _WORD_RUN else 0
        # A word may begin with a capital.
        run = 1 if char.isalpha() else 0
    return total / len(value)


# At least one character in six must be a letter.
_FEWEST = 6


def drawn(value: str) -> bool:
    """Whether a value of known length looks randomly generated: digits among letters, no words."""
    value = value[:_JUDGED]
    letters = sum(map(str.isalpha, value))
    # Numbers, dates and times have fewer letters.
    if placeholder(value) or not any(map(str.isdigit, value)) or letters * _FEWEST < len(value):
        return False
    return len(set(value)) >= _SHORTEST_PASSWORD and _share_of_words(value) < _MOST_WORDS


# Prefixes of public values: public keys, checksums, names.
PUBLIC = (
    "pk_",
    "pk.",
    "pub",
    "phc_",
    "sha256-",
    "sha384-",
    "sha512-",
    "sha1-",
    "AAAAB3Nza",
    "AAAAC3Nza",
    "AAAAE2Vj",
    "MII",
    "req_",
    "msg_",
    "toolu_",
    "chatcmpl-",
    "call_",
    "cus_",
    "price_",
    "prod_",
    "evt_",
    "sub_",
    "acct_",
    "pi_",
    "ch_",
    "in_",
    "thread_",
    "run_",
    "asst_",
    "file-",
    "resp_",
    "sess_id",
    "arn:",
    "sb_publishable_",
    "rzp_",
    "G-",
    "UA-",
    "ed25519",
    "ssh-",
    "urn:",
    "h1:",
    "_Z",
    "npm:",
)
# Hexadecimal digits of a public key in the position of a user name.
_WHOLE_HEX = 32
_HEX = frozenset("0123456789abcdef")
_LEAST_OF_EACH = 2
_SHORTEST_STRONG = 20


def strong(value: str) -> bool:
    """Whether a value looks randomly generated by its form alone: capitals, small letters, digits."""
    value = value[:_JUDGED]
    if len(value) < _SHORTEST_STRONG or value.startswith(PUBLIC) or placeholder(value):
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    if any(sum(map(kind, value)) < _LEAST_OF_EACH for kind in kinds):
        return False
    return not _dotted(value) and not _path(value) and _share_of_words(value) < _MOST_WORDS / 2


def drawn_value(value: str) -> bool:
    """Whether a value looks randomly generated and is not public by design."""
    value = value[:_JUDGED]
    return drawn(value) and not value.startswith(PUBLIC) and not _dotted(value) and not _path(value)


def _path(value: str) -> bool:
    """Whether slashes separate words or dates, instead of being base64 characters."""
    parts = [part for part in value.split("/") if part]
    return (
        len(parts) > 1
        and sum(len(part) < _SHORTEST_STRONG for part in parts) > len(parts) / 2
        and ("+" not in value and "=" not in value)
    )


def private_user(value: str) -> bool:
    """Whether the user name of an address is a token: 32 hexadecimal digits alone are a public key."""
    return drawn(value) and not (len(value) == _WHOLE_HEX and _HEX.issuperset(value.lower()))


# Predicates that accept no value without a digit.
HOLD_A_DIGIT = frozenset((drawn, drawn_value, strong, private_user))
