"""How well and how fast an embedder finds: memories of software work, and questions in other words.

A small set, to see whether a model works here and what it costs; two models that differ by less than a
tenth cannot be told apart by it.
"""

from time import perf_counter

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.types import Vector

# A memory, and a question that it answers and no other one does; they share few words.
PAIRS = (
    (
        "Redis must be up before the login tests run.",
        "why do the sign-in checks hang without a cache?",
    ),
    ("We deploy on Tuesdays, never before a weekend.", "which day may a release go out?"),
    (
        "Amounts are stored in cents as whole numbers.",
        "how do we avoid rounding errors with money?",
    ),
    ("The API returns dates in UTC, and clients convert them.", "what time zone do responses use?"),
    ("Migrations are run by hand, one at a time.", "who applies a change of the database schema?"),
    (
        "Feature flags live in flags.yaml and are read at start.",
        "where can a toggle be switched off?",
    ),
    ("Anna owns the billing service.", "whom do I ask about invoices?"),
    ("Uploads above 25 MB are refused by the gateway.", "is there a limit for large files?"),
    (
        "Retry a payment at most twice, or customers are charged again.",
        "how often may a card be tried?",
    ),
    ("The staging cluster is wiped every night.", "why has my test environment lost its data?"),
    ("Use structured logging; print is forbidden.", "how should a program report what it does?"),
    ("Passwords are hashed with argon2.", "which algorithm protects credentials?"),
    ("The mobile app caches answers for five minutes.", "why do phones show stale results?"),
    ("Search runs on a replica, so that writes stay fast.", "which server do lookups read from?"),
    ("Pull requests need two approvals.", "how many reviewers must agree to a merge?"),
    ("The parser chokes on tabs; convert them to spaces.", "what breaks reading an indented file?"),
    (
        "Webhooks are signed; check the signature first.",
        "how do I know that a callback is genuine?",
    ),
    ("We dropped GraphQL because caching was hard.", "why is the interface plain REST?"),
    ("Background jobs run in the worker, not in the web process.", "where do slow tasks belong?"),
    (
        "Backups are kept for thirty days in another region.",
        "how far back can lost data be restored?",
    ),
    ("The build needs Node 20; newer versions fail.", "which runtime compiles the front end?"),
    ("Customer names are never written to logs.", "may personal data appear in traces?"),
    ("The nightly report is slow because of one missing index.", "what delays the daily summary?"),
    ("Use the shared HTTP client, which has time limits.", "how do I call another service safely?"),
    ("Images are resized when they are first shown.", "when are thumbnails made?"),
    (
        "Translations come from the spreadsheet of the content team.",
        "who writes texts in other languages?",
    ),
    ("Sessions end after an hour without a click.", "why was I logged out?"),
    ("The legacy importer reads Latin-1.", "which encoding do old files have?"),
    ("Rate limits are per account, not per address.", "how are heavy users slowed down?"),
    ("Tests may not reach the network.", "can a check download something?"),
    ("The queue delivers a message at least once.", "can the same event arrive a second time?"),
    ("Colours are defined as tokens in theme.css.", "where do I change the look of buttons?"),
)


class Measured(Record):
    """The share of questions whose memory came first, and milliseconds for a text among many."""

    found: float
    ms_per_text: float


def measured(embedder: "Embedder") -> Measured:
    """Embed the set; some requests to a server. Raises ModelError."""
    embedder.ready()
    start = perf_counter()
    memories = embedder.embed([memory for memory, _ in PAIRS])
    took = (perf_counter() - start) * 1000 / len(PAIRS)
    questions = [embedder.embed_query(question) for _, question in PAIRS]
    found = sum(_first(question, memories) == at for at, question in enumerate(questions))
    return Measured(round(found / len(PAIRS), 3), round(took, 2))


def _first(question: "Vector", memories: "list[Vector]") -> int:
    """The position of the nearest memory."""
    import numpy as np  # start-up: only a measurement needs it

    rows = np.frombuffer(b"".join(one.values for one in memories), np.int8)
    table = rows.reshape(len(memories), -1).astype(np.float32)
    asked = np.frombuffer(question.values, np.int8).astype(np.float32)
    lengths = np.linalg.norm(table, axis=1)
    lengths[lengths == 0] = 1.0
    return int(np.argmax(table @ asked / lengths))
