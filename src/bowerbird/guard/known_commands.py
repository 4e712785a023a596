"""Commands whose output is known to come from this machine and this project. Data, with one lookup.

Nothing else counts as local: a program that is not listed may print what others wrote. Listed are tools
that read the files they are given, version control, and what builds, tests, lints and formats.
"""

import sys

# Print names and states, but no content of files.
QUIET = frozenset(
    "cd pushd popd echo printf export unset set shift return exit true false : test [ [[ sleep wait kill"
    " pkill killall jobs bg fg trap umask ulimit alias unalias type which whereis hash date cal uname"
    " hostname whoami id groups pwd seq expr bc dc tput clear reset ps top pgrep lsof ss netstat free"
    " uptime nproc getconf locale local declare typeset readonly let read mapfile readarray shopt history"
    " printenv getopts function mkdir rmdir rm touch chmod chown mktemp truncate basename dirname stat du"
    " df wc md5sum sha1sum sha256sum shasum cksum realpath readlink disown break continue open say"
    " pbcopy code tmux screen bower".split()
)
# Print the content or names of the files that they are given, or of what is piped into them.
READERS = frozenset(
    "cat head tail less more bat tac rev nl sort uniq cut paste join comm diff cmp colordiff delta tree"
    " ls ll exa eza find fd fdfind file xxd od hexdump strings base64 column fold fmt expand tr tee cp mv"
    " ln install sed awk gawk mawk grep egrep fgrep zgrep zcat gzip rg ag ack jq yq xmllint split csplit"
    " sqlite3 source . dd tokei cloc scc ctags patch gofmt goimports gofumpt iconv recode dos2unix"
    " unix2dos unexpand".split()
)
# Of these readers, those that read all operands but the last, which they write.
COPIERS = frozenset("cp mv ln install".split())
# Of the readers, those that print names of files alone; and those that a list of names is piped through.
LISTERS = frozenset("tree ls ll exa eza find fd fdfind".split())
FILTERS = frozenset("cat head tail less more sort uniq cut column grep egrep fgrep wc".split())
# Of these readers, the first operand is a pattern or a program, and the options that give one instead.
PATTERNS = frozenset("sed awk gawk mawk grep egrep fgrep zgrep rg ag ack jq yq tr".split())
PATTERN_OPTIONS = ("-e", "-f", "--regexp", "--expression", "--file")
# Options of readers whose value is no file.
# The same option takes a value in one and none in another: `head -n 5`, but `grep -n word`.
_LINES = "-A -B -C -m --max-count --include --exclude --exclude-dir"
VALUES = {
    name: frozenset(options.split())
    for names, options in {
        "head tail": "-n -c --lines --bytes",
        "grep egrep fgrep zgrep": f"{_LINES} -d",
        "rg ag ack": f"{_LINES} -g -t -T --glob --type --sort",
        "awk gawk mawk": "-F -v",
        "sort": "-k -t -S",
        "cut": "-d -f -c -b",
        "paste join column": "-d -t -s",
        "jq yq": "--arg --argjson --indent",
        "find fd fdfind": "-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin -regex"
        " -printf -perm -user -t -e -d",
        "tree": "-L -I -P",
        "split csplit": "-l -b -n",
        "nl": "-b -f -h -i -l -n -s -v -w",
        "iconv": "-f -t",
        "od xxd hexdump": "-n -N -t -A -l -s -c",
    }.items()
    for name in names.split()
}
# Readers that with an option print what nobody could read before.
DECODERS = {"base64": ("-d", "-D", "--decode", "-di"), "xxd": ("-r", "-rp", "-pr"), "uudecode": ()}
# After these options of `find` and its like, another command follows.
RUNS_ANOTHER = ("-exec", "-execdir", "-ok", "-okdir", "--exec", "-x", "--exec-batch", "-X")
INTERPRETERS = frozenset(("python", "node", "ruby", "perl"))
# Run another command, which follows their own options.
AROUND = frozenset(
    "sudo env time timeout nice nohup command exec xargs stdbuf builtin then do else if elif while"
    " until !"
    " { ( parallel ionice caffeinate unbuffer xvfb-run chronic dotenv".split()
)
KEYWORDS = frozenset("fi done esac } ) ;; case in for select".split())
SHELLS = frozenset("bash sh zsh dash ksh".split())
# Subcommands of git that reach another host, whose content is then in the repository.
GIT_FETCHES = frozenset(
    "fetch pull clone ls-remote am svn p4 lfs fetch-pack request-pull daemon cvsimport".split()
)
# Subcommands of git that print or bring in what a revision holds.
GIT_READS = frozenset(
    "show log diff cat-file checkout switch merge rebase reset cherry-pick grep blame archive restore"
    " format-patch range-diff difftool annotate whatchanged shortlog".split()
)
# Subcommands of git that print states and names alone, in whatever repository.
GIT_QUIET = frozenset(
    " status branch rev-parse init add commit push tag stash worktree config --version rm mv clean gc"
    " symbolic-ref update-index check-ignore".split(" ")
)
# Options of `git branch` with which it prints names that others chose.
OF_REMOTES = ("-r", "-a", "-ra", "-ar", "-rv", "-av", "-vr", "-va", "-vv", "--remotes", "--all")
GIT_VALUES = frozenset(("-C", "-c", "--git-dir", "--work-tree"))
# Outward and one's own: what they print is what they were given, or names and states.
FORGE = {
    "gh": frozenset(
        "auth config version alias completion extension status-line"
        " pr:create pr:comment pr:edit pr:merge pr:close pr:reopen pr:ready pr:review pr:lock pr:checks"
        " issue:create issue:comment issue:edit issue:close issue:reopen issue:lock issue:pin"
        " release:create release:upload release:edit release:delete repo:create repo:set-default"
        " repo:edit"
        " run:rerun run:cancel run:watch workflow:run workflow:enable workflow:disable label:create"
        " label:edit secret:set secret:list secret:delete variable:set gist:create ssh-key:add".split()
    ),
    "glab": frozenset(
        "auth config version alias completion"
        " mr:create mr:note mr:update mr:merge mr:close mr:reopen mr:approve"
        " issue:create issue:note issue:update issue:close issue:reopen release:create".split()
    ),
}
# Fields of a pull request or an issue that nobody writes text into.
FORGE_FIELDS = frozenset(
    "additions author baseRefName baseRefOid changedFiles closed closedAt createdAt deletions headRefName"
    " headRefOid id isCrossRepository isDraft mergeCommit mergeStateStatus mergeable mergedAt mergedBy"
    " number reviewDecision state statusCheckRollup updatedAt url isPrivate visibility defaultBranchRef"
    " nameWithOwner owner sshUrl".split()
)
# Build, test, lint and format; each whole, whatever it is given.
CHECKS = frozenset(
    "golangci-lint staticcheck gotestsum govulncheck rustc rustfmt tsc vue-tsc eslint prettier biome jest"
    " vitest mocha ava tap c8 nyc playwright cypress webpack vite rollup esbuild turbo nx lerna tsup swc"
    " oxlint knip tsx stylelint ruff black isort flake8 pylint mypy pyright pyre pytest py.test tox nox"
    " unittest coverage pre-commit bandit ty lint-imports rspec rubocop minitest rake phpunit pest"
    " phpstan"
    " psalm pint mvn mvnw gradle gradlew javac ktlint detekt xcodebuild swiftlint swiftformat ctest ninja"
    " meson cmake bazel bazelisk gcc g++ cc c++ clang clang++ ld ar nm objdump ldd strip clang-format"
    " clang-tidy shellcheck shfmt hadolint yamllint markdownlint markdownlint-cli2 actionlint buf protoc"
    " sqlc prove cppcheck valgrind gcov lcov hyperfine zig elm gleam mix rebar3 sbt stack cabal ghc hlint"
    " ormolu nimble crystal dialyzer credo codespell typos commitlint husky lefthook vale svelte-check"
    " astro tap-parser gotip ginkgo mockgen stringer wire templ pnpx-test".split()
)
# Programs of which some subcommands are local; the rest is unknown. An empty one: called without any.
SUBCOMMANDS = {
    name: frozenset(known.split(" "))
    for name, known in {
        "go": " build test vet fmt mod generate list version env tool work clean install get fix"
        " telemetry",
        "cargo": " build b test t check c clippy fmt bench tree metadata clean nextest doc fix add remove"
        " update install fetch version --version init new machete deny audit hack llvm-cov",
        "npm": " install i ci add remove rm uninstall test t tst build ls list version -v --version init"
        " pack prune dedupe rebuild link config prefix root bin",
        "pnpm": " install i add remove rm test t build ls list version -v --version init prune dedupe"
        " rebuild link config root store lint typecheck format",
        "yarn": " install add remove test build --version init link config workspaces workspace lint"
        " typecheck format check",
        "bun": " install i add remove test build --version init link x-test",
        "deno": " test lint fmt check task-test --version cache",
        "pip": " install uninstall list freeze check --version config cache wheel",
        "uv": " sync lock add remove venv tree build init version --version python pip cache",
        "poetry": " install add remove lock update check build version --version env init config",
        "pipenv": " install lock sync check --version",
        "pdm": " install add remove lock sync build",
        "hatch": " build fmt test env",
        "conda": " install create activate env list --version",
        "bundle": " install add update check lock --version config",
        "gem": " install build list --version",
        "rails": " test db:migrate db:create db:seed routes zeitwerk:check generate",
        "composer": " install update require remove dump-autoload validate test --version",
        "php": " -l --version artisan-test",
        "dotnet": " build test restore format clean publish add new sln --version --info",
        "swift": " build test package --version",
        "flutter": " test analyze format build pub --version",
        "dart": " test analyze format compile pub fix --version",
        "terraform": " fmt validate init version",
        "tofu": " fmt validate init version",
        "helm": " lint template version",
        "docker": " build buildx ps images stop rm rmi kill start restart tag version info network"
        " volume",
        "docker-compose": " build up down ps stop start restart",
        "podman": " build ps images stop rm start restart",
        "kubectl": " config version apply delete scale rollout",
        "mise": " install use ls list trust version --version doctor tasks env which current"
        " settings where",
        "asdf": " install current list plugin where which reshim",
        "nvm": " use install current ls",
        "direnv": " allow reload status",
        "rustup": " show component target toolchain default update",
        "pyenv": " local versions version which",
        "rbenv": " local versions version which",
        "brew": " list --version --prefix install services",
        "apt-get": " install update", "apt": " install update", "apk": " add",
        "systemctl": " status start stop restart is-active",
        "make": " ", "just": " --list -l", "task": " --list -l", "gh": "", "node": " --version -v"
        " --check",
        "python": " --version -V", "ruby": " --version -v -c", "java": " -version --version",
        "claude": " --version mcp", "codex": " --version", "gemini": " --version",
        "crontab": " -l",
    }.items()
}  # fmt: skip
# Options before a subcommand that a folder or file follows, or by program a name that leads to no other.
PATH_OPTIONS = frozenset(
    "-C --prefix --cwd --dir --directory --project --manifest-path -f --file".split()
)
NAME_OPTIONS = {
    "pnpm": frozenset(("--filter", "-F", "--filter-prod")),
    "npm": frozenset(("--workspace", "-w")),
    "bun": frozenset(("--filter", "-F")),
    "docker": frozenset(("--context", "-c")),
    "docker-compose": frozenset(("--project-name", "-p", "--profile")),
}
# Other names of programs with the same subcommands.
SAME = {"pip3": "pip", "python3": "python", "gmake": "make", "npm.cmd": "npm", "nerdctl": "docker"}
# Runners of a project's own tasks by name, each with the subcommands before the name.
TASKS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), frozenset(("run", "run-script"))),
    **dict.fromkeys(("mise", "composer", "deno", "poe", "hatch"), frozenset(("run", "r", "task"))),
    **dict.fromkeys(
        ("make", "just", "task", "rake", "invoke", "inv", "nox", "ant", "lake", "doit", "grunt", "gulp"),
        frozenset(),
    ),
}  # fmt: skip
# Run a program of the project's own environment.
INSIDE = {
    "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "pdm": ("run",), "hatch": ("run",),
    "bundle": ("exec",), "npx": (), "bunx": (), "uvx": (), "pipx": ("run",), "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"), "npm": ("exec", "x"), "mise": ("exec", "x"), "direnv": ("exec",),
    "rye": ("run",), "devbox": ("run",), "rtk": (), "cross-env": (), "dotenvx": ("run",),
}  # fmt: skip
# Words of a task's or script's name that say that it checks, builds or formats.
PURPOSES = frozenset(
    "test tests testing lint linter build check checks fmt format formatter typecheck types type"
    " tsc compile"
    " vet clippy generate gen codegen coverage cov cover bench benchmark ci verify validate clean unit"
    " integration e2e smoke spec specs all install setup bootstrap deps prepare watch dev debug release"
    " lints tidy mypy ruff pytest eslint prettier jest vitest migrate seed regression race short".split()
)
# With these a program says how it is used, or its version.
ABOUT = frozenset(("--help", "-h", "--version", "version", "help"))
ABOUT_ITSELF = (["--help"], ["--version"])
# Modules of the standard library that reach other hosts, or run programs and other files.
_REACHING = frozenset(
    "asyncio cProfile cgi cgitb code codeop concurrent ctypes distutils doctest ensurepip ftplib http"
    " idlelib imaplib imp importlib lib2to3 mailbox marshal modulefinder multiprocessing nntplib nt pdb"
    " pickle pip pkgutil poplib posix profile pty pydoc runpy shelve smtpd smtplib socket socketserver"
    " ssl subprocess telnetlib trace unittest urllib venv webbrowser wsgiref xmlrpc zipapp"
    " zipimport".split()
)
# Modules of Python that do neither.
PYTHON_MODULES = frozenset(
    one for one in sys.stdlib_module_names - _REACHING if not one.startswith("_")
) | frozenset(("__future__", "numpy", "pandas", "toml", "tomli", "yaml"))
# What code calls to reach beyond that in spite of its imports.
PYTHON_BEYOND = ("__import__", "eval(", "exec(", "os.system", "os.popen", "os.exec", "importlib")
# What the source of a program holds that asks other hosts.
REACHES = (
    "urllib.request",
    "urllib3",
    "import requests",
    "from requests",
    "httpx",
    "aiohttp",
    "http.client",
    "imaplib",
    "poplib",
    "ftplib",
    "smtplib",
    "import socket",
    "from socket",
    "paramiko",
    "telnetlib",
    "fetch(",
    "axios",
    "node:http",
    "node:https",
    "node:net",
    "require('http",
    'require("http',
    "net/http",
    "Net::HTTP",
    "open-uri",
    "curl",
    "wget",
    "reqwest",
    "feedparser",
    "websocket",
)
# Build and run what the project is.
BUILDERS = frozenset("go cargo npm pnpm yarn bun dotnet swift flutter dart rails mix zig".split())
NODE_MODULES = frozenset("fs path util assert os url querystring crypto events buffer".split())
NODE_BEYOND = ("fetch(", "import(", "eval(", "child_process")
# Modules that `python -m` runs.
PYTHON_TOOLS = CHECKS | frozenset(
    "pip venv build compileall py_compile json.tool timeit cProfile dis ensurepip doctest trace".split()
)
# Folders that hold what others wrote, wherever they are.
_VENDORED = frozenset(
    "node_modules vendor vendored _vendor third_party third-party thirdparty 3rdparty site-packages"
    " dist-packages .venv venv bower_components web_modules jspm_packages elm-stuff .bundle gems .yarn"
    " godeps deps extern external subprojects vendors third.party 3rd_party 3rd-party externals"
    " externalprojects _deps submodules .pnpm".split()
)
# In small letters these are names of one's own: the pods of a cluster.
_VENDORED_AS_WRITTEN = frozenset(("Pods", "Carthage"))


