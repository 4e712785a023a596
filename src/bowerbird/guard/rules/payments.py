"""Payments, shops, banks and exchanges."""

from bowerbird.guard import heuristics
from bowerbird.guard.rule import Rule, named, shape

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_PROCESSORS = (
    # A pk_ key is public: every page of a shop contains it.
    shape(
        "stripe",
        "key",
        "sk_live_|sk_test_|rk_live_|rk_test_",
        r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    ),
    shape("webhook", "secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    shape(
        "stripe",
        "client-secret",
        "_secret_",
        r"\b(?:pi|seti|cs|src)_[A-Za-z0-9_]{8,}_secret_[A-Za-z0-9]{16,}",
    ),
    shape(
        "paypal",
        "token",
        "access_token$",
        r"\baccess_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    shape("paypal", "token", "a21aa", r"\bA21AA[A-Za-z0-9_-]{50,}"),
    named("paypal", "secret", "paypal", r"E[A-Za-z0-9_-]{60,80}"),
    named("braintree", "key", "braintree", r"[0-9a-f]{32}"),
    Rule("square-token", "eaaa", r"\bEAAA[A-Za-z0-9_-]{50,}", heuristics.random, provider="square"),
    shape("square", "token", "sq0", r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    shape(
        "adyen",
        "key",
        "aqe",
        r"\bAQE[A-Za-z0-9]{2,8}[A-Za-z0-9+/=_-]{30,}(?:\.[A-Za-z0-9+/=!-~]{8,20})?",
        heuristics.random,
    ),
    named("adyen", "key", "adyen", r"[0-9A-F]{64}|[A-Za-z0-9+/=._-]{40,}"),
    named("razorpay", "secret", "razorpay|rzp_live_|rzp_test_", r"[A-Za-z0-9]{24}"),
    shape(
        "razorpay",
        "secret",
        "rzp_",
        r"\brzp_(?:live|test)_[A-Za-z0-9]{14}[:\"',\s]{1,4}([A-Za-z0-9]{24})\b",
        heuristics.drawn,
    ),
    shape("flutterwave", "key", "flwseck", r"\bFLWSECK(?:_TEST)?-[A-Za-z0-9]{10,}-X"),
    shape("mollie", "key", "live_|test_", r"\b(?:live|test)_[A-Za-z0-9]{30}\b", heuristics.drawn),
    shape(
        "gocardless",
        "token",
        "live_|sandbox_",
        r"\b(?:live|sandbox)_[A-Za-z0-9_-]{40}\b",
        heuristics.drawn,
    ),
    shape(
        "checkout",
        "key",
        "sk_sbox_|sk_",
        r"\bsk_(?:sbox_)?[a-z0-9]{26,30}[*#$=]?",
        heuristics.drawn,
    ),
    shape("checkout", "key", "sk_", rf"\bsk_(?:test_)?{_UUID}"),
    shape("paddle", "key", "pdl_", r"\bpdl_[a-z]{3,6}_[A-Za-z0-9_]{30,}"),
    shape("polar", "token", "polar_", r"\bpolar_[a-z]{2,4}_[A-Za-z0-9_-]{30,}"),
    shape(
        "chargebee", "key", "live_|test_", r"\b(?:live|test)_[A-Za-z0-9]{32,60}\b", heuristics.drawn
    ),
    named(
        "recurly",
        "key",
        "recurly|chargify|zuora|fastspring|lemonsqueezy|lemon_squeezy|gumroad|payhip",
        rf"[A-Za-z0-9_.-]{{30,}}|{_UUID}",
    ),
    shape("midtrans", "key", "mid-server-", r"\b(?:SB-)?Mid-server-[A-Za-z0-9_-]{20,}"),
    shape("xendit", "key", "xnd_", r"\bxnd_(?:development|production)_[A-Za-z0-9]{30,}"),
    shape("omise", "key", "skey_", r"\bskey_(?:test_|live_)?[a-z0-9]{18,}"),
    shape(
        "mercadopago",
        "token",
        "app_usr-|test-",
        r"\b(?:APP_USR|TEST)-\d{10,}-\d{4,}-[0-9a-f]{32}-\d{5,}",
    ),
    shape("klarna", "key", "klarna_", r"\bklarna_(?:live|test)_api_[A-Za-z0-9+/=!_-]{30,}"),
    named(
        "paytm",
        "key",
        "paytm|payu|cashfree|phonepe|ccavenue|iyzico|worldpay|cybersource|authorize.net"
        "|authorizenet",
        rf"[A-Za-z0-9_=/+-]{{16,}}|{_UUID}",
    ),
    shape("cashfree", "key", "cfsk_", r"\bcfsk_[a-z]{2,5}_[a-z]{2,5}_[0-9a-f]{30,}[0-9a-f_]*"),
    shape("lob", "key", "live_|test_", r"\b(?:live|test)_[0-9a-f]{35}\b"),
    shape("easypost", "key", "ezak|eztk", r"\bEZ[AT]K[A-Za-z0-9]{40,}"),
    shape("shippo", "token", "shippo_", r"\bshippo_(?:live|test)_[0-9a-f]{40}"),
    shape("duffel", "token", "duffel_", r"\bduffel_(?:live|test)_[A-Za-z0-9_=-]{40,}"),
    # RFC 8959 defines a URI scheme for secrets.
    shape("mercury", "token", "secret-token:", r"\bsecret-token:[A-Za-z0-9._~%:/+-]{16,}"),
)

_BANKS = (
    shape(
        "plaid",
        "token",
        "access-sandbox-|access-development-|access-production-",
        rf"\baccess-(?:sandbox|development|production)-{_UUID}",
    ),
    named("plaid", "secret", "plaid", r"[0-9a-f]{30}"),
    named("wise", "token", "wise|transferwise", _UUID),
    named("revolut", "key", "revolut", r"(?:sk|oa_prod|oa_sand)_[A-Za-z0-9_-]{40,}"),
    shape("revolut", "token", "oa_prod_|oa_sand_", r"\boa_(?:prod|sand)_[A-Za-z0-9_-]{40,}"),
    named("dwolla", "key", "dwolla", r"[A-Za-z0-9]{50}"),
    named(
        "marqeta",
        "key",
        "marqeta|lithic|galileo|treezor|swan.io|increase_api",
        rf"[A-Za-z0-9_-]{{20,}}|{_UUID}",
    ),
    named("quickbooks", "token", "quickbooks|intuit|xero|freshbooks|sage_", r"[A-Za-z0-9_-]{30,}"),
    named(
        "finicity",
        "token",
        "finicity|yodlee|truelayer|tink_client|nordigen|belvo",
        rf"[0-9a-f]{{32,40}}|{_UUID}",
    ),
)

_SHOPS = (
    shape(
        "shopify",
        "token",
        "shpat_|shpss_|shpca_|shppa_|shpua_|shptka_|shpit_",
        r"\bshp[a-z]{2,3}_[0-9a-f]{32}",
    ),
    shape("woocommerce", "key", "ck_|cs_", r"\bc[ks]_[0-9a-f]{40}"),
    named("bigcommerce", "token", "bigcommerce|x-auth-token", r"[a-z0-9]{31,32}"),
    named(
        "magento", "token", "magento|commercetools|shopware|ecwid|prestashop", r"[A-Za-z0-9_-]{32}"
    ),
    shape("ecwid", "token", "secret_", r"\bsecret_[A-Za-z0-9]{32}\b", heuristics.drawn),
    shape(
        "etsy",
        "token",
        "etsy",
        r"(?i:etsy)[\w -]{0,20}[\s=:\"']{1,5}([a-z0-9]{24})\b",
        heuristics.drawn,
    ),
    shape(
        "ebay",
        "key",
        "-prd-|-sbx-",
        r"\b(?:PRD|SBX)-[0-9a-f]{12,13}(?:-[0-9a-f]{4}){3,4}-?[0-9a-f]{0,4}",
    ),
    shape(
        "printful",
        "token",
        "printful|printify",
        r"(?i:printful|printify)[\w -]{0,20}[\s=:\"']{1,5}([A-Za-z0-9._-]{40,})",
        heuristics.drawn,
    ),
)

_EXCHANGES = (
    named("coinbase", "secret", "coinbase", r"[A-Za-z0-9+/]{32,88}={0,2}|[A-Za-z0-9_-]{64}"),
    named("binance", "key", "binance|mbx-apikey|mbx_apikey", r"[A-Za-z0-9]{64}"),
    named("kraken", "key", "kraken", r"[A-Za-z0-9+/]{54,90}={0,2}"),
    named(
        "exchange",
        "secret",
        "kucoin|bitfinex|bybit|okx|bitstamp|gemini_api|gate.io|gateio|huobi|htx|bitmex"
        "|deribit|poloniex|bittrex|freqtrade|mexc|bitget|phemex",
        rf"[A-Za-z0-9_+/-]{{18,90}}={{0,2}}|{_UUID}",
    ),
    named("coinmarketcap", "key", "coinmarketcap|cmc_pro|x-cmc", _UUID),
    shape("coingecko", "key", "cg-", r"\bCG-[A-Za-z0-9]{24}\b", heuristics.drawn),
    named(
        "market",
        "key",
        "polygon.io|polygon_api|finnhub|alphavantage|alpha_vantage|iexcloud|iex_token"
        "|twelvedata|tiingo|quandl|nasdaq|alpaca|tradier|oanda",
        r"[A-Za-z0-9_-]{16,64}",
    ),
    shape("oanda", "token", "oanda", r"\b[0-9a-f]{32}-[0-9a-f]{32}\b"),
)

SHAPES = _PROCESSORS + _BANKS + _SHOPS + _EXCHANGES
