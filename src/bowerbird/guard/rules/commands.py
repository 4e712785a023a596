"""Secrets in commands: where to read a line as one, and those that are no argument."""

from bowerbird.guard import arguments, heuristics
from bowerbird.guard.programs import NAMES
from bowerbird.guard.rule import Rule
from bowerbird.guard.secret_names import KEYS

_SAYS = r"(?:pass|pwd?|psk|secret|token|api[-_]?key|cred|auth|login)"
_PROGRAMS = "|".join(sorted(NAMES, reverse=True)).replace(".", r"\.")
# What says that an argument may be a secret: an option, a field, a setting, a verb, standard input.
_SIGNS = (
    rf"(?:^|[\s\"'\[(=])--?[\w.-]*?(?:{_SAYS}|key)",
    r"(?:^|[\s\"'])/(?:p|pass|rp|pwd|password)[: ]",
    # A field alone is code more often than not: in capitals, or behind an option or a verb it is none.
    r"(?-i:(?:PASS|PWD?|PSK|SECRET|TOKEN|KEY|_AUTH|CREDS?|CREDENTIALS?|HASLO|SENHA|CONTRASENA|WACHTWOORD|KENNWORT|PASSWORT)[A-Z0-9_]{0,16}=[^\s=])|\$env:\w",
    rf"(?:\s-|\b(?:set|config|export|put|write|patch|create|local|readonly|declare|user=|host=))[^\n]*?{_SAYS}[\w-]*=",
    rf"[{{]\\{{0,3}}\"[^\n]*?{_SAYS}[\w-]{{0,16}}\\{{0,3}}\":",
    rf"\b(?:set[\w-]*|config|configure|modify|connect|variable|(?:reg|defaults|chamber|write|kv)\s(?:add|write)|kv|env:set)\b[^\n]*?{_SAYS}\w*[\"'\s]",
    r"--key[ =]|--user(?:name)?[ =]|--header[ =]|\s-H\s|\s-u\s|\w:[^\s:/@]{6,}@",
    r"(?-i:\b(?:secrets?|keyvault|secretsmanager|kv|vars)[ \t]+[a-z]|create[ \t]+secret)",
    r"put-parameter|(?:config|env):set",
    r"<<<|<<-?\s?[\"'\\]{0,2}(?-i:[A-Z]{2})|\b(?:echo|printf|yes)\s",
    # A verb that makes or checks one: hash-password, change_password, user:password.
    r"[a-z][-_:](?:pw|pass(?:word|wd)?)[\"'\\]{0,3}[ \t]|\b(?:pw|passwd)[ \t]+-",
    # A header as a word of its own.
    r"(?:key|token|authorization):(?:[^\s:/]| (?:bearer|token|basic) )",
)

SHAPES = (
    # Programs with letters or places for a secret.
    Rule(
        "password",
        "curl|mycli|http -|https -|xh -|sshpass|mysql|mariadb|redis-cli|ldap|login|net use|net user"
        "|sqlcmd|cryptsetup"
        "|isql|bcp |osql|mosquitto_|ipmitool|zip -|7z |7za |rar |mongo|cqlsh|snmp|htpasswd|openssl"
        "|smbclient|winexe|wmic|rpcclient|crackmapexec|netexec|nxc |smbmap|winrm|psexec|rdesktop|lftp"
        "|ncftp|useradd|usermod|keychain|-password|steghide|ccrypt|mcrypt|doctl auth|rclone|setapikey"
        "|bw unlock|nuget|sqlplus|expdp|impdp|bundle config|authtoken|wpa_passphrase|rabbitmq"
        "|ansible-vault|mc alias|mkpasswd|securestring|http-basic|pypi-token|snyk auth|token set"
        "|publish -|upload -|vault |ssh-keygen|samba-tool|rman |authorize|upwd|fetchmail|ab -"
        "|hey -|check_http|transmission-remote|eyaml|veracrypt|mc config|oathtool|send-keys|tmux send"
        "|stuff |write-chars|send-text|input text|dotool|vncdo|wtype|cliclick|keystroke|encrypt|bcrypt"
        "|hash |doppler secrets|doveadm|influx|radtest|hydra|medusa|kadmin|networksetup|slappasswd|qpdf",
        rf"(?i)\b(?:{_PROGRAMS})(?:\.exe)?[\"'\\,]{{0,3}}(?:\s|,[\"'])",
        heuristics.argument,
        reads=arguments.secrets,
    ),
    # Whatever the program: options, variables, settings and subcommands that say what they hold.
    Rule(
        "password",
        "pass|sudo|--user|config:set| -u |-key|api_key|/p:|/rp|pwd|pw |pw=|psk|secret|token|apikey"
        "|haslo|senha|contrase|wachtwoord|kennwort"
        "|api-key|creds|credential|auth|securestring|<<|echo |printf |kv put|"
        + "|".join(f"{one}_key" for one in KEYS),
        f"(?i){'|'.join(_SIGNS)}",
        heuristics.argument,
        common=True,
        reads=arguments.secrets,
    ),
    # What a script of expect types; behind a prompt for a password it may be anything.
    Rule(
        "password",
        "send ",
        r"\bsend\s+(?:--\s+)?\\{0,3}[\"']?([^\s\"'\\$]{4,})\\{1,4}[rn]",
        heuristics.likely,
    ),
    Rule(
        "password",
        "send ",
        r"(?i)(?:assw|passphrase|passcode|\bpin\b|token)[^\n]{0,40}(?:\n[^\n]{0,12})?\bsend\s+(?:--\s+)?"
        r"\\{0,3}[\"']([^\"'\\$\n]{4,})(?:\\{1,4}[rn]|[\"'])",
        heuristics.argument,
    ),
    Rule(
        "secret",
        "login|authtoken|set-token|token set|set token|auth|store|apikey|activate|register",
        r"(?i)\b(?:login|(?:add-)?authtoken|set-token|set[ -]api-?key|token|auth|store"
        r"|activate|register)\s+"
        r"(?:[A-Z0-9]{16}\s+)?\\{0,3}[\"']?([A-Za-z0-9_.~+/=:-]{20,})",
        heuristics.strong,
    ),
    Rule(
        "secret",
        " -t | -k | -a | -x | -s ",
        r"\s-[tkaxs]\s+[\"']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        r"|[0-9a-f]{32,64}"
        r"|[A-Za-z0-9_-]{24,})[\"']?(?:$|\s)",
        heuristics.drawn_value,
    ),
    Rule(
        "password",
        "curl ",
        r"\bcurl\b[^\n]*?\s(?:-u|--user)[\s=]?\\{0,3}[\"']?([A-Za-z0-9_.-]{16,}):",
        heuristics.drawn,
    ),
)
