"""What a session keeps is believed no more than anything it was shown, in whatever order it goes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird import Bowerbird
from bowerbird.core.types import TRUSTS
from bowerbird.core.who import AGENT, Who, agent

ORIGINS = ("user", "agent", "import", "tool_external")
# What a session does: it is shown one of the texts, in some way, or keeps one of its own.
SHOWN = st.tuples(st.sampled_from(("get", "history", "list", "query")), st.sampled_from(ORIGINS))
KEEPS = st.tuples(st.just("keep"), st.sampled_from(("agent", "import", "tool_external", None)))
STEPS = st.lists(
    st.tuples(st.sampled_from(("one", "two")), st.one_of(SHOWN, KEEPS)), min_size=1, max_size=6
)
SUBJECTS = dict(zip(ORIGINS, ("herring", "lantern", "gravel", "violin"), strict=True))
WORDS = ("acorn", "bridge", "copper", "drum", "ember", "fjord", "garnet", "hazel")


def shown(bird: Bowerbird, how: str, subject: str, id: str) -> list[str]:
    """The trusts of what a session is handed by one verb."""
    if how == "get":
        return [bird.get(id).trust]
    if how == "history":
        bird.history(id)
        return []
    if how == "list":
        return [one.trust for one in bird.list(states=("active", "quarantined"))]
    return [hit.entry.trust for hit in bird.query(f"where is the {subject}?", min_trust="low")]


@settings(max_examples=10)
@given(steps=STEPS, roaming=st.booleans())
def test_nothing_is_believed_more_than_what_its_session_was_shown(
    steps: list[tuple[str, tuple[str, str]]], roaming: bool
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Bowerbird.open(Path(folder) / "memory.db", project="shop") as owners,
    ):
        texts = {
            origin: owners.remember(f"The {subject} lies in cellar {number}", origin=origin).id
            for number, (origin, subject) in enumerate(SUBJECTS.items())
        }
        trusts = {origin: owners.get(id).trust for origin, id in texts.items()}
        least = dict.fromkeys(("one", "two"), len(TRUSTS) - 1)
        for number, (session, (how, what)) in enumerate(steps):
            # Each step by somebody who begins anew: nothing is kept of them but what files hold.
            who = Who(agent(session), AGENT, reader=session, roaming=roaming, wide=False)
            bird = owners.acting(who)
            if how == "keep":
                text = f"Shelf {WORDS[number]} holds {WORDS[-number]} tins of kind {number}"
                decision = bird.remember(text, origin=what)
                kept = owners.get(decision.id)
                assert TRUSTS.index(kept.trust) <= least[session]
                assert kept.trust != "low" or kept.state == "quarantined"
                met = [decision.trust]
                met += [owners.get(match.id).trust for match in decision.matched]
            else:
                met = shown(bird, how, SUBJECTS[what], texts[what])
                met += [trusts[what]] if how in ("get", "history") else []
            least[session] = min([least[session], *map(TRUSTS.index, met)])
