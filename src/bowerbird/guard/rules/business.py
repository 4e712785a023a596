"""Collaboration, commerce, publishing and games."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_WORK = (
    shape("asana", "token", "0/1|1/1|2/1", r"\b[0-2]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}\b"),
    named("asana", "token", "asana", r"[0-9a-f]{32}|0/[0-9a-f]{32}"),
    shape("atlassian", "token", "atatt3|atctt3|atstt3", r"\bAT[ACS]TT3[\w=+/-]{50,}"),
    named("atlassian", "token", "atlassian|jira|confluence", r"[A-Za-z0-9]{24}|[A-Za-z0-9+/]{44}"),
    shape("trello", "token", "atta", r"\bATTA[0-9a-f]{60,}"),
    named("trello", "token", "trello", r"[0-9a-f]{64}|[0-9a-f]{32}"),
    shape("linear", "key", "lin_", r"\blin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}"),
    named("linear", "secret", "linear", r"[0-9a-f]{32}"),
    shape("notion", "token", "ntn_", r"\bntn_[A-Za-z0-9]{40,}"),
    Rule(
        "notion-token",
        "secret_",
        r"\bsecret_[A-Za-z0-9]{43}\b",
        heuristics.random,
        provider="notion",
    ),
    shape(
        "figma",
        "token",
        "figd_|figo_|figoh_|figor_|figu_|figuh_|figur_",
        r"\bfig(?:d|oh?|or|uh?|ur)_[A-Za-z0-9_-]{20,}",
    ),
    shape("clickup", "token", "pk_", r"\bpk_\d{5,10}_[A-Z0-9]{32}\b"),
    named("todoist", "token", "todoist", r"[0-9a-f]{40}"),
    named("toggl", "token", "toggl|harvest|clockify|everhour", r"[0-9a-f]{32}|[A-Za-z0-9]{40,64}"),
    shape("dropbox", "token", "sl.", r"\bsl\.(?:u\.)?[A-Za-z0-9_-]{60,}"),
    named("dropbox", "token", "dropbox", r"[A-Za-z0-9_-]{64}"),
    named(
        "box",
        "token",
        "box_developer|box_token|box developer|box.com|box_client",
        r"[A-Za-z0-9]{32}",
    ),
    named("monday", "token", "monday", r"eyJ[A-Za-z0-9_.-]{60,}|[0-9a-f]{32}"),
    named("miro", "token", "miro", r"eyJ[A-Za-z0-9_.-]{27,}|[A-Za-z0-9_-]{27}"),
    named(
        "work",
        "key",
        "shortcut|wrike|basecamp|teamwork|redmine|youtrack|taiga|openproject|pivotal"
        "|productboard|aha.io|height|plane_api|evernote|raindrop|pocket_|instapaper|readwise"
        "|craft_|guru|slab|gitbook|calendly|cal.com|doodle|loom|lucid|whimsical",
        rf"[A-Za-z0-9_.:=-]{{24,}}|{_UUID}",
    ),
    shape("gitbook", "token", "gb_api_", r"\bgb_api_[A-Za-z0-9]{30,}"),
    shape("cal", "key", "cal_", r"\bcal_(?:live_|test_)?[0-9a-f]{32}\b"),
    shape(
        "evernote",
        "token",
        "s=s",
        r"\bS=s\d+:U=[0-9a-f]+:E=[0-9a-f]+:C=[0-9a-f]+:P=[0-9a-f]+:A=[^\s\"']{10,}",
    ),
    shape("onshape", "key", "onshape|autodesk|adobe", r"\b(p8e-[A-Za-z0-9_-]{32})\b"),
    shape("adobe", "secret", "p8e-", r"\bp8e-[A-Za-z0-9_-]{32}\b"),
    named(
        "adobe",
        "key",
        "adobe|autodesk|docusign|hellosign|pandadoc|dropbox_sign|signnow",
        rf"[0-9a-f]{{32,64}}|{_UUID}|[A-Za-z0-9]{{32,64}}",
    ),
    shape("frameio", "token", "fio-u-", r"\bfio-u-[A-Za-z0-9_=-]{50,}"),
    shape("settlemint", "token", "sm_aat_|sm_pat_|sm_sat_", r"\bsm_[aps]at_[A-Za-z0-9]{16,}"),
    shape(
        "fibery",
        "token",
        "fibery",
        r"(?i:fibery)[\w -]{0,20}[\s=:\"']{1,5}([0-9a-f]{8}\.[0-9a-f]{30,})",
        heuristics.drawn,
    ),
)

_SELL = (
    shape("salesforce", "session", "00d", r"\b00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}"),
    shape("salesforce", "refresh-token", "5aep861", r"\b5Aep861[A-Za-z0-9._]{50,}"),
    named("salesforce", "secret", "salesforce|sfdc", r"[0-9A-F]{64}|[A-Za-z0-9]{24,25}|\d{18,19}"),
    shape("hubspot", "token", "pat-", rf"\bpat-[a-z]{{2}}\d-{_UUID}"),
    named("hubspot", "key", "hubspot|hapikey", _UUID),
    shape("zoho", "token", "1000.", r"\b1000\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    named(
        "sales",
        "key",
        "pipedrive|zoho|copper|close.io|attio|apollo.io|apollo_api|clearbit|fullcontact|lusha"
        "|zoominfo|marketo|pardot|eloqua|outreach|salesloft|lemlist|instantly|phantombuster"
        "|snov|chargebee|eventbrite|meetup",
        rf"[0-9a-f]{{32,64}}|{_UUID}|[A-Za-z0-9_=-]{{20,}}",
    ),
    shape(
        "zapier",
        "hook",
        "://hooks.zapier.com",
        r"://hooks\.zapier\.com/hooks/catch/(\d+/[A-Za-z0-9]{5,}(?:/[A-Za-z0-9/]*)?)",
    ),
    shape(
        "make",
        "hook",
        "make.com|integromat.com",
        r"hook\.[a-z0-9.]*(?:make|integromat)\.com/([a-z0-9]{24,})",
    ),
    shape(
        "ifttt",
        "key",
        "maker.ifttt.com",
        r"maker\.ifttt\.com/trigger/[^\s/]{1,80}/(?:json/)?with/key/([A-Za-z0-9_-]{20,})",
    ),
    shape(
        "logicapp",
        "url",
        "logic.azure.com",
        r"logic\.azure\.com[^\s\"']{1,300}?[?&]sig=([A-Za-z0-9_%-]{30,})",
    ),
    named(
        "bitly",
        "token",
        "bitly|bit.ly|rebrandly|tinyurl|short.io",
        r"[0-9a-f]{32,40}|[A-Za-z0-9_-]{40,60}",
    ),
)

_SOCIAL = (
    shape("facebook", "token", "eaa", r"\bEAA[A-Za-z0-9]{60,}"),
    shape(
        "facebook",
        "app-token",
        "facebook|fb_|graph|access_token|app_token",
        r"\b\d{14,17}\|[A-Za-z0-9_-]{27}\b",
        heuristics.drawn,
    ),
    named("facebook", "secret", "facebook|fb_app|fb_secret|meta_app|instagram", r"[0-9a-f]{32}"),
    shape("instagram", "token", "igq|igaa", r"\bIG(?:QV|QW|AA)[A-Za-z0-9_-]{60,}"),
    shape("twitter", "bearer", "aaaaaaaaaaaaaaaaaaaa", r"\bA{20,}[A-Za-z0-9%_-]{40,}"),
    named(
        "twitter",
        "secret",
        "twitter|x_api|tweepy|consumer_key|consumer_secret|access_token_secret",
        r"\d{8,20}-[A-Za-z0-9]{40}|[A-Za-z0-9]{40,55}|[A-Za-z0-9]{25}",
    ),
    shape(
        "linkedin",
        "token",
        "wpl_ap|aqv|aqx|aqu|aqw",
        r"\b(?:WPL_AP\d\.[A-Za-z0-9.=+/_-]{12,}|AQ[U-X][A-Za-z0-9_-]{80,})",
    ),
    named("linkedin", "secret", "linkedin", r"[A-Za-z0-9]{16}"),
    named("reddit", "secret", "reddit|praw", r"[A-Za-z0-9_-]{27,30}"),
    shape("twitch", "token", "oauth:", r"\boauth:([a-z0-9]{30})\b"),
    named("twitch", "secret", "twitch|kick_", r"[a-z0-9]{30}|live_\d+_[A-Za-z0-9]{30}"),
    shape("twitch", "stream-key", "live_", r"\blive_\d{6,12}_[A-Za-z0-9]{24,40}"),
    named("spotify", "secret", "spotify", r"[0-9a-f]{32}|[AB]Q[A-Za-z0-9_-]{80,}"),
    shape(
        "spotify",
        "token",
        "spotify|bearer|access_token",
        r"\b[BA]Q[A-Za-z0-9_-]{130,}\b",
        heuristics.random,
    ),
    shape("tiktok", "token", "act.|rft.|clt.", r"\b(?:act|rft|clt)\.[A-Za-z0-9!._-]{40,}"),
    shape("pinterest", "token", "pina_", r"\bpina_[A-Za-z0-9]{50,}"),
    shape("vk", "token", "vk1.a.", r"\bvk1\.a\.[A-Za-z0-9_-]{60,}"),
    named(
        "social",
        "secret",
        "tumblr|flickr|strava|fitbit|withings|garmin|oura|whoop|bluesky|bsky|mastodon"
        "|snapchat|vimeo|soundcloud|lastfm|last.fm|genius|musixmatch|patreon|disqus|medium_"
        "|substack|buffer|hootsuite",
        rf"[0-9a-f]{{32,64}}|[A-Za-z0-9_-]{{32,64}}|{_UUID}",
    ),
    shape(
        "bluesky",
        "app-password",
        "bsky|bluesky|atproto",
        r"\b([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})\b",
    ),
    shape("yandex", "token", "agaaaa", r"\bAgAAAA[A-Za-z0-9_-]{30,}"),
)

_PLAY = (
    named("steam", "key", "steam", r"[0-9A-F]{32}"),
    shape("riot", "key", "rgapi-", rf"(?i)\bRGAPI-{_UUID}"),
    shape(
        "roblox",
        "cookie",
        "warning:-do-not-share",
        r"_\|WARNING:-DO-NOT-SHARE[^|]{0,200}\|_([A-Za-z0-9._-]{60,})",
    ),
    named(
        "games",
        "key",
        "roblox|unity_|epic_|battlenet|blizzard|nexusmods|curseforge|modrinth|itch.io|xbox"
        "|igdb|hypixel|fortnite",
        rf"[A-Za-z0-9+/=$.]{{30,}}|{_UUID}",
    ),
    shape("modrinth", "token", "mrp_", r"\bmrp_[A-Za-z0-9]{50,}"),
    shape("openxbl", "key", "curseforge|x-api-key", r"\$2[aby]\$10\$[A-Za-z0-9./]{53}"),
)

_THINGS = (
    shape("adafruit", "key", "aio_", r"\baio_[A-Za-z0-9]{28}\b"),
    named("adafruit", "key", "adafruit", r"[0-9a-f]{32}"),
    named(
        "things",
        "token",
        "smartthings|particle|blynk|thingspeak|ubidots|losant|netatmo|nest_|tado|tuya|shelly"
        "|homeassistant|home_assistant|hass_token|ring_|ecobee|sonos|philips|hue_|tibber"
        "|octopus_energy|govee|lifx|switchbot",
        rf"{_UUID}|[A-Za-z0-9_.-]{{24,}}",
    ),
    shape("ubidots", "token", "bbff-|bbus-", r"\bBB(?:FF|US)-[A-Za-z0-9]{30,}"),
    shape("octopusenergy", "key", "sk_live_", r"\bsk_live_[A-Za-z0-9]{20,}"),
    shape("tesla", "token", "eu-|na-|cn-", r"\b(?:eu|na|cn)-[0-9a-f]{64}\b"),
    named(
        "geo",
        "key",
        "planet_api|pl_api_key|sentinelhub|copernicus|strava",
        r"PLAK[0-9a-f]{32}|[A-Za-z0-9_-]{32,}",
    ),
    shape("planet", "key", "plak", r"\bPLAK[0-9a-f]{32}\b"),
    shape("intra", "secret", "s-s4t2", r"\bs-s4t2(?:ud|af)-[0-9a-f]{60,}"),
    shape(
        "freemius",
        "key",
        "secret_key|freemius",
        r"[\"']secret_key[\"']\s*=>\s*[\"'](sk_[^\s\"']{29})",
    ),
)

_APPLE = (
    shape(
        "apple",
        "app-password",
        "password|passwort|apple|altool|notary|app-specific",
        r"(?i:password|passwort|apple|altool|notary"
        r"|app-specific)[^\n]{0,80}?[\s:=\"'`]([a-z]{4}(?:-[a-z]{4}){3})\b",
        heuristics.any_value,
        common=True,
    ),
    shape(
        "apple",
        "key",
        "apple",
        r"(?i:app.?store.?connect|apns)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9+/]{100,})",
    ),
    named("hue", "key", "hue_|philips|/api/", r"[A-Za-z0-9_-]{40}"),
)

SHAPES = _APPLE + _WORK + _SELL + _SOCIAL + _PLAY + _THINGS
