"""What a provider of single sign-on cannot get away with: its token, its addresses, its answers."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from bowerbird.core.errors import BadConfig, Denied, Unreachable
from bowerbird.surfaces.web.single_sign_on import LASTS_S, SignIn, SingleSignOn

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = ec.generate_private_key(ec.SECP256R1())
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
STRANGER = ec.generate_private_key(ec.SECP256R1())
CLIENT = "bower"


class Provider(ThreadingHTTPServer):
    """Answers as a provider does; `claims` and `signed` are what a test makes of its token."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.claims: dict[str, Any] = {}
        self.described: dict[str, Any] = {}
        self.person: dict[str, Any] = {
            "sub": "1",
            "email": "mia@example.org",
            "email_verified": True,
        }
        self.token = ""
        self.status = 200
        self.asked: dict[str, str] = {}

    def answer(self, path: str) -> Any:
        """What is at a path."""
        if path == "/.well-known/openid-configuration":
            places = {
                name: f"{self.address}/{name}"
                for name in (
                    "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint",
                )
            }  # fmt: skip
            return {"issuer": self.address, **places, **self.described}
        if path == "/jwks_uri":
            key = json.loads(ECAlgorithm.to_jwk(KEY.public_key()))
            return {"keys": [{**key, "kid": "first", "use": "sig", "alg": "ES256"}]}
        if path == "/token_endpoint":
            return {"id_token": self.token, "access_token": "opens"}
        return self.person


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        self._answer(self.server.answer(self.path))

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        self.server.asked = {
            "body": self.rfile.read(length).decode(),
            "authorization": self.headers.get("authorization", ""),
        }
        self._answer(self.server.answer(self.path))

    def _answer(self, data: Any) -> None:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(self.server.status if self.path == "/token_endpoint" else 200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    running = Provider()
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def signed(
    claims: dict[str, Any], key: Any = KEY, algorithm: str = "ES256", kid: str = "first"
) -> str:
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid})


def claims_of(provider: Provider, sign_in: SignIn, **others: Any) -> dict[str, Any]:
    now = int(time.time())
    found = {
        "iss": provider.address, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 300,
        "nonce": sign_in.nonce, "email": "mia@example.org", "email_verified": True, **others,
    }  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


def sign_in() -> SignIn:
    return SignIn("http://127.0.0.1/ui/signed-in", "browser", "/ui/")


def test_a_token_that_holds_names_who_signed_in(provider: Provider) -> None:
    begun, door = sign_in(), SingleSignOn(provider.address + "/", CLIENT, "sesame", "email")
    provider.token = signed(claims_of(provider, begun))
    assert begun.state in door.begin(begun)
    assert door.take(begun.state, "browser") is begun
    assert door.login(begun, "code") == "mia@example.org"
    assert provider.asked["authorization"].startswith("Basic ")
    assert f"code_verifier={begun.verifier}" in provider.asked["body"]
    # A claim that the token lacks is asked for where the provider tells of people.
    provider.token = signed(claims_of(provider, begun, email=None, email_verified=None))
    assert door.login(begun, "code") == "mia@example.org"
    provider.token = signed(claims_of(provider, begun, oid="abc"))
    assert SingleSignOn(provider.address, CLIENT, "", "oid").login(begun, "code") == "abc"
    assert f"client_id={CLIENT}" in provider.asked["body"]


