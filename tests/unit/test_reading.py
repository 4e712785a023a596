"""What a tool call reads: the project and this machine, or what others wrote."""

from __future__ import annotations

import pytest

from bowerbird.guard.reading import CHECK, Reading
from bowerbird.guard.shell_line import commands

ROOT = "/home/ana/shop"
HOME = "/home/ana"


def reading() -> Reading:
    return Reading((ROOT,), HOME, lambda path: path.startswith("/home/ana/notes"))


def ran(*lines: str) -> list[str]:
    """Where each command read what others wrote, in one session; checks read what is local."""
    judge = reading()
    found = (judge.foreign("Bash", {"command": line}, ROOT) for line in lines)
    return ["" if why == CHECK else why for why in found]


@pytest.mark.parametrize(
    "lines",
    [
        # An agent reads by one of these, then repeats what it read.
        ["npm view heron-core"],
        ["docker logs web"],
        ["kubectl logs web-1"],
        ["psql -c 'select body from mails'"],
        ["git fetch origin", "git show origin/main:README.md"],
        ["git pull", "cat README.md"],
        ["git clone https://git.example/a/b", "cat b/README.md"],
        ["scp host:notes.txt ."],
        ["ssh host cat notes.txt"],
        ["pip download heron", "unzip heron.whl", "cat heron/README.md"],
        ["aws s3 cp s3://bucket/notes.txt -"],
        ["cat ~/Downloads/notes.txt"],
        ["cat node_modules/heron/README.md"],
        ["echo notes > node_modules/heron/README.md", "cat node_modules/heron/README.md"],
        ["mkdir -p vendor/heron && touch vendor/heron/a.md", "cat vendor/heron/a.md"],
        ["head -c 300 public/js/heron.min.js"],
        ["gh pr checkout 7", "git log -1"],
        ["composer show heron/core"],
        ["go doc heron.example/core"],
        ["slack-cli read general"],
        ["exec 3<>/dev/tcp/host/80; cat <&3"],
        ["openssl s_client -connect host:443"],
        ["dig TXT host.example"],
        ["python read_mail.py"],
        ["c=curl; $c https://x.example"],
        ["make fetch-docs"],
        ["npm --prefix node_modules/heron test"],
        ["npm --prefix=node_modules/heron test"],
        ["make -C vendor/heron test"],
        ["make -Cvendor/heron test"],
        ["w3m https://x.example"],
        # Programs that fetch, however they are called.
        ["curl https://x.example"],
        ["cd a && curl -s x | jq ."],
        ["sudo wget x"],
        ["gh issue view 3"],
        ["gh pr diff 7 --repo a/b"],
        ["gh pr checkout 7"],
        ["gh pr view --json title,body"],
        ["gh api repos/a/b/issues"],
        ["x=$(curl a)"],
        ["echo `curl a`"],
        ["cat <(curl a)"],
        ["bash -c 'curl a'"],
        ["bash <<'E'\ncurl a\nE"],
        ["TOKEN=1 curl x"],
        ["timeout 5 curl x"],
        ["/usr/bin/curl x"],
        ["xargs -n1 curl < list"],
        ["echo a\ncurl b"],
        ["for u in a b; do curl $u; done"],
        ["if true; then curl x; fi"],
        ["get() { curl x; }; get"],
        ["find . -name '*.url' -exec curl {} \\;"],
        ["python3 -c 'import requests; print(requests.get(\"x\"))'"],
        ["sed -n 1,8p node_modules/a/lib.py"],
        ["grep -n word node_modules/a/README.md"],
        ["git remote add sven https://x.example/a", "git show sven/main:docs/a.md"],
        ["git show upstream/main:docs/a.md"],
        ["git fetch upstream --tags", "git tag -n9 v1"],
        ["python3 - <<'E'\nfrom urllib.request import urlopen\nE"],
        ["node -e \"fetch('x')\""],
        ["npx get https://x.example"],
        ["himalaya message read 4"],
        ["tar xzf heron.tgz", "cat heron/README.md"],
        ["cat /tmp/from-somebody.txt"],
        ["cat vendor/heron/README.md"],
        ["cat ../other/README.md"],
        ["cat .venv/lib/python3.12/site-packages/heron/__init__.py"],
        ["cp ~/Downloads/notes.md . && cat notes.md"],
        ["docker exec web cat /etc/motd"],
        ["git -C /home/bob/shop log"],
        ["git fetch", "git merge FETCH_HEAD"],
        ["go run ./cmd/mail"],
        ["./read-mail"],
        ["unknown-tool"],
    ],
)  # fmt: skip
def test_whatever_is_not_known_to_be_local_is_foreign(lines: list[str]) -> None:
    assert any(ran(*lines))


