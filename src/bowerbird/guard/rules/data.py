"""Databases, search, content and maps."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_STORES = (
    shape("neon", "key", "napi_", r"\bnapi_[a-z0-9]{40,}"),
    shape("neon", "password", "npg_", r"\bnpg_[A-Za-z0-9]{12,}"),
    shape("planetscale", "token", "pscale_", r"\bpscale_[a-z]{2,6}_[\w.=-]{30,}"),
    shape("supabase", "key", "sbp_", r"\bsbp_(?:[a-z0-9]+_)?[0-9a-f]{40}"),
    shape("supabase", "key", "sb_secret_", r"\bsb_secret_[A-Za-z0-9_-]{20,}"),
    shape("mongodb", "secret", "mdb_sa_sk_", r"\bmdb_sa_sk_[A-Za-z0-9_-]{30,}"),
    named("mongodb", "key", "mongodb_atlas|atlas|mongocli", _UUID),
    named("upstash", "token", "upstash", r"A[A-Za-z0-9_+/-]{36,}={0,2}"),
    shape("elastic", "key", "essu_", r"\bessu_[A-Za-z0-9+/=]{40,}"),
    shape("clickhouse", "key", "4b1d", r"\b4b1d[A-Za-z0-9]{38}\b", heuristics.drawn),
    shape("cockroach", "key", "ccdb1_", r"\bCCDB1_[A-Za-z0-9]{20,}_[A-Za-z0-9]{30,}"),
    shape("confluent", "secret", "cflt", r"\bcflt[A-Za-z0-9+/]{50,70}"),
    named(
        "confluent",
        "secret",
        "confluent|sasl_password|sasl.password|schema_registry|lkc-",
        r"[A-Za-z0-9+/]{60,64}",
    ),
    shape(
        "confluent",
        "secret",
        "api-key store",
        r"api-key store\s+[A-Z0-9]{16}\s+([A-Za-z0-9+/]{40,})",
    ),
    shape("aiven", "password", "avns_", r"\bAVNS_[A-Za-z0-9_-]{11,}"),
    shape("aiven", "token", "aivenv1", r"\baivenv1[A-Za-z0-9+/=_-]{60,}"),
    named("aiven", "token", "aiven", r"[A-Za-z0-9+/=]{60,}"),
    shape(
        "fauna", "key", "fnae|fnad|fnaf|fauna", r"\bfn[A-Z][A-Za-z0-9_-]{37}\b", heuristics.drawn
    ),
    shape("xata", "key", "xau_", r"\bxau_[A-Za-z0-9]{30,}"),
    shape(
        "convex",
        "key",
        "prod:|preview:|dev:",
        r"\b(?:prod|preview|dev):[a-z0-9-]{5,60}\|[A-Za-z0-9+/=_-]{40,}",
    ),
    shape("appwrite", "key", "standard_", r"\bstandard_[0-9a-f]{60,}"),
    named("hasura", "secret", "hasura", r"[A-Za-z0-9]{32,64}"),
    named("influxdb", "token", "influx", r"[A-Za-z0-9_-]{86}==|[A-Za-z0-9_-]{60,}={0,2}"),
    named(
        "questdb",
        "token",
        "questdb|timescale|crate.io|singlestore|couchbase|arango|neo4j|dgraph|surreal|edgedb"
        "|gel_secret",
        r"[A-Za-z0-9_.-]{24,}",
    ),
    shape("gel", "key", "edbt_|nbwt_", r"\b(?:edbt|nbwt)\d?_[A-Za-z0-9_.-]{30,}"),
    shape("timescale", "token", "tsdb", r"\btsdbt?_[A-Za-z0-9]{20,}", heuristics.drawn),
    shape("datastax", "token", "astracs:", r"\bAstraCS:[A-Za-z0-9]{10,}:[0-9a-f]{60,}"),
    shape("motherduck", "token", "motherduck", r"motherduck_token=([A-Za-z0-9_.-]{30,})"),
    shape("tinybird", "token", "p.eyj", r"\bp\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    shape("turbopuffer", "key", "tpuf_", r"\btpuf_[A-Za-z0-9]{30,}"),
    shape("dbt", "token", "dbtc_|dbtu_|dbts_", r"\bdbt[cus]_[A-Za-z0-9_=-]{30,}"),
    named("dbt", "token", "dbt_cloud|dbt cloud|dbt_token", r"[0-9a-f]{40,64}"),
    named(
        "fivetran",
        "secret",
        "fivetran|airbyte|stitch|hightouch|hevo|matillion|rudderstack",
        rf"[A-Za-z0-9_-]{{24,}}|{_UUID}",
    ),
    named("snowflake", "token", "snowflake", r"[A-Za-z0-9._-]{80,}"),
)

_SEARCH = (
    shape("pinecone", "key", "pcsk_", r"\bpcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}"),
    named("pinecone", "key", "pinecone", _UUID),
    named("qdrant", "key", "qdrant", r"[A-Za-z0-9_-]{32,64}"),
    named("weaviate", "key", "weaviate|wcs_api", r"[A-Za-z0-9]{36,40}|[A-Za-z0-9+/=_]{60,}"),
    shape("chroma", "key", "ck-", r"\bck-[A-Za-z0-9]{40,}"),
    named("zilliz", "key", "zilliz|milvus", r"[0-9a-f]{60,}"),
    named("algolia", "key", "algolia|algoliasearch|x-algolia-api-key", r"[0-9a-f]{32}"),
    shape(
        "algolia",
        "key",
        "algoliasearch",
        r"algoliasearch(?:\.\w+)?\(\s*[\"'][A-Z0-9]{8,12}[\"'],\s*[\"']([0-9a-f]{32})[\"']",
    ),
    named("meilisearch", "key", "meili|master-key|master_key", r"[A-Za-z0-9_-]{20,64}"),
    named("typesense", "key", "typesense", r"[A-Za-z0-9]{24,48}"),
    named(
        "swiftype",
        "key",
        "swiftype|app_search|coveo|lucidworks|bonsai",
        rf"(?:search|private)-[a-z0-9]{{24}}|xx[0-9a-f-]{{36}}|{_UUID}",
    ),
)

_CONTENT = (
    shape("contentful", "token", "cfpat-", r"\bCFPAT-[A-Za-z0-9_-]{40,}"),
    named("contentful", "token", "contentful", r"[A-Za-z0-9_-]{43}|[0-9a-f]{64}"),
    shape("sanity", "token", "sanity|token", r"\bsk[A-Za-z0-9]{80,200}\b", heuristics.drawn),
    named("sanity", "token", "sanity", r"sk[A-Za-z0-9]{60,}"),
    named("storyblok", "token", "storyblok", r"[A-Za-z0-9]{22}tt|[A-Za-z0-9_-]{24,}"),
    named("strapi", "token", "strapi", r"[0-9a-f]{128,256}"),
    named(
        "datocms",
        "token",
        "datocms|dato_api|prismic|hygraph|graphcms|kontent|butter|cosmic|directus"
        "|payload_secret|builder.io|agility",
        r"[A-Za-z0-9_-]{24,}",
    ),
    shape("builder", "key", "bpk-", r"\bbpk-[0-9a-f]{32}"),
    shape("ghost", "key", "ghost|admin_api|admin api", r"\b[0-9a-f]{24}:[0-9a-f]{64}\b"),
    named(
        "wordpress",
        "password",
        "application password|application_password|app password|app_password",
        r"(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}",
    ),
    named("webflow", "token", "webflow", r"[0-9a-f]{64}"),
    named("framer", "key", "squarespace|wix_api|framer", rf"{_UUID}|[A-Za-z0-9_.-]{{40,}}"),
    shape("airtable", "token", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    shape(
        "airtable",
        "key",
        "airtable",
        r"(?i:airtable)[\w \"'=:(\[.-]{0,40}\b(key[A-Za-z0-9]{14})\b",
        heuristics.drawn,
    ),
    named(
        "coda",
        "token",
        "coda_api|coda.io|coda api|baserow|nocodb|seatable|smartsheet|rows.com",
        rf"{_UUID}|[A-Za-z0-9_-]{{24,}}",
    ),
    shape("retool", "token", "retool_", r"\bretool_[A-Za-z0-9]{20,}"),
    shape("tally", "key", "tly-", r"\btly-[A-Za-z0-9]{20,}"),
    shape("typeform", "token", "tfp_", r"\btfp_[A-Za-z0-9_-]{30,}"),
    named("jotform", "key", "jotform|surveymonkey|qualtrics|formstack", r"[A-Za-z0-9._-]{30,}"),
)

_MAPS = (
    # A pk. token is public: every page with a map contains it.
    shape(
        "mapbox", "token", "sk.eyj|tk.eyj", r"\b[st]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}"
    ),
    named(
        "maps",
        "key",
        "maptiler|tomtom|here_api|here_app|heremaps|locationiq|opencage|geoapify|graphhopper"
        "|stadia|jawg|thunderforest|positionstack|geocodio|what3words",
        r"[A-Za-z0-9_-]{20,64}",
    ),
    shape("locationiq", "key", "pk.", r"\bpk\.[0-9a-f]{32}\b"),
    shape(
        "openrouteservice",
        "key",
        "5b3ce3597851110001cf6248",
        r"\b5b3ce3597851110001cf6248[0-9a-f]{32}",
    ),
    named(
        "weather",
        "key",
        "openweather|owm_api|weatherapi|appid|accuweather|tomorrow.io|visualcrossing|meteo",
        r"[0-9a-f]{30,32}|[A-Za-z0-9]{25,36}",
    ),
    shape("maxmind", "key", "_mmk", r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    named(
        "ip",
        "token",
        "ipinfo|ipstack|ipgeolocation|ipdata|abstractapi|ipapi|ip2location",
        r"[0-9a-f]{32,56}|[A-Za-z0-9]{20,}",
    ),
    named(
        "flight",
        "key",
        "amadeus|skyscanner|aviationstack|flightaware|duffel",
        r"[A-Za-z0-9]{16,32}",
    ),
    named(
        "content",
        "key",
        "newsapi|nytimes|unsplash|pexels|pixabay|giphy|tenor|tmdb|omdb|themoviedb|nasa_api"
        "|guardian_api|youtube_api",
        r"[A-Za-z0-9_-]{32,56}|[0-9a-f]{32}",
    ),
)

SHAPES = _STORES + _SEARCH + _CONTENT + _MAPS