def vendored(*names: str) -> bool:
    """Whether one of some folders' names is that of a tree of others' code.

    In whatever letters: some file systems keep no difference.
    """
    return any(one in _VENDORED_AS_WRITTEN or one.lower() in _VENDORED for one in names)


# Endings of files that nobody writes by hand: a build made them, mostly somebody else's.
BUILT = (".min.js", ".min.mjs", ".min.css", ".bundle.js")
# Clients of HTTP: local where they name no other host than this machine.
CLIENTS = frozenset("curl wget http https xh httpie".split())
LOOPBACK = ("localhost", "127.", "0.0.0.0", "[::1]", "::1")  # noqa: S104 nothing is bound
# Tools of agents that read nothing, or only what a person answers, by name in lower case without `_`.
TOOLS = frozenset(
    "todowrite todoread writetodos updateplan taskcreate taskupdate tasklist taskget taskstop killshell"
    " killbash enterplanmode exitplanmode exitplanmodev2 askuserquestion askuser question skill"
    " slashcommand listdirectory ls listfiles listdir glob grep searchfilecontent greptool globtool"
    " codebasesearch filesearch grepsearch lsp readlints diagnostics savememory viewimage think"
    " structuredoutput toolsearch enterworktree exitworktree sendmessage requestuserinput"
    " mcpidegetdiagnostics mcpideexecutecode activateskill getinternaldocs plan imageview"
    " bashoutput writestdin taskoutput agentoutputtool"
    " todo memory clarify searchfiles skillslist skillview skillmanage sessionsearch".split()
)  # fmt: skip
# Tools that start another agent, whose answer rests on what that one read.
AGENTS = frozenset("task agent spawnagent delegate delegatetask subagent waitagent".split())
