"""Decides whether a text is worth scanning: a few substring tests that load nothing.

A secret is a long word, or a word beside it says what it is. No rule may require less; a test checks each
one.
"""

# Minimum length of a long word with a digit, and without one.
LONG = 16
LONGER = 32
# Every keyword of a rule for shorter values, or for values with blanks, contains one of these.
STEMS = (
    *("pass", "secret", "token", "key", "pwd", "pw:", "pw=", "pw ", 'pw"', "auth", "cookie"),
    *("bearer", "credential", "creds", "://", "kennwort", "contrase", "contrasen", "login"),
    *("seed", "mnemonic", "phrase", "wallet", "recovery", "frase", "wiederherstell", "net use"),
    *(
        "mot de passe",
        "clave",
        "senha",
        "wachtwoord",
        "has\u0142o",
        "\u043f\u0430\u0440\u043e\u043b",
    ),
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u30d1\u30b9\u30ef\u30fc\u30c9", "l\u00f6senord", "heslo"),
    *("mysql", "mariadb", "redis-cli", "curl", "sudo", "ldap", "identified by", "smtp", "gmail"),
    *(
        "psk",
        "wifi",
        "wpa",
        "snmp",
        "jdbc",
        "5432",
        "nmcli",
        "identified ",
        "echo ",
        "printf ",
        "tee ",
    ),
    *("env ", "securestring", "smbclient", "winexe", "wmic", "rpcclient", "mount.cifs", "netexec"),
    *(
        "crackmapexec",
        "lftp",
        "ncftp",
        "plink",
        "pscp",
        "psftp",
        "putty",
        "xfreerdp",
        "mstsc",
        "/p:",
    ),
    *("/rp", "sqlcmd", "isql", "bcp ", "osql", "mosquitto_", "ipmitool", "zip -", "7z ", "unzip"),
    *(
        "rabbitmq",
        "mongo",
        "psql",
        "cqlsh",
        "vncviewer",
        "ansible",
        "kinit",
        "openssl",
        "add_user",
        "salt",
    ),
    *("useradd", "adduser", "gpg ", "gpg2 ", "cryptsetup", "borg ", "restic ", "admin /", "admin/"),
    *("root /", "root/", "user /", "user/", "logon", "konto", "zugang", "mdp", "adgangskode"),
    *("salasana", "jelszó", "parola", "şifre", "비밀번호", "mật khẩu", "kata sandi"),
    *(
        "slaptažodis",
        "geslo",
        "lozinka",
        "كلمة المرور",
        "סיסמה",
        "otp",
        "mfa",
        "2fa",
        "authenticator",
    ),
    *(
        "<<<",
        "send ",
        "http -",
        "https -",
        "xh -",
        "rclone",
        "winrm",
        "smbmap",
        "rdesktop",
        "steghide",
    ),
    *(
        "ccrypt",
        "bw unlock",
        "log in",
        "veracrypt",
        "mc config",
        "--user",
        " -u ",
        "vault ",
        "kv put",
        "samba-tool",
        "rman ",
        "upwd",
        "mcrypt",
        "fetchmail",
        "ab -",
        "hey -",
        "check_http",
        "transmission-remote",
        "eyaml",
        "nxc ",
        "http-basic",
        "bundle config",
        "nuget",
        "/p:",
        "sqlplus",
        "expdp",
        "impdp",
        "mc alias",
        "rar ",
        "7za ",
        "psexec",
        "publish -",
        "upload -",
        "push -",
        "usermod",
    ),
)


def suspicious(text: str) -> bool:
    """Whether a scan may find a secret; if false, the text contains none."""
    # The name of a memory's own field does not indicate a key.
    low = text.lower().replace("keyword", "")
    if any(stem in low for stem in STEMS):
        return True
    return any(
        len(word) >= LONGER or (len(word) >= LONG and any(map(str.isdigit, word)))
        for word in text.split()
    )
