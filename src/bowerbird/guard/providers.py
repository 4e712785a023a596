"""Keys and tokens that tell by their own shape who gave them out.

Written from the formats that providers document. Specific rows stand first: where two find the same
text, the first names it.
"""

from bowerbird.guard import plausible
from bowerbird.guard.rule import Rule

_HEX = "[0-9a-f]"
_ALNUM = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"


def _prefixed(kind: str, keywords: str, pattern: str) -> Rule:
    """A row whose prefix speaks for itself: only placeholders are left alone."""
    return Rule(kind, keywords, pattern, plausible.any_value)


PROVIDERS = (
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
