"""Identity providers, secret managers, security scanners, and machine keys."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_IDENTITY = (
    shape("okta", "token", "ssws", r"(?i:ssws)\s+(00[A-Za-z0-9_-]{36,42})"),
    named("okta", "token", "okta", r"00[A-Za-z0-9_-]{36,42}|[A-Za-z0-9_-]{40,64}"),
    named("auth0", "secret", "auth0", r"[A-Za-z0-9_-]{48,64}"),
    shape(
        "stytch",
        "secret",
        "secret-live-|secret-test-",
        r"\bsecret-(?:live|test)-[A-Za-z0-9_=-]{30,}",
    ),
    shape(
        "descope",
        "key",
        "descope",
        r"\bK[23][A-Za-z0-9]{27}:[A-Za-z0-9]{27,}|\bK[23][A-Za-z0-9]{60,}\b",
        heuristics.drawn,
    ),
    named(
        "identity",
        "secret",
        "onelogin|duo|jumpcloud|pingone|forgerock|cognito|fusionauth|frontegg|userfront"
        "|supertokens|workos|clerk|propelauth|kinde|zitadel|authentik|keycloak|logto",
        rf"[A-Za-z0-9_-]{{32,}}|{_UUID}",
    ),
    shape("jumpcloud", "key", "jca_", r"\bjca_[A-Za-z0-9]{30,}"),
    shape("ory", "token", "ory_", r"\bory_(?:pat|at|rt|st|ac|apikey|wak)_[\w.-]{24,}"),
    shape("pangea", "token", "pts_|pcl_", r"\bp(?:ts|cl)_[a-z2-7]{30,}"),
    shape(
        "authress",
        "key",
        ".acc_|.acc-",
        r"\b(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}",
    ),
    shape("hcaptcha", "secret", "es_", r"\bES_[0-9a-f]{32}\b"),
    named("hcaptcha", "secret", "hcaptcha", r"0x[0-9A-Fa-f]{40}"),
    shape("turnstile", "secret", "0x4aaaaaaa", r"\b0x4AAAAAAA[A-Za-z0-9_-]{26,}"),
    named(
        "oauth",
        "secret",
        "client_secret|client-secret|clientsecret|consumer_secret|consumersecret|app_secret"
        "|appsecret|application_secret",
        r"[A-Za-z0-9_~.+/=-]{16,}",
    ),
)

_VAULTS = (
    shape("onepassword", "token", "ops_ey", r"\bops_eyJ[A-Za-z0-9+/_-]{80,}={0,3}"),
    shape(
        "onepassword",
        "secret-key",
        "a3-",
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b",
    ),
    shape(
        "bitwarden",
        "token",
        "bws|bitwarden|access_token|access-token",
        rf"\b0\.{_UUID}\.[A-Za-z0-9]{{20,}}:[A-Za-z0-9+/=]{{16,}}",
    ),
    named(
        "bitwarden", "secret", "bitwarden|bw_clientsecret|bw_session", r"[A-Za-z0-9+/]{30,}={0,2}"
    ),
    shape("doppler", "token", "dp.", r"\bdp\.(?:pt|st|ct|sa|said|scim|audit)\.[\w.-]{40,}"),
    shape(
        "infisical",
        "token",
        "st.",
        r"\bst\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}"
        r"|\bst\.[0-9a-f-]{36}\.[0-9a-f]{32,}\.[0-9a-f]{32}",
    ),
    shape("vault", "token", "hvs.|hvb.|hvr.", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    shape("vault", "token", "vault", r"(?:^|[\s=:\"'])(s\.[A-Za-z0-9]{24})\b", heuristics.drawn),
    shape(
        "vault",
        "unseal-key",
        "unseal key|recovery key",
        r"(?i)(?:unseal|recovery) key[\w ]{0,12}\s?:\s?([A-Za-z0-9+/]{43,44}=?|[0-9a-f]{64,66})",
    ),
    shape(
        "vault",
        "unseal-key",
        "operator unseal",
        r"operator unseal\s+([A-Za-z0-9+/]{43,44}=?|[0-9a-f]{64,66})",
    ),
    named("vault", "secret-id", "secret_id|secret-id|vault_secret", _UUID),
    shape(
        "akeyless",
        "token",
        "akeyless",
        r"\bp-[a-z0-9]{14}\b.{0,40}?[\"'=:\s]([A-Za-z0-9+/]{43}=)",
        heuristics.drawn,
    ),
    shape(
        "conjur",
        "key",
        "conjur",
        r"(?i:conjur)[\w -]{0,20}[\s=:\"']{1,5}([a-z0-9]{45,60})\b",
        heuristics.drawn,
    ),
    shape("keeper", "token", "keeper|ksm", r"\b(?:US|EU|AU|CA|JP|GOV):[A-Za-z0-9_-]{40,}"),
    shape(
        "gitguardian",
        "key",
        "gitguardian",
        r"(?i:gitguardian)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9]{60,})",
        heuristics.drawn,
    ),
)

_WATCH = (
    named(
        "security",
        "key",
        "virustotal|shodan|abuseipdb|censys|greynoise|securitytrails|alienvault|otx_api"
        "|urlscan|hunter.io|haveibeenpwned|hibp|crowdstrike|tenable|qualys|wiz_|cyberark"
        "|detectify|probely|intigriti|hackerone|pulsedive|criminalip|netlas|binaryedge"
        "|x-apikey|rapid7",
        rf"[0-9a-f]{{64,80}}|[0-9a-f]{{32,40}}|{_UUID}|[A-Za-z0-9_-]{{30,}}",
    ),
    shape("abuseipdb", "key", "abuseipdb|api key|apikey|key:", r"\b[0-9a-f]{80}\b"),
    named("meraki", "key", "meraki", r"[0-9a-f]{40}"),
)

_MACHINES = (
    shape(
        "kubernetes",
        "key",
        "client-key-data",
        r"client-key-data[\"']?:\s?[\"']?([A-Za-z0-9+/]{40,}={0,2})",
    ),
    # BEGIN … PRIVATE KEY in base64, as when a whole file is put into a variable.
    shape(
        "encoded",
        "private-key",
        "ls0tls1crudjti",
        r"LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE"
        r"|BFTkNSWVBURUQgUFJJVkFUR|BEU0EgUFJJVkFUR|BQR1AgUFJJVkFUR)[A-Za-z0-9+/]{40,}={0,2}",
    ),
    shape(
        "kubernetes",
        "join-token",
        "kubeadm|bootstrap|--token",
        r"\b([a-z0-9]{6}\.[a-z0-9]{16})\b",
        heuristics.drawn,
    ),
    shape("k3s", "token", "k10", r"\bK10[0-9a-f]{40,}::[\w:-]{8,}"),
    shape("docker", "swarm-token", "swmtkn-", r"\bSWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}"),
    shape("openshift", "token", "sha256~", r"\bsha256~[A-Za-z0-9_-]{40,}"),
    shape("rancher", "token", "token-", r"\btoken-[a-z0-9]{5}:[a-z0-9]{50,}"),
    shape("argocd", "token", "argocd", r"argocd\.token=([A-Za-z0-9_.-]{30,})"),
    shape(
        "wireguard",
        "key",
        "privatekey|presharedkey|private_key|preshared_key",
        r"(?i)(?:private|preshared)_?key[\"']?\s{0,3}[=:]\s{0,3}[\"']?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)",
    ),
    Rule(
        "putty-private-key",
        "private-lines",
        r"Private-Lines: \d{1,3}\r?\n([A-Za-z0-9+/=\r\n]{20,1000})",
        heuristics.drawn,
        inner=r"([A-Za-z0-9+/=]{20,64})",
        provider="putty",
    ),
    shape("age", "key", "age-secret-key-", r"\bAGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}"),
    shape("minisign", "key", "rwrty0iy", r"\bRWRTY0Iy[A-Za-z0-9+/=]{100,}"),
    shape(
        "jwk",
        "private-key",
        '"kty"',
        r"\"(?:d|p|q|k)\"\s?:\s?\"([A-Za-z0-9_-]{40,})\"",
        heuristics.drawn,
    ),
    shape(
        "totp",
        "secret",
        "otpauth://",
        r"otpauth(?:-migration)?://[^\s\"'<>]{1,200}?[?&](?:secret|data)=([A-Za-z0-9%+/=]{16,})",
    ),
    named(
        "totp",
        "secret",
        "totp|2fa secret|otp secret|otp_secret|mfa secret|mfa_secret|authenticator",
        r"[A-Z2-7]{16,64}|(?:[A-Za-z2-7]{4} ){3,7}[A-Za-z2-7]{4}",
    ),
    shape("teleport", "token", "teleport|tctl|tsh", r"--token[= ]([0-9a-f]{32})\b"),
    shape(
        "consul",
        "token",
        "consul|nomad|x-consul-token|x-nomad-token",
        rf"(?i:consul|nomad)[\w -]{{0,30}}[\s=:\"']{{1,5}}({_UUID})",
    ),
    shape(
        "cisco",
        "password",
        "enable secret|enable password|snmp-server",
        r"(?:enable (?:secret|password)(?: \d)?|snmp-server community) (\S{6,})",
        heuristics.password,
    ),
    shape(
        "wifi",
        "password",
        "psk=|psk:|wpa",
        r"(?i)\b(?:wpa_?)?psk[\"']?\s?[=:]\s?[\"']?([^\s\"']{8,63})",
        heuristics.any_value,
    ),
    shape("wifi", "password", "wifi:", r"WIFI:[^\n\"]{0,60}?P:([^;\n\"]{8,63});"),
)

_JWT = (
    shape(
        "jwt", "", "eyj", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{6,})*"
    ),
    shape(
        "jwt",
        "",
        "eyj",
        r"\beyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}",
    ),
    shape("jwt", "", "zxlk", r"\bZXlK[A-Za-z0-9+/]{60,}={0,2}", heuristics.random),
    shape(
        "paseto",
        "token",
        "v2.local.|v3.local.|v4.local.|v4.public.|v2.public.|v3.public.|v1.local.",
        r"\bv[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?",
    ),
    shape("fernet", "token", "gaaaaab", r"\bgAAAAAB[A-Za-z0-9_-]{60,}={0,2}"),
    shape(
        "rails",
        "key",
        "secret_key_base|rails_master_key|master.key",
        r"(?i)(?:secret_key_base|rails_master_key"
        r"|master\.key)[\"']?[\s:=]{1,4}[\"']?([0-9a-f]{32,128})\b",
        heuristics.drawn,
    ),
)

SHAPES = _IDENTITY + _VAULTS + _WATCH + _MACHINES + _JWT
