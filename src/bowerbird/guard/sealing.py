"""Encrypts what passes through places of others, and recognises what was changed there.

AES-GCM with a key from a passphrase by scrypt: nobody without the passphrase reads a sealed text, writes
one, or puts one in the place of another, since the place is sealed with it.
"""

import secrets
from base64 import b32encode
from importlib import import_module

from bowerbird.core.errors import MissingExtra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SALT = 16
# Cost of guessing a passphrase: 128 MB and about .4 s each. Those that we make cannot be guessed anyway.
COST = 1 << 17
_BLOCKS, _LANES = 8, 1
_KEY = 32
_NONCE = 12
# 130 bits in groups of five letters and digits.
_GROUPS, _GROUP = 5, 5
_RANDOM = 17


class NotSealed(ValueError):
    """Bytes that were not sealed with this key for this place: incomplete, changed, or of others."""


def new_passphrase() -> str:
    """A passphrase that cannot be guessed."""
    letters = b32encode(secrets.token_bytes(_RANDOM)).decode().rstrip("=").lower()
    return "-".join(letters[at * _GROUP : (at + 1) * _GROUP] for at in range(_GROUPS))


def key_of(passphrase: str, salt: bytes, cost: int) -> bytes:
    """The key that belongs to a passphrase. Raises MissingExtra."""
    scrypt = _library("cryptography.hazmat.primitives.kdf.scrypt").Scrypt
    made = scrypt(salt=salt, length=_KEY, n=cost, r=_BLOCKS, p=_LANES)
    # As people type it: in any case, and with any white space.
    return bytes(made.derive("".join(passphrase.split()).lower().encode()))


def seal(key: bytes, text: bytes, place: str) -> bytes:
    """A text encrypted for one place. Raises MissingExtra."""
    nonce = secrets.token_bytes(_NONCE)
    sealed: bytes = _cipher(key).encrypt(nonce, text, place.encode())
    return nonce + sealed


def unseal(key: bytes, sealed: bytes, place: str) -> bytes:
    """What was sealed. Raises NotSealed, and MissingExtra."""
    wrong = _library("cryptography.exceptions").InvalidTag
    try:
        return bytes(_cipher(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], place.encode()))
    except (wrong, ValueError):
        raise NotSealed(place) from None


def _cipher(key: bytes) -> "Any":
    return _library("cryptography.hazmat.primitives.ciphers.aead").AESGCM(key)


def _library(name: str) -> "Any":
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(
            "to synchronise needs cryptography", "pip install 'bowerbird[sync]'"
        ) from None
