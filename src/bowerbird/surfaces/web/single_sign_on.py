"""Single sign-on by OpenID Connect: the authorization code flow with PKCE, and the checks of its token.

The provider says who somebody is; the store says what they may. Nothing of the provider's is kept: its
token is read once, for the claim that names the member.
"""

import hashlib
import json
import secrets
from base64 import b64encode, urlsafe_b64encode
from hmac import compare_digest
from http.client import HTTPException
from time import monotonic
from urllib.parse import quote, urlencode, urlsplit

from bowerbird.core.errors import BadConfig, Denied, MissingExtra, Unreachable
from bowerbird.core.http import HttpServer, TooLongError, is_here
from bowerbird.host.installed import adding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Signatures by a key of which only the other half is public: a shared secret could be guessed offline.
ALGORITHMS = (
    "RS256",
    "PS256",
    "ES256",
    "EdDSA",
    "RS384",
    "RS512",
    "PS384",
    "PS512",
    "ES384",
    "ES512",
)
_DISCOVERY = "/.well-known/openid-configuration"
_MOST_BYTES = 1_000_000
_TIMEOUT_S = 10.0
# Seconds by which the clocks of this machine and of the provider may differ.
_LEEWAY_S = 60
_BYTES = 32
# Seconds in which somebody has to sign in, and how many may be at it; the oldest goes.
LASTS_S = 600.0
MOST = 256
_REMEDY = "sign in again; if it fails again, see sso.* in bower config, and the log of the provider"


class SignIn:
    """A sign-in under way: what the provider has to return, and the browser and page it began in."""

    def __init__(self, back: str, browser: str, wanted: str) -> None:
        """`back` is the address that the provider returns to; `browser` a secret in a cookie."""
        self.state = secrets.token_urlsafe(_BYTES)
        self.nonce = secrets.token_urlsafe(_BYTES)
        self.verifier = secrets.token_urlsafe(_BYTES)
        self.back = back
        self.browser = browser
        self.wanted = wanted
        self.begun = monotonic()


