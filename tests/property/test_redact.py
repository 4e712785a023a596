"""What redaction keeps to for any text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bowerbird.guard import scan, shell
from bowerbird.guard.automaton import pattern
from bowerbird.guard.redact import redact
from bowerbird.guard.rules import whole as rules
from bowerbird.guard.rules.table import BEGINS, Table
from bowerbird.guard.rules.table import NEAR as NEAR_KEYWORD
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
TABLE = Table()
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


lines = st.text(alphabet="ab-=,:$[] \t\r\f\v\n'\"`\\|;&<>()", max_size=40).map(str.encode)


@given(lines)
@settings(max_examples=400)
def test_words_between_blanks_are_those_that_the_grammar_reads(line: bytes) -> None:
    """Stretches without a mark are split, and are the same words as where the grammar reads all of it."""
    read = []
    for token in pattern(shell._TOKEN).finditer(line):
        is_word = token.span(2)[0] >= 0
        if is_word or token.span(1)[0] >= 0:
            read.append((*token.span(2 if is_word else 1), is_word))
    assert list(shell._tokens(line, 0, len(line))) == read


@given(st.lists(texts, min_size=1, max_size=4).map("\n".join))
@settings(max_examples=100)
def test_a_rule_that_begins_with_its_keyword_finds_there_what_it_finds_anywhere(text: str) -> None:
    data = text.encode()
    folded = data.lower()
    for number, rule in enumerate(rules.RULES):
        places = scan._places(rule, folded, 0, len(data)) if TABLE.has(BEGINS, number) else None
        if places:
            there = [one.span() for one in scan._matches_at(places, rule, data, len(data))]
            assert there == [one.span() for one in pattern(rule.pattern).finditer(data)]


@given(texts, st.integers(0, 2 * scan.REACH), texts)
@settings(max_examples=100)
def test_a_rule_is_left_out_only_where_it_finds_nothing(
    before: str, between: int, after: str
) -> None:
    scan.keywords_in(b" " * scan.WORTH_COMBINING)
    data = (before + " " * between + after).encode()
    folded = data.lower()
    due = scan._due(folded, data, 0, len(data))
    for number, rule in enumerate(rules.RULES):
        left_out = TABLE.has(NEAR_KEYWORD, number) and number not in due
        if left_out and any(word in folded for word in rule.keywords):
            assert not list(scan._matches(number, folded, data, 0, len(data), {})), rule.kind
