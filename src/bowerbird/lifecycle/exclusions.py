"""What excludes what: tools of one role (npm, pnpm), and what somebody never eats, drinks or smokes.

Of the tools of a role one usually has one: two of the same role, used for the same, exclude each other.
What is not listed is left alone. Languages are not: most projects have several.

What people eat, drink and smoke is the one family of habits whose words are few enough to list. That
somebody who is retired does not work full-time, or that a vegetarian's dog may eat meat, is knowledge of
the world, and left to whoever reads.
"""

from bowerbird.lifecycle.grammar import LIMITS, NEGATIONS
from bowerbird.lifecycle.reordering import stem

ROLES = (
    "npm, pnpm, yarn, bun",
    "pip, poetry, pipenv, uv, conda, pdm, hatch",
    "mysql, mariadb, postgres, sqlite, oracle, sql server, mssql, cockroachdb",
    "mongodb, couchdb, dynamodb, firestore",
    "redis, memcached, valkey",
    "elasticsearch, opensearch, solr, meilisearch, typesense",
    "rabbitmq, kafka, sqs, nats, pulsar",
    "jenkins, github actions, gitlab ci, circleci, travis, buildkite, teamcity, azure pipelines",
    "github, gitlab, bitbucket, gitea, forgejo, codeberg",
    "git, svn, subversion, mercurial, perforce",
    "aws, gcp, azure, google cloud, hetzner, digitalocean",
    "vercel, netlify, heroku, render, fly.io, cloudflare pages, github pages",
    "kubernetes, nomad, docker swarm, ecs",
    "docker, podman",
    "terraform, pulumi, cloudformation, opentofu",
    "nginx, apache, caddy, traefik, haproxy",
    "ubuntu, debian, fedora, alpine, centos, arch linux",
    "slack, teams, microsoft teams, discord, mattermost, zulip",
    "zoom, google meet, webex",
    "jira, linear, trello, asana, github issues, youtrack, redmine",
    "confluence, notion",
    "webpack, vite, rollup, parcel, esbuild, turbopack",
    "react, vue, angular, svelte, ember, solidjs",
    "tailwind, bootstrap, bulma",
    "redux, zustand, mobx",
    "jest, vitest, mocha, jasmine",
    "cypress, playwright, selenium, puppeteer",
    "pytest, unittest, nose",
    "flake8, ruff, pylint",
    "black, yapf, autopep8",
    "eslint, biome, tslint",
    "maven, gradle, bazel",
    "django, flask, fastapi",
    "sqlalchemy, peewee, prisma, drizzle, typeorm, sequelize",
    "rest, graphql, grpc, soap",
    "auth0, okta, keycloak, cognito",
    "datadog, new relic, prometheus, dynatrace",
    "vim, neovim, emacs, vscode, vs code, sublime text, intellij, pycharm, zed, helix",
    "bash, zsh, fish, powershell",
    "chrome, firefox, safari, edge, brave",
    "1password, bitwarden, lastpass, keepass",
    "gmail, outlook, protonmail",
)
# Two names of one thing.
_SAME = {
    "postgresql": "postgres",
    "k8s": "kubernetes",
    "vs code": "vscode",
    "microsoft teams": "teams",
    "subversion": "svn",
    "mssql": "sql server",
    "travis ci": "travis",
}
_ROLE_OF = {name: role for role, names in enumerate(ROLES) for name in names.split(", ")}
_LONGEST_NAME = 2


def rivals(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two values begin with different names of the same role."""
    left, right = named(one), named(other)
    return bool(left and right and left != right and _ROLE_OF[left] == _ROLE_OF[right])


def named(words: tuple[str, ...]) -> str:
    """The known name that some words begin with, or nothing."""
    for length in range(_LONGEST_NAME, 0, -1):
        name = " ".join(words[:length])
        name = _SAME.get(name, name)
        if len(words) >= length and name in _ROLE_OF:
            return name
    return ""


def rival_of(name: str, words: tuple[str, ...]) -> int:
    """The place in `words` where a rival of a name stands, or -1."""
    start = (name,)
    heads = (words[at : at + _LONGEST_NAME] for at in range(len(words)))
    return next((at for at, head in enumerate(heads) if rivals(start, head)), -1)


_MEAT = frozenset(
    "meat chicken beef pork steak bacon ham lamb turkey sausage salami veal poultry fish tuna salmon"
    " burger schnitzel".split()
)
_DAIRY = frozenset("milk cheese butter cream yoghurt yogurt dairy".split())
_ALCOHOL = frozenset("alcohol beer wine whisky whiskey vodka gin rum champagne cider".split())
_TOBACCO = frozenset("cigarette cigar tobacco pipe".split())
# What somebody is called who takes none of it.
_ARE = {
    "vegetarian": _MEAT,
    "vegan": _MEAT | _DAIRY | {"egg", "honey"},
    "teetotal": _ALCOHOL,
    "teetotaller": _ALCOHOL,
    "nonsmoker": _TOBACCO,
    "non-smoker": _TOBACCO,
}
# What a word stands for beyond itself: who eats no meat eats no chicken.
_CLASSES = {"meat": _MEAT, "dairy": _DAIRY, "alcohol": _ALCOHOL}
_VERBS = frozenset(stem(verb) for verb in ("eats", "drinks", "smokes"))
# Made of something else than its name says.
_LIKE = frozenset(
    "oat soy soya almond rice coconut vegan vegetarian plant plant-based alcohol-free non-alcoholic"
    " veggie no".split()
)
# Behind them it is no longer what is taken.
_OBJECT_ENDS = frozenset("with on in at for every when after before to by from because if".split())
_AUXILIARIES = frozenset("does do did".split())
# So many words end a text that tells of a habit: “is a vegan”, “is allergic to cow's milk”.
LONGEST_HABIT = 6


def against_habit(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Why `other` tells of what `one` says is never done, or nothing."""
    who, avoided = _avoids(one)
    if not avoided or other[: len(who)] != who:
        return ""
    words = other[len(who) :]
    if not words or stem(words[0]) not in _VERBS or not (LIMITS | NEGATIONS).isdisjoint(words):
        return ""
    end = next((at for at, word in enumerate(words) if word in _OBJECT_ENDS), len(words))
    taken = words[1:end]
    if _LIKE.isdisjoint(taken):
        for word in taken:
            if _singular(word) in avoided:
                return f"“{' '.join(one[len(who) :])}” and “{words[0]} {word}”"
    return ""


def _avoids(words: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Who a text says takes something never, and what that is."""
    for at in range(max(1, len(words) - LONGEST_HABIT), len(words) - 1):
        who, rest = words[:at], words[at + 1 :]
        if words[at] in {"is", "am"}:
            named = tuple(word for word in rest if word != "a")
            if len(named) == 1 and named[0] in _ARE:
                return who, _ARE[named[0]]
            if len(named) == 3 and named[:2] == ("allergic", "to"):  # noqa: PLR2004 - and to what
                return who, frozenset({_singular(named[2])})
        # “does not drink alcohol”, “never eats meat”
        if words[at] in {"not", "never"} and len(rest) == 2 and stem(rest[0]) in _VERBS:  # noqa: PLR2004
            return (
                tuple(word for word in who if word not in _AUXILIARIES),
                _CLASSES.get(rest[1], frozenset({_singular(rest[1])})),
            )
    return (), frozenset()


def _singular(word: str) -> str:
    return word.removesuffix("s")
