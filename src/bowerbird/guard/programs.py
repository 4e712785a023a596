"""What programs take secrets as: letters of options, arguments by place, and standard input.

Only what no name says: `--password` and its like are known by their names, for any program.
"""

from bowerbird.guard import heuristics

# Programs | letters whose value holds a secret | other letters that take a value: behind such a letter
# a cluster of letters ends. A sign behind a letter separates a user's name from the secret; `=` says that
# the value follows without a blank, `+` that it is the next word, `@word` that the word must be there.
_LETTERS = """
curl|u: U:|AbcCdDeEFhHKmoPQrtTwxXyYz
http https xh xhs httpie|a:|Apsobdh
sshpass|p|fdP
mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mycli|p=|uhPDeSr
mariadb mariadb-dump mariadb-admin|p=|uhPDeSr
redis-cli|a|hpnurs
ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd|w s|DHbhpyfYZ
docker podman nerdctl buildah skopeo helm oc|p@login|uevwnlh
az|p@login|ugnso
twine|p@upload|ur
poetry|p@publish|ur
dotnet|k@push|so
cqlsh mongo mongosh mongodump mongorestore mongoexport mongoimport arangosh|p+|uhdc
sqlcmd bcp osql isql|P|SUdQiohHt
mosquitto_pub mosquitto_sub|P|hptmuiq
ipmitool|P+|IHULkEf
zip unzip|P|xitbnOd
7z 7za 7zr 7zz rar unrar|p=|otmxirwvn
smbclient winexe rpcclient net smbget smbcacls wmic|U%|cWIlmd
smbmap evil-winrm crackmapexec netexec nxc cme psexec rdesktop|p+|iudHMxg
lftp ncftp|u,|epPd
snmpwalk snmpget snmpset snmpbulkwalk snmptrap|A+ X+ c+|vulaxnetr
openssl|k+ K+|
useradd usermod|p+|sdgGucke
security|w+ p+ P+|aslDjkt
steghide fetchmail|p+|fcxesu
ccrypt|K+|ksE
mcrypt|k+|
veracrypt truecrypt|p+|tmN
ssh-keygen|N+ P+|tbfCO
ab|A:|nctHT
hey check_http|a:|HnczI
transmission-remote|n:|
eyaml|s+|
doctl|t+@auth|
influx|t p|noubrfi
hydra medusa|p|lLPCshMt
kadmin kadmin.local|w|pqk
mkpasswd||mSRP
slappasswd|s|chTo
gpg gpg2 nmcli swaks mvn gradle keytool qpdf||
"""
# A command, and which of its plain arguments is the secret, counted behind its words, or 0, the last. An
# option among the words stands for its letter in any cluster. A sign separates a user's name, as above.
_PLACES = """
rclone obscure|1
cargo login|1
nuget setapikey|1
vault login|1
bw unlock|1
bw login|2
ngrok authtoken|1
ngrok config add-authtoken|1
htpasswd -b|3
htpasswd -n|2
wpa_passphrase|2
rabbitmqctl add_user|2
vault operator unseal|1
mosquitto_passwd -b|3
samba-tool user create|2
samba-tool user setpassword|2
exp|1/
imp|1/
rman target|1/
isql|3
b2 authorize-account|2
b2 account authorize|2
drush upwd|2
twilio login|2
rabbitmqctl change_password|2
net user|2
net use|2
net use|3
redis-cli auth|1
openssl passwd|0
openssl dgst -hmac|1
oathtool|1
ansible-vault encrypt_string|1
mc alias set|4
mc config host add|4
mkpasswd|1
travis encrypt|1
bcrypt hash|1
bcrypt-cli|1
argon2|1
rabbitmqctl authenticate_user|2
radtest|2
doveadm auth test|2
networksetup|3
redis-cli hello|4
convertto-securestring|1
poetry config http-basic|2
composer config http-basic|2
poetry config pypi-token|1
bundle config|2:
bundle config|3:
sqlplus|1/
expdp|1/
impdp|1/
snyk auth|1
conda token set|1
doppler secrets set|2
"""
# Programs that read a secret from standard input, and the words that say so; none if they always do.
_READERS = """
sudo|-S --stdin
su passwd chpasswd kinit smbpasswd vncpasswd mkpasswd cryptsetup htdigest argon2 keepassxc-cli ssh-add|
systemd-ask-password|
systemd-creds travis|encrypt
docker podman helm oras crane|--password-stdin
gh|--with-token secret
vault|login
pass gopass|insert
keyring|set
secret-tool|store
lpass p4|login
pdbedit|
hcloud|context
wrangler|secret
vercel|env
"""
# Programs that type into something else what they are given, and the words behind which that stands: into
# a terminal, where a word with a number at its end is a program, and into anything else.
_TYPERS = """
tmux|send-keys send
screen|stuff
zellij|write-chars
kitty wezterm|send-text
"""
_ELSEWHERE = """
adb|text
xdotool ydotool dotool vncdo|type
wtype cliclick keystroke|
"""


def _rows(table: str) -> "list[list[str]]":
    return [line.split("|") for line in table.split("\n") if line]


def _letters() -> "dict[str, tuple[dict[str, tuple[str, str]], str]]":
    found = {}
    for names, secrets, others in _rows(_LETTERS):
        taken = {}
        for one in secrets.split():
            letter, _, word = one.partition("@")
            taken[letter[0]] = (letter[1:], word)
        for name in names.split():
            found[name] = (taken, others)
    return found


def _places() -> "dict[str, list[tuple[list[str], int, str]]]":
    found: dict[str, list[tuple[list[str], int, str]]] = {}
    for command, place in _rows(_PLACES):
        program, *words = command.split()
        found.setdefault(program, []).append((words, int(place[0]), place[1:]))
    return found


LETTERS = _letters()
PLACES = _places()
READERS = {name: words.split() for names, words in _rows(_READERS) for name in names.split()}
TYPERS = {
    name: (frozenset(words.split()), judge)
    for table, judge in ((_TYPERS, heuristics.strong_password), (_ELSEWHERE, heuristics.likely))
    for names, words in _rows(table)
    for name in names.split()
}
NAMES = frozenset((*LETTERS, *PLACES, *READERS, *TYPERS))
