"""The brief at a session's start: rules of a person, the last session, commands, traps of its files."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.hooks.test_ending import Ended
from tests.surface.hooks.test_injecting import cited, keep, keep_all

from bowerbird.core.origins import ON_ASKING
from bowerbird.core.text import count_tokens

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

_CURE = "The limits live in settings, not in code"


class _Worked:
    """A recorded session of the hooks' project, on a branch."""

    def __init__(self, hooks: Hooks, session: str, branch: str, day: int) -> None:
        self._hooks, self._session, self._branch, self._day = hooks, session, branch, day
        self._lines: list[dict[str, Any]] = []

    def record(self, kind: str, content: Any) -> _Worked:
        number = len(self._lines)
        self._lines.append(
            {
                "type": kind,
                "uuid": f"{self._session}-{number}",
                "sessionId": self._session,
                "cwd": str(self._hooks.project),
                "gitBranch": self._branch,
                "timestamp": f"2026-01-{self._day:02d}T10:00:{number:02d}Z",
                "message": {"role": kind, "content": content},
            }
        )
        return self

    def call(self, tool: str, given: dict[str, Any], answer: str) -> _Worked:
        use = f"u{len(self._lines)}"
        self.record("assistant", [{"type": "tool_use", "id": use, "name": tool, "input": given}])
        return self.record("user", [{"type": "tool_result", "tool_use_id": use, "content": answer}])

    def edit(self, name: str) -> _Worked:
        path = str(self._hooks.project / name)
        return self.call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "done")

    def test(self, command: str = "make test") -> _Worked:
        return self.call("Bash", {"command": command}, "3 passed in 0.10s")

    def learned(self, closing: str = "The limit works now.") -> None:
        self.record("assistant", closing)
        path = self._hooks.project.parent / f"{self._session}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in self._lines))
        self._hooks.bower("learn", str(path))


def _limited(
    hooks: Hooks,
    session: str = "s1",
    branch: str = "limits",
    day: int = 3,
    tests: str = "make test",
) -> _Worked:
    worked = _Worked(hooks, session, branch, day)
    worked.record("user", "Add a rate limit to the login page")
    return worked.edit("login.py").test(tests)


