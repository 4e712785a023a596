"""Clouds, hosting, domains, and the services built on them."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_AMAZON = (
    shape(
        "aws",
        "access-key",
        "akia|asia|abia|acca|a3t",
        r"\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}\b",
    ),
    Rule(
        "aws-secret-key",
        "secret_access_key|secretaccesskey|secret access key|session_token|sessiontoken"
        "|secret_key|secret key",
        r"(?i)(?:secret[_ -]?(?:access[_ -]?)?key|session[_-]?token)[\"'\\]{0,3}\s{0,3}[:=]\s{0,3}"
        r"[\"'\\]{0,3}([A-Za-z0-9/+]{40,}={0,2})",
        heuristics.random,
        provider="aws",
    ),
    Rule(
        "aws-secret-key",
        "akia",
        r"\bAKIA[A-Z2-7]{16}[\"'\\]{0,3}[\s,:;|/]{1,4}[\"'\\]{0,3}([A-Za-z0-9/+]{40})(?:$"
        r"|[^A-Za-z0-9/+=])",
        heuristics.random,
        provider="aws",
    ),
    shape(
        "aws",
        "session-token",
        "fwogzxiv|iqojb3jpz2lu|fqogzxiv",
        r"\b(?:FwoGZXIv|IQoJb3JpZ2lu|FQoGZXIv)[A-Za-z0-9+/=]{60,}",
    ),
    shape("aws", "bedrock-key", "absk", r"\bABSK[A-Za-z0-9+/]{80,}={0,2}"),
    shape("aws", "bedrock-key", "bedrock-api-key-", r"\bbedrock-api-key-[A-Za-z0-9+/=_-]{30,}"),
    shape("amazon", "mws-token", "amzn.mws.", rf"\bamzn\.mws\.{_UUID}"),
    shape("amazon", "client-secret", "amzn1.oa2-cs.", r"\bamzn1\.oa2-cs\.v1\.[0-9a-f]{64}"),
    shape("amazon", "login-token", "atza|atzr", r"\bAtz[ar]\|[\w+/=-]{40,}"),
)

_GOOGLE = (
    shape("gcp", "api-key", "aiza", r"\bAIza[A-Za-z0-9_-]{35}"),
    shape("gcp", "api-key", "aq.ab", r"\bAQ\.Ab[A-Za-z0-9_-]{40,}"),
    shape("google", "oauth", "gocspx-", r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    shape("google", "oauth", "ya29.", r"\bya29\.[A-Za-z0-9_-]{20,}"),
    shape("google", "oauth", "1//0", r"\b1//0[A-Za-z0-9_-]{30,}"),
    shape("google", "oauth-code", "4/0a", r"(?:^|[^\w/])(4/0A[A-Za-z0-9_-]{40,})"),
    shape(
        "gcp", "service-account", "private_key_id", r"private_key_id[\"'\\: ]{1,8}([0-9a-f]{40})\b"
    ),
    shape(
        "gcp",
        "storage-key",
        "goog",
        r"\bGOOG[A-Z0-9]{16,60}[\"'\\]{0,3}\s{0,3}[\s,:;/][\s\"'\\]{0,4}([A-Za-z0-9+/]{40})\b",
        heuristics.drawn,
    ),
    shape("firebase", "server-key", "aaaa", r"\bAAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,}"),
    shape(
        "google",
        "chat-webhook",
        "chat.googleapis.com",
        r"chat\.googleapis\.com/v1/spaces/[^\s\"']{1,120}?[?&]token=([A-Za-z0-9_%-]{20,})",
    ),
    named("google", "captcha-secret", "captcha", r"6L[A-Za-z0-9_-]{38}"),
)

_MICROSOFT = (
    shape(
        "azure",
        "key",
        "accountkey|sharedaccesskey|accesskey|primarykey|secondarykey|sharedkey",
        r"(?i)(?:AccountKey|SharedAccessKey|accesskey|(?:primary|secondary"
        r"|shared)key)[\"']?\s?[:=]\s?[\"']?"
        r"([A-Za-z0-9+/]{40,}={0,2})",
    ),
    shape("azure", "sas", "sig=", r"[?&;]sig=([A-Za-z0-9%+/=_-]{30,})"),
    shape(
        "azure", "client-secret", "q~", r"(?:^|[^A-Za-z0-9_~.-])([\w~.]{3}\dQ~[A-Za-z0-9_~.-]{31,})"
    ),
    # Keys with a signature of the service at a fixed offset.
    shape("azure", "key", "jqqj99", r"\b[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9+/]{20,}={0,2}"),
    shape("azure", "devops-token", "azdo", r"\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b"),
    shape(
        "azure",
        "key",
        "azfu|azse|azca|acdb|+ast|+asb|+aeh|aiot|+acr|+aba|+amc|apim|+aoa",
        r"\b[A-Za-z0-9+/_-]{33,86}(?:AzFu|AzSe|AzCa|ACDb|\+ASt|\+ASb|\+AEh|AIoT|\+ACR|\+ABa"
        r"|\+AMC|APIM)"
        r"[A-Za-z0-9+/_-]{5,9}={0,2}",
        heuristics.random,
    ),
    shape(
        "azure",
        "function-key",
        "code=",
        r"(?:azurewebsites\.net|azure-api\.net"
        r"|/api/)[^\s\"'<>]{0,120}?[?&]code=([A-Za-z0-9_/%+-]{30,}={0,2})",
        heuristics.random,
    ),
    shape(
        "azure",
        "devops-token",
        "dev.azure.com|visualstudio.com",
        r"://(?:[^\s/:@]{0,60}:)?([a-z2-7]{52}|[A-Za-z0-9]{84})@",
        heuristics.drawn,
    ),
    named(
        "azure",
        "devops-token",
        "azure devops|azure_devops|azuredevops|azure-devops|vsts|ado_pat|ado pat|ado_token"
        "|vss_pat|az_devops",
        r"[a-z2-7]{52}",
    ),
    shape(
        "azure",
        "app-configuration",
        ";secret=",
        r"(?i)Endpoint=https?://[^\s;]+;Id=[^\s;]+;Secret=([A-Za-z0-9+/=]{20,})",
    ),
    shape(
        "microsoft",
        "teams-webhook",
        "webhook.office.com|outlook.office.com",
        r"\.office\.com/webhook(?:b2)?/([A-Za-z0-9@-]{40,}/IncomingWebhook/[A-Za-z0-9]{20,}[A-Za-z0-9/_-]*)",
    ),
    named(
        "azure",
        "key",
        "azure|ocp-apim-subscription-key|cognitive|speech_key",
        r"[0-9a-f]{32}|[A-Za-z0-9+/]{86}==",
    ),
)

_CLOUDS = (
    shape("digitalocean", "token", "_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}"),
    named(
        "digitalocean",
        "spaces-key",
        "do00|spaces_secret|spaces_key|spaces secret",
        r"[A-Za-z0-9+/]{43}",
    ),
    shape("alibaba", "access-key", "ltai", r"\bLTAI[A-Za-z0-9]{12,24}\b", heuristics.random),
    named(
        "alibaba",
        "secret-key",
        "alibaba|aliyun|alicloud|accesskeysecret|access_key_secret|oss_secret",
        r"[A-Za-z0-9]{30}",
    ),
    shape("tencent", "secret-id", "akid", r"\bAKID[A-Za-z0-9]{28,40}\b", heuristics.random),
    named("tencent", "secret-key", "tencent|qcloud|secretkey|cos_secret", r"[A-Za-z0-9]{32}"),
    shape("yandex", "api-key", "aqvn", r"\bAQVN[A-Za-z0-9_-]{35,40}"),
    shape("yandex", "iam-token", "t1.", r"\bt1\.[A-Za-z0-9_-]{20,}=*\.[A-Za-z0-9_-]{80,}=*"),
    shape(
        "yandex",
        "access-key",
        "ycaj|yca|ycm|ycp|yco",
        r"\bYC[A-Z][A-Za-z0-9_-]{22,38}\b",
        heuristics.random,
    ),
    shape("yandex", "oauth", "y0_|y1_|y2_|y3_", r"\by[0-6]_[A-Za-z0-9_-]{50,}"),
    shape("exoscale", "key", "exo", r"\bEXO[0-9a-f]{24}\b"),
    named("exoscale", "secret", "exoscale", r"[A-Za-z0-9_-]{43}"),
    shape("scaleway", "key", "scw", r"\bSCW[A-Z0-9]{17}\b", heuristics.drawn),
    named("scaleway", "secret", "scw|scaleway", _UUID),
    shape("upcloud", "token", "ucat_", r"\bucat_[A-Z0-9]{26}\b"),
    named("linode", "token", "linode", r"[0-9a-f]{64}"),
    named("vultr", "key", "vultr", r"[A-Z0-9]{36}"),
    named("hetzner", "token", "hcloud|hetzner|hdns", r"[A-Za-z0-9]{64}|[A-Za-z0-9]{32}"),
    named(
        "ovh", "key", "ovh|ovh_application_secret|ovh_consumer_key", r"[A-Za-z0-9]{32}|[0-9a-f]{16}"
    ),
    named("ibm", "api-key", "ibmcloud|ibm_cloud|ibm cloud|watson|bluemix", r"[A-Za-z0-9_-]{44}"),
    named("oracle", "auth-token", "oci_auth|ocir|oci auth", r"[^\s\"'`]{20}"),
    named("civo", "key", "civo", r"[A-Za-z0-9]{50}"),
    named("contabo", "secret", "contabo", r"[A-Za-z0-9]{32}"),
    named("kamatera", "secret", "kamatera", r"[0-9a-f]{32}"),
    shape("backblaze", "key", "k00", r"\bK00[0-9][A-Za-z0-9/+]{27}\b", heuristics.drawn),
    named("wasabi", "secret", "wasabi", r"[A-Za-z0-9]{40}"),
    named("storj", "grant", "storj", r"1[1-9A-HJ-NP-Za-km-z]{80,}"),
    named(
        "openstack",
        "secret",
        "os_application_credential_secret|application_credential_secret",
        r"[A-Za-z0-9_-]{40,90}",
    ),
)

_EDGE = (
    shape("cloudflare", "origin-key", "v1.0-", r"\bv1\.0-[0-9a-f]{20,30}-[0-9a-f]{100,160}"),
    shape(
        "cloudflare",
        "token",
        "cfut_|cfat_|cfk_|cfoa_|cfor_",
        r"\bcf(?:ut|at|k|oa|or)_[A-Za-z0-9_-]{30,}",
    ),
    named(
        "cloudflare",
        "token",
        "cloudflare|cf_api|cf_token|cf-api|x-auth-key|wrangler",
        r"[A-Za-z0-9_-]{40}|[0-9a-f]{37}",
    ),
    shape("cloudflare", "tunnel-token", "eyjhijoi", r"\beyJhIjoi[A-Za-z0-9+/_-]{80,}={0,2}"),
    named("fastly", "token", "fastly", r"[A-Za-z0-9_-]{32}"),
    shape("akamai", "token", "akab-", r"\b(akab-[a-z0-9]{16,32}-[a-z0-9]{16,32})\b"),
    named("bunny", "key", "bunny|bunnycdn", r"[0-9a-f]{8}-[0-9a-f-]{27,64}"),
    named("keycdn", "key", "keycdn", r"[A-Za-z0-9_-]{30,48}"),
    named("cloudinary", "secret", "cloudinary", r"[A-Za-z0-9_-]{27}"),
    named("imgix", "key", "imgix", r"[A-Za-z0-9]{16,64}|ak_[0-9a-f]{64}"),
    shape("porkbun", "key", "pk1_|sk1_", r"\b[ps]k1_[0-9a-f]{64}"),
    shape("dnsimple", "token", "dnsimple_", r"\bdnsimple_[a-z]_[A-Za-z0-9]{32}"),
    shape("godaddy", "key", "sso-key", r"(?i)sso-key\s+[A-Za-z0-9_]{8,60}:([A-Za-z0-9]{20,})"),
    named("godaddy", "secret", "godaddy", r"[A-Za-z0-9]{22}"),
    named("namecheap", "key", "namecheap", r"[0-9a-f]{32}"),
    named("gandi", "key", "gandi", r"[A-Za-z0-9]{24}|[0-9a-f]{40}"),
    named("desec", "token", "desec", r"[A-Za-z0-9_-]{28}"),
    named("duckdns", "token", "duckdns", _UUID),
    named("dynu", "key", "dynu", r"[A-Za-z0-9]{32}"),
    shape("ngrok", "token", "ngrok|authtoken", r"\b[1-4][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}\b"),
    named("zerotier", "token", "zerotier|ztcentral", r"[A-Za-z0-9]{32}"),
    shape("tailscale", "key", "tskey-", r"\btskey-[a-z]+-[A-Za-z0-9]+(?:CNTRL)?-[A-Za-z0-9]{20,}"),
    named("netbird", "key", "netbird|nb_setup_key", rf"{_UUID}|nbp_[A-Za-z0-9]{{36}}"),
    shape("netbird", "token", "nbp_", r"\bnbp_[A-Za-z0-9]{30,}"),
    named("twingate", "key", "twingate", r"[A-Za-z0-9_-]{60,}"),
)

_PLATFORMS = (
    shape("heroku", "key", "hrku-", r"\bHRKU-[A-Za-z0-9_-]{30,}"),
    named("heroku", "key", "heroku", _UUID),
    shape("render", "key", "rnd_", r"\brnd_[A-Za-z0-9]{28,}", heuristics.drawn),
    shape(
        "render",
        "deploy-hook",
        "://api.render.com",
        r"://api\.render\.com/deploy/srv-[a-z0-9]+\?key=([\w-]{8,})",
    ),
    shape(
        "vercel",
        "token",
        "vcp_|vci_|vca_|vcr_|vck_|vcs_|vercel_blob_rw_",
        r"\b(?:vc[pcarkis]|vercel_blob_rw)_[A-Za-z0-9_]{20,}",
    ),
    named("vercel", "token", "vercel", r"[A-Za-z0-9]{24}"),
    shape("netlify", "token", "nfp_|nfc_|nfo_|nfu_|nfb_", r"\bnf[pcoub]_[A-Za-z0-9_]{34,}"),
    named("netlify", "token", "netlify", r"[A-Za-z0-9_-]{40,46}"),
    shape("fly", "token", "fm1_|fm1r_|fm1a_|fm2_", r"\bfm\d[a-z]?_[A-Za-z0-9+/=_-]{40,}"),
    shape("fly", "token", "fo1_", r"\bfo1_[A-Za-z0-9_-]{20,}"),
    named("railway", "token", "railway", _UUID),
    named("koyeb", "token", "koyeb", r"[a-z0-9]{64}"),
    shape("northflank", "token", "nf-eyj", r"\bnf-eyJ[A-Za-z0-9_.-]{40,}"),
    shape("deno", "token", "ddp_|ddw_|ddo_", r"\bdd[pwo]_[A-Za-z0-9]{36}\b"),
    shape("pulumi", "token", "pul-", r"\bpul-[0-9a-f]{40}"),
    shape("terraform", "token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}"),
    shape("scalr", "token", "at-", r"\bat-[a-z0-9]{13,20}\.[A-Za-z0-9_-]{30,}"),
    shape("databricks", "token", "dapi|dose", r"\b(?:dapi|dose|dkea)[0-9a-f]{32}(?:-\d)?"),
    named("pythonanywhere", "token", "pythonanywhere", r"[0-9a-f]{40}"),
    named("glitch", "token", "glitch", _UUID),
    shape("expo", "token", "expo_", r"\bexpo_[A-Za-z0-9_-]{30,}", heuristics.drawn),
    named("expo", "token", "expo_token|expo token|expo_access|eas_token", r"[A-Za-z0-9_-]{40}"),
    shape("laravel", "app-key", "base64:", r"\bAPP_KEY\s?=\s?\"?(base64:[A-Za-z0-9+/]{43}=)"),
    named("laravel", "forge-token", "laravel forge|forge_token|forge_api", r"[A-Za-z0-9_.-]{40,}"),
    named("dokku", "key", "dokku|caprover|coolify", r"[A-Za-z0-9|]{32,60}"),
    shape("qovery", "token", "qov_", r"\bqov_[A-Za-z0-9_-]{40,}"),
    shape("zeabur", "token", "sk-zeabur|zeabur", r"\bsk-[a-z0-9]{24,40}\b", heuristics.drawn),
    shape("cloudsmith", "token", "csa_|csb_", r"\bcs[ab]_[A-Za-z0-9]{24,}", heuristics.drawn),
    shape("nebius", "token", "nbk_", r"\bnbk_[A-Za-z0-9]{30,}"),
)

SHAPES = _AMAZON + _GOOGLE + _MICROSOFT + _CLOUDS + _EDGE + _PLATFORMS
