"""Secrets as arguments of commands: where to read a line as a command, and the few that are in no command."""

from bowerbird.guard import arguments, heuristics
from bowerbird.guard.rule import Rule

_SAYS = r"(?:pass|pwd?|psk|secret|token|api-?key|cred|auth|login)"
SHAPES = (
    # Programs with letters or places for a secret.
    Rule(
        "password",
        "curl|http -|https -|xh -|sshpass|mysql|mariadb|redis-cli|ldap|login|net use|net user|sqlcmd|isql"
        "|bcp |osql|mosquitto_|ipmitool|zip -|7z |7za |rar |unzip|mongo|cqlsh|snmp|htpasswd|openssl|smbclient"
        "|winexe|wmic|rpcclient|crackmapexec|netexec|smbmap|winrm|psexec|rdesktop|lftp|ncftp|useradd|usermod"
        "|keychain|generic-password|steghide|ccrypt|doctl auth|rclone|setapikey|bw unlock|nuget|sqlplus|expdp|impdp|bundle config|authtoken"
        "|wpa_passphrase|rabbitmq|ansible-vault|mc alias|mkpasswd|securestring|http-basic|pypi-token"
        "|snyk auth|token set|publish -|upload -|push -",
        r"(?i)\b(?:curl|https?|xhs?|httpie|sshpass|mysql\w*|mariadb[\w-]*|redis-cli|ldap\w+|docker|podman"
        r"|nerdctl|buildah|skopeo|helm|oc|az|twine|poetry|dotnet|cqlsh|mongo\w*|arangosh|sqlcmd|bcp|osql|isql"
        r"|mosquitto_\w+|ipmitool|zip|unzip|7z[arz]?|(?:un)?rar|smb\w+|winexe|rpcclient|net|wmic|evil-winrm"
        r"|crackmapexec|netexec|nxc|cme|psexec|rdesktop|n?c?lftp|ncftp|snmp\w+|openssl|useradd|usermod|security"
        r"|steghide|ccrypt|doctl|rclone|cargo|nuget|vault|bw|ngrok|htpasswd|wpa_passphrase|rabbitmqctl"
        r"|ansible-vault|mc|mkpasswd|convertto-securestring|composer|bundle|sqlplus|[ei]mpdp|expdp|snyk|conda)(?:\.exe)?[\"'\\,]{0,3}\s",
        heuristics.argument,
        reads=arguments.secrets,
    ),
    # Options, variables, settings and subcommands that say what they hold, and what is read from others.
    Rule(
        "password",
        "pass|--key|/p:|/rp|pwd|pw |pw=|psk|secret|token|apikey|api-key|creds|credential|auth|securestring|<<<|echo |printf ",
        r"(?i)(?:^|[\s\"'\[(=])(?:--?[\w.-]{0,40}" + _SAYS + r"|/(?:p|pass|rp|pwd|password):)"
        r"|"
        + _SAYS
        + r"[\w-]{0,16}[\"']?\s?=\s?[^\s=]|[{]\\{0,3}\"[^\n]{0,200}?"
        + _SAYS
        + r"[\w-]{0,16}\\{0,3}\":"
        r"|\b(?:setx?|config|configure|modify|connect|variable|kv|env:set)\b[^\n]{0,100}?"
        + _SAYS
        + r"\w*[\"'\s]"
        r"|--key[ =]|\b(?:secrets?|keyvault|secretsmanager|kv|vars)\s+[a-z]|create\s+secret|put-parameter|<<<"
        r"|\b(?:echo|printf)\s",
        heuristics.argument,
        common=True,
        reads=arguments.secrets,
    ),
    # What a script of expect types; behind a prompt for a password it may be anything.
    Rule(
        "password",
        "send ",
        r"\bsend\s+(?:--\s+)?\\{0,3}[\"']([^\s\"'\\$]{4,})\\{1,4}[rn]",
        heuristics.likely,
    ),
    Rule(
        "password",
        "send ",
        r"(?i)(?:assw|passphrase|passcode|\bpin\b|token)[^\n]{0,40}(?:\n[^\n]{0,12})?\bsend\s+(?:--\s+)?"
        r"\\{0,3}[\"']([^\s\"'\\$]{4,})(?:\\{1,4}[rn]|[\"'])",
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