@pytest.mark.parametrize(
    "line",
    [
        "ls -la src",
        "grep -rn 'curl' src | head -5",
        "grep -rn node_modules src",
        "git log --oneline -5",
        "git diff origin/main...HEAD",
        "git fetch && git log origin/main..HEAD",
        "git commit -m \"$(cat <<'E'\nSay curl (and more)\n\nSee https://x.example\nE\n)\" && git push",
        "git commit -m 'use curl'",
        "gh auth status",
        "gh pr create --title 'curl' --body \"$(cat body.md)\"",
        "gh pr list --author @me",
        "gh pr view --json number,url,state",
        "go test ./... 2>&1 | tail -20",
        "cd web && npm run lint && npm test -- --watch=false",
        "npm install heron-core",
        "npm ci",
        "pnpm --filter api test",
        "pnpm -F api -F web run build",
        "npm -w api test",
        "npm --prefix web test",
        "docker compose -f ops/dev.yml up -d",
        "make test",
        "make -C web test",
        "make",
        "mise run test:unit && mise exec -- go vet ./...",
        "uv run pytest -q tests/unit",
        "npx tsc --noEmit",
        ".venv/bin/pytest -x",
        "./gradlew test",
        "./scripts/run-tests.sh",
        "poetry run mypy .",
        "python -m pytest",
        "python3 -c 'import json; print(json.load(open(\"a.json\")))'",
        "python3 --version",
        "claude --version",
        "docker compose up -d db && docker ps",
        "curl -s http://localhost:3000/health",
        "cat http/server.go",
        "echo https://x.example",
        "sed -n 1,20p src/a.py",
        "sed -i 's/curl/wget/' src/a.py",
        "awk '/x/ {print $1}' src/a.py",
        "jq -r .name package.json",
        "find . -name '*.py' | xargs wc -l",
        "find src -name '*.md' -exec grep -l x {} +",
        'for f in src/*.py; do head -3 "$f"; done',
        'while read -r f; do cat "$f"; done < list.txt',
        "if [ -f a.txt ]; then cat a.txt; else echo none; fi",
        "[[ -f a && $x > 3 ]] && cat a",
        "cat > /tmp/t.sh <<'E'\ngo test ./...\nE\nbash /tmp/t.sh",
        "mkdir -p /tmp/try && cd /tmp/try && git init && echo a > f && cat f",
        "go build -o /tmp/shop ./cmd/shop && ls -la /tmp/shop",
        "cat ~/notes/deploy.md",
        "kill %1; sleep 1; which node",
        "bower query 'how do we deploy'",
        "ps aux | grep node",
        "diff <(git show HEAD:a.py) a.py",
        "wc -l *.md; date",
        "iconv -f latin1 -t utf-8 data/orders.csv > /tmp/o.csv && mv /tmp/o.csv data/orders.csv",
        "dos2unix data/orders.csv && nl -b a data/orders.csv",
        "bash -n scripts/x.sh",
        "",
    ],
)  # fmt: skip
def test_the_projects_own_files_and_commands_are_local(line: str) -> None:
    assert ran(line) == [""]


def test_tools_are_judged_by_what_they_read() -> None:
    judge = reading()

    def why(tool: str, **given: str) -> str:
        return judge.foreign(tool, given, ROOT)

    assert why("WebSearch", query="x") == "web"
    assert why("mcp__jira__issue") == "mcp"
    assert why("mcp__ide__getDiagnostics") == ""
    assert why("mcp__bowerbird__memory_search") == ""
    assert why("Read", file_path=f"{ROOT}/a.md") == why("Grep", pattern="x") == ""
    assert why("Read", file_path="/home/ana/Downloads/a.md") == "file"
    assert why("Grep", pattern="x", path="node_modules") == "file"
    assert why("Task", prompt="look") == "agent"
    assert why("TodoWrite") == why("AskUserQuestion") == ""
    assert why("SomethingNew") == "tool"