def by_secret(claims: dict[str, Any], secret: bytes) -> str:
    """A token signed with a shared secret: the public key, which PyJWT itself would refuse to take."""
    parts = [
        urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT", "kid": "first"}, claims)
    ]
    signature = hmac.digest(secret, b".".join(parts), "sha256")
    return b".".join([*parts, urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def wrong_tokens(provider: Provider, begun: SignIn) -> dict[str, str]:
    """Tokens that must not hold, by what is wrong with them."""
    good, now = claims_of(provider, begun), int(time.time())
    unsigned = jwt.encode(good, "", algorithm="none")
    confused = by_secret(good, PUBLIC)
    header, _, rest = signed(good).partition(".")
    return {
        "no signature": unsigned,
        "a shared secret": confused,
        "a stranger's key": signed(good, STRANGER),
        "a key nobody has": signed(good, kid="second"),
        "another audience": signed({**good, "aud": "other"}),
        "two audiences": signed({**good, "aud": [CLIENT, "other"]}),
        "another issuer": signed({**good, "iss": "https://evil.example"}),
        "over": signed({**good, "exp": now - 3_600}),
        "of tomorrow": signed({**good, "iat": now + 86_400}),
        "another sign-in": signed({**good, "nonce": "other"}),
        "no nonce": signed(claims_of(provider, begun, nonce=None)),
        "for ever": signed(claims_of(provider, begun, exp=None)),
        "nobody": signed(claims_of(provider, begun, sub=None)),
        "cut off": f"{header}.{rest[:-9]}",
        "no token": "",
        "unverified": signed({**good, "email_verified": False}),
        "verified in words": signed({**good, "email_verified": "true"}),
        "no text": signed({**good, "email": ["mia@example.org"]}),
    }


def test_no_wrong_token_holds(provider: Provider) -> None:
    begun, door = sign_in(), SingleSignOn(provider.address, CLIENT, "", "email")
    for what, token in wrong_tokens(provider, begun).items():
        provider.token = token
        try:
            login = door.login(begun, "code")
        except Denied as error:
            assert error.remedy, what  # noqa: PT017 the message names the case
        else:
            pytest.fail(f"{what}: {login}")


def test_a_provider_that_tells_of_another_person_or_place_is_refused(provider: Provider) -> None:
    begun, door = sign_in(), SingleSignOn(provider.address, CLIENT, "", "email")
    provider.token = signed(claims_of(provider, begun, email=None))
    provider.person = {"sub": "2", "email": "eve@example.org", "email_verified": True}
    with pytest.raises(Denied, match="somebody else"):
        door.login(begun, "code")
    provider.described = {"token_endpoint": "http://evil.example/token"}
    with pytest.raises(Denied, match="no safe token_endpoint"):
        door.login(begun, "code")
    provider.described = {"issuer": "https://evil.example"}
    with pytest.raises(Denied, match="calls itself https://evil"):
        door.login(begun, "code")


def test_refusals_and_answers_that_are_none_are_said(provider: Provider) -> None:
    begun, door = sign_in(), SingleSignOn(provider.address, CLIENT, "", "email")
    provider.status, provider.token = 400, "x"
    with pytest.raises(Denied, match=r"refused it \(400\)"):
        door.login(begun, "code")
    provider.shutdown()
    provider.server_close()
    with pytest.raises(Unreachable, match="no answer that can be read"):
        door.login(begun, "code")


def test_a_sign_in_ends_after_a_while_and_the_oldest_gives_way(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = SingleSignOn(provider.address, CLIENT, "", "email")
    late = sign_in()
    door.begin(late)
    late.begun -= LASTS_S + 1
    with pytest.raises(Denied, match="over"):
        door.take(late.state, "browser")
    monkeypatch.setattr("bowerbird.surfaces.web.single_sign_on.MOST", 2)
    several = [sign_in() for _ in range(3)]
    for one in several:
        door.begin(one)
    with pytest.raises(Denied):
        door.take(several[0].state, "browser")
    assert door.take(several[1].state, "browser") is several[1]


@pytest.mark.parametrize(
    ("issuer", "client"),
    [
        ("http://provider.example", CLIENT),
        ("ftp://127.0.0.1", CLIENT),
        ("https://", CLIENT),
        ("http://[", CLIENT),
        ("https://provider.example", ""),
    ],
)
def test_a_provider_that_others_could_overhear_is_refused(issuer: str, client: str) -> None:
    with pytest.raises(BadConfig, match="an https address"):
        SingleSignOn(issuer, client, "", "email")
