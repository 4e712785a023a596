"""Chat, mail, telephony, push notifications and on-call alerts."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_CHAT = (
    shape("slack", "token", "xox", r"\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9%-]{11,}"),
    shape("slack", "token", "xapp-|xwfp-", r"\b(?:xapp-\d|xwfp)-[A-Za-z0-9-]{20,}"),
    shape(
        "slack",
        "webhook",
        "hooks.slack.com",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/+]{20,})",
    ),
    named("slack", "signing-secret", "slack", r"[0-9a-f]{32}"),
    shape(
        "discord",
        "token",
        "discord|bot|client|token",
        r"\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}",
    ),
    shape("discord", "token", "mfa.", r"\bmfa\.[A-Za-z0-9_-]{60,}"),
    shape(
        "discord",
        "webhook",
        "/webhooks/",
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/([A-Za-z0-9_-]{40,})",
    ),
    named("discord", "secret", "discord", r"[A-Za-z0-9_-]{32}"),
    shape("telegram", "token", ":aa", r"(?:^|[^0-9])(\d{8,10}:AA[A-Za-z0-9_-]{30,})"),
    shape(
        "telegram",
        "token",
        "api.telegram.org",
        r"api\.telegram\.org/bot(\d{6,12}:[A-Za-z0-9_-]{30,})",
    ),
    named("telegram", "api-hash", "api_hash|telegram", r"[0-9a-f]{32}"),
    shape(
        "matrix",
        "token",
        "syt_|mct_|mat_|mcr_",
        r"\b(?:syt_[A-Za-z0-9+/=]+_[A-Za-z]{16,24}_[A-Za-z0-9]{6}"
        r"|m[ac][tr]_[A-Za-z0-9]{24,}_[A-Za-z0-9]{6})",
    ),
    named("mattermost", "token", "mattermost", r"[a-z0-9]{26}"),
    shape(
        "mattermost",
        "webhook",
        "/hooks/",
        r"://[^\s/\"']{1,80}(?:/[a-z]{1,20})?/hooks/([a-z0-9]{26})\b",
        heuristics.drawn,
    ),
    shape(
        "rocketchat",
        "webhook",
        "/hooks/",
        r"://[^\s/\"']{1,80}/hooks/[A-Za-z0-9]{17,24}/([A-Za-z0-9]{40,})",
    ),
    named("rocketchat", "token", "rocketchat|rocket.chat", r"[A-Za-z0-9_-]{43}"),
    named("zulip", "key", "zulip", r"[A-Za-z0-9]{32}"),
    named("webex", "token", "webex", r"[A-Za-z0-9_-]{60,}"),
    named("zoom", "secret", "zoom", r"[A-Za-z0-9]{32}|[A-Za-z0-9_-]{20,40}"),
    named(
        "line",
        "token",
        "line_channel|line channel|line_notify|line notify|channel_access_token",
        r"[A-Za-z0-9+/]{100,}={0,2}|[0-9a-f]{32}|[A-Za-z0-9]{43}",
    ),
    named("gitter", "token", "gitter", r"[0-9a-f]{40}"),
    named("signal", "password", "signald|signal-cli", r"[A-Za-z0-9+/]{20,}"),
    named("viber", "token", "viber", r"[0-9a-f]{16}-[0-9a-f]{16}-[0-9a-f]{16}"),
    named(
        "feishu", "secret", "feishu|lark|dingtalk|wecom|wechat", rf"[A-Za-z0-9_-]{{32,64}}|{_UUID}"
    ),
    shape(
        "dingtalk",
        "webhook",
        "dingtalk.com",
        r"dingtalk\.com/robot/send\?access_token=([0-9a-f]{40,})",
    ),
    shape("feishu", "webhook", "open-apis/bot", rf"open-apis/bot/v\d/hook/({_UUID})"),
    shape("wecom", "webhook", "webhook/send?key=", rf"webhook/send\?key=({_UUID})"),
)

_MAIL = (
    shape("sendgrid", "key", "sg.", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    shape("mailgun", "key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    shape("mailgun", "key", "mailgun|mg_|mg.|api:", r"\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b"),
    shape("mailchimp", "key", "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    shape("mandrill", "key", "md-", r"\bmd-[A-Za-z0-9_-]{22}\b", heuristics.drawn),
    named("mandrill", "key", "mandrill", r"[A-Za-z0-9_-]{22}"),
    named("postmark", "token", "postmark|x-postmark-server-token", _UUID),
    shape("resend", "key", "re_", r"\bre_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{18,}\b", heuristics.drawn),
    named("resend", "key", "resend", r"re_[A-Za-z0-9_]{20,}"),
    shape(
        "brevo", "key", "xkeysib-|xsmtpsib-", r"\bx(?:key|smtp)sib-[0-9a-f]{40,}-[A-Za-z0-9]{12,}"
    ),
    named("mailjet", "key", "mailjet|mj_apikey", r"[0-9a-f]{32}"),
    named("sparkpost", "key", "sparkpost", r"[0-9a-f]{40}"),
    shape("mailersend", "token", "mlsn.", r"\bmlsn\.[0-9a-f]{50,}"),
    named("mailtrap", "token", "mailtrap", r"[0-9a-f]{32}"),
    shape(
        "amazon",
        "smtp-password",
        "smtp",
        r"(?i:smtp)[\w -]{0,24}pass(?:word)?[\"']?\s?[=:]\s?[\"']?(B[A-Za-z0-9+/]{43})\b",
        heuristics.drawn,
    ),
    shape("klaviyo", "key", "pk_", r"\bpk_[0-9a-f]{34}\b"),
    named("customerio", "key", "customerio|customer.io", r"[0-9a-f]{32}|[0-9a-f]{20}"),
    named(
        "convertkit",
        "key",
        "convertkit|activecampaign|getresponse|moosend|mailerlite|omnisend|iterable|braze"
        "|sendinblue|drip",
        rf"[A-Za-z0-9_.-]{{22,}}|{_UUID}",
    ),
    named("loops", "key", "loops_api|loops.so|plunk", r"[0-9a-f]{32}|sk_[0-9a-f]{40,}"),
    shape("mailboxlayer", "key", "mailboxlayer|apilayer", r"access_key=([0-9a-f]{32})"),
    named("nylas", "key", "nylas", r"nyk_[A-Za-z0-9_]{40,}|[A-Za-z0-9]{30}"),
    shape("nylas", "key", "nyk_", r"\bnyk_[A-Za-z0-9_]{40,}"),
    shape(
        "google",
        "app-password",
        "app password|app-password|app_password|apppassword",
        r"(?i:app.?password)[^\n]{0,40}?[\s:=\"'`]((?:[a-z]{4} ){3}[a-z]{4})\b",
    ),
)

_TELEPHONE = (
    shape(
        "twilio",
        "key",
        "|".join("sk" + digit for digit in "0123456789abcdef"),
        r"\bSK[0-9a-f]{32}\b",
    ),
    Rule(
        "twilio-token",
        "'ac|\"ac",
        r"AC[0-9a-f]{32}[\"'],\s*[\"']([0-9a-f]{32})\b",
        heuristics.any_value,
        provider="twilio",
    ),
    shape("twilio", "token", "twilio|-u ac|//ac|user ac", r"\bAC[0-9a-f]{32}:([0-9a-f]{32})\b"),
    named(
        "twilio", "token", "twilio|authtoken|auth_token|auth token", r"[0-9a-f]{32}|[A-Za-z0-9]{32}"
    ),
    named("messagebird", "key", "messagebird|accesskey", r"(?:live_|test_)?[A-Za-z0-9]{25}"),
    named("vonage", "secret", "vonage|nexmo", r"[A-Za-z0-9]{16}"),
    named("plivo", "token", "plivo", r"[A-Za-z0-9]{40}"),
    shape("telnyx", "key", "key0", r"\bKEY0[0-9A-F]{20,}_[A-Za-z0-9]{20,}"),
    shape("infobip", "key", "app ", rf"(?i:app) ([0-9a-f]{{32}}-{_UUID})"),
    named(
        "sinch",
        "secret",
        "sinch|clicksend|bandwidth|textmagic|africastalking|atsk",
        rf"[A-Za-z0-9~_=-]{{24,}}|{_UUID}",
    ),
    shape("africastalking", "key", "atsk_", r"\batsk_[0-9a-f]{60,}"),
    named("agora", "certificate", "agora", r"[0-9a-f]{32}"),
    named("daily", "key", "daily.co|daily_api|livekit|vidyo|100ms", r"[A-Za-z0-9]{32,64}"),
    named("ringcentral", "secret", "ringcentral|dialpad|aircall", r"[A-Za-z0-9_-]{22,80}"),
)

_PUSH = (
    shape("onesignal", "key", "os_v2_", r"\bos_v2_(?:app|org)_[a-z2-7]{60,}"),
    named("onesignal", "key", "onesignal", rf"[A-Za-z0-9]{{48}}|{_UUID}"),
    shape(
        "ably",
        "key",
        "ably",
        r"\b[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{40,50}\b",
        heuristics.drawn,
    ),
    named("ably", "key", "ably", r"[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{16,}"),
    shape("pubnub", "key", "sec-c-|pub-c-", r"\bsec-c-[A-Za-z0-9+/=-]{36,}"),
    named("pusher", "secret", "pusher", r"[0-9a-f]{20}|[0-9A-F]{64}"),
    named("pushover", "token", "pushover", r"[a-z0-9]{30}"),
    shape("pushbullet", "token", "pushbullet", r"\bo\.[A-Za-z0-9]{32}\b", heuristics.drawn),
    shape("ntfy", "token", "tk_", r"\btk_[a-z0-9]{29}\b", heuristics.drawn),
    named("stream", "secret", "getstream|stream_api_secret|stream_secret", r"[a-z0-9]{60,80}"),
    named("sendbird", "token", "sendbird", r"[0-9a-f]{40}"),
    named("airship", "secret", "airship", r"[A-Za-z0-9_-]{22}|[A-Za-z0-9]{91}"),
    shape("courier", "key", "pk_prod_|dk_prod_", r"\b[pd]k_prod_[A-Z0-9]{24,}"),
    named("novu", "key", "novu", r"[0-9a-f]{32}"),
    named(
        "pagerduty",
        "key",
        "pagerduty|routing_key|routing-key|service_key",
        r"[A-Za-z0-9_+-]{20}|[0-9a-zA-Z]{32}",
    ),
    shape("pagerduty", "key", "u+", r"(?:^|[\s=\"':])(u\+[A-Za-z0-9_+-]{18})\b"),
    named("opsgenie", "key", "opsgenie|geniekey", _UUID),
    named("victorops", "key", "victorops|xmatters|squadcast", rf"[0-9a-f]{{32,40}}|{_UUID}"),
    shape("rootly", "token", "rootly_", r"\brootly_[0-9a-f]{40,}"),
    shape("intercom", "token", "dg9r", r"\bdG9rO[A-Za-z0-9+/]{30,}={0,2}"),
    named("intercom", "token", "intercom", r"[A-Za-z0-9=_-]{40,60}"),
    named("zendesk", "token", "zendesk|/token:", r"[A-Za-z0-9]{40}"),
    shape("zendesk", "token", "/token:", r"/token:([A-Za-z0-9]{40})\b"),
    named(
        "freshdesk",
        "key",
        "freshdesk|freshservice|freshworks|gorgias|helpscout|kayako",
        r"[A-Za-z0-9]{20,64}",
    ),
)

SHAPES = _CHAT + _MAIL + _TELEPHONE + _PUSH
