"""The words and options by which commands say that a secret follows, whatever the program."""

# Words of a command that is about secrets, and those by which it stores one.
ABOUT = frozenset(
    "secret secrets vault keyvault secretsmanager kv user-secrets variable variables vars config:set"
    " env:set secret:create put-parameter store-secret kms".split()
)
# Those among them that store settings, too.
SETTINGS = frozenset("variable variables vars config:set env:set put-parameter".split())
STORES = frozenset(
    "set put create add write update store import edit patch rotate version versions add-version encrypt"
    " config:set env:set store-secret"
    " secret:create put-secret-value create-secret update-secret put-parameter".split()
)
# What the stored value is called there, and fields beside it that are none.
# Options by which a command that names a setting gives its value.
APART = frozenset(("-string", "/d", "-value", "--value"))
# Options that take one password, or two.
ENCRYPTS = frozenset(("--encrypt",))
VALUES = frozenset(
    "--body -b --value -v --secret-string --plaintext --data --literal --string --text"
    " --from-literal --string-value".split()
)
BESIDE = frozenset(
    "user username name host hostname port url uri type region ttl email path policy policies namespace"
    " env environment max_ttl description title db database dbname key-name".split()
)
# Commands that give a setting its value as the next word; so do others that begin with "set".
SETS = frozenset(
    "config configure modify connect config:set env:set user-secrets passwd password mysqladmin create"
    " put write".split()
)
# First words of what makes, checks or changes a password, whose name is the last: hash-password.
MAKES = frozenset(
    "set reset change update hash make init create generate verify check add store user admin".split()
)
# Options by which such a command is given it.
GIVEN = frozenset(("-p", "-P", "-s", "-w", "--plaintext", "--value", "--new"))
# Nouns that do the same alone.
PASSWORDS = frozenset(("password", "passwd", "pw"))
# Options whose value is a user's name and a password, and letters for it in programs that are not known.
PAIRS = frozenset(
    "--user --admin -auth --auth --src-creds --dest-creds --proxy-user --basic-auth --creds --credentials"
    " --userpwd".split()
)
PAIR_LETTERS = frozenset(("-u", "-U", "-a", "-A"))
# Options that name a user; beside one, these letters take a password in most programs.
USERS = frozenset("-u -U -l --user --username --login -user -username".split())
BESIDE_USERS = frozenset(("-p", "-P"))
# There `-p` maps ports, and `-u` names a group behind the colon.
CONTAINERS = frozenset(("docker", "podman", "nerdctl"))
# Options whose value is a header of HTTP, and those whose value is cookies.
HEADERS = frozenset(("-H", "--header", "--rpc-header", "--reflect-header"))
COOKIES = frozenset(("-b", "--cookie"))
# Clients that take a header as a word.
CLIENTS = frozenset("http https xh xhs".split())
# Headers that hold nothing but a secret, and words before it.
AUTHORIZING = frozenset(("authorization", "proxy-authorization"))
SCHEMES = frozenset(("bearer", "token", "apikey", "api-key", "basic", "key", "digest"))
SESSIONS = frozenset(("session", "sessionid", "session_id", "sid", "connect.sid", "jsessionid"))
# As Windows programs take a password.
SLASHED = frozenset(("/p", "/pass", "/password", "/rp", "/pwd"))
# Where a variable is set for a program: options of programs, and words of shells.
VARIABLES = frozenset(
    "-e --env --build-arg --set --set-string -var --extra-vars --from-literal -o -c --conf".split()
)
EXPORTS = frozenset("export set env setx declare local readonly".split())
SPEAKERS = frozenset(("echo", "printf", "yes", "write-output"))
# Programs that say what they read to a server, and the words by which a line tells it a secret; by the
# others it is told a user's name, too.
TALKERS = frozenset("nc ncat netcat socat telnet openssl s_client ftp sftp lftp redis-cli".split())
TELLS = frozenset("auth pass password identify hello".split())
TELLS_BOTH = frozenset(("login", "user"))
# What these read is a text, and no answer to a question.
FILTERS = frozenset(
    "base64 base32 grep egrep rg sed awk gawk tr cut wc jq yq bc dc read md5sum sha1sum sha256sum"
    " sha512sum cksum xxd od hexdump cat tac rev tee sort uniq head tail column fold fmt python python3"
    " node ruby perl php bash sh zsh psql mysql sqlite3 xargs diff cmp patch git kubectl while if for"
    " pbcopy xclip say".split()
)
