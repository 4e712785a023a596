"""Checks keys and recovery phrases of wallets by checksums, byte ranges and numbers of words."""

from bowerbird.guard.heuristics import SMALL_WORDS

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
# Bytes of a checksum: four at a Bitcoin key's end, two at a Stellar key's.
_CHECK58 = 4
_POLYNOMIAL = 0x1021
_BYTE = 0xFF
_WORD = 0xFFFF
_TOP = 0x8000


def wallet_key(value: str) -> bool:
    """Whether base58 text carries its own checksum, as a Bitcoin key does."""
    number = 0
    for char in value:
        number = number * 58 + _BASE58.index(char)
    import hashlib  # start-up: OpenSSL is needed only for likely keys

    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    first = hashlib.sha256(data[:-_CHECK58]).digest()
    return hashlib.sha256(first).digest()[:_CHECK58] == data[-_CHECK58:]


def stellar_key(value: str) -> bool:
    """Whether base32 text carries the checksum of a Stellar key (CRC16, XMODEM)."""
    number = 0
    for char in value:
        number = number * 32 + _BASE32.index(char)
    data = number.to_bytes(35, "big")
    check = 0
    for byte in data[:-2]:
        check ^= byte << 8
        for _ in range(8):
            check = ((check << 1) ^ _POLYNOMIAL if check & _TOP else check << 1) & _WORD
    return check == data[-2] | data[-1] << 8


def key_bytes(value: str) -> bool:
    """Whether 64 numbers are the bytes of a key: none above 255, and many different ones."""
    found = [int(one) for one in value.split(",")]
    return max(found) <= _BYTE and len(set(found)) > len(found) // 2


# The numbers of words in a wallet's recovery phrase.
_PHRASE_LENGTHS = frozenset((12, 15, 18, 21, 24))
_MOST_SMALL = 1


def seed_phrase(value: str) -> bool:
    """Whether twelve to twenty-four adjacent words are from a word list and not a sentence."""
    words = [word for word in value.replace(",", " ").split() if word.isalpha()]
    # “… of the wallet is word word …”: what is said before them may be matched with them.
    starts = (0, *(at + 1 for at, word in enumerate(words) if word.lower() in SMALL_WORDS))
    return any(_from_a_list(words[at:]) for at in starts)


def _from_a_list(words: list[str]) -> bool:
    small = sum(word.lower() in SMALL_WORDS for word in words)
    return (
        len(words) in _PHRASE_LENGTHS and small <= _MOST_SMALL and len(set(words)) > len(words) // 2
    )
