"""Secrets as people type them in commands, and outputs and commands that must stay readable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bowerbird.guard.redact import redact
from bowerbird.guard.secret_names import secret_name
from bowerbird.guard.shell import bare, commands, line_around

DATA = Path(__file__).resolve().parents[1] / "data" / "secrets"
# Put together here, so that no scanner of repositories finds them.
CHOSEN = ("Harbor" + "-Lamp73", "hunter" + "2", "correct-horse" + "-battery", "Winter" + "tide!")
DRAWN = "q7Zk2mVx9L" + "pT4rYb8NcW"


def lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def survives(line: str, secret: str) -> bool:
    return secret in redact(line.replace("SECRET", secret).replace("DRAWN", DRAWN)).text


@pytest.mark.parametrize("secret", [*CHOSEN, DRAWN])
def test_secrets_in_commands_are_found(secret: str) -> None:
    assert [line for line in lines("typed.txt") if survives(line, secret)] == []


@pytest.mark.parametrize(
    "line",
    [
        "7z a -p'{}' a.7z data",
        'openssl enc -aes256 -in a -k "{}"',
        "export DB_PASSWORD='{}'",
        'az keyvault secret set --name db --value "{}"',
        "gpg --batch --passphrase '{}' -c notes.txt",
        "restic --password-command 'echo {}' snapshots",
    ],
)
def test_several_words_in_quotes_are_found_where_only_a_secret_stands(line: str) -> None:
    secret = "Blue Lamp at " + "Noon 7"
    assert secret not in redact(line.format(secret)).text


@pytest.mark.parametrize(
    "line",
    [
        "mstsc /v:ts2 /u:ben /p:{}",
        "kafkacat -b broker:9093 -X ssl.key.password={} -C",
        'read -s DB_PASSWORD <<< "{}"',
        "ftp -n files.lan <<EOT\nuser ben {}\nls\nEOT",
    ],
)
@pytest.mark.parametrize("secret", ["Amber" + "-Kettle", "Tin" + "Whistle8"])
def test_words_of_a_language_are_found_where_only_a_secret_stands(line: str, secret: str) -> None:
    if "-" in secret and line.startswith(("read", "ftp")):
        secret = secret + "4"
    assert secret not in redact(line.format(secret)).text


@pytest.mark.parametrize("secret", CHOSEN)
def test_they_are_found_where_an_agent_s_call_quotes_them(secret: str) -> None:
    typed = [line for line in lines("typed.txt") if not line.startswith(("{", "["))]
    calls = [json.dumps({"command": line, "timeout": 5}) for line in typed]
    # What a line alone says in prose is said to a person, not in a call.
    missed = [line for line in calls if survives(line, secret)]
    assert len(missed) <= 0.02 * len(calls), missed


def test_commands_that_hold_none_stay_as_they_are() -> None:
    harmless = lines("harmless.txt")
    assert [redact(line).text for line in harmless if redact(line).findings] == []
    calls = [json.dumps({"command": line, "timeout": 5}) for line in harmless]
    assert [redact(line).text for line in calls if redact(line).findings] == []


def test_outputs_of_tools_stay_readable() -> None:
    text = "\n".join(lines("outputs.txt"))
    assert redact(text).text == text
    told = json.dumps({"output": text})
    assert redact(told).text == told


@pytest.mark.parametrize(
    "text",
    [
        "--- PASS: TestTokens2 (0.00s)",
        "    --- PASS: TestTokens2/with_key3 (0.00s)",
        "PASS: TestTokens2",
        "PASS src/tokens2.test.ts",
        "PASS: tests/tokens2.sh",
    ],
)
def test_a_test_s_name_is_no_password(text: str) -> None:
    assert not redact(text).findings


@pytest.mark.parametrize(
    "text",
    ["pass: {} is the login", "PASS: {}", "user ben, pass: {}", "creds ben:{} for the printer"],
)
def test_a_password_behind_the_same_word_is_found(text: str) -> None:
    secret = "hunter" + "2x9"
    assert secret not in redact(text.format(secret)).text


def test_a_key_on_the_next_line_is_found_and_a_commit_s_id_is_not() -> None:
    digits = "a38ff03c6f8f2dfe" + "7cde07fd46be3588"
    assert digits not in redact(f"your API key:\n{digits}\n").text
    log = f"rotate the API key\n{digits}2f052c1b feat: rotate\n"
    assert redact(log).text == log


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("--password", "password"),
        ("DB_PASSWORD", "password"),
        ("dbPassword", "password"),
        ("requirepass", "password"),
        ("wifi-sec.psk", "password"),
        ("--secret-string", "secret"),
        ("//npm.shop.test/:_authToken", "secret"),
        ("api-key", "secret"),
        ("--password-file", ""),
        ("--token-limit", ""),
        ("sort_key", ""),
        ("bypass", ""),
        ("existingSecret", ""),
        ("max_tokens", ""),
    ],
)
def test_a_name_says_whether_its_value_is_secret(name: str, kind: str) -> None:
    assert secret_name(name) == kind


def read(line: str) -> list[list[str]]:
    data = line.encode()
    return [
        [data[slice(*bare(data, *span))].decode() for span in command.words]
        for command in commands(data, 0, len(data))
        if command.words
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a -b 'c d' | e", [["a", "-b", "c d"], ["e"]]),
        ("a -p'x y' && b;c", [["a", "-p'x y'"], ["b"], ["c"]]),
        ("don't a 'b'", [["don't", "a", "b"]]),
        ('a \\"b c\\" d', [["a", "b c", "d"]]),
        ("a \\\n b", [["a", "b"]]),
        ("a <<< 'x' b", [["a", "b"]]),
        ("it is 'open", [["it", "is", "open"]]),
        ('["a", "-b", "c"]', [["a", "-b", "c"]]),
    ],
)
def test_words_are_read_as_a_shell_reads_them(line: str, found: list[list[str]]) -> None:
    assert read(line) == found


@pytest.mark.parametrize("part", ["a", "-p x ", "'", '"', "\\", "\\n", "| ", "-pass \\\n"])
def test_a_line_that_is_read_is_never_long(part: str) -> None:
    """The time for a text is the number of its lines times this, whatever it holds."""
    data = (part * 200_000).encode()
    for at in (0, 5_000, len(data) // 2, len(data) - 1):
        begin, end = line_around(data, at, 0, len(data))
        assert begin <= at <= end
        assert end - begin <= 6_000


@pytest.mark.parametrize(
    "sentence",
    [
        "The password for the VPN is {}",
        "Das Passwort f\u00fcr das WLAN ist {}.",
        "le mot de passe du wifi est {}",
        "staging password: {}",
        "the wifi password is '{} battery staple'",
    ],
)
def test_a_password_that_a_sentence_states_is_found_though_it_is_a_word(sentence: str) -> None:
    plain = "hunter2" + "horse"
    assert plain not in redact(sentence.format(plain)).text


@pytest.mark.parametrize(
    ("sentence", "secret"),
    [
        ("my PIN is {}", "47" + "11"),
        ("The passphrase of the backup disk: {}", "apple river" + " stone"),
        ("DB password: {}", "apple river" + " stone cloud"),
        ("The password for the shared printer is {}.", "apple river" + " stone cloud"),
    ],
)
def test_so_are_pins_and_words_of_a_passphrase(sentence: str, secret: str) -> None:
    assert secret not in redact(sentence.format(secret)).text


@pytest.mark.parametrize(
    "sentence",
    [
        "The password is at least 12 characters long",
        "The password is hashed with bcrypt12",
        "The password field is id_password2",
        "Password reset is handled in auth/reset2.py",
        "The pin of the LED is 13",
        "The PIN is 4 digits",
        "the pinned version is 2411",
        "The passphrase is asked for at start",
        "Password: must be rotated every month",
        "password: never log plain text anywhere",
        "The password is stored encrypted inside vault",
        "Password: ask Anna before you change anything",
        "the admin password is in 1Password",
    ],
)
def test_sentences_about_passwords_stay_as_they_are(sentence: str) -> None:
    assert redact(sentence).text == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "log in with admin and {}",
        "sign in as ben, {} is the password",
        "my login is ben and {} is the pass",
        "the grafana login is admin:{}",
        "creds: ben {}",
        "use {} as the root password",
        "nimm {} als Passwort",
        "melde dich mit admin und {} an",
        "usa {} como contrase\u00f1a",
        "when it asks for the password enter {}",
        "it's {} (the wifi password)",
        "the wifi password at the office is {}",
        "change the db password to {} please",
        "pass for the zip: {}",
        "pin for the vault door: {}",
        "pw {} for staging",
        "user: anna@shop.test / pw: {}",
        "my token is {}",
        "the door code is {}",
        "SSID ShopGuest, key {}",
        "het wachtwoord voor de ftp is {}, zet de site online",
        "数据库密码是 {},帮我跑一下",
        "ステージングのパスワードは {} です",
        "connecte toi avec deploy, mdp : {} puis relance",
        "Remember: the deploy key for orders is {}",
        "here's my token for the tracker, {}, use it",
        "a senha do usu\u00e1rio mudou para {}, roda de novo",
        "cambi\u00e9 la clave del wifi a {}, actualiza",
        "the db password is now {}, try again",
        "Le mot de passe du compte admin, c'est {}, connecte-toi",
        "account default\nuser ben\npassword {}\ntls on",
        "cat > auth.txt <<'END'\nben\n{}\nEND",
        'expect "*assword:"\nsend "{}\\r"\ninteract',
    ],
)
def test_a_password_that_is_told_in_words_is_found(sentence: str) -> None:
    for secret in ("Harbor" + "-Lamp73", "sommer_" + "Regen44"):
        assert secret not in redact(sentence.format(secret)).text


@pytest.mark.parametrize(
    "sentence",
    [
        "use bcrypt-12 as the password hash",
        "argon2id is the default password hasher",
        "login is handled in auth/reset2.py and auth/token2.py",
        "log in with GitHub and OAuth2",
        "log in as admin and click Save",
        "set the password to something longer than 12 characters",
        "the token is a JWT-2 string",
        "the prompt asks for a password; type it twice",
        "user2 and user3 share a password",
        "change the password to match PolicyV2.",
        "pass for each case: 12 of 14",
    ],
)
def test_sentences_that_tell_none_stay_as_they_are(sentence: str) -> None:
    assert redact(sentence).text == sentence


# A word with a digit, words that a sign joins, and two that a dot does.
SPOKEN = ("hunter" + "2", "Amber" + "-Kettle", "sunny" + ".Plover", "correct-horse" + "-battery")


@pytest.mark.parametrize("secret", SPOKEN)
@pytest.mark.parametrize(
    "sentence",
    [
        "The root password on that box is {}, please rotate it.",
        "the new wifi password ({}) doesn't work",
        "ssh into box7 (password {}) and look",
        "put {} into the password field",
        "enter {} when asked for the passphrase",
        "unlock it with {} (that's the pw)",
        "the basic auth in front of it is demo with {}",
        "Das root-Passwort vom NAS lautet {}, bitte ändern.",
        "connecte-toi avec anna et le mot de passe {}",
        "la password del server è {}, entra",
        "lösenordet är {}",
        "sign in as test3 / {} please",
        "login w/ anna@shop.test / {}",
        "the old pass was Blue9Lamp! and the new one is {}",
        "it's {} btw, the sudo password",
        "password should be {} not what the wiki says",
        "le mot de passe « {} » ne marche plus",
        "clave del wifi de casa: {}",
        "I changed the postgres password from {} to the one in the vault",
        "decrypt the dump with {}, then load it",
        'requests.get(url, auth=("kim", "{}"))',
        "sqlite3 vault.db \"PRAGMA key='{}'; select 1\"",
    ],
)
def test_what_sentences_give_as_a_password_is_found(sentence: str, secret: str) -> None:
    assert secret not in redact(sentence.format(secret)).text


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Deploy-Schlüssel für die Shop-App ist {}.",
        "voici la clé d'API pour la météo : {}",
        "la chiave API di Mailgun: {}",
        "the secret we share with the webhook is {}",
        "api_key = {}",
        "api key {} for the weather service",
        "Der Tresor-Schlüssel vom Büro ist {}",
    ],
)
def test_keys_shorter_than_most_are_found_by_their_name(sentence: str) -> None:
    secret = "a91f0c" + "7be2d4"
    assert secret not in redact(sentence.format(secret)).text


@pytest.mark.parametrize(
    "field",
    [
        'db:\n  user: app\n  passwd: "{}"',
        "[smtp]\nuser = app\npass = {}",
        "connect(host='pg', user='app', password='{}')",
    ],
)
def test_joined_words_are_found_in_a_field_that_is_a_password(field: str) -> None:
    secret = "copper*" + "Lid"
    assert secret not in redact(field.format(secret)).text


@pytest.mark.parametrize(
    "text",
    [
        "Ensure that your password manager is up-to-date and accessible",
        "Password: cfg.Database,",
        "password = Settings.Default",
        'headers = {"password_header": "X-Auth-Token"}',
        "パスワードは8文字以上で入力してください",
        "you can log in with Google / GitHub",
        "Build a login form for admin and editor roles, editors must not publish",
        "Bitte verlinke die Passwort-ändern-Seite im Menü",
        "die Kennwort-zurücksetzen-Maske braucht ein neues Layout",
        "log in as admin / editor / viewer",
        "the password is just required, nothing else",
        "unlock the screen with Face-ID",
        "the token is JWT-based and the secret is shared",
        "Content Decryption with AEAD_XCHACHA20_POLY1305.",
        "self._simple_command('LOGIN', user, self._quote(password))",
        "I use the password manager “1Password” for that",
    ],
)
def test_what_only_looks_like_them_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the alarm panel code is 6620 here", "6620"),
        ("Türcode war früher 5519, seit gestern neu", "5519"),
        ("log in als beheer met welkom01 en kijk", "welkom01"),
        ("ce code de secours 9QK2-77XM, je le saisis où ?", "9QK2-77XM"),
        ("per il webhook usa Qp7-rrl0-ZaE come segreto", "Qp7-rrl0-ZaE"),
        ("Passphrase lautet Drei Igel im Laub, mit Leerzeichen", "Drei Igel im Laub"),
        ("frase de paso del equipo: tres burros en la playa", "tres burros en la playa"),
        ("the passphrase is nine grey geese crossing, in small letters", "nine grey geese"),
        ("passphrase: Copper Lantern Walks Home", "Copper Lantern Walks Home"),
    ],
)
def test_whatever_word_for_a_secret_a_sentence_has_it_is_weighed(text: str, secret: str) -> None:
    assert secret not in redact(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Return a (user, account, password) (w15n64)",
        "spawn ssh admin@router1",
        "The passphrase is stored in the vault of the ops team.",
        "The passphrase is not known to anybody here",
        "Passphrase: Passphrase for the private key",
        "the passphrase is wrong for this key",
        "passphrase: the phrase that unlocks the key",
        "passphrase: ask Tom about it tomorrow",
        "die Passphrase ist die gleiche wie immer",
        "La frase de paso es la misma que la del año pasado",
    ],
)
def test_what_a_sentence_says_of_a_secret_stays(text: str) -> None:
    assert redact(text).text == text
