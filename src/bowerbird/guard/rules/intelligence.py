"""Makers and hosts of models, and services that agents call."""

from bowerbird.guard import plausible
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_MODELS = (
    shape("anthropic", "key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    shape("openrouter", "key", "sk-or-", r"\bsk-or-[A-Za-z0-9_-]{20,}"),
    shape(
        "openai",
        "key",
        "sk-proj-|sk-svcacct-|sk-admin-|sk-none-|sk-service-",
        r"\bsk-[a-z]{4,8}-[A-Za-z0-9_-]{20,}",
    ),
    shape("langfuse", "key", "sk-lf-", rf"\bsk-lf-{_UUID}"),
    Rule("openai-key", "sk-", r"\bsk-[A-Za-z0-9_-]{20,}", plausible.random, provider="openai"),
    shape("openai", "session", "sess-", r"\bsess-[A-Za-z0-9]{40}\b", plausible.drawn),
    shape("groq", "key", "gsk_", r"\bgsk_[A-Za-z0-9]{40,}"),
    shape("perplexity", "key", "pplx-", r"\bpplx-[A-Za-z0-9]{40,}"),
    shape("xai", "key", "xai-", r"\bxai-[A-Za-z0-9]{60,}"),
    shape("replicate", "token", "r8_", r"\br8_[A-Za-z0-9]{30,}"),
    shape("huggingface", "token", "hf_|api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    shape("elevenlabs", "key", "sk_", r"\bsk_[0-9a-f]{48}\b"),
    named(
        "elevenlabs",
        "key",
        "elevenlabs|eleven_api_key|xi-api-key|xi_api_key",
        r"[0-9a-f]{32}|[A-Za-z0-9_]{40,60}",
    ),
    named("mistral", "key", "mistral|codestral", r"[A-Za-z0-9]{32}"),
    named("cohere", "key", "cohere|co_api_key", r"[A-Za-z0-9]{40}"),
    named("together", "key", "together", r"[0-9a-f]{64}|tgp_v1_[A-Za-z0-9_-]{30,}"),
    shape("together", "key", "tgp_v1_", r"\btgp_v1_[A-Za-z0-9_-]{30,}"),
    shape("fireworks", "key", "fw_", r"\bfw_[A-Za-z0-9]{20,}\b", plausible.drawn),
    named("fireworks", "key", "fireworks", r"[A-Za-z0-9]{48}"),
    named("deepseek", "key", "deepseek", r"sk-[0-9a-f]{32}"),
    named("deepgram", "key", "deepgram", r"[0-9a-f]{40}"),
    named("assemblyai", "key", "assemblyai|assembly_ai|aai_api", r"[0-9a-f]{32}"),
    shape("nvidia", "key", "nvapi-", r"\bnvapi-[A-Za-z0-9_-]{50,}"),
    shape("cerebras", "key", "csk-", r"\bcsk-[A-Za-z0-9]{40,}"),
    named("sambanova", "key", "sambanova", _UUID),
    shape("anyscale", "key", "esecret_|aph0_", r"\b(?:esecret|aph0)_[A-Za-z0-9]{24,}"),
    shape("voyage", "key", "pa-|al-", r"\b(?:pa|al)-[A-Za-z0-9_-]{43}\b", plausible.drawn),
    shape("jina", "key", "jina_", r"\bjina_[A-Za-z0-9_-]{50,}"),
    named("ai21", "key", "ai21", r"[A-Za-z0-9]{32}"),
    named("stability", "key", "stability|stable_diffusion", r"sk-[A-Za-z0-9]{48}"),
    shape("friendli", "token", "flp_", r"\bflp_[A-Za-z0-9]{40,}"),
    named("nlpcloud", "token", "nlpcloud|nlp_cloud", r"[0-9a-f]{40}"),
    named("alephalpha", "token", "aleph_alpha|aleph-alpha", r"[A-Za-z0-9._-]{60,}"),
    shape("nomic", "key", "nk-", r"\bnk-[A-Za-z0-9_-]{40,}", plausible.drawn),
    shape(
        "zhipu",
        "key",
        "zhipu|glm|bigmodel|api_key|apikey|api key",
        r"\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b",
        plausible.drawn,
    ),
    named(
        "dashscope",
        "key",
        "dashscope|qwen|moonshot|kimi|siliconflow|minimax",
        r"(?:sk-)?[A-Za-z0-9_.-]{32,}",
    ),
    named("azureopenai", "key", "azure_openai|azure openai", r"[0-9a-f]{32}|[A-Za-z0-9]{84}"),
    shape("featherless", "key", "rc_", r"\brc_[0-9a-f]{64}"),
    shape("inference", "key", "inference-", r"\binference-[0-9a-f]{32}"),
)

_MEDIA = (
    shape("luma", "key", "luma-", rf"\bluma-{_UUID}-[0-9a-f-]{{30,}}"),
    shape("runway", "key", "key_", r"\bkey_[0-9a-f]{64,128}\b"),
    shape("fal", "key", "fal_|fal.|fal-|fal key", rf"\b{_UUID}:[0-9a-f]{{32}}\b"),
    named("heygen", "key", "heygen|d-id|did_api|synthesia", r"[A-Za-z0-9+/=:_-]{32,}"),
    named(
        "leonardo",
        "key",
        "leonardo|ideogram|recraft|bfl_api_key|black forest|playht|murf|resemble|clipdrop"
        "|removebg|remove.bg|photoroom|picsart",
        rf"{_UUID}|[A-Za-z0-9_-]{{24,}}",
    ),
    named("hume", "key", "hume", r"[A-Za-z0-9]{48,64}"),
    named("cartesia", "key", "cartesia", r"sk_car_[A-Za-z0-9]{20,}"),
    shape("cartesia", "key", "sk_car_", r"\bsk_car_[A-Za-z0-9_-]{20,}"),
    shape("vapi", "key", "vapi", rf"(?i:vapi)[\w -]{{0,20}}[\s=:\"']{{1,5}}({_UUID})"),
    shape(
        "speechmatics",
        "key",
        "speechmatics",
        r"(?i:speechmatics)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9]{32})\b",
        plausible.drawn,
    ),
    named("roboflow", "key", "roboflow", r"[A-Za-z0-9]{20}"),
    named("clarifai", "key", "clarifai", r"[0-9a-f]{32}"),
)

_COMPUTE = (
    shape("runpod", "key", "rpa_", r"\brpa_[A-Z0-9]{30,}[A-Za-z0-9]*"),
    shape(
        "modal", "token", "ak-|as-|wk-|ws-", r"\b(?:ak|as|wk|ws)-[A-Za-z0-9]{22}\b", plausible.drawn
    ),
    shape("lambda", "key", "secret_", r"\bsecret_[a-z0-9-]+_[0-9a-f]{32}\.[A-Za-z0-9]{32}"),
    named("vast", "key", "vast.ai|vast_api|vastai", r"[0-9a-f]{64}"),
    named("baseten", "key", "baseten", r"[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}"),
    shape("baseten", "key", "api-key ", r"Api-Key ([A-Za-z0-9]{8}\.[A-Za-z0-9]{32})"),
    shape("e2b", "key", "e2b_", r"\be2b_[0-9a-f]{40}"),
    shape("daytona", "key", "dtn_", r"\bdtn_[0-9a-f]{64}"),
    named("wandb", "key", "wandb|wandb.ai", r"[0-9a-f]{40}"),
    shape("wandb", "key", "wandb_v1_", r"\bwandb_v\d_[A-Za-z0-9_-]{40,}"),
    shape("kaggle", "token", "kgat_", r"\bKGAT_[0-9a-f]{32}"),
    named("kaggle", "key", 'kaggle|"username"', r"[0-9a-f]{32}"),
    named("comet", "key", "comet_api_key|comet_ml|cometml|comet.com|opik", r"[A-Za-z0-9]{25,40}"),
    named("neptune", "token", "neptune", r"eyJ[A-Za-z0-9+/=]{60,}"),
    named("clearml", "key", "clearml", r"[A-Za-z0-9]{30,60}"),
    named("gradient", "key", "gradient|paperspace|lightning", rf"[A-Za-z0-9]{{30,64}}|{_UUID}"),
    named("openpipe", "key", "openpipe", r"opk_[0-9a-f]{30,}"),
    shape("openpipe", "key", "opk_|opk-", r"\bopk[_-][0-9a-f]{30,}"),
)

_AGENTS = (
    shape("langsmith", "key", "lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    shape("langsmith", "key", "ls__", r"\bls__[0-9a-f]{32}"),
    shape("llamacloud", "key", "llx-", r"\bllx-[A-Za-z0-9_-]{30,}"),
    shape("helicone", "key", "sk-helicone-|pk-helicone-", r"\b[sp]k-helicone-[a-z0-9-]{20,}"),
    shape(
        "portkey",
        "key",
        "portkey",
        r"(?i:portkey)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9+/]{27,32}=?)",
        plausible.drawn,
    ),
    shape("mem0", "key", "m0-", r"\bm0-[A-Za-z0-9]{30,}"),
    shape("zep", "key", "z_", r"\bz_1dW[A-Za-z0-9._-]{40,}"),
    shape("letta", "key", "sk-let-", r"\bsk-let-[A-Za-z0-9_=-]{20,}"),
    shape("browserbase", "key", "bb_live_|bb_test_", r"\bbb_(?:live|test)_[A-Za-z0-9_-]{20,}"),
    shape("composio", "key", "ak_", r"\bak_[A-Za-z0-9_-]{20}\b", plausible.drawn),
    named("composio", "key", "composio", r"[a-z0-9]{20,24}"),
    shape("dify", "key", "app-|dataset-", r"\b(?:app|dataset)-[A-Za-z0-9]{24}\b", plausible.drawn),
    shape("coze", "token", "pat_|sat_", r"\b[ps]at_[A-Za-z0-9]{50,}"),
    shape("n8n", "key", "n8n_api_", r"\bn8n_api_[0-9a-f]{40,}"),
    shape("tavily", "key", "tvly-", r"\btvly-[A-Za-z0-9-]{20,}"),
    named("exa", "key", "exa_api_key|exa api|exa.ai|metaphor", _UUID),
    named("serper", "key", "serper|x-api-key", r"[0-9a-f]{40}"),
    named("serpapi", "key", "serpapi|serp_api", r"[0-9a-f]{64}"),
    shape("firecrawl", "key", "fc-", r"\bfc-[0-9a-f]{32}"),
    shape("brave", "key", "bsa", r"\bBSA[A-Za-z0-9_-]{26,32}\b", plausible.drawn),
    named("bing", "key", "bing", r"[0-9a-f]{32}"),
    shape("linkup", "key", "linkup", rf"(?i:linkup)[\w -]{{0,20}}[\s=:\"']{{1,5}}({_UUID})"),
    shape("steel", "key", "ste-", r"\bste-[A-Za-z0-9]{40,}"),
    shape("cursor", "key", "crsr_", r"\bcrsr_[0-9a-f]{40,}"),
    shape("devin", "key", "apk_|cog_", r"\b(?:apk|cog)_[A-Za-z0-9+/=_]{30,}", plausible.drawn),
    shape(
        "smithery", "key", "smithery", rf"(?i:smithery)[\w -]{{0,20}}[\s=:\"'?&]{{1,5}}({_UUID})"
    ),
    shape("context7", "key", "ctx7sk-", r"\bctx7sk-[0-9a-f-]{30,}"),
    shape("promptlayer", "key", "pl_", r"\bpl_[0-9a-f]{32}\b"),
    named("wolfram", "key", "wolfram", r"[A-Z0-9]{6}-[A-Z0-9]{10}"),
    shape(
        "kagi",
        "token",
        "kagi",
        r"(?i:kagi)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9._-]{40,})",
        plausible.drawn,
    ),
    shape("poe", "cookie", "p-b=", r"\bp-b=([A-Za-z0-9%+/=]{16,})"),
)

SHAPES = _MODELS + _MEDIA + _COMPUTE + _AGENTS