def test_what_the_session_wrote_is_its_own() -> None:
    judge = reading()
    path = "/tmp/plan.md"
    assert judge.foreign("Read", {"file_path": path}, ROOT) == "file"
    judge.foreign("Write", {"file_path": path, "content": "x"}, ROOT)
    assert judge.foreign("Read", {"file_path": path}, ROOT) == ""
    script = {"file_path": f"{ROOT}/get.py", "content": "import urllib.request"}
    judge.foreign("Write", script, ROOT)
    assert judge.foreign("Bash", {"command": "python get.py"}, ROOT) == "shell"
    judge.foreign("Write", {**script, "content": "import json\nprint(1)"}, ROOT)
    assert judge.foreign("Bash", {"command": "python get.py"}, ROOT) == ""


@pytest.mark.parametrize(
    "line",
    [
        "python -m shop.report --all",
        "python tool.py",
        "make services",
        "npm start",
        "./read-mail",
        "go run ./cmd/mail",
        "cargo run -- --all",
        "npm run sync-mail",
        "python read_mail.py",
        "make fetch-docs",
    ],
)
def test_a_program_of_the_project_may_print_anything(line: str) -> None:
    assert ran(line) == ["program"]


@pytest.mark.parametrize(
    "line",
    [
        "python3 -c 'from shop import report; report.send()'",
        "export SHOP_ENV=sandbox; python3 -c 'import shop.report'",
        "python - <<'E'\nimport sys\nsys.path.insert(0, 'src')\nimport stock\nE",
        "cd jobs && PYTHONPATH=../tools python3 -c 'import nightly, helpers'",
    ],
)
def test_a_text_for_an_interpreter_that_imports_the_projects_modules_is_its_program(
    line: str,
) -> None:
    files = ("shop/report.py", "src/stock.py", "tools/helpers.py", "jobs/nightly.py")
    texts = {f"{ROOT}/{name}": "x = 1" for name in files}
    judge = Reading((ROOT,), HOME, content=lambda path: texts.get(path, ""))
    assert judge.foreign("Bash", {"command": line}, ROOT) == "program"
    assert ran(line) == ["shell"], "a module that nobody knows reads what others wrote"


def test_a_module_of_the_project_that_is_empty_or_gone_is_its_program() -> None:
    def read(line: str, *, brought_in: bool = False) -> str:
        there = (f"{ROOT}/shop/", f"{ROOT}/shop/__init__.py", f"{ROOT}/shop/bare.py")
        judge = Reading(
            (ROOT,),
            HOME,
            exists=there.__contains__,
            brought_in=lambda path, _roots, _at: brought_in and path.endswith("shop/gone.py"),
        )
        return judge.foreign("Bash", {"command": line}, ROOT)

    for module in ("shop", "shop.bare", "shop.gone"):
        assert read(f"python3 -c 'import {module}' && echo ok") == "program", module
    assert read("printf 'x = 1' > new.py && python3 -c 'import new'") == "program"
    assert read("python3 -c 'import shop.gone'", brought_in=True) == "shell"
    assert read("python3 -c 'import shopping.gone'") == "shell"
    assert read("python3 -c 'import abc, logging, calendar'") == ""


@pytest.mark.parametrize(
    "code",
    [
        "import shop.report, mail; mail.read()",
        "from shop import report; import urllib.request",
        "from shop import report; import subprocess",
        "from shop import report; eval(report.x)",
        "from .. import shop",
    ],
)
def test_beside_the_projects_modules_it_may_import_nothing_unknown(code: str) -> None:
    texts = {f"{ROOT}/shop/report.py": "x = 1"}
    judge = Reading((ROOT,), HOME, content=lambda path: texts.get(path, ""))
    assert judge.foreign("Bash", {"command": f'python3 -c "{code}"'}, ROOT) == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "ls vendor",
        "ls -la vendor/heron | head -5",
        "cd node_modules && ls; pwd",
        "find vendor -name '*.py' | sort | wc -l",
        "tree -L 2 third_party > /tmp/tree.txt",
    ],
)
def test_names_of_vendored_files_may_be_anything(line: str) -> None:
    assert ran(line) == ["program"]


