"""Files, calls and statements whose position alone identifies a secret."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule

SHAPES = (
    Rule(
        "password",
        "login ",
        r"\blogin\s+\S+\s+password\s+[\"']?([^\s\"'\\]{4,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        ".login(",
        r"\.login\(\s*[\"'][^\"'\n]+[\"'],\s*[\"']([^\"'\n]{6,})[\"']",
        heuristics.any_value,
    ),
    # A call that sets, hashes or checks one: its last argument, behind at most two names.
    Rule(
        "password",
        "password(|passwd(|password_hash(|hashpw(|hashsync(|hash::make(|crypt.hash(|crypt.crypt(|superuser("
        "|.auth(|create_user(",
        r"(?i)(?:\b(?:(?:set|hash|check|verify|make|create|change|update|generate|reset|compare|validate|encode)\w*?)?"
        r"(?:user_?)?pass(?:word|wd)(?:_hash)?|hashpw|hashsync|hash::make|crypt\.(?:hash|crypt)"
        r"|create_(?:super)?user|\.auth)\(\s*"
        r"(?:\\{0,3}[\"'][^\"'\n]{0,60}[\"'],\s*){0,2}[bru]?\\{0,3}[\"']([^\s\"'\\]{6,})\\{0,3}[\"']",
        heuristics.strong_password,
    ),
    # A database, a user's name, and then the password.
    Rule(
        "password",
        "pdo(|mysqli|getconnection(",
        r"(?i)\b(?:pdo|mysqli(?:_connect)?|getconnection)\(\s*(?:[\"'][^\"'\n]{1,120}[\"']|[$\w.]+),\s*"
        r"[\"'][^\"'\n]{1,40}[\"'],\s*[\"']([^\"'\n]{6,})[\"']",
        heuristics.likely,
    ),
    Rule(
        "password",
        ":5432:|pgpass",
        r"(?m)^[^\s:#]+:(?:\d{2,5}|\*):[^\s:]+:[^\s:]+:([^\s:]+)$",
        heuristics.any_value,
    ),
    # Directives of Redis, whose value follows a blank.
    Rule(
        "password",
        "requirepass|masterauth",
        r"(?m)^\s{0,8}(?:requirepass|masterauth)\s{1,8}\"?([^\s\"'\\]{4,})",
        heuristics.argument,
    ),
    Rule("npm-token", "_auth", r"\b_auth\s?=\s?\"?([A-Za-z0-9+/=]{12,})", heuristics.opaque),
    Rule(
        "secret",
        "_key'|_salt'",
        r"define\(\s*'[A-Z_]+_(?:KEY|SALT)',\s*'([^'\n]{20,})'",
        heuristics.salt,
    ),
    Rule(
        "password",
        "identified |password ",
        r"(?i)\bidentified\s+(?:with\s+\S+\s+)?by\s+(?:password\s+)?\\{0,3}[\"']([^\"'\n\\]{4,})",
        heuristics.any_value,
        also="identified",
    ),
    # A line of a configuration: a password, a key of a network, a level and the secret of a router.
    Rule(
        "password",
        "password |passwd |secret |psk ",
        r"(?im)^\s{0,8}(?:password|passwd|secret|psk)\s+\"?([^\s\"'`,;<>(){}\[\]\\]{6,})\"?[ \t]*$",
        heuristics.likely,
    ),
    Rule(
        "password",
        "psk ",
        r"(?i)\bpsk\s+\"([^\"\n]{8,})\"",
        heuristics.argument,
    ),
    Rule(
        "password",
        "secret |password ",
        r"\b(?:username|enable)\b[^\n]*?\b(?:secret|password)\s(?:[0579]\s+)?([^\s\"'\\]{6,})",
        heuristics.likely,
        also="username|enable",
    ),
    # A user's name and the password as arguments of a call.
    Rule(
        "password",
        "basicauth(|basic_auth(|networkcredential(|pscredential(|usernamepassword",
        r"(?i)\b(?:\w*basic_?auth|networkcredential|pscredential|usernamepassword\w*)\(\s*"
        r"\\{0,3}[\"'][^\"'\n]{1,60}[\"'],\s*\\{0,3}[\"']([^\"'\n\\]{4,})",
        heuristics.argument,
    ),
    # A user's name and the password as a pair: auth=("ben", "…").
    Rule(
        "password",
        "auth=",
        r"\bauth=\(\s*[\"'][^\"'\n]{1,60}[\"'],\s*(?:\"([^\"\n\\]{6,})\"|'([^'\n\\]{6,})')",
        heuristics.argument,
    ),
    # The key of an encrypted database.
    Rule(
        "password",
        "pragma ",
        r"(?i)\bpragma\s+(?:hex|re)?key\s*=\s*\\{0,3}[\"']([^\"'\n\\]{6,})",
        heuristics.argument,
    ),
    # A function of a database that hashes what is set.
    Rule(
        "password",
        "pass",
        r"(?i)pass(?:word|wd)?\s?=\s?(?:md5|sha1|sha2|password|crypt|hash\w*)\(\s*'([^'\n]{4,})'",
        heuristics.argument,
        also="md5(|sha1(|sha2(|password(|crypt(|hash",
    ),
    # Oracle's, without quotes.
    Rule(
        "password",
        "identified ",
        r"(?i)\b(?:create|alter)\s+(?:user|role)\s[^\n;]{1,60}\sidentified\s+by\s+([^\s\"'`;,()]{6,})",
        heuristics.argument,
    ),
    # A token that is signed with a word.
    Rule(
        "secret",
        "sign(",
        r"\b(?:jwt\.)?sign\(\s*(?:\{[^{}\n]*\}|[\w.]+),\s*[\"']([^\s\"'\\]{8,})[\"']",
        heuristics.strong_password,
    ),
    # Fields of a connection, in any order: User Id=shop;Pwd=…; and host=db user=shop password=…
    Rule(
        "password",
        "pwd=|password=",
        r"(?i)\b(?:user id|uid|user|host|server|data source|dbname)=[^;\s\",()]+[; \t]\s?"
        r"(?:[a-z ]{2,24}=[^;\s\",()]*[; \t]\s?){0,6}(?:pwd|password)=([^;\"'\s,()]{4,})",
        heuristics.argument,
        also="uid=|user=|user id=|host=|server=|source=|dbname=",
    ),
    # What a program asked for and a person typed, as a terminal shows it.
    Rule(
        "password",
        "pass",
        r"(?im)^[^\n:=({<\"]{0,40}pass(?:word|\s?phrase|code)(?:\s(?:for|of)\s[^\n:\"]{1,60})?"
        r":\s([^\s\"'<>()]{6,})[ \t]*$",
        heuristics.asked,
    ),
    # What a program that makes passwords prints, on the line below the command.
    Rule(
        "password",
        "pwgen|openssl rand|makepasswd|xkcdpass|mkpasswd",
        r"(?m)[$#%>\xaf]\s[^\n]*\b(?:pwgen|openssl rand|makepasswd|xkcdpass|mkpasswd)\b"
        r"[^\n]*\n([^\s]{8,})[ \t]*$",
        heuristics.any_value,
    ),
    # The new value of a password that was reset.
    Rule(
        "password",
        "pass|key content",
        r"(?i)(?:new value|key content)\s*:\s([^\s\"']{8,})",
        heuristics.asked,
        also="new value|key content",
    ),
    # A file that gives a password of several words in quotes, as msmtp and fetchmail read it.
    Rule(
        "password",
        "password ",
        r"(?im)(?:^\s{0,8}|\bwith\s)password\s+\"([^\"\n\\]{4,60})\"",
        heuristics.quoted_password,
    ),
    Rule(
        "password",
        "password>|passwd>|pass>",
        r"(?i)<pass(?:word|wd)?>([^<>\s]{6,})</",
        heuristics.likely,
    ),
    Rule(
        "password",
        "password ",
        r"(?i)\b(?:create|alter|set|with|encrypted|decryption|encryption|login|user"
        r"|role)\b[^\n]{0,60}?\bpassword\s*(?:=|to"
        r"|for\s[^\n=]{1,60}=)?\s*(?:password\()?N?'([^'\n]{4,})'",
        heuristics.any_value,
        common=True,
    ),
    Rule(
        "secret",
        "key",
        r"(?m)^[ \t\"'+-]{0,12}(?:key|apikey"
        r"|accesskey)[\"']?\s?[:=]\s?[\"']?([A-Za-z0-9_+/=.-]{24,})[\"',]?\s*$",
        heuristics.strong,
    ),
    # A key as the only or the second argument of a client's constructor.
    Rule(
        "secret",
        "client(|api(|new |sdk(|connect(|init(|setup(|configure(|auth(|key(|token(|login("
        "|session(|service(|search(",
        r"(?i)\b(?:new\s+)?\w{0,40}(?:client|api|sdk|connect|init|setup|configure|auth|key"
        r"|token|login|session|service|search)\(\s*"
        r"(?:[\"'][^\"'\n]{1,80}[\"'],\s*)?[\"']([A-Za-z0-9_.~+/=-]{20,})[\"']",
        heuristics.drawn_value,
    ),
)
