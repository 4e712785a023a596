"""What redaction keeps to for any text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird.guard import scan
from bowerbird.guard.redact import redact
from bowerbird.guard.rules import whole as rules
from bowerbird.guard.secrets import find

# Pieces from which texts are made that come near to what rules look for, and into each other's way.
NEAR = [
    *(keyword.decode() for rule in rules.RULES for keyword in rule.keywords),
    "password is ",
    "PASSWORD=",
    "token: ",
    '"secret": "',
    "Authorization: Bearer ",
    "Cookie: a=",
    "https://u:",
    "@host/",
    "curl -u a:",
    " -p",
    "-----BEGIN RSA PRIVATE " + "KEY-----\n",
    "-----END RSA PRIVATE " + "KEY-----",
    "MIIEpAIBAAKCAQEA" * 3,
    "Gv7kQz92mPx4",
    "AKIA",
    "eyJ",
    "\n",
    " ",
    '"',
    "'",
    "\\n",
    "\\",
    ";",
    "=",
    ":",
    "[REDACTED:",
    "]",
    "é",
    "密码",
    "x9Y" * 8,
]
texts = st.lists(st.one_of(st.sampled_from(NEAR), st.text(max_size=12)), max_size=30).map("".join)


@given(texts)
@settings(max_examples=400)
def test_a_second_run_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(texts)
@settings(max_examples=200)
def test_lines_keep_their_numbers_and_the_rest_its_bytes(text: str) -> None:
    redacted = redact(text)
    assert redacted.text.count("\n") == text.count("\n")
    if not redacted.findings:
        assert redacted.text is text
    place = 0
    for finding in redacted.findings:
        assert place <= finding.start < finding.end
        assert text[place : finding.start] in redacted.text
        place = finding.end
    assert redacted.text.endswith(text[place:])


@given(texts)
@settings(max_examples=200)
def test_the_set_of_keywords_sees_what_substrings_do(text: str) -> None:
    folded = text.encode("utf-8", "surrogatepass").lower()
    plain = {keyword for keyword in scan.keywords() if keyword in folded}
    scan.keywords_in(b" " * scan.WORTH_COMBINING)
    assert set(scan.keywords_in(folded)) == plain


@given(texts)
@settings(max_examples=100)
def test_findings_are_in_order_and_apart(text: str) -> None:
    found = find(text)
    for before, after in pairwise(found):
        assert before.end <= after.start
