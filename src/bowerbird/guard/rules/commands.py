"""Secrets as arguments of commands."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule

SHAPES = (
    Rule(
        "password", "sshpass", r"\bsshpass\s+-p\s*\\{0,3}[\"']?([^\s\"'\\]+)", heuristics.any_value
    ),
    Rule(
        "password",
        "curl ",
        r"\bcurl\b[^\n]*?\s(?:-u|-U|--user"
        r"|--proxy-user)[\s=]?\\{0,3}[\"']?[^\s:\"']+:([^\s\"'\\]+)",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "mysql|mariadb",
        r"\b(?:mysql|mariadb)(?:-?dump|-?admin"
        r"|import)?\b[^\n]*?\s-p\\{0,3}[\"']?([^\s\"'-][^\s\"'\\]{3,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "redis-cli",
        r"\bredis-cli\b[^\n]*?\s(?:-a|--pass)\s+\\{0,3}[\"']?([^\s\"'\\]+)",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "net use",
        r"(?i)\bnet use\b[^\n]*?/user:\S+\s+\\{0,3}[\"']?([^\s\"'*\\]+)",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "pass:",
        r"-pass(?:in|out)?\s+\\{0,3}[\"']?pass:([^\s\"'\\]+)",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "sudo",
        r"\becho\s+\\{0,3}[\"']?([^\s\"'|\\]+)\\{0,3}[\"']?\s*\|\s*sudo\s+-[A-Za-z]*S",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami",
        r"\bldap[a-z]+\b[^\n]*?\s-w\s*\\{0,3}[\"']?([^\s\"'\\]+)",
        heuristics.any_value,
    ),
    Rule(
        "password",
        " login",
        r"\blogin\b[^\n]*?\s-p[\s=]\\{0,3}[\"']?([^\s\"'\\]{6,})",
        heuristics.password,
    ),
    Rule(
        "password",
        "-password|-pass|--token|-token|-secret|-key",
        r"(?i)\s--?[a-z-]*(?:password|passwd|pass|token|secret|api-?key|account-key)[\s=]{1,2}"
        r"\\{0,3}[\"']?([^\s\"'\\]{6,})",
        heuristics.password,
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
    Rule(
        "password",
        "net use|net user",
        r"(?i)\bnet use\s+(?:[a-z*]:?\s+)?\\\\[^\s]+\s+([^\s/\"'*][^\s\"']{5,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "net user",
        r"(?i)\bnet user\s+[^\s/]+\s+([^\s/\"'*][^\s\"']{5,})",
        heuristics.password,
    ),
    Rule(
        "password",
        "securestring",
        r"(?i)convertto-securestring\s+(?:-string\s+)?[\"']([^\"'\n$]{4,})[\"']",
        heuristics.any_value,
    ),
    Rule(
        "secret",
        "echo |printf |tee ",
        r"(?i)\b(?:echo|printf)\s+(?:-n\s+)?\\{0,3}[\"']?([^\s\"'|>$\\]{8,})\\{0,3}[\"']?\s*"
        r"(?:>{1,2}|\|\s*(?:sudo\s+)?tee(?:\s+-a)?)\s*\S*(?:key|token|secret|pass|pwd|credential)",
        heuristics.password,
    ),
    Rule(
        "password",
        "chpasswd|passwd --stdin|--password-stdin|pass insert|secret create|secret put"
        "|docker login",
        r"\becho\s+(?:-n\s+)?\\{0,3}[\"']?(?:[\w.-]+:)?([^\s\"'|$\\]{6,})\\{0,3}[\"']?\s*\|\s*"
        r"(?:sudo\s+)?(?:chpasswd|passwd --stdin|docker|podman|helm|gh|wrangler|pass|vault"
        r"|kubectl)",
        heuristics.password,
    ),
    Rule(
        "password",
        "smbclient|winexe|wmic|rpcclient|mount.cifs|crackmapexec|netexec",
        r"\b(?:smbclient|winexe|rpcclient|wmic|net)\b[^\n]*?\s(?:-U"
        r"|--user)[ =]?[\"']?[^\s%\"']+%([^\s\"']{4,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "lftp|ncftp",
        r"\b(?:lftp|ncftp\w*)\b[^\n]*?\s-u\s*[\"']?[^\s,\"']+,([^\s\"']{4,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "plink|pscp|psftp|putty",
        r"\b(?:plink|pscp|psftp|putty)\b[^\n]*?\s-pw\s+[\"']?([^\s\"']{4,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "xfreerdp|mstsc|cmdkey|/p:|/pass:|/rp",
        r"\s/(?:p|pass|rp)[: ]\\{0,3}[\"']?([^\s\"']{6,})",
        heuristics.password,
    ),
    Rule(
        "password",
        "sqlcmd|isql|bcp |osql|mosquitto_|ipmitool|zip -|7z |unzip|rabbitmqadmin|mongo|psql"
        "|cqlsh|snmp|htpasswd|vncviewer|ansible|kinit|openssl",
        r"\b(?:sqlcmd|isql|bcp|osql|mosquitto_\w+|ipmitool|zip|unzip|7z|rabbitmqadmin|mongo\w*"
        r"|cqlsh|influx|clickhouse-client|arangosh|etcdctl)"
        r"\b[^\n]*?\s(?:-P|-p|-pw|--password)[ =]?[\"']?([^\s\"'-][^\s\"']{5,})",
        heuristics.password,
    ),
    Rule(
        "password",
        "htpasswd",
        r"\bhtpasswd\s+-\w*b\w*\s+(?:-\w+\s+)*\S+\s+\S+\s+[\"']?([^\s\"']{4,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "add_user|change_password|useradd|adduser",
        r"\b(?:add_user|change_password)\s+\S+\s+[\"']?([^\s\"']{6,})",
        heuristics.password,
    ),
    Rule(
        "password",
        "storepass|keypass|srcstorepass",
        r"-(?:src|dest|key|store|new)*(?:store|key)?pass\s+[\"']?([^\s\"':]{6,})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "wpa_passphrase|nmcli",
        r"\b(?:wpa_passphrase\s+(?:\"[^\"]+\"|\S+)"
        r"|nmcli\b[^\n]*?\bpassword)\s+[\"']?([^\s\"']{8,63})",
        heuristics.any_value,
    ),
    Rule(
        "password",
        "gpg |gpg2 |cryptsetup|borg |restic ",
        r"--passphrase[ =][\"']?([^\s\"']{4,})",
        heuristics.any_value,
    ),
)