@pytest.mark.parametrize(
    "line",
    [
        "ls vendor | xargs cat",
        "cat $(ls vendor)",
        "for f in $(ls vendor); do cat $f; done",
        "ls vendor; cat vendor/README.md",
        "find vendor -name '*.md' -exec cat {} +",
        "ls vendor | grep -r token",
        "find vendor -print0 | sort --files0-from=-",
        "fd . vendor -X cat",
        "find vendor -name '*.md' | while read f; do cat $f; done",
        "ls /srv/vendor",
        "ls ../other/vendor",
    ],
)
def test_listing_is_no_excuse_for_reading(line: str) -> None:
    assert ran(line) == ["shell"]


def test_a_script_of_the_project_is_judged_by_what_it_runs() -> None:
    scripts = {f"{ROOT}/all.sh": "go vet ./... && go test ./...", f"{ROOT}/get.sh": "curl x"}
    judge = Reading((ROOT,), HOME, content=lambda path: scripts.get(path, ""))
    assert judge.foreign("Bash", {"command": "./all.sh"}, ROOT) == CHECK
    assert judge.foreign("Bash", {"command": "bash get.sh"}, ROOT) == "shell"


def test_where_the_user_trusts_the_repository_what_is_pulled_is_trusted() -> None:
    judge = Reading((ROOT,), HOME, pulls=True)
    assert judge.foreign("Bash", {"command": "git pull && git show origin/main:a"}, ROOT) == ""
    assert judge.foreign("Bash", {"command": "git clone https://x.example/b"}, ROOT) == "shell"


def test_a_line_is_split_into_its_commands() -> None:
    def words(line: str) -> list[list[str]]:
        return [one.words for one in commands(line)]

    assert words("a 'b c' \"d e\" f\\ g; h|i&&j") == [
        ["a", "b c", "d e", "f g"],
        ["h"],
        ["i"],
        ["j"],
    ]
    assert words("a # b\nc") == [["a"], ["c"]]
    assert words("a $(b $(c)) d") == [["c"], ["b", "\0\0"], ["a", "\0\0", "d"]]
    assert words("a '$(b)'") == [["a", "$(b)"]]
    (found,) = commands("cat > out 2>&1 <<-'E' < in\nx; y\nE")
    assert (found.writes, found.reads, found.text) == (["out"], ["in"], "x; y")
    for broken in (
        "a 'b",
        'a "b',
        "a $(b",
        "a ${b",
        "a <<E\nb",
        "((",
        "))",
        "a `b",
        "\\",
        "<",
        "$",
    ):
        commands(broken)


@pytest.mark.parametrize(
    ("line", "reads"),
    [
        ("cp .env.example theirs", ""),
        ("mv -f .env.example theirs", ""),
        ("ln -s .env.example theirs", ""),
        ("install -m 600 .env.example theirs", ""),
        ("cp theirs .env", "shell"),
        ("cp theirs .env.example .", "shell"),
        ("mv -t . theirs", "shell"),
        ("install -vDt . .env.example theirs", "shell"),
        ("cp --target-directory=. .env.example theirs", "shell"),
        ("ln -s theirs", "shell"),
        ("ln -sfn ../../.env.example apps/web/.env", ""),
        ("ln -s ../theirs apps/theirs", "shell"),
        ("ln -s ../theirs apps/web", "shell"),
        ("ln -s ../web/theirs apps/web", "shell"),
        ("ln -s ../../out.md apps/out.md", "shell"),
        ("ln -sr ../out.md apps/out.md", "shell"),
        ("ln ../out.md apps/out.md", "shell"),
        ("cp ../out.md apps/out.md", "shell"),
        ("cat .env.example theirs", "shell"),
    ],
)
def test_a_copy_reads_what_it_copies_and_not_what_it_replaces(line: str, reads: str) -> None:
    judge = Reading((ROOT,), HOME, brought_in=lambda path, _roots, _at: path.endswith("theirs"))
    assert judge.foreign("Bash", {"command": line}, ROOT) == reads