def _on(hooks: Hooks, branch: str) -> None:
    (hooks.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


def _start(hooks: Hooks, session: str) -> str:
    return hooks.context("SessionStart", source="startup", session_id=session)


def _end(hooks: Hooks, session: str) -> None:
    """End a session, and wait until what it was told is counted."""
    ended = Ended(hooks)
    hooks.run("claude-code", "SessionEnd", session_id=session, reason="other")
    ended.wait()


def test_a_session_begins_with_the_digest_of_the_last_one_on_its_branch(hooks: Hooks) -> None:
    _limited(hooks).learned("The limit works. Still open: the limit for resets.")
    _limited(hooks, "s2", "main", 4).record("user", "Rename the shop to a store").edit(
        "a.py"
    ).learned()
    _on(hooks, "limits")
    context = _start(hooks, "one")
    assert "Session of 3 January 2026 on limits" in context
    assert "the limit for resets" in context
    assert "Rename the shop" not in context
    assert "the last session on this branch" in context


def test_on_a_branch_of_unrelated_work_only_what_was_left_open_is_told(hooks: Hooks) -> None:
    _limited(hooks, branch="main").learned()
    _on(hooks, "main")
    assert "rate limit" not in _start(hooks, "one")
    _limited(hooks, "s2", "main", 4).learned("The limit works. Still open: the limit for resets.")
    assert "the limit for resets" in _start(hooks, "two")


def test_of_another_branch_only_what_the_last_session_left_is_told_and_that_it_is(
    hooks: Hooks,
) -> None:
    _limited(hooks).learned("The limit works. Still open: the limit for resets.")
    _on(hooks, "unknown")
    assert "left open by the last session, on another branch" in _start(hooks, "one")
    _limited(hooks, "s2", day=4).learned("The limit for resets works, too.")
    assert "rate limit" not in _start(hooks, "two")


def test_what_is_left_open_is_told_three_times(hooks: Hooks) -> None:
    _limited(hooks, branch="main").learned("The limit works. Still open: the limit for resets.")
    _Worked(hooks, "s2", "main", 4).record("user", "Show me the price of shipping.").learned()
    _on(hooks, "main")
    told = []
    for number in range(4):
        told.append("for resets" in _start(hooks, f"n{number}"))
        _end(hooks, f"n{number}")
        hooks.bower("curate", f"The jam of day {number} is red")  # a writer counts the uses
    assert told == [True, True, True, False]


@pytest.mark.parametrize("days", [1, 5])
def test_what_a_person_typed_is_told_at_each_start_that_has_room(hooks: Hooks, days: int) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    about["metadata"] = {"learned": {"signal": "instructions"}}
    about["occurred"] = int(time.time() * 1_000) - days * 86_400_000
    lasting = keep(hooks, "Always run the linter before a commit", **about)[:18]
    passing = keep(hooks, "The tests fail on the server alone", **about)[:18]
    stated = keep(hooks, "The dev api listens on port 9191", **about | {"kind": "fact"})[:18]
    told = []
    for number in range(4):
        told.append({*cited(_start(hooks, f"n{number}"))} & {lasting, passing, stated})
        _end(hooks, f"n{number}")
        hooks.bower("curate", f"The jam of day {number} is red")  # a writer counts the uses
    assert told == [{lasting, passing, stated}] * 4
    # What says that it lasts comes first.
    ids = cited(_start(hooks, "more"))
    assert ids.index(lasting) < ids.index(passing)


def test_facts_that_a_person_typed_are_told_while_there_is_room(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "fact", "source": "user_taught", "origin": "user"}
    about["metadata"] = {"learned": {"signal": "instructions"}}
    about["occurred"] = int(time.time() * 1_000) - 5 * 86_400_000
    keep_all(hooks, [(one, about) for one in _FACTS])
    for number in range(3):
        _start(hooks, f"n{number}")
        _end(hooks, f"n{number}")
        hooks.bower("curate", f"The jam of day {number} is red")  # a writer counts the uses
    context = _start(hooks, "more")
    assert [one for one in _FACTS if one not in context] == []


def test_a_persons_words_on_a_coming_time_are_told_before_it(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    first, last = (time.gmtime(time.time() + days * 86_400).tm_year for days in (400, 800))
    freeze = f"Code freeze is from 18 December {first} to 4 January {last}, no deploys then"
    typed = about | {"metadata": {"learned": {"signal": "instructions"}}}
    told = keep(hooks, freeze, **typed)[:18]
    plan = keep(hooks, f"From 3 May {last} on the jam is red", **about)[:18]
    context = _start(hooks, "one")
    assert told in cited(context)
    assert plan not in cited(context)
    asked = hooks.context("UserPromptSubmit", session_id="two", prompt="when is the code freeze?")
    assert freeze in asked


def test_rules_that_last_do_not_fall_out_of_the_start_for_newer_ones(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    about["metadata"] = {"learned": {"signal": "instructions"}}
    rules = [
        keep(hooks, f"{one} in the code, with no exception for tests or for scripts", **about)[:18]
        for one in ("No floats for money ever: always cents", "Always UTC for each time stamp")
    ]
    for number in range(12):
        said = f"The page number {number} is shown with the green header and the wide side bar"
        keep(hooks, f"{said} that the design team drew for it in spring", **about)
    assert {*rules} <= {*cited(_start(hooks, "one"))}


def test_from_many_rules_on_the_session_begins_with_the_last_digest_and_each_rule_once(
    hooks: Hooks,
) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    about["metadata"] = {"learned": {"signal": "instructions"}}
    for subject in (
        "invoices",
        "printers",
        "shelves",
        "vouchers",
        "deliveries",
        "returns",
        "taxes",
    ):
        keep(
            hooks, f"Always say why the {subject} changed, in the first line of a commit.", **about
        )
    keep(hooks, "We never edit an existing migration.", **about)
    keep(hooks, "In migrations/ never edit an existing file, always add a new one.", **about)
    worked = _limited(hooks)
    for number in range(9):
        worked.record("user", f"Now make the page number {number} as wide as the others are")
        worked.edit(f"pages/page{number}.py")
    worked.learned("All pages are wide now. Still open: the limit for resets.")
    _on(hooks, "limits")
    context = _start(hooks, "one")
    assert "Left open: the limit for resets" in context
    assert "always add a new one" in context
    assert "We never edit an existing migration" not in context
    assert sum(f"why the {one} " in context for one in ("invoices", "taxes", "returns")) >= 2
    assert count_tokens(context) <= 600


def test_the_rules_of_the_person_come_before_the_details_of_the_last_digest(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    about["metadata"] = {"learned": {"signal": "instructions"}}
    subjects = (
        "invoices printers shelves vouchers deliveries returns taxes prices stamps labels".split()
    )
    for one in (*subjects, "coupons", "receipts"):
        keep(hooks, f"Always say why the {one} changed, in the first line of a commit.", **about)
    worked = _limited(hooks)
    for number in range(9):
        worked.record(
            "user",
            f"Now make the page number {number} as wide as all others are, with the side bar on its left",
        )
        worked.edit(f"pages/page{number}.py")
    worked.learned("All pages are wide now. Still open: the limit for resets.")
    _on(hooks, "limits")
    context = _start(hooks, "one")
    assert "Left open: the limit for resets" in context
    assert all(
        f"why the {one} changed, in the first line" in context
        for one in (*subjects, "coupons", "receipts")
    )
    assert "have no room here" not in context
    assert count_tokens(context) <= 600


def test_what_a_start_has_no_whole_room_for_is_left_to_a_prompt(hooks: Hooks) -> None:
    hooks.environment["BOWER_AGENT_START_BUDGET"] = "300"
    for number in range(6):
        keep(
            hooks, f"Page {number} is shown with the green header of the design", kind="requirement"
        )
    text = "The idle timeout of the connection pool is 45 seconds since it hung in the last release"
    pool = keep(hooks, text, kind="decision")
    start = _start(hooks, "one")
    assert "The idle timeout" not in start or text in start
    prompt = "which idle timeout has the connection pool?"
    asked = hooks.context("UserPromptSubmit", session_id="one", prompt=prompt)
    assert (text in start) != (pool[:18] in cited(asked))


def test_a_commit_that_says_what_the_person_decided_is_kept_once(hooks: Hooks) -> None:
    decided = (
        "We go with SQLite for the outbox instead of Postgres, because the depot machines have no"
    )
    worked = _Worked(hooks, "s1", "main", 3).record("user", f"{decided} network half the day.")
    worked.edit("outbox.py")
    for message in (
        "Outbox on SQLite, because depot machines are offline half the day",
        "Lock the outbox file, because two printers write at once",
    ):
        worked.call("Bash", {"command": f'git commit -qam "{message}"'}, "")
    worked.learned("The outbox opens a SQLite file, and locks it now.")
    listed = json.loads(hooks.bower("list", "--memories", "--kind", "decision", "--format", "json"))
    texts = [one["text"] for one in listed["data"]["entries"]]
    assert sum("SQLite" in one for one in texts) == 1
    assert any("two printers" in one for one in texts)
    assert any("instead of Postgres" in one for one in texts)


def test_on_a_branch_of_its_own_work_without_an_edit_is_told_too(hooks: Hooks) -> None:
    worked = _Worked(hooks, "s1", "limits", 3).record("user", "Raise the limit of the login page")
    worked.call("Bash", {"command": "sed -i s/5/9/ limits.py && git commit -qam 'Raise it'"}, "")
    worked.learned()
    _on(hooks, "limits")
    assert "Raise the limit of the login page" in _start(hooks, "one")


def test_what_was_left_open_is_not_told_once_another_branch_did_it(hooks: Hooks) -> None:
    said = "tomorrow we add the retry with backoff to the outbox, and the page of errors"
    worked = _Worked(hooks, "s1", "main", 3).record("user", "Write the outbox of the shop")
    worked.edit("outbox.py").record("user", said).learned("See you.")
    _on(hooks, "main")
    assert "retry with backoff" in _start(hooks, "one")
    worked = _Worked(hooks, "s2", "feature/outbox-retry", 4)
    worked.record("user", "right, do it on a branch: feature/outbox-retry").edit("sending.py")
    worked.call("Bash", {"command": 'git commit -qam "Retry sending with backoff"'}, "").learned()
    assert "retry with backoff" not in _start(hooks, "two")


def test_what_a_person_put_off_is_told_beside_what_a_later_session_left_until_it_is_done(
    hooks: Hooks,
) -> None:
    said = "the notices by SMS come next, leave that for tomorrow"
    worked = _Worked(hooks, "s1", "main", 3).record("user", "Write the outbox of the shop")
    worked.edit("outbox.py").record("user", said).learned("See you.")
    worked = _Worked(hooks, "s2", "main", 4).record("user", "Mend the queue of the outbox")
    worked.edit("outbox.py").learned("It works. Still open: the page of errors.")
    _on(hooks, "main")
    context = _start(hooks, "one")
    assert "the page of errors" in context
    assert "notices by SMS" in context
    worked = _Worked(hooks, "s3", "main", 5).record("user", "now the notices by SMS")
    worked.edit("sms.py").learned("The notices by SMS are sent.")
    assert "leave that for tomorrow" not in _start(hooks, "two")


def test_what_the_agent_proposed_and_a_person_accepted_is_told_unless_others_had_a_word_in_it(
    hooks: Hooks,
) -> None:
    proposals = ("put one file per change into changes.d/", "keep all amounts as integer cents")
    for number, one in enumerate(proposals):
        worked = _Worked(hooks, f"s{number}", "main", 3).record("user", "any idea what is better?")
        if number:
            worked.call("WebFetch", {"url": "https://example.org/x"}, "always use cents")
        worked.record("assistant", f"I'd suggest that we {one}. Shall I do that?")
        worked.record("user", "yes, do it that way from now on").learned("Done.")
    worked = _Worked(hooks, "s2", "main", 3).record("user", "why does the pump stop?")
    worked.call("WebFetch", {"url": "https://example.org/y"}, "pumps stop below 3 bar")
    worked.record("assistant", "The pump stops below 3 bar. With a second tank it runs on.")
    worked.record("user", "good to know, remember that").learned("Glad it helps.")
    told, waits = (f"{one[0].upper()}{one[1:]}." for one in proposals)
    context = _start(hooks, "one")
    assert "proposed by the agent, accepted by you on 2026-01-03" in context
    assert "bower forget ID" in context
    assert f"> {told}" in context
    assert waits not in context
    assert "second tank" not in context
    review = hooks.bower("review", "--format", "text")
    assert waits in review
    assert "second tank" in review
    assert "written after the session read unverified text: a web page" in review
    assert told not in review


def test_the_rules_of_a_person_come_before_those_of_an_agent(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "origin": "user"}
    own = [keep(hooks, f"Always {one}", **about)[:18] for one in ("run the linter", "sign commits")]
    last = keep(hooks, "Never log an address", kind="requirement", origin="agent")[:18]
    assert cited(_start(hooks, "one")) == [*own[::-1], last]


def test_a_trap_is_told_at_starts_only_if_it_is_pinned(hooks: Hooks) -> None:
    trap = keep(hooks, "The feed is empty on Sundays", kind="gotcha")[:18]
    pinned = keep(hooks, "Parcels to Jersey need a customs form", kind="gotcha", pinned=True)[:18]
    assert cited(_start(hooks, "n1")) == [pinned]
    asked = hooks.context(
        "UserPromptSubmit", session_id="n2", prompt="why is the feed empty on sundays?"
    )
    assert trap in cited(asked)


def test_a_branch_that_may_not_be_named_is_known_again(hooks: Hooks) -> None:
    worked = _Worked(hooks, "s1", "main", 3).record("user", "Add a rate limit to the login page")
    worked.edit("login.py").call("WebFetch", {"url": "https://example.org"}, "limits")
    worked._branch = "limits"
    worked.edit("login.py").learned()
    _on(hooks, "limits")
    context = _start(hooks, "one")
    assert "rate limit" in context
    assert "on main" not in context


def test_a_resumed_session_is_not_told_of_itself(hooks: Hooks) -> None:
    about: dict[str, Any] = {"kind": "requirement", "source": "user_taught", "session": "s1"}
    rule = keep(hooks, "Always sign commits", **about)[:18]
    _limited(hooks).learned()
    assert hooks.context("SessionStart", source="resume", session_id="s1") == ""
    assert rule in cited(_start(hooks, "s2"))


def test_commands_that_succeeded_in_two_sessions_are_one_line(hooks: Hooks) -> None:
    _limited(hooks).learned()
    _limited(hooks, "s2", day=4).learned()
    assert "> commands that succeeded here: test: make test" in _start(hooks, "one")
    again = hooks.context("SessionStart", source="resume", session_id="one")
    assert "commands that succeeded here" not in again
    (hooks.project / "AGENTS.md").write_text("Run `make test` before each commit.\n")
    assert "commands that succeeded here" not in _start(hooks, "two")


@pytest.mark.parametrize(
    "rule", ["We use nox, not make", "nimm nox statt make", "doch wieder nox, die CI ist gefixt"]
)
def test_a_command_that_a_rule_ends_is_not_told_beside_it(hooks: Hooks, rule: str) -> None:
    _limited(hooks).learned()
    _limited(hooks, "s2", day=4).learned()
    _limited(hooks, "s3", day=5, tests="nox -s tests").learned()
    keep(hooks, rule, kind="requirement", source="user_taught", origin="user")
    context = _start(hooks, "one")
    assert "test: nox -s tests" in context
    assert "make test" not in context


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("why does the customs form fail for Norway?", True),
        ("so why does the customs form for Norway fail again?", True),
        ("where is the customs form?", False),
        ("translate the customs form for Norway", False),
    ],
)
def test_a_question_that_was_answered_brings_the_answer(
    hooks: Hooks, prompt: str, told: bool
) -> None:
    worked = _Worked(hooks, "s1", "main", 3)
    worked.record("user", "why does the customs form fail for Norway?")
    worked.call("Bash", {"command": "grep -rn customs ."}, "forms.py:3: customs form of Norway")
    worked.learned("The customs form fails for Norway because it needs a CN23 with an EORI number.")
    context = hooks.context("UserPromptSubmit", session_id="s2", prompt=prompt)
    assert ("EORI number" in context) == told


def test_what_the_instruction_files_say_already_is_not_repeated(hooks: Hooks) -> None:
    rule = keep(hooks, "Never push to the main branch", kind="requirement")
    assert cited(_start(hooks, "one")) == [rule[:18]]
    (hooks.project / "CLAUDE.md").write_text("# Rules\n\n- Push to the main branch at night.\n")
    assert cited(_start(hooks, "two")) == [rule[:18]]
    (hooks.project / "CLAUDE.md").write_text("# Rules\n\n- NEVER push to the `main` branch!\n")
    assert _start(hooks, "three") == ""


def test_what_is_learned_about_the_files_of_the_branch_is_told(hooks: Hooks) -> None:
    for name in ("login.py", "mail.py"):
        (hooks.project / name).write_text("x = 1\n")
    learned = {"learned": {"signal": "conclusions"}}
    about: dict[str, Any] = {"kind": "gotcha", "metadata": learned, "confidence": 0.95}
    trap = keep(hooks, "The limits are read once", files=["login.py"], **about)
    keep(hooks, "Mails go out at noon", files=["mail.py"], **about)
    _limited(hooks).learned()
    _on(hooks, "limits")
    assert trap[:18] in cited(_start(hooks, "one"))
    assert len(cited(_start(hooks, "two"))) == len((trap, "the digest"))
    _on(hooks, "main")
    assert cited(_start(hooks, "three")) == []


def test_a_learned_cure_waits_for_its_error(hooks: Hooks) -> None:
    file = hooks.project / "login.py"
    file.write_text("x = 1\n")
    learned = {"learned": {"signal": "error_retry"}}
    about: dict[str, Any] = {"kind": "error_pattern", "files": ["login.py"], "confidence": 0.95}
    keep(hooks, "`make lint` failed (E501); the line was broken", metadata=learned, **about)
    own = keep(hooks, "Lines of login.py over 80 break the old printer", **about)
    _limited(hooks).learned()
    _on(hooks, "limits")
    told = cited(_start(hooks, "one"))
    assert [one for one in told if one == own[:18]] == [own[:18]]
    assert len(told) == len((own, "the digest"))
    read = {"tool_name": "Read", "tool_input": {"file_path": str(file)}, "session_id": "two"}
    assert cited(hooks.context("PostToolUse", **read)) == [own[:18]]


def test_among_eighty_memories_stand_a_persons_rules_and_the_last_session(hooks: Hooks) -> None:
    memories: list[tuple[str, dict[str, Any]]] = []
    ruled = {"kind": "requirement", "origin": "agent", "confidence": 0.95}
    for number in range(40):
        trap = f"Trap {number}: {'beware of the old cache ' * 6}{number}"
        rule = f"Rule {number}: {'write the tests before the code ' * 5}{number}"
        memories += [(trap, {"kind": "gotcha"}), (rule, ruled)]
    keep_all(hooks, memories)
    wish = keep(hooks, "Use pnpm, never npm", kind="preference", origin="user")
    _limited(hooks).learned()
    _on(hooks, "limits")
    context = _start(hooks, "one")
    assert count_tokens(context) <= 600
    assert cited(context)[0] == wish[:18]
    assert "Session of 3 January 2026 on limits" in context


def test_a_prompt_that_asks_for_the_last_session_brings_its_digest(hooks: Hooks) -> None:
    _limited(hooks).learned()
    asked = hooks.context("UserPromptSubmit", prompt="what did we do last time?", session_id="one")
    assert "Session of 3 January 2026" in asked
    # Once in a session.
    again = hooks.context("UserPromptSubmit", prompt="where did we leave off?", session_id="one")
    assert again == ""
    other = hooks.context(
        "UserPromptSubmit", prompt="add a rate limit to the signup page", session_id="two"
    )
    assert "Session of 3 January 2026" not in other


@pytest.mark.parametrize(
    "prompt",
    [
        "which page did you limit last session? do the same for the signup",
        "did we already add a rate limit to the login page?",
        "why did we put a limit on the login page",
        "haben wir auf der login page schon ein rate limit?",
        "est-ce qu'on a déjà mis une limite sur la page de login ?",
    ],
)
def test_a_question_about_earlier_work_brings_the_digest_that_has_it(
    hooks: Hooks, prompt: str
) -> None:
    _limited(hooks).learned()
    _Worked(hooks, "s2", "mails", 4).record("user", "Translate the mails to Danish").record(
        "assistant", "The mails are in Danish now, all twelve of them."
    ).learned()
    asked = hooks.context("UserPromptSubmit", prompt=prompt, session_id="one")
    assert "Add a rate limit" in asked or "last session" in prompt
    assert "Session of" in asked
    # What the session itself did is no news to it.
    own = hooks.context("UserPromptSubmit", prompt=prompt, session_id="s1")
    assert "Session of 3 January 2026" not in own


@pytest.mark.parametrize(
    "prompt",
    [
        "did the tests of the parser pass?",
        "why did the customer from Lyon cancel?",
        "add a limit to the rate of mails",
        "have you read the contributing guide?",
        "hello, let us begin working here",
    ],
)
def test_a_near_question_brings_no_digest(hooks: Hooks, prompt: str) -> None:
    _limited(hooks).learned()
    assert "Session of" not in hooks.context("UserPromptSubmit", prompt=prompt, session_id="one")


def test_a_fact_that_a_person_kept_by_hand_is_told_behind_the_rules(hooks: Hooks) -> None:
    fact = keep(hooks, "The build server is called Rudolf", kind="fact")
    rule = keep(hooks, "Sign each commit", kind="requirement")
    keep(hooks, "An agent's own note on Rudolf", kind="fact", origin="agent")
    assert cited(_start(hooks, "one")) == [rule[:18], fact[:18]]


def test_what_an_agent_noted_and_a_person_confirmed_is_told_too(hooks: Hooks) -> None:
    text = "The mail queue is drained by worker 3 at night"
    fact = keep(hooks, text, kind="fact", origin="agent")
    assert cited(_start(hooks, "n1")) == []
    assert keep(hooks, text, kind="fact", verified=True) == fact
    assert cited(_start(hooks, "n2")) == [fact[:18]]


def test_a_question_about_a_day_and_a_subject_brings_the_session_that_has_both(
    hooks: Hooks,
) -> None:
    _limited(hooks).learned()
    then = "on 3 January 2026"
    asked = f"what did we decide about the login {then}?"
    assert "Session of 3" in hooks.context("UserPromptSubmit", prompt=asked, session_id="one")
    other = f"what did the vendor say about the licences {then}?"
    assert "Session of" not in hooks.context("UserPromptSubmit", prompt=other, session_id="two")


def test_a_prompt_about_a_time_without_a_session_is_told_so(hooks: Hooks) -> None:
    _limited(hooks).learned()
    asked = hooks.context(
        "UserPromptSubmit", prompt="what did we do in may 2019?", session_id="one"
    )
    assert "No session is on record from 1 May 2019 to 31 May 2019. What is nearest:" in asked
    assert "Session of 3 January 2026" in asked
    then = hooks.context(
        "UserPromptSubmit", prompt="what did we do on 3 January 2026?", session_id="two"
    )
    assert "Session of 3 January 2026" in then
    assert "No session is on record" not in then


def test_what_is_half_done_outlives_a_session_about_something_else(hooks: Hooks) -> None:
    _limited(hooks).learned("The limit works. Still open: the limit for resets.")
    _Worked(hooks, "s2", "limits", 4).record(
        "user", "What does the express shipping cost?"
    ).learned("It costs nine euros.")
    _on(hooks, "limits")
    assert "the limit for resets" in _start(hooks, "s3")
    _limited(hooks, "s4", day=5).learned("The limit for resets works, too.")
    assert "Left open" not in _start(hooks, "s5")


def test_what_may_hold_for_the_moment_alone_answers_and_waits_for_a_word(hooks: Hooks) -> None:
    (hooks.project / "rates.py").write_text("x = 1\n")
    said = "the payment provider only allows 3 requests per second"
    trap = "careful with rates.py: the table must stay sorted by country"
    _Worked(hooks, "s1", "main", 3).record("user", said).learned()
    _Worked(hooks, "s2", "main", 4).record("user", trap).learned()
    waiting = json.loads(hooks.bower("review"))["data"]["entries"]
    assert {one["text"].rstrip(".").lower() for one in waiting} == {said, trap}
    assert {one["review"] for one in waiting} == {ON_ASKING}
    start = _start(hooks, "one")
    assert said not in start.lower()
    assert "wait" not in start
    asked = "how many requests does the payment provider allow?"
    assert said in hooks.context("UserPromptSubmit", session_id="one", prompt=asked).lower()
    read = {"tool_name": "Read", "tool_input": {"file_path": str(hooks.project / "rates.py")}}
    assert trap in hooks.context("PostToolUse", session_id="one", **read).lower()
    text = next(one["text"] for one in waiting if "provider" in one["text"])
    keep(hooks, text, kind="fact", verified=True)
    assert said in _start(hooks, "two").lower()


def test_a_rule_of_a_folder_is_told_when_a_file_below_it_is_touched(hooks: Hooks) -> None:
    (hooks.project / "legacy" / "pos").mkdir(parents=True)
    for name in ("legacy/pos/drawer.js", "cart.js"):
        (hooks.project / name).write_text("x = 1\n")
    said = (
        "in legacy/pos the tills only understand ES5, so never use arrow functions in that folder"
    )
    _Worked(hooks, "s1", "main", 3).record("user", said).learned()
    (kept,) = json.loads(hooks.bower("list", "--kind", "requirement"))["data"]["entries"]
    assert [one["path"] for one in kept["anchors"]] == ["legacy/pos/"]

    def told(name: str) -> str:
        path = str(hooks.project / name)
        read = {"tool_name": "Read", "tool_input": {"file_path": path}}
        return hooks.context("PostToolUse", session_id=name, **read)

    assert "arrow functions" not in told("cart.js")
    assert "arrow functions" in told("legacy/pos/drawer.js")


def test_what_changed_is_told_and_not_what_it_replaced(hooks: Hooks) -> None:
    worked = _Worked(hooks, "s1", "main", 3)
    worked.record("user", "the staging database listens on 6432").learned()
    worked = _Worked(hooks, "s2", "main", 4)
    moved = "they moved the staging database, it listens on 6500 since this morning"
    worked.record("user", moved).learned()
    start = _start(hooks, "one")
    asked = hooks.context(
        "UserPromptSubmit", session_id="two", prompt="which port is the staging database on?"
    )
    assert "6500" in start + asked
    assert "6432" not in start + asked


_TWENTY = (
    *("Commit messages are in English", "No floats for money", "Dates are stored in UTC"),
    *("Functions stay below forty lines", "Log with structlog", "Images are webp"),
    *("Endpoints have a rate limit", "Flags live in flags.toml", "SQL keywords in capitals"),
    *("Name tests after behaviour", "Format with ruff", "Migrations stay as they are"),
    *("Ask before a new dependency", "Ship behind a flag", "Keep the changelog by hand"),
    *("Colours come from tokens.css", "Mock no database", "Timeouts are in seconds"),
    *("Icons are drawn by Paula", "Errors name their remedy"),
)


_FACTS = (
    "The code freeze is from 18 December to 4 January",
    "Payments go through Stripe",
    "The staging host is stg-2",
    "Mei works at the support of the bank",
    "Printers speak port 9100",
    "Luis draws the pages",
    "The search index lives in Lisbon",
)


def test_twenty_rules_are_told_at_a_start_and_after_a_compaction(hooks: Hooks) -> None:
    rules = keep_all(hooks, [(one, {"kind": "requirement"}) for one in _TWENTY])
    context = _start(hooks, "first")
    assert {*cited(context)} == {one[:18] for one in rules}
    assert count_tokens(context) <= 600
    again = hooks.context("SessionStart", source="compact", session_id="first")
    assert {*cited(again)} == {one[:18] for one in rules}
    # Where the room is not enough, that is said.
    hooks.environment["BOWER_AGENT_START_BUDGET"] = "300"
    context = _start(hooks, "second")
    told = len(cited(context))
    assert 0 < told < len(rules)
    assert f"{len(rules) - told} more of the user's rules have no room here" in context
