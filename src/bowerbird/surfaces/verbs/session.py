"""``bower session``: what was recorded of an agent's sessions, and what was put before the agent.

Without an id it lists the last sessions, one per line. With one, or its first characters, it shows
everything that hooks recorded, and each injection: when, at which event, why, and which entries.
--injection shows one injection, each entry with the reason why it was chosen, its text
of then and, where it was changed since, that of now.

--summary shows the digest of a session, by default the last of this project (what was asked, done and
left open), and what memory contributed: what was injected and cited, what the session left and what of
that awaits review, and the estimated tokens saved, with the formula.

--compare shows the arms of your own experiment (the setting agent.experiment): of a hundred sessions,
five get no injections and ten none between their steps. Figures are calls per prompt, files read again,
failed calls, the share of checks that passed first after edits, corrected prompts, sessions that tried
a known dead end again, injected memories called wrong, and injected tokens, each beside that of the other
sessions, with the probability of such a difference by chance, if both arms have ten sessions. Below, it
lists which kinds of memory were used in which phase: used means that an agent cited it or a person
confirmed it. From 30 sessions on it proposes other weights if the differences are significant over all
rows together, within a quarter of the initial ones; set agent.phase_weights to apply them.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.sessions import Sessions
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower session", "the last sessions"),
    ("bower session 0f8fad5b", "one session: its events and injections"),
    ("bower session 0f8fad5b --injection a31c", "one injection, entry by entry"),
    ("bower session --summary", "what this project's last one did, and what memory contributed"),
    ("bower session --compare", "the benefit of memory, by experiment"),
)
VERB = Verb(
    "session",
    "Show what was recorded of an agent's session, and what was injected",
    (
        Field(
            "id", "text", "the session's id or its first characters, at least four",
            option=("ID",), words="?",
        ),
        Field(
            "injection", "text", "the injection whose delimiter begins with this",
            metavar="SIGN", apart="part",
        ),
        Field(
            "summary", "flag", "its digest, and what memory contributed: injected, cited, learned, saved",
            default=False, apart="part",
        ),
        Field(
            "compare", "flag", "the arms of the experiment, figure by figure",
            default=False, apart="part",
        ),
        Field(
            "limit", "whole", "maximum number of sessions (default 20)",
            default=20, low=1, high=1_000, metavar="N", option=("-n", "--limit"),
        ),
    ),
    Sessions,
    group="Look after",
    order=9,
    route=("GET", "/session"),
    reach="project",
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Sessions:
    """Read the journal."""
    if given.get("injection") and not given.get("id"):
        raise BadInput(
            "--injection shows one of a session", "name it by its id; see: bower session"
        )
    return bird.admin.sessions(
        given.get("id"),
        injection=given.get("injection"),
        summary=given.get("summary", False),
        compare=given.get("compare", False),
        limit=given.get("limit", 20),
    )
