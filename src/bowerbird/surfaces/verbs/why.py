"""``bower why PROMPT``: what an agent's hook would inject for a prompt, and what keeps the rest out.

It answers as the hook would in this folder, now: first what would be injected, then the nearest entries
that would not, each with what keeps it out: its relevance, its trust, a review that it awaits, its
confidence at this project's level, a moment that it waits for, or another project. What keeps everything
out is said first: injection that is switched off, or hooks that are not installed.

Nothing is injected or recorded. With --session, what this session already received is not repeated.
"""

from bowerbird.core.why import Why
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ('bower why "the auth tests hang, fix them"', "what a new session would get for it"),
    ('bower why "fix the tests" --session 0f8fad5b', "what that session would get for it now"),
)
VERB = Verb(
    "why",
    "Show what a hook would inject for a prompt, and why not the rest",
    (
        Field("prompt", "text", "what is typed to the agent", interfaces=(TYPED,), option=("PROMPT",)),
        Field(
            "session", "text", "a session's id, or its first characters",
            default="", interfaces=(TYPED,), metavar="ID",
        ),
    ),
    Why,
    group="Look after",
    order=10,
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Why:
    """Explain a prompt."""
    return bird.admin.why(given["prompt"], session=given.get("session", ""))
