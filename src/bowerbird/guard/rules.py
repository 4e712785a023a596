"""What secrets look like: one row a shape, for RE2, which reads any text in linear time.

Written from the formats that providers document. The value is the last group that took part in the
match, or the whole match. Specific rows stand first: where two find the same text, the first names
it. Patterns see UTF-8 as bytes, ignore nothing but case where they say so, and never cross a line
end inside a value, so that lines keep their numbers.
"""

from bowerbird.core.value import Value
from bowerbird.guard import plausible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Rule(Value):
    """A shape. A text without any of the keywords (lower case, between bars) is not looked at.

    `accepts` judges the value, `named` says that the match begins with a name, which is judged too.
    `inner` finds the values inside each match, `also` must stand in the text beside a keyword.
    """

    __slots__ = ("accepts", "also", "inner", "keywords", "kind", "named", "pattern")

    def __init__(
        self,
        kind: str,
        keywords: str,
        pattern: str,
        accepts: "Callable[[str], bool]",
        inner: str = "",
        named: bool = False,
        also: str = "",
    ) -> None:
        self.kind = kind
        self.keywords = tuple(keyword.encode() for keyword in keywords.split("|"))
        self.pattern = pattern
        self.accepts = accepts
        self.inner = inner
        self.named = named
        self.also = also.encode()


def _prefixed(kind: str, keywords: str, pattern: str) -> Rule:
    """A row whose prefix speaks for itself: only placeholders are left alone."""
    return Rule(kind, keywords, pattern, plausible.any_value)


_HEX = "[0-9a-f]"
_ALNUM = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"

# A private key: from its head line to two dashes, which stand in no body. The redactor's `secrets`
# treats it apart, because it spans lines.
PRIVATE_KEY = "private-key"
KEY_KEYWORD = b"private key"
KEY_BLOCK = r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-[^-])*)"
KEY_END = b"-----END "
KEY_RUN = r"(?:\\[nr])*([A-Za-z0-9+/=]{4,})"

