"""Settings: types, bounds, precedence, and what a checkout may not set."""

import json
import os
from pathlib import Path

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.config import Config, setting
from bowerbird.core.errors import BadConfig, UnknownName


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for key in list(__import__("os").environ):
        if key.startswith("BOWER_"):
            monkeypatch.delenv(key)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (tmp_path / "config" / "bowerbird").mkdir(parents=True)
    return tmp_path


def user_file(home: Path, text: str) -> None:
    (home / "config" / "bowerbird" / "config.toml").write_text(text)


def limit(**settings: object) -> tuple[int, str]:
    config = Bowerbird.open(settings=dict(settings))._wiring.config
    return config["query.limit"], config.set_by("query.limit")


def test_a_flag_wins_over_a_variable_over_a_project_over_a_user_over_the_default(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limit() == (10, "default")
    user_file(home, "[query]\nlimit = 20\n")
    assert limit()[0] == 20
    (home / "work" / ".bowerbird.toml").write_text("[query]\nlimit = 15\n")
    assert limit()[0] == 15
    monkeypatch.setenv("BOWER_QUERY_LIMIT", "12")
    assert limit() == (12, "BOWER_QUERY_LIMIT")
    assert limit(**{"query.limit": 3}) == (3, "flag")


def test_an_agents_own_table_wins_over_the_rest_of_the_users_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file(home, "[query]\nlimit = 20\n[agents.coder.query]\nlimit = 5\n")
    assert limit()[0] == 20
    monkeypatch.setenv("BOWER_AGENT", "coder")
    assert limit()[0] == 5
    assert limit()[1].endswith("[agents.coder]")


def test_a_changed_file_is_read_again(home: Path) -> None:
    for value in (20, 21, 22):
        user_file(home, f"[query]\nlimit = {value}\n#{'x' * value}")
        assert limit()[0] == value == limit()[0]


def test_a_checkout_may_not_move_the_store(home: Path) -> None:
    (home / "work" / ".bowerbird.toml").write_text('store = "/tmp/theirs.db"\n')
    with pytest.raises(BadConfig, match="may not"):
        Bowerbird.open()


@pytest.mark.parametrize(
    ("key", "own", "theirs", "counts"),
    [
        ("limit", None, 50, 10),
        ("limit", None, 3, 3),
        ("limit", 20, 50, 20),
        ("limit", 20, 15, 15),
        ("limit", 5, 8, 5),
        ("budget", None, 500, 500),
        ("budget", None, 0, 0),
        ("budget", 300, 0, 300),
        ("budget", 300, 500, 300),
        ("budget", 300, 200, 200),
        ("min_score", None, 0.4, 0.4),
        ("min_score", 0.3, 0.0, 0.3),
        ("min_score", 0.3, 0.2, 0.3),
        ("min_score", 0.3, 0.5, 0.5),
    ],
)
def test_a_checkout_may_only_narrow_a_search(
    home: Path, key: str, own: float | None, theirs: float, counts: float
) -> None:
    if own is not None:
        user_file(home, f"[query]\n{key} = {own}\n")
    checkout = home / "work" / ".bowerbird.toml"
    checkout.write_text(f"[query]\n{key} = {theirs}\n")
    config = Bowerbird.open()._wiring.config
    assert config[f"query.{key}"] == counts
    # What did not count is not named as where the value came from.
    assert (config.set_by(f"query.{key}") == str(checkout)) is (counts == theirs)


def test_what_a_checkout_asks_for_is_checked_whether_it_counts_or_not(home: Path) -> None:
    (home / "work" / ".bowerbird.toml").write_text("[query]\nlimit = 51\n")
    with pytest.raises(BadConfig, match=r"\.bowerbird\.toml"):
        Bowerbird.open()


def test_an_unknown_key_names_the_nearest(home: Path) -> None:
    user_file(home, "[query]\nlimits = 20\n")
    with pytest.raises(UnknownName) as raised:
        Bowerbird.open()
    assert raised.value.remedy == "did you mean query.limit?"
    assert "config.toml" in raised.value.message


def test_a_broken_file_is_named(home: Path) -> None:
    user_file(home, "not toml at all")
    with pytest.raises(BadConfig, match=r"config\.toml"):
        Bowerbird.open()


@pytest.mark.parametrize("value", ["many", 0, 51, True, 1.5, None])
def test_a_value_out_of_its_type_or_range_is_refused(value: object) -> None:
    with pytest.raises(BadConfig, match=r"query\.limit"):
        Config().put("query.limit", value, "test")


@pytest.mark.parametrize("key", ["query.limit", "query.min_score"])
@pytest.mark.parametrize("value", [10**400, 10**5_000, "9" * 5_000], ids=["long", "longer", "text"])
def test_a_number_of_any_length_is_refused_in_few_words(key: str, value: object) -> None:
    with pytest.raises(BadConfig, match=key) as raised:
        Config().put(key, value, "test")
    assert len(raised.value.message) < 200


@pytest.mark.parametrize("number", ["9" * 400, "0x" + "f" * 5_000, "[1, 0b1" + "0" * 64 + "]"])
@pytest.mark.parametrize("key", ["limit", "min_score"])
def test_a_checkout_whose_numbers_are_too_large_is_told_so(
    home: Path, key: str, number: str
) -> None:
    (home / "work" / ".bowerbird.toml").write_text(f"[query]\n{key} = {number}\n")
    with pytest.raises(BadConfig, match=r"\.bowerbird\.toml: it holds a number that is too large"):
        Bowerbird.open()


@pytest.mark.parametrize("value", [float("nan"), "nan"])
def test_what_is_no_number_is_in_no_range(value: object) -> None:
    with pytest.raises(BadConfig, match=r"query\.min_score"):
        Config().put("query.min_score", value, "test")


def test_what_was_parsed_is_kept_for_its_owner_alone(home: Path) -> None:
    state = home / "state" / "bowerbird"
    state.mkdir(parents=True, mode=0o755)
    (state / "config-cache.json").write_text("{}")
    user_file(home, "[query]\nlimit = 7\n")
    for _ in range(2):
        assert Bowerbird.open()._wiring.config["query.limit"] == 7
    assert [(path.name, path.stat().st_mode & 0o777) for path in state.iterdir()] == [
        ("config-cache.json", 0o600)
    ]


def test_what_was_parsed_of_many_checkouts_does_not_grow_for_ever(home: Path) -> None:
    kept = home / "state" / "bowerbird" / "config-cache.json"
    project = home / "work" / ".bowerbird.toml"
    sizes = []
    for number in range(120):
        checkout = home / "work" / f"c{number:03}"
        checkout.mkdir()
        (checkout / project.name).write_text("[query]\nlimit = 5\n")
        os.chdir(checkout)
        assert Bowerbird.open()._wiring.config["query.limit"] == 5
        sizes.append(kept.stat().st_size)
    assert sizes[-1] == sizes[-20] < sizes[10] * 10
    assert str(checkout) in kept.read_text()


@pytest.mark.parametrize("section", ["embed", "agents.alice.embed"])
def test_a_key_stands_nowhere_but_where_it_was_put(home: Path, section: str) -> None:
    state = home / "state" / "bowerbird"
    state.mkdir(parents=True, mode=0o700)
    user = home / "config" / "bowerbird" / "config.toml"
    user_file(home, f'[{section}]\nkey = "k3y"\n')
    found = user.stat()
    # As it was written before keys were left out.
    stamp = [found.st_mtime_ns, found.st_size]
    old = {str(user): {"stamp": stamp, "values": {f"{section}.key": "k3y"}}}
    (state / "config-cache.json").write_text(json.dumps(old))
    for _ in range(2):
        Bowerbird.open()
    assert "k3y" not in (state / "config-cache.json").read_text()


def test_variables_are_named_after_keys() -> None:
    assert setting("query.min_score").variable == "BOWER_QUERY_MIN_SCORE"
