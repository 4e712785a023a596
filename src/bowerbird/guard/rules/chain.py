"""Wallet keys, and addresses of blockchain nodes that contain a key."""

from bowerbird.guard import heuristics, wallets
from bowerbird.guard.rule import Rule, named, shape

_WALLETS = (
    shape(
        "bitcoin",
        "key",
        "private|wallet|wif|import|bitcoin|btc|dumpprivkey|key",
        r"\b([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})\b",
        wallets.wallet_key,
    ),
    shape("bitcoin", "key", "prv", r"\b[xyztuvYZUV]prv[1-9A-HJ-NP-Za-km-z]{90,112}\b"),
    shape(
        "ethereum",
        "key",
        "private|privkey|priv_key|priv key|wallet|deployer|signer|secret|account|mnemonic|keystore",
        r"(?i)(?:priv(?:ate)?[_ -]?key|privkey|wallet|deployer|signer|secret|account"
        r"|--private-key)[^\n]{0,48}?[\s=:\"'\[(`](?:0x)?([0-9a-f]{64})\b",
        heuristics.drawn,
    ),
    shape(
        "ethereum",
        "key",
        "cast |forge |hardhat|foundry",
        r"\b(?:cast|forge|hardhat|foundry)\b[^\n]*?\b0x([0-9a-f]{64})\b",
    ),
    shape(
        "solana",
        "key",
        "secret|key|wallet",
        r"\[\s?((?:\d{1,3},\s?){63}\d{1,3})\s?\]",
        wallets.key_bytes,
        common=True,
    ),
    # A transaction's signature has the same form and is public.
    shape(
        "solana",
        "key",
        "solana|phantom|solflare|keypair|secret key|secretkey|private key|private_key|privatekey",
        r"(?i:solana|phantom|solflare|keypair|secret[ _]?key|private[ _]?key)[^\n]{0,40}?"
        r"[\s:=\"'`(]([1-9A-HJ-NP-Za-km-z]{86,88})(?:$|[^A-Za-z0-9])",
        heuristics.strong,
    ),
    shape("nostr", "key", "nsec1", r"\bnsec1[a-z0-9]{50,}"),
    shape(
        "stellar",
        "key",
        "stellar|soroban|xlm|secret|seed",
        r"\bS[A-Z2-7]{55}\b",
        wallets.stellar_key,
    ),
    named("ripple", "key", "ripple|xrp|xrpl|seed", r"s[1-9A-HJ-NP-Za-km-z]{27,30}"),
    shape(
        "cardano",
        "key",
        "ed25519_sk1|ed25519e_sk1|xprv1|addr_xsk1|root_xsk1|stake_xsk1|_xsk1|_sk1",
        r"\b(?:[a-z0-9]+_x?sk1|xprv1)[a-z0-9]{50,}",
    ),
    shape(
        "tezos",
        "key",
        "edsk|spsk|p2sk",
        r"\b(?:edsk|spsk|p2sk)[1-9A-HJ-NP-Za-km-z]{50,94}\b",
        heuristics.drawn,
    ),
    shape("sui", "key", "suiprivkey1", r"\bsuiprivkey1[a-z0-9]{50,}"),
    named(
        "monero", "key", "spend key|spend_key|spendkey|view key|view_key|monero", r"[0-9a-f]{64}"
    ),
    shape("near", "key", "ed25519:", r"\bed25519:[1-9A-HJ-NP-Za-km-z]{80,}"),
    Rule(
        "seed-phrase",
        "seed|mnemonic|recovery phrase|wallet|secret phrase|backup phrase|recovery words"
        "|recovery key|frase|wiederherstell",
        r"(?i)(?:seed|mnemonic|phrase|wallet|recovery words|frase|wiederherstell)[^\n]{0,60}?"
        r"[\s:=\"'`(\[>]((?:\d{1,2}[.)]? )?[a-z]{3,8}"
        r"(?:[ ,]{1,2}(?:\d{1,2}[.)]? )?[a-z]{3,8}){11,23})(?:$|[^a-z])",
        wallets.seed_phrase,
        provider="bip39",
    ),
)

_NODES = (
    shape("infura", "key", "infura.io", r"infura\.io/(?:ws/)?v3/([0-9a-f]{32})\b"),
    named("infura", "key", "infura", r"[0-9a-f]{32}|[A-Za-z0-9+/]{40,60}"),
    shape(
        "alchemy",
        "key",
        "alchemy",
        r"alchemy(?:api)?\.(?:com|io)/(?:v2|nft/v\d|data/v\d)/([A-Za-z0-9_-]{20,})",
    ),
    named("alchemy", "key", "alchemy", r"[A-Za-z0-9_-]{32}|alch_[A-Za-z0-9_-]{30,}"),
    shape("quicknode", "key", "quiknode.pro", r"quiknode\.pro/([0-9a-f]{30,})"),
    shape("quicknode", "key", "qn_", r"\bQN_[0-9a-f]{32}\b"),
    shape("ankr", "key", "ankr.com", r"ankr\.com/[a-z0-9_/-]{1,60}/([0-9a-f]{40,})"),
    shape("chainstack", "key", "chainstack|p2pify", r"(?:chainstack|p2pify)\.com/([0-9a-f]{32})\b"),
    shape("helius", "key", "helius", r"helius[^\s\"']{0,60}api-key=([0-9a-f-]{36})"),
    named(
        "nodes",
        "key",
        "etherscan|bscscan|polygonscan|arbiscan|basescan|moralis|blockfrost|tatum|covalent"
        "|thirdweb|biconomy|walletconnect|pinata|nft.storage|web3.storage|opensea|debank"
        "|nansen|dune_api|helius|drpc|getblock|blastapi",
        r"[A-Za-z0-9_-]{30,88}|[0-9a-f]{8}-[0-9a-f-]{27}",
    ),
    shape(
        "blockfrost",
        "key",
        "mainnet|preprod|preview|testnet",
        r"\b(?:mainnet|preprod|preview|testnet)[A-Za-z0-9]{32}\b",
        heuristics.drawn,
    ),
)

SHAPES = _WALLETS + _NODES