_PROVIDERS = (
    _prefixed("aws-access-key", "akia|asia|abia|acca", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    Rule(
        "aws-secret-key",
        "secret_access_key|secretaccesskey|secret access key|session_token|sessiontoken",
        r"(?i)(?:secret[_ -]?access[_ -]?key|session[_-]?token)[\"'\\]{0,3}\s{0,3}[:=]\s{0,3}"
        r"[\"'\\]{0,3}([A-Za-z0-9/+]{40,}={0,2})",
        plausible.random,
    ),
    _prefixed("gcp-api-key", "aiza", rf"\bAIza{_URL}{{35}}"),
    _prefixed("google-oauth", "gocspx-", rf"\bGOCSPX-{_URL}{{20,}}"),
    _prefixed("google-oauth", "ya29.", rf"\bya29\.{_URL}{{20,}}"),
    _prefixed("google-oauth", "1//0", rf"\b1//0{_URL}{{30,}}"),
    _prefixed(
        "gcp-service-account", "private_key_id", rf"private_key_id[\"'\\: ]{{1,8}}({_HEX}{{40}})\b"
    ),
    _prefixed(
        "azure-key",
        "accountkey|sharedaccesskey",
        r"(?i)(?:AccountKey|SharedAccessKey)\s?=\s?([A-Za-z0-9+/]{40,}={0,2})",
    ),
    _prefixed("azure-sas", "sig=", r"[?&;]sig=([A-Za-z0-9%+/=]{30,})"),
    _prefixed(
        "azure-client-secret", "q~", r"(?:^|[^A-Za-z0-9_~.-])(\w{3}\dQ~[A-Za-z0-9_~.-]{31,})"
    ),
    _prefixed("github-token", "ghp_|gho_|ghu_|ghs_|ghr_", rf"\bgh[pousr]_{_ALNUM}{{36,}}"),
    _prefixed("github-token", "github_pat_", r"\bgithub_pat_\w{40,}"),
    _prefixed(
        "gitlab-token",
        "glpat-|glptt-|glrt-|gldt-|glcbt-|glft-|glsoat-|glimt-|glagent-|gloas-|glffct-",
        rf"\bgl(?:pat|ptt|rt|dt|cbt|ft|soat|imt|agent|oas|ffct)-{_URL}{{20,}}(?:\.[0-9a-z]+)*",
    ),
    _prefixed("slack-token", "xox", r"\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"),
    _prefixed("slack-token", "xapp-", r"\bxapp-\d-[A-Za-z0-9-]{20,}"),
    _prefixed(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/]{20,})",
    ),
    _prefixed("stripe-key", "k_live_|k_test_", rf"\b[srp]k_(?:live|test)_{_ALNUM}{{16,}}"),
    _prefixed("webhook-secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    _prefixed("anthropic-key", "sk-ant-", rf"\bsk-ant-{_URL}{{20,}}"),
    _prefixed("openrouter-key", "sk-or-", rf"\bsk-or-{_URL}{{20,}}"),
    _prefixed("openai-key", "sk-proj-|sk-svcacct-|sk-admin-", rf"\bsk-[a-z]{{4,8}}-{_URL}{{20,}}"),
    Rule("openai-key", "sk-", rf"\bsk-{_URL}{{20,}}", plausible.random),
    _prefixed("huggingface-token", "hf_|api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    _prefixed("npm-token", "npm_", rf"\bnpm_{_ALNUM}{{36}}"),
    _prefixed("pypi-token", "pypi-", rf"\bpypi-{_URL}{{50,}}"),
    _prefixed(
        "twilio-key", "|".join("sk" + digit for digit in "0123456789abcdef"), rf"\bSK{_HEX}{{32}}\b"
    ),
    _prefixed("twilio-token", "'ac|\"ac", rf"AC{_HEX}{{32}}[\"'],\s*[\"']({_HEX}{{32}})\b"),
    _prefixed("sendgrid-key", "sg.", rf"\bSG\.{_URL}{{16,}}\.{_URL}{{16,}}"),
    _prefixed("mailgun-key", "key-", rf"\bkey-{_HEX}{{32}}\b"),
    _prefixed("mailgun-key", "mailgun|mg_|mg.", rf"\b{_HEX}{{32}}-{_HEX}{{8}}-{_HEX}{{8}}\b"),
    _prefixed(
        "discord-token",
        "discord|bot|client",
        rf"\b[MNO]{_URL}{{22,25}}\.{_URL}{{6}}\.{_URL}{{27,38}}",
    ),
    _prefixed(
        "discord-webhook",
        "/webhooks/",
        rf"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/({_URL}{{40,}})",
    ),
    _prefixed("telegram-token", ":aa", rf"(?:^|[^0-9])(\d{{8,10}}:AA{_URL}{{30,}})"),
    _prefixed(
        "shopify-token",
        "shpat_|shpss_|shpca_|shppa_|shpua_",
        rf"\bshp(?:at|ss|ca|pa|ua)_{_HEX}{{32}}",
    ),
    _prefixed("digitalocean-token", "_v1_", rf"\bdo[opr]_v1_{_HEX}{{64}}"),
    _prefixed("databricks-token", "dapi", rf"\bdapi{_HEX}{{32}}(?:-\d)?"),
    _prefixed("doppler-token", "dp.", r"\bdp\.(?:pt|st|ct|sa|said|scim|audit)\.[\w.-]{40,}"),
    _prefixed("linear-key", "lin_", rf"\blin_(?:api|oauth)_{_ALNUM}{{30,}}"),
    _prefixed("notion-token", "ntn_", rf"\bntn_{_ALNUM}{{40,}}"),
    Rule("notion-token", "secret_", rf"\bsecret_{_ALNUM}{{43}}\b", plausible.random),
    _prefixed("figma-token", "figd_|figo_", rf"\bfig[do]_{_URL}{{20,}}"),
    _prefixed("vault-token", "hvs.|hvb.|hvr.", rf"\bhv[sbr]\.{_URL}{{20,}}"),
    _prefixed("terraform-token", ".atlasv1.", rf"\b{_ALNUM}{{14}}\.atlasv1\.[\w=-]{{50,}}"),
    _prefixed("docker-token", "dckr_", rf"\bdckr_[po]at_{_URL}{{20,}}"),
    Rule("docker-auth", '"auth"', r'"auth"\s?:\s?"([A-Za-z0-9+/=]{12,})"', plausible.opaque),
    _prefixed("fly-token", "fm1_|fm1r_|fm1a_|fm2_", r"\bfm\d[a-z]?_[A-Za-z0-9+/=_-]{40,}"),
    _prefixed("fly-token", "fo1_", rf"\bfo1_{_URL}{{20,}}"),
    _prefixed("supabase-key", "sbp_", rf"\bsbp_(?:[a-z0-9]+_)?{_HEX}{{40}}"),
    _prefixed("supabase-key", "sb_secret_", rf"\bsb_secret_{_URL}{{20,}}"),
    _prefixed("jwt", "eyj", rf"\beyJ{_URL}{{10,}}\.eyJ{_URL}{{10,}}(?:\.{_URL}{{6,}})*"),
    _prefixed("shippo-token", "shippo_", rf"\bshippo_(?:live|test)_{_HEX}{{40}}"),
    _prefixed("atlassian-token", "atatt3|atctt3", r"\bAT[AC]TT3[\w=-]{50,}"),
    _prefixed("postman-key", "pmak-", rf"\bPMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    _prefixed("newrelic-key", "nrak-|nrii-", rf"\bNR(?:AK|II)-{_URL}{{20,}}"),
    _prefixed("grafana-token", "glsa_|glc_", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    _prefixed("groq-key", "gsk_", rf"\bgsk_{_ALNUM}{{40,}}"),
    _prefixed("perplexity-key", "pplx-", rf"\bpplx-{_ALNUM}{{40,}}"),
    _prefixed("replicate-token", "r8_", rf"\br8_{_ALNUM}{{30,}}"),
    _prefixed("airtable-token", "pat", rf"\bpat{_ALNUM}{{14}}\.{_HEX}{{64}}"),
    _prefixed("sentry-token", "sntrys_|sntryu_", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    _prefixed("xai-key", "xai-", rf"\bxai-{_ALNUM}{{60,}}"),
    _prefixed("planetscale-token", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w.=-]{30,}"),
    Rule("square-token", "eaaa", rf"\bEAAA{_URL}{{50,}}", plausible.random),
    _prefixed("square-token", "sq0", rf"\bsq0[a-z]{{3}}-{_URL}{{22,}}"),
    _prefixed("tailscale-key", "tskey-", rf"\btskey-[a-z]+-{_ALNUM}+-{_ALNUM}{{20,}}"),
    _prefixed("rubygems-key", "rubygems_", rf"\brubygems_{_HEX}{{48}}"),
    _prefixed("age-key", "age-secret-key-", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    _prefixed("pulumi-token", "pul-", rf"\bpul-{_HEX}{{40}}"),
    Rule("cargo-token", "cio", rf"\bcio{_ALNUM}{{32}}\b", plausible.random),
    _prefixed("langsmith-key", "lsv2_", rf"\blsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
)

# Where a value ends that no quote encloses; a backslash begins an escaped line end or quote.
_BARE = r"[^\s\"'`,;&<>()\[\]{}\\]"
_QUOTED = r"\\{0,3}\"([^\"\\\n]{4,})|\\{0,3}'([^'\\\n]{4,})|`([^`\\\n]{4,})"
_SAYS = r"[\"'`\\\]]{0,4}\s{0,4}(?::\s?[A-Za-z]{1,12}\s?=|:=|=>|={1,3}|:)[ \t]{0,4}[bru]{0,2}"
# Names of what people choose, and of what machines draw: the values are judged differently.
_CHOSEN = r"(?:pass(?:word|wd|phrase|code|wort)|pwd|kennwort|(?:\b|[_.-])pass|(?:\b|[_.-])pw)"
_DRAWN = (
    r"(?:secret|token|credential|"
    r"(?:api|access|auth|private|signing|encryption|account|license|master|secret)[_ -]?key)"
)
_CHOSEN_KEYWORDS = "pass|pwd|kennwort|pw:|pw=|pw "
_DRAWN_KEYWORDS = (
    "secret|token|credential|api-key|api_key|api key|apikey|access-key|access_key|"
    "access key|accesskey|auth-key|auth_key|authkey|private_key|privatekey|signing_key|"
    "signingkey|encryption_key|encryptionkey|account_key|accountkey|license_key|licensekey|"
    "master_key|masterkey|account-key"
)

_HEADERS = (
    Rule(
        "authorization",
        "authorization",
        r"(?i)authorization[\"'\\\]]{0,4}\s{0,3}[:=,]\s{0,3}[\"'`\\]{0,4}"
        r"(?:[a-z]{3,10}\s{1,2})?([A-Za-z0-9._~+/=:-]{8,})",
        plausible.opaque,
    ),
    Rule(
        "authorization",
        "bearer ",
        r"(?i)\bbearer\s{1,2}([A-Za-z0-9._~+/=-]{8,})",
        plausible.random,
    ),
    Rule(
        "cookie",
        "cookie",
        r"(?i)cookie[\"'\\]{0,3}\s{0,3}[:= ]\s{0,3}[\"'\\]{0,3}([^\r\n\"'\\]{8,})",
        plausible.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "cookie",
        "curl |wget |http ",
        r"\bcurl\b[^\n]*?\s-b\s*[\"']?([^\r\n\"'\\]{8,})",
        plausible.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "url-password",
        "://",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@\"'<>`]*:([^\s/\"'<>`]+)@",
        plausible.any_value,
        also="@",
    ),
    Rule("url-password", "jdbc:oracle", r"thin:[^\s/\"']+/([^\s@\"']+)@", plausible.any_value),
)

_COMMANDS = (
    Rule(
        "password", "sshpass", r"\bsshpass\s+-p\s*\\{0,3}[\"']?([^\s\"'\\]+)", plausible.any_value
    ),
    Rule(
        "password",
        "curl ",
        r"\bcurl\b[^\n]*?\s(?:-u|-U|--user|--proxy-user)[\s=]?\\{0,3}[\"']?[^\s:\"']+:([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "mysql|mariadb",
        r"\b(?:mysql|mariadb)(?:-?dump|-?admin|import)?\b[^\n]*?\s-p\\{0,3}[\"']?([^\s\"'-][^\s\"'\\]{3,})",
        plausible.any_value,
    ),
    Rule(
        "password",
        "redis-cli",
        r"\bredis-cli\b[^\n]*?\s(?:-a|--pass)\s+\\{0,3}[\"']?([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "net use",
        r"(?i)\bnet use\b[^\n]*?/user:\S+\s+\\{0,3}[\"']?([^\s\"'*\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "pass:",
        r"-pass(?:in|out)?\s+\\{0,3}[\"']?pass:([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        "sudo",
        r"\becho\s+\\{0,3}[\"']?([^\s\"'|\\]+)\\{0,3}[\"']?\s*\|\s*sudo\s+-[A-Za-z]*S",
        plausible.any_value,
    ),
    Rule(
        "password",
        "ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami",
        r"\bldap[a-z]+\b[^\n]*?\s-w\s*\\{0,3}[\"']?([^\s\"'\\]+)",
        plausible.any_value,
    ),
    Rule(
        "password",
        " login",
        r"\blogin\b[^\n]*?\s-p[\s=]\\{0,3}[\"']?([^\s\"'\\]{6,})",
        plausible.password,
    ),
    Rule(
        "password",
        "-password|-pass|--token|-token|-secret|-key",
        r"(?i)\s--?[a-z-]*(?:password|passwd|pass|token|secret|api-?key|account-key)[\s=]{1,2}"
        r"\\{0,3}[\"']?([^\s\"'\\]{6,})",
        plausible.password,
    ),
)

_ASSIGNED = (
    Rule(
        "password",
        _CHOSEN_KEYWORDS,
        rf"(?i)({_CHOSEN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{8,}}))",
        plausible.password,
        named=True,
    ),
    Rule(
        "secret",
        _DRAWN_KEYWORDS,
        rf"(?i)({_DRAWN}[A-Za-z0-9_-]{{0,24}}){_SAYS}(?:{_QUOTED}|({_BARE}{{16,}}))",
        plausible.random,
        named=True,
    ),
    # In capitals, as settings from the environment are: the value may hold what code may not.
    Rule(
        "password",
        "password=|passwd=|_pass=|_pwd=",
        r"\b([A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|PWD))=([^\s\"'`\\;$][^\s\"'`\\]{7,})",
        plausible.setting,
        named=True,
    ),
    Rule(
        "secret",
        "_key",
        rf"\b([A-Z][A-Z0-9_]*_KEY)[\"']?\s?[:=]\s?(?:{_QUOTED}|({_BARE}{{16,}}))",
        plausible.random,
        named=True,
    ),
    # The older of the two ways in which a Dockerfile sets a variable.
    Rule(
        "secret",
        "env ",
        r"\bENV\s+\w*(?:TOKEN|KEY|SECRET|PASSWORD|PASS)\w*\s+[\"']?([^\s\"'$]{8,})",
        plausible.password,
    ),
    Rule(
        "password",
        _CHOSEN_KEYWORDS + "|secret|token|apikey",
        rf"(?i)<(?:[a-z]+:)?[a-z_-]*(?:{_CHOSEN}|{_DRAWN}|apikey)>([^<\s]{{6,}})</",
        plausible.password,
    ),
    Rule(
        "secret",
        "value=",
        rf"(?i)(?:{_CHOSEN}|{_DRAWN}|apikey)[\"']\s{{1,3}}value=[\"']([^\"'\n]+)",
        plausible.password,
    ),
    Rule(
        "secret",
        "default",
        rf"(?i)variable\s+\"\w*(?:{_CHOSEN}|{_DRAWN})\w*\"\s*\{{[^}}]{{0,300}}?"
        r"default\s*=\s*\"([^\"\n]+)\"",
        plausible.password,
    ),
)

# "The password is …", and how that is said elsewhere. The gap may not hold the mark of what was
# redacted before: a second pass must find nothing that the first did not.
_SPOKEN = (
    Rule(
        "password",
        "passw|passphrase|passcode|passwd|pw |pwd|kennwort|contrase|mot de passe|credential|creds",
        r"(?i)(?:\b|root|admin)(?:password|passwd|passphrase|passcode|passwort|pwd?|kennwort|"
        r"contrase(?:\xc3\xb1|n)a|mot de passe|credentials?|creds)\b[^\n\[=]{0,40}?"
        r"(?:\s(?:is|was|to|ist|lautet|es|est|now|just)|:|/)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{8,})",
        plausible.strong_password,
    ),
    Rule(
        "password",
        "password |passwd |passphrase ",
        r"(?i)\b(?:password|passwd|passphrase)\s{1,3}\\{0,3}[\"'`]?([^\s\"'`,;<>(){}\[\]\\]{8,})",
        plausible.strong_password,
    ),
    Rule(
        "passphrase",
        "passphrase",
        r"(?i)\bpassphrase\b[^\n\"'\[]{0,30}[\"']([a-z][a-z ]{10,}[a-z])[\"']",
        plausible.passphrase,
    ),
    Rule(
        "secret",
        "api key|access key|token|secret",
        r"(?i)\b(?:api[ -]?key|access key|token|secret)\b[^\n\[=:]{0,40}?"
        r"(?:\s(?:is|was|to)|:)\s{1,2}\\{0,3}[\"'`]?([^\s\"'`,;<>()\\]{16,})",
        plausible.random,
    ),
)

RULES = _PROVIDERS + _HEADERS + _COMMANDS + _ASSIGNED + _SPOKEN
