"""Names of which one usually has one: two of the same role, used for the same, exclude each other.

What is not listed is left alone. Languages are not: most projects have several.
"""

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
