"""What stands in a text after its secrets were taken out."""

from __future__ import annotations

import hashlib
import json

import pytest

from bowerbird.core.errors import BadConfig
from bowerbird.guard.redact import Allow, redact, redact_fields

# Put together here, so that no scanner takes this file for a leak.
PASSWORD = "Gv7" + "kQz92-mPx"
TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3
BODY = ["MIIEpAIBAAKCAQEA" + "x7Yq2Lm9Wz4Rt6Vb" * 3] * 3 + ["q8Zt+/w="]
KEY = "\n".join(
    ["-----BEGIN RSA PRIVATE " + "KEY-----", *BODY, "-----END RSA PRIVATE " + "KEY-----"]
)


def test_the_secret_goes_and_the_rest_stays() -> None:
    redacted = redact(f"export DB_PASSWORD={PASSWORD}  # staging")
    assert redacted.text == "export DB_PASSWORD=[REDACTED:password]  # staging"
    assert redacted.counts == {"password": 1}


def test_the_full_stop_of_the_sentence_stays() -> None:
    told = f"The password is {PASSWORD}. Restart then. The password is {PASSWORD}."
    plain = (
        "The password is [REDACTED:password]. Restart then. The password is [REDACTED:password]."
    )
    assert redact(told).text == plain
    assert redact(plain).text == plain


def test_text_without_secrets_comes_back_itself() -> None:
    text = "The token bucket holds 100 tokens."
    assert redact(text).text is text


def test_a_private_key_keeps_its_lines_and_is_marked_once() -> None:
    redacted = redact(f"before\n{KEY}\nafter")
    lines = redacted.text.split("\n")
    assert lines[0] == "before"
    assert lines[1].startswith("-----BEGIN")
    assert lines[2] == "[REDACTED:private-key]"
    assert lines[3:6] == ["", "", ""]
    assert lines[7] == "after"
    assert redacted.counts == {"private-key": 1}


def test_a_private_key_with_headers_keeps_them() -> None:
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,2B"
    text = KEY.replace("KEY-----\nMII", f"KEY-----\n{headers}\n\nMII", 1)
    redacted = redact(text)
    assert headers in redacted.text
    assert not any(line in redacted.text for line in BODY)


def test_a_private_key_cut_off_is_redacted_and_what_follows_is_not() -> None:
    text = KEY[: KEY.index("q8Zt")] + "and then the log went on about other things entirely"
    redacted = redact(text)
    assert redacted.text.endswith("went on about other things entirely")
    assert BODY[0] not in redacted.text


def test_a_line_of_json_stays_json() -> None:
    record = {
        "content": f"the key\n{KEY}\nand\tDB_PASSWORD={PASSWORD}\nin .env",
        "input": {"password": PASSWORD, "command": f'curl -u "jane:{PASSWORD}" http://x'},
    }
    line = json.dumps(record)
    cleaned = json.loads(redact(line).text)
    assert cleaned["input"]["password"] == "[REDACTED:password]"
    assert cleaned["content"].endswith("\nin .env")
    assert PASSWORD not in str(cleaned)
    assert BODY[0] not in str(cleaned)
    # As some agents nest it: JSON in a string of JSON.
    nested = json.loads(redact(json.dumps({"arguments": line})).text)
    assert PASSWORD not in nested["arguments"]
    json.loads(nested["arguments"])


def test_what_is_allowed_stays() -> None:
    text = f"token {TOKEN} and DB_PASSWORD={PASSWORD}"
    assert redact(text, Allow.parse(["github-token"])).counts == {"password": 1}
    digest = hashlib.sha256(PASSWORD.encode()).hexdigest()
    assert redact(text, Allow.parse([f"sha256:{digest[:12]}"])).counts == {"github-token": 1}
    assert redact(text, Allow.parse(["github-token", "password"])).text is text
    assert redact(text, Allow.parse([f" SHA256:{digest.upper()} ", ""])).counts == {
        "github-token": 1
    }
    assert redact(text, Allow.parse(["", "jwt"])).counts == {"github-token": 1, "password": 1}


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        ("aws-kye", "did you mean aws-access-key or aws-"),
        ("githb-token", "did you mean github-token?"),
        ("passwords", "did you mean password?"),
        ("openai", "did you mean openai-key or openai-"),
        ("nothing like it", "known: ably-key, "),
        ("sha256:", "from 8 to 64 hex digits"),
        ("sha256:9f86d08", "from 8 to 64 hex digits"),
        ("sha256:9f86d08188", ""),
        (f"sha256:{'a' * 64}", ""),
        (f"sha256:{'a' * 65}", "from 8 to 64 hex digits"),
        ("sha256:password", "from 8 to 64 hex digits"),
        ("md5:9f86d081884c", "known: "),
    ],
)
def test_what_names_nothing_is_not_allowed(entry: str, remedy: str) -> None:
    if not remedy:
        Allow.parse(["jwt", entry])
        return
    with pytest.raises(BadConfig) as raised:
        Allow.parse(["jwt", entry], "here")
    assert repr(entry) in raised.value.message
    assert "here" in raised.value.message
    assert remedy in raised.value.remedy


