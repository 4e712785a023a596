"""Secrets in headers, cookies and addresses."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule

SHAPES = (
    Rule(
        "authorization",
        "authorization",
        r"(?i)authorization(?:[\"'\\\]]{1,4}\s{0,3},|[\"'\\\]]{0,4}\s{0,3}[:=])\s{0,3}[\"'`\\]{0,4}"
        r"(?:[a-z]{3,10}\s{1,2})?([A-Za-z0-9._~+/=:-]{8,})",
        heuristics.opaque,
    ),
    Rule(
        "authorization",
        "bearer ",
        r"(?i)\bbearer\s{1,2}([A-Za-z0-9._~+/=-]{8,})",
        heuristics.random,
    ),
    Rule(
        "cookie",
        "cookie",
        r"(?i)cookie[\"'\\]{0,3}\s{0,3}[:= ]\s{0,3}[\"'\\]{0,3}([^\r\n\"'\\]{8,})",
        heuristics.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "cookie",
        "curl |wget |http ",
        r"\bcurl\b[^\n]*?\s-b\s*[\"']?([^\r\n\"'\\]{8,})",
        heuristics.random,
        inner=r"[\w.-]+=([^;\s,]{16,})",
    ),
    Rule(
        "url-password",
        "://",
        r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:\"'<>`\\]*:([^\s/\"'<>`\\]+)@",
        heuristics.any_value,
        also="@",
    ),
    Rule("url-password", "jdbc:oracle", r"thin:[^\s/\"']+/([^\s@\"']+)@", heuristics.any_value),
    # A token as the user name of an address, without a password.
    Rule(
        "url-password",
        "://",
        r"://([A-Za-z0-9_.~-]{16,})(?::x-oauth-basic|:)?@",
        heuristics.private_user,
    ),
    Rule(
        "url-password",
        "key=|token=|secret=|sig=|signature=|auth=|code=|appid=|password=|passwd=|pwd=|pass=|pin=",
        r"(?i)[?&;][a-z_.-]{0,24}(?:key|token|secret|sig|signature|auth|code|appid)="
        r"([A-Za-z0-9_.~%+/=|-]{16,})",
        heuristics.drawn,
    ),
    Rule(
        "url-password",
        "password=|passwd=|pwd=|pass=",
        r"(?i)[?&][a-z_.-]{0,24}(?:password|passwd|pwd|pass)=([^\s\"'&<>#`\\;]{4,})",
        heuristics.any_value,
    ),
    # Addresses that are secret as a whole, because anyone who knows them may write there.
    Rule(
        "webhook",
        "/hook|/webhook|hooks.|webhook.|/catch/|/trigger/|/ingest/|/incoming/",
        r"(?i)https?://[^\s\"'<>]{0,120}(?:hook|catch|trigger|ingest|incoming)[a-z0-9.-]{0,40}/"
        r"(?:[a-z0-9_.-]{1,40}/){0,5}?([A-Za-z0-9_-]{20,})",
        heuristics.drawn,
    ),
    Rule(
        "url-password",
        "/api/|/key/|/token/|/t/|/v1/|/v2/|/v3/|/rpc/|/feed/|/ical/|/calendar/",
        r"https?://[^\s\"'<>?#]{1,120}/(?:api|key|token|t|v\d|rpc|feed|ical"
        r"|calendar)/([A-Za-z0-9_-]{28,})",
        heuristics.strong,
    ),
    Rule(
        "header",
        '-key:|-token:|-secret:|apikey:|-auth:|-signature:|x-api|_token:|-key":|-token":'
        "|-key':|-token':|token:|-password:",
        r"(?i)\b(?:x-|[a-z0-9]{2,24}-)?[a-z0-9-]{0,40}(?:key|token|secret|auth|signature"
        r"|password|credential)"
        r"[\"'\\]{0,3}\s?:\s?[\"'\\]{0,3}(?:bearer |basic |token )?([A-Za-z0-9_.~+/=:-]{20,})",
        heuristics.drawn_value,
    ),
)
