"""The words and options by which commands say that a secret follows, whatever the program."""

# Words of a command that is about secrets, and those by which it stores one.
ABOUT = frozenset(
    "secret secrets vault keyvault secretsmanager kv user-secrets variable variables vars config:set"
    " env:set secret:create put-parameter store-secret".split()
)
STORES = frozenset(
    "set put create add write update store import edit patch rotate version versions add-version encrypt"
    " config:set env:set store-secret"
    " secret:create put-secret-value create-secret update-secret put-parameter".split()
)
# What the stored value is called there, and fields beside it that are none.
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
    " put".split()
)
# Options whose value is a user's name and a password, and letters for it in programs that are not known.
PAIRS = frozenset(
    "--user -auth --auth --src-creds --dest-creds --proxy-user --basic-auth --creds --credentials"
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
SPEAKERS = frozenset(("echo", "printf"))