@pytest.mark.parametrize("text", ["", "[REDACTED:", "[REDACTED:x]", "a [REDACTED:password] b"])
def test_marks_are_left_alone(text: str) -> None:
    assert redact(text).text == text


def test_fields_are_judged_with_their_names() -> None:
    fields = {"password": PASSWORD, "note": "nothing", "deep": [{"token": TOKEN}], "count": 3}
    cleaned, redacted = redact_fields(fields)
    assert cleaned == {
        "password": "[REDACTED:password]",
        "note": "nothing",
        "deep": [{"token": "[REDACTED:github-token]"}],
        "count": 3,
    }
    assert redacted.counts == {"password": 1, "github-token": 1}
    plain = {"a": 1}
    assert redact_fields(plain)[0] is plain


def test_a_field_keeps_its_name_where_another_ones_escape_was_cut() -> None:
    fields = {
        "key": KEY.replace("\n", "\n\t"),
        "deep": {"password": PASSWORD},
        TOKEN: "x",
        "said": [TOKEN, "hi"],
    }
    cleaned, _ = redact_fields(fields)
    assert cleaned["deep"] == {"password": "[REDACTED:password]"}
    assert cleaned["said"] == ["[REDACTED:github-token]", "hi"]
    assert TOKEN not in cleaned
    assert BODY[0] not in cleaned["key"]


@pytest.mark.parametrize(
    "around",
    ["[REDACTED: {} ]", "the mark `[REDACTED:`\n\nline\n{}\nlist[0]", "{} then [REDACTED: open"],
)
def test_the_beginning_of_a_mark_hides_nothing(around: str) -> None:
    redacted = redact(around.format(TOKEN))
    assert redacted.text == around.format("[REDACTED:github-token]")
    assert redact(redacted.text).text == redacted.text


def test_a_sentence_in_a_field_is_judged_as_a_sentence() -> None:
    given = {"asked": ["log in with root and the password is calvin99"], "session": "s-1"}
    fields, found = redact_fields(given)
    assert "calvin99" not in str(fields)
    assert found.counts == {"password": 1}
    assert fields["session"] == "s-1"


@pytest.mark.parametrize(
    ("word", "blank"),
    [
        ("pass\u00adword", " "),
        ("pass\u200bword", " "),
        ("pass\u2060wo\u200drd", " "),
        ("p\U000e0061assword", " "),
        ("\u202epassword\u202c", " "),
        ("\x1b[1mpassword\x1b[0m", " "),
        ("p\u0430ssw\u043erd", " "),
        ("\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44", " "),
        ("password", "\u00a0"),
        ("password", "\u202f"),
    ],
)
def test_a_text_is_read_as_its_reader_sees_it(word: str, blank: str) -> None:
    """Soft hyphens of web pages, blanks of French and of PDF, colours, letters of another alphabet."""
    for told in (
        f"the {word} of the db is %s",
        f"{word}: %s, not that",
        f"(\u4f1a\u8bae) {word}=%s",
    ):
        text = (told % PASSWORD).replace(" ", blank)
        assert redact(text).text == (told % "[REDACTED:password]").replace(" ", blank)
        assert redact(redact(text).text).text == redact(text).text
    hidden = f"the {word} is {PASSWORD[:4]}\u200b{PASSWORD[4:]}"
    assert PASSWORD[4:] not in redact(hidden).text


def test_letters_of_one_alphabet_stay_what_they_are() -> None:
    said = "Пароль нужен, 5\u00a0лет"
    assert redact(said).text is said


def test_a_word_that_ends_or_begins_as_seed_begins_no_recovery_phrase() -> None:
    words = "orfyt kelba mosti vanur tedip rosak lumin garet pofin zedar bukol hanit"
    for name in ("boeseed", "seedyjo", "reseeded"):
        assert redact(f"{name} {words}").text == f"{name} {words}"
    for name in ("seed:", "wallet_seed =", "mySeed:", "the seed phrase", "seedPhrase:"):
        assert words not in redact(f"{name} {words}").text, name
