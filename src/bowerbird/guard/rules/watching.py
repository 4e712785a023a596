"""Logging, tracing, error reporting and analytics."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

SHAPES = (
    named(
        "datadog",
        "key",
        "datadog|dd_api_key|dd_app_key|dd-api-key|dd-application-key|dd_application_key|ddog",
        r"[0-9a-f]{40}|[0-9a-f]{32}",
    ),
    shape("datadog", "key", "ddapp_|ddpat_|ddsat_", r"\bdd(?:app|pat|sat)_[A-Za-z0-9]{30,}"),
    shape(
        "newrelic",
        "key",
        "nrak-|nrii-|nriq-|nraa-|nrsp-|nrra-",
        r"\bNR(?:AK|II|IQ|AA|SP|RA)-[A-Za-z0-9_-]{20,}",
    ),
    shape("newrelic", "license", "nral", r"\b(?:[a-z]{2}\d{2}xx)?[0-9a-f]{26,40}(?:FFFF)?NRAL\b"),
    named("newrelic", "key", "newrelic|new_relic|new relic", r"[0-9a-f]{40}"),
    shape("sentry", "token", "sntrys_|sntryu_|sntryi_", r"\bsntry[sui]_[A-Za-z0-9+/=_-]{40,}"),
    shape("sentry", "dsn-secret", "sentry|dsn|ingest", r"https?://[0-9a-f]{32}:([0-9a-f]{32})@"),
    named("sentry", "token", "sentry", r"[0-9a-f]{64}"),
    shape("grafana", "token", "glsa_|glc_", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    shape("grafana", "key", "eyjrijoi", r"\beyJrIjoi[A-Za-z0-9+/_-]{40,}={0,2}"),
    shape(
        "honeycomb",
        "key",
        "hcaik_|hcbik_|hcxik_|hcalk_|hcxlk_|hcamk_|hcxmk_|hcik_",
        r"\bhc[a-z]{0,2}[ilm]k_[A-Za-z0-9]{24,}",
    ),
    named("honeycomb", "key", "honeycomb|x-honeycomb-team", r"[A-Za-z0-9]{22}|[0-9a-f]{32}"),
    named("lightstep", "token", "lightstep|servicenow", r"[A-Za-z0-9+/=]{60,}"),
    Rule(
        "splunk-token",
        "splunk",
        rf"(?i)splunk[\w \t\"':=-]{{0,40}}?[\s:=\"']({_UUID})",
        heuristics.drawn,
        provider="splunk",
    ),
    named("splunk", "token", "hec_token|hec token|http event collector", _UUID),
    named("sumologic", "key", "sumo", r"[A-Za-z0-9]{64}"),
    shape(
        "sumologic",
        "url",
        "collectors.sumologic.com",
        r"sumologic\.com/receiver/v1/http/([A-Za-z0-9_=-]{40,})",
    ),
    shape("loggly", "token", "loggly.com", rf"loggly\.com/(?:inputs|bulk)/({_UUID})"),
    named(
        "logging",
        "token",
        "loggly|papertrail|logdna|mezmo|logz|logentries|scalyr|coralogix|rapid7|logtail"
        "|sematext|humio|cribl",
        rf"{_UUID}|[A-Za-z0-9_-]{{20,}}",
    ),
    shape("coralogix", "key", "cxtp_|cxup_|cxop_", r"\bcx[a-z]{2}_[A-Za-z0-9]{24,}"),
    shape("dynatrace", "token", "dt0", r"\bdt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{40,}"),
    named(
        "instana",
        "key",
        "instana|appdynamics|stackify|scout_key|skylight|solarwinds|site24x7|logicmonitor",
        rf"[A-Za-z0-9_-]{{20,}}|{_UUID}",
    ),
    named(
        "errors",
        "token",
        "rollbar|bugsnag|airbrake|raygun|honeybadger|trackjs|appsignal",
        rf"[0-9a-f]{{32}}|{_UUID}|[A-Za-z0-9+/=]{{20,}}",
    ),
    shape("honeybadger", "key", "hbp_|hbpi_", r"\bhbpi?_[A-Za-z0-9]{24,}"),
    shape("uptimerobot", "key", "uptime|monitor", r"\bu[rm]?\d{5,9}-[0-9a-f]{24,32}\b"),
    named(
        "uptime",
        "key",
        "pingdom|uptimerobot|betterstack|better_uptime|betteruptime|cronitor|statuscake"
        "|checkly|freshping",
        r"[A-Za-z0-9_-]{24,}",
    ),
    shape("checkly", "key", "cu_", r"\bcu_[0-9a-f]{32}\b"),
    shape(
        "healthchecks",
        "ping",
        "hc-ping.com|healthchecks.io",
        rf"(?:hc-ping\.com|healthchecks\.io/ping)/({_UUID})",
    ),
    shape("healthchecks", "key", "hcw_|hcr_", r"\bhc[wr]_[A-Za-z0-9]{24,}"),
    shape("axiom", "token", "xaat-|xapt-", rf"\bxa[ap]t-{_UUID}"),
    shape("logfire", "token", "pylf_", r"\bpylf_v\d+_[a-z]{2,10}_[A-Za-z0-9]{30,}"),
    shape("prefect", "key", "pnu_|pnb_", r"\bpn[ub]_[A-Za-z0-9]{30,}"),
    shape("posthog", "key", "phx_|phs_|phr_|pha_", r"\bph[xsra]_[A-Za-z0-9_-]{40,}"),
    named(
        "usage",
        "secret",
        "amplitude|mixpanel|segment|heap_|kissmetrics|plausible|fathom|matomo|umami|keen_|countly",
        rf"[0-9a-f]{{32}}|[A-Za-z0-9]{{32,}}|{_UUID}",
    ),
    shape("firehydrant", "token", "fhb-", r"\bfhb-[A-Za-z0-9]{24,}"),
    shape(
        "temporal",
        "key",
        "temporal",
        r"(?i:temporal)[\w -]{0,20}[\s=:\"']{1,5}(eyJ[A-Za-z0-9_.-]{60,})",
    ),
    shape(
        "dagster", "token", "dagster|agent:|user:", r"\b(?:agent|user):[\w-]{2,60}:[0-9a-f]{32}\b"
    ),
    shape(
        "hyperdx",
        "key",
        "hyperdx|highlight|signoz|uptrace|openobserve",
        rf"(?i:hyperdx|highlight|signoz|uptrace"
        rf"|openobserve)[\w -]{{0,24}}[\s=:\"']{{1,5}}({_UUID})",
    ),
    shape("incident", "key", "inc_", r"\binc_[a-z]{2,10}_[A-Za-z0-9]{24,}"),
    named(
        "datadome",
        "key",
        "datadome|perimeterx|kasada|imperva|incapsula",
        rf"[A-Za-z0-9]{{24,}}|{_UUID}",
    ),
)