class SingleSignOn:
    """The provider of one server's members."""

    def __init__(self, issuer: str, client: str, secret: str, claim: str) -> None:
        """Raises BadConfig without a client, or for an issuer neither by https nor on this machine.

        Raises MissingExtra without the package that checks tokens.
        """
        try:
            import jwt  # noqa: F401  # start-up: an extra
        except ImportError as error:
            raise MissingExtra("single sign-on needs pyjwt", adding("sso")) from error
        self._issuer = issuer.rstrip("/")
        self._client = client
        self._secret = secret
        self._claim = claim
        if not _is_safe(issuer) or not client:
            raise BadConfig(
                "single sign-on needs sso.issuer, an https address, and sso.client",
                "set both: bower config set sso.issuer https://…",
            )
        self._under_way: dict[str, SignIn] = {}

    def begin(self, sign_in: SignIn) -> str:
        """The provider's page where somebody signs in. Raises Unreachable and Denied."""
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": sign_in.back,
            "scope": "openid email profile",
            "state": sign_in.state,
            "nonce": sign_in.nonce,
            "code_challenge": _challenge(sign_in.verifier),
            "code_challenge_method": "S256",
        }
        page = self._endpoint(self._described(), "authorization_endpoint")
        for state in [key for key, one in self._under_way.items() if _is_over(one)]:
            del self._under_way[state]
        while len(self._under_way) >= MOST:
            del self._under_way[next(iter(self._under_way))]
        self._under_way[sign_in.state] = sign_in
        return f"{page}{'&' if urlsplit(page).query else '?'}{urlencode(asked)}"

    def take(self, state: str, browser: str) -> SignIn:
        """The sign-in that this browser began, which cannot be taken twice. Raises Denied."""
        sign_in = self._under_way.pop(state, None)
        if sign_in is None or _is_over(sign_in) or not compare_digest(sign_in.browser, browser):
            raise Denied("this sign-in is over, or another browser began it", "sign in again")
        return sign_in

    def login(self, sign_in: SignIn, code: str) -> str:
        """By what the provider knows who signed in: the claim that the settings name.

        Raises Unreachable for a provider that does not answer, and Denied for an answer that is not
        signed by it, for this server and this sign-in, or that names nobody.
        """
        described = self._described()
        tokens = self._tokens(described, sign_in, code)
        claims = self._claims(described, str(tokens.get("id_token", "")), sign_in.nonce)
        if self._claim not in claims and "userinfo_endpoint" in described:
            bearer = {"Authorization": f"Bearer {tokens.get('access_token', '')}"}
            more = _asked(self._endpoint(described, "userinfo_endpoint"), None, bearer)
            if more.get("sub") != claims["sub"]:
                raise Denied("the provider told of somebody else than who signed in", _REMEDY)
            claims = more | claims
        if self._claim == "email" and claims.get("email_verified") is not True:
            raise Denied(
                "the provider did not verify the e-mail address of who signed in",
                "have it verified, or name another claim: bower config set sso.claim sub",
            )
        login = claims.get(self._claim)
        if not isinstance(login, str) or not login:
            raise Denied(
                f"the provider's token has no claim {self._claim}",
                "have the provider add it, or name another claim: bower config set sso.claim sub",
            )
        return login

    def _described(self) -> "dict[str, Any]":
        """What the provider says of itself."""
        described = _asked(self._issuer + _DISCOVERY)
        if str(described.get("issuer", "")).rstrip("/") != self._issuer:
            raise Denied(
                f"the provider calls itself {described.get('issuer', '')!s:.200}",
                "give that address: bower config set sso.issuer",
            )
        return described

    def _endpoint(self, described: "dict[str, Any]", name: str) -> str:
        address = str(described.get(name, ""))
        if not _is_safe(address):
            raise Denied(f"the provider names no safe {name}", "see sso.issuer in bower config")
        return address

    def _tokens(self, described: "dict[str, Any]", sign_in: SignIn, code: str) -> "dict[str, Any]":
        """What the provider gives for a code, once."""
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": sign_in.back,
            "code_verifier": sign_in.verifier,
        }
        headers = {}
        ways = described.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if self._secret and "client_secret_basic" in ways:
            word = f"{quote(self._client, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(word.encode()).decode()}"
        else:
            given["client_id"] = self._client
            if self._secret:
                given["client_secret"] = self._secret
        return _asked(self._endpoint(described, "token_endpoint"), given, headers)

    def _claims(self, described: "dict[str, Any]", token: str, nonce: str) -> "dict[str, Any]":
        """The claims of an id token, once all is checked that OpenID Connect asks for (Core, 3.1.3.7)."""
        import jwt  # start-up: as above

        keys = _asked(self._endpoint(described, "jwks_uri"))
        try:
            header = jwt.get_unverified_header(token)
            algorithm, wanted = header.get("alg"), header.get("kid")
            if algorithm not in ALGORITHMS:
                raise jwt.InvalidAlgorithmError(f"the algorithm {algorithm!s:.20}")
            known = jwt.PyJWKSet.from_dict(keys).keys
            key = next((one for one in known if wanted is None or one.key_id == wanted), None)
            if key is None:
                raise jwt.InvalidKeyError("no key of the provider's signed it")
            claims: dict[str, Any] = jwt.decode(
                token,
                key.key,
                algorithms=[algorithm],
                audience=self._client,
                issuer=described["issuer"],
                leeway=_LEEWAY_S,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError as error:
            raise Denied(f"the provider's token does not hold: {error}", _REMEDY) from error
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if several and claims.get("azp") != self._client:
            raise Denied("the provider's token is for another program", _REMEDY)
        if not compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise Denied("the provider's token is of another sign-in", _REMEDY)
        return claims


def _asked(
    address: str, form: "dict[str, str] | None" = None, headers: "dict[str, str] | None" = None
) -> "dict[str, Any]":
    """The JSON object at an address. Raises Unreachable, and Denied with what the provider refuses."""
    sent = {"Accept": "application/json", **(headers or {})}
    body = None if form is None else urlencode(form).encode()
    if body is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    host = urlsplit(address).netloc
    server = HttpServer(address, most_bytes=_MOST_BYTES)
    try:
        method, end = "GET" if body is None else "POST", monotonic() + _TIMEOUT_S
        query = urlsplit(address).query
        reply = server.request(method, f"?{query}" if query else "", body, sent, end, keep=False)
        found = json.loads(reply.body)
    except (OSError, HTTPException, TooLongError, ValueError) as error:
        raise Unreachable(
            f"{host}, by which members sign in, gave no answer that can be read: {type(error).__name__}",
            "see whether it runs, and sso.issuer in bower config",
        ) from error
    finally:
        server.close()
    if reply.status != 200 or not isinstance(found, dict):  # noqa: PLR2004 of HTTP
        said = (
            found.get("error_description") or found.get("error") if isinstance(found, dict) else ""
        )
        raise Denied(f"{host} refused it ({reply.status}): {said!s:.200}", _REMEDY)
    return found


def _is_safe(address: str) -> bool:
    """Whether nobody on the way can read what is sent to an address."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_here(host)))


def _is_over(sign_in: SignIn) -> bool:
    return monotonic() - sign_in.begun > LASTS_S


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
