"""What belongs to one machine or one person."""

import pytest

from bowerbird.guard.privacy import private

PRIVATE = (
    "open /home/ben/.bashrc",
    "see /Users/ana/work/app.py",
    "`/" + "root/.cache/uv`",
    "cc -I/tmp/include main.c",
    "file:///var/log/syslog",
    "/mnt/c/work/app",
    r"C:\Users\ana\app.py",
    r"D:\\work\\app.py",
    "c:/Users/ana",
    r"\\fileserver\share",
    "ask ana.lopez@example.com",
    "git@github.com:ana/app.git",
    "ssh deploy@10.2.0.17",
    "connect to 192.168.1.20:5432",
    "password=[REDACTED:password]",
)
COMMON = (
    "src/home/page.tsx imports app/tmp/cache.ts",
    "./tmp/out and ../var/x",
    "~/.config/app.toml",
    "/etc/passwd, /usr/lib/python3/dist-packages and /opt/tool",
    "npm ERR! left-pad@1.3.0 and @types/node@20.11.5",
    "@pytest.fixture",
    "Node 10.2.1 on Windows 10.0.19041",
    "listening on 127.0.0.1:8080 and 0.0.0.0",
    r"re.sub('a:\n', '')",
    "https://docs.python.org/3/library/re.html",
)


@pytest.mark.parametrize("text", PRIVATE)
def test_a_path_of_one_machine_an_address_and_a_placeholder_are_private(text: str) -> None:
    assert private(text)


@pytest.mark.parametrize("text", COMMON)
def test_what_everybody_has_is_not_private(text: str) -> None:
    assert not private(text)


def test_an_address_may_be_in_what_a_person_types_and_a_folder_of_one_machine_not() -> None:
    assert not private("mail goes out as orders@shop.example", addresses=True)
    assert private("mail goes out as orders@shop.example")
    assert private("it is in /home/mei/till", addresses=True)
