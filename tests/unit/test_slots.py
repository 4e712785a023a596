"""Another value for the same attribute of the same subject, whatever the order of the words."""

from __future__ import annotations

import pytest

from bowerbird.lifecycle.slots import of_others, opposes, replaces


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Announced as changed, the day as well.
        (
            "Our flight to Dublin leaves at 9:30 on 2 April.",
            "Our flight to Dublin now leaves at 17:45 on 20 April.",
        ),
        (
            "The database listens on port 5432.",
            "Since March the port of the database is 6432.",
        ),
        ("The warehouse is in Leipzig.", "The warehouse relocated to Halle."),
        ("We deploy on Fridays.", "Deploys moved from Fridays to Tuesdays."),
        ("The frontend is written in Vue.", "We replaced Vue with Svelte in the frontend."),
        ("Support hours are 9 to 5.", "Support hours were extended to 8 to 8."),
        ("The newsletter goes out monthly.", "The newsletter goes out weekly now."),
        # What the newer text denies at its end, and “now” of the older one.
        ("My favourite colour is red", "Actually my favourite colour is green, not red"),
        ("Bo lives in Bergen now", "Bo no longer lives in Bergen, he moved to Paris"),
        # Each of a chain says so.
        ("Redis runs on port 6380 now", "Redis runs on port 6381 now"),
        ("It runs no longer on port 80, but 81", "It runs no longer on port 81, but 82"),
        ("Redis now runs on port 6380", "Redis no longer runs on port 6380, but on 6381"),
        (
            "We no longer use Jenkins for CI, but GitHub Actions",
            "We no longer use GitHub Actions for CI, but Buildkite",
        ),
        ("Redis läuft jetzt auf Port 6380", "Redis läuft nicht mehr auf Port 6380, sondern auf 81"),
        (
            "Die Rechnungen verschickt nicht mehr Anna, sondern Bob",
            "Die Rechnungen verschickt nicht mehr Bob, sondern Cleo",
        ),
        (
            "Staging läuft nicht mehr auf Hetzner, sondern auf Fly",
            "Staging läuft nicht mehr auf Fly, sondern auf Render",
        ),
        ("O Redis roda na porta 80", "O Redis não roda mais na porta 80, mas na 81"),
        ("Das Team nutzt jetzt pnpm statt npm", "Das Team nutzt jetzt bun statt pnpm"),
        ("The team uses pnpm instead of npm", "The team now uses bun instead of pnpm"),
        ("Redis gira sulla porta 80", "Redis non gira più sulla porta 80, ma sulla 81"),
        ("Redis tourne sur le port 80", "Redis ne tourne plus sur le port 80, mais sur le 81"),
        ("Redis corre en el puerto 80", "Redis ya no corre en el puerto 80, sino en el 81"),
        # Of nothing but us.
        ("Nous utilisons npm", "Nous n'utilisons plus npm mais pnpm"),
        ("Nous n'utilisons plus npm mais pnpm", "Nous n'utilisons plus pnpm mais yarn"),
        ("We no longer use npm but pnpm", "We no longer use pnpm but yarn"),
        ("Wir nutzen nicht mehr npm, sondern pnpm", "Wir nutzen nicht mehr pnpm, sondern yarn"),
        ("Ya no usamos npm, sino pnpm", "Ya no usamos pnpm, sino yarn"),
        # Without a verb, and whatever verb the older text has.
        ("Wir nutzen Jenkins für die CI", "Für die CI nicht mehr Jenkins, sondern GitHub Actions"),
        (
            "Für die CI nicht mehr Jenkins, sondern GitHub Actions",
            "Für die CI nicht mehr GitHub Actions, sondern Buildkite",
        ),
        ("Die Backups liegen bei Azure", "Die Backups nicht mehr bei Azure, sondern bei OVH"),
        ("Nous utilisons Jenkins pour la CI", "Pour la CI, ce n'est plus Jenkins mais Drone"),
        ("El despliegue lo hace Ana", "El despliegue ya no Ana, sino Bruno"),
        ("I backup stanno su Aruba", "I backup non più su Aruba, ma su OVH"),
        ("Os backups ficam na Azure", "Os backups já não na Azure, mas na OVH"),
        ("Usamos Jenkins para a CI", "Para a CI não mais Jenkins, mas GitHub Actions"),
        ("De backups staan bij Azure", "De backups niet meer bij Azure, maar bij OVH"),
        (
            "De backups niet meer bij Azure, maar bij OVH",
            "De backups niet meer bij OVH, maar bij Hetzner",
        ),
        ("The backups are kept at Azure", "Backups no longer at Azure but at OVH"),
        ("De opslag staat nu bij OVH", "De opslag staat nu bij Scaleway"),
        ("The staging port is 6380", "No, the staging port is 6390"),
        ("Die Kasse macht Jonas", "Nein, die Kasse macht Ina"),
    ],
)
def test_what_is_announced_as_changed_replaces(old: str, new: str) -> None:
    assert replaces(old, new).relation == "supersedes"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another subject.
        (
            "The staging database listens on port 5432.",
            "Since March the production one is on 6432.",
        ),
        ("Standup is at 9:30.", "Since last week the retro is at 15:00."),
        ("The default branch is master.", "The release branch was renamed to stable."),
        ("Anna lives in Graz.", "Anna's parents moved to Vienna."),
        ("Indent Python with spaces.", "Indent Makefiles and Go with tabs, not spaces."),
        # Another attribute.
        ("The frontend is written in Vue.", "The frontend has dark mode since May."),
        ("The gym opens at 6.", "Since May the gym costs 40 euros."),
        # What was given up before, and what is denied without another value.
        ("The app is no longer called Ada, but Bo", "The app is no longer called Ada"),
        (
            "The app is not on port 80, but the shop is",
            "The app is not on port 81, but the shop is",
        ),
        # Of another subject or value.
        ("Redis runs on port 6380", "Postgres no longer runs on port 5432, but on 6432"),
        ("Die Lampe ist rot", "Das Auto ist nicht mehr rot, sondern blau"),
        ("Anna verschickt die Rechnungen", "Bob verschickt nicht mehr Pakete, sondern Briefe"),
        ("Anna has the key of the shop", "Anna has no longer the key of the barn, but of the car"),
        ("The shop uses pnpm instead of npm", "The app now uses yarn instead of npm"),
        ("We take the bus instead of the car", "We take the train instead of the plane to Rome"),
        ("We use Jenkins for CI", "We use Jenkins not for CI, but for deploys"),
        ("El puerto es 80", "El puerto ya no es más caro, sino barato"),
        ("Wir nutzen Jenkins für die CI", "Für Deployments nicht mehr Jenkins, sondern Argo"),
        ("Staging läuft auf Hetzner", "Produktion nicht mehr auf Hetzner, sondern auf Fly"),
        ("Anna owns billing and search", "Billing: no longer Anna, but Bob"),
        ("We use pnpm in the shop", "We no longer use pnpm but yarn"),
        ("Anna uses pnpm", "We no longer use pnpm but yarn"),
        ("We no longer use yarn but npm", "We no longer use pnpm but yarn"),
        ("We sell apples", "We no longer buy apples but pears"),
        ("The cache lives in Redis", "The cache no longer in Redis, but maybe in Memcached"),
        # Something in addition, or nothing announced.
        ("Emails are sent through Mailgun.", "Since May emails are also sent through Postmark."),
        ("The database listens on port 5432.", "The port of the database is 6432."),
        ("Berth 2 takes trucks up to 12 m.", "Berth 5 now takes trucks up to 18 m."),
        # Two events of one sort, each with its day.
        (
            "Our flight to Dublin leaves at 9:30 on 2 April.",
            "Our flight to Dublin leaves at 17:45 on 20 April.",
        ),
        (
            "Der Zug nach Graz geht am 3. Mai um 8 Uhr.",
            "Der Zug nach Graz geht am 9. Mai um 14 Uhr.",
        ),
    ],
)
def test_what_holds_beside_it_replaces_nothing(old: str, new: str) -> None:
    assert not replaces(old, new).relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use Redux.", "We decided against Redux."),
        ("Enable strict mode in TypeScript.", "Disable strict mode in TypeScript."),
        ("Always squash commits before merging.", "Never squash commits before merging."),
        ("Indent with tabs.", "Indent with spaces."),
        ("Use tabs for indentation.", "Use spaces for indentation, not tabs."),
        ("Run migrations automatically at startup.", "Do not run migrations at startup."),
        ("Migrations are reversible.", "Migrations are irreversible."),
        ("Wir verwenden Redux.", "Wir haben uns gegen Redux entschieden."),
    ],
)
def test_opposites_are_seen_in_either_order(old: str, new: str) -> None:
    assert opposes(old, new).relation == "contradicts"
    assert opposes(new, old).relation == "contradicts"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Indent with tabs in Makefiles.", "Indent with spaces in Python files."),
        ("We use GraphQL for the public API.", "We decided against GraphQL for the internal API."),
        ("Log request ids.", "Don't log request bodies."),
        ("Passwords are hashed with argon2.", "Passwords are hashed with argon2, not bcrypt."),
        ("The encoder runs before the filter.", "The encoder runs after the filter."),
    ],
)
def test_rules_on_different_things_do_not_oppose_each_other(old: str, new: str) -> None:
    assert not opposes(old, new).relation


def test_another_name_beside_another_word_waits_for_a_person() -> None:
    found = replaces("Our mail provider is Mailgun.", "Mail switched to Postmark.")
    assert found.relation == "contradicts"
    assert "“mailgun” before, “postmark” now" in found.reason


def test_another_subject_is_known_by_what_the_texts_begin_with() -> None:
    old = "The admin password is rotated every 90 days."
    assert of_others(old, "The API key is rotated every 30 days.")
    assert not of_others(old, "Rotation of the admin password is every 30 days.")


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        ("CI runs on Python 3.12", "CI is on 3.13 now", "contradicts"),
        ("The retry count is 5 with backoff", "The retry count is 12 now", "contradicts"),
        # Another measure of the same subject.
        ("CI runs on Python 3.12", "CI takes 12 minutes now", ""),
        ("The API has 3 replicas in eu-west", "The API is at version 5 now", ""),
        ("Invoices are due after 30 days", "Reminders are sent after 14 now", ""),
    ],
)
def test_a_shorter_text_that_names_only_its_subject_may_change_its_number(
    old: str, new: str, relation: str
) -> None:
    assert replaces(old, new).relation == relation
