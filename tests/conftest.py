"""What all tests share: the choice of database, and one person for each role."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connections

from config.accounts.roles import Role
from config.db.urls import parse_database_url
from tests.chance import fix_examples, fix_luck, restore_luck
from tests.planner import Sweeper, settle
from tests.postgres import start_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test import Client

    from config.accounts.models import User

POSTGRES = ("postgres://", "postgresql://")
PASSWORD = "correct horse battery staple"
CLEANUP = pytest.StashKey[ExitStack]()
SWEEPER = Sweeper()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--db",
        choices=["sqlite", "postgres"],
        default=os.environ.get("EVENHAND_TEST_DB", "sqlite"),
        help="run on SQLite, or on DATABASE_URL or a PostgreSQL of our own",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the database before any module is collected.

    Workers of pytest-xdist inherit the address of the server that the controller
    started; each makes a database of its own on it.
    """
    cleanup = config.stash[CLEANUP] = ExitStack()
    home = cleanup.enter_context(
        tempfile.TemporaryDirectory(prefix="evenhand-", ignore_cleanup_errors=True)
    )
    url = os.environ.get("DATABASE_URL", "")
    if config.getoption("--db") == "sqlite":
        url = f"sqlite:///{home}/evenhand.sqlite3"
    elif not url.startswith(POSTGRES):
        url, stop = start_server(Path(home), durable=False)
        cleanup.callback(stop)
    _use_database(url)
    _settle()


def pytest_sessionstart(session: pytest.Session) -> None:
    fix_examples(session.config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    fix_luck(item.config, item.nodeid)
    try:
        return (yield)
    finally:
        restore_luck()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Iterator[Any]:
    """What several tests share has luck of its own, whichever of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    fix_luck(request.config, f"{fixturedef.baseid} {fixturedef.argname}")
    try:
        return (yield)
    finally:
        fix_luck(request.config, request.node.nodeid + fixturedef.argname)


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[CLEANUP].close()


def _use_database(url: str) -> None:
    os.environ["DATABASE_URL"] = url
    entry = parse_database_url(url, base=Path())
    settings.EMBEDDED = "sqlite" in entry["ENGINE"]
    if settings.EMBEDDED:
        # A file, so that threads and other processes may open it too; its name tells
        # the flush command that the rows may go.
        entry["TEST"] = {"NAME": str(Path(entry["NAME"]).parent / "test_evenhand.db")}
    entry["CONN_MAX_AGE"] = 0
    settings.DATABASES = {"default": entry}
    connections.__dict__.pop("settings", None)
    connections._settings = None  # type: ignore[attr-defined]  # no public reset
    for alias in list(connections):
        if hasattr(connections._connections, alias):  # type: ignore[attr-defined]  # as above
            del connections[alias]


def _settle() -> None:
    """Fix what would differ between machines, allow plain HTTP, and lose no minutes."""
    settings.PROVIDER_PATIENCE_SECONDS = 0
    os.environ["PROVIDER_PATIENCE_SECONDS"] = "0"  # of processes that tests start
    settings.SECRET_KEY = "only for tests, 50 characters or longer, never secret"
    settings.ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
    settings.SECURE_SSL_REDIRECT = False
    settings.SESSION_COOKIE_SECURE = False
    settings.CSRF_COOKIE_SECURE = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Skip what is meant for the other database; mark what needs none as pure."""
    other = {"sqlite": "postgres_only", "postgres": "sqlite_only"}
    unwanted = other[config.getoption("--db")]
    for item in items:
        if item.get_closest_marker(unwanted):
            item.add_marker(pytest.mark.skip(reason=f"this test is {unwanted}"))
        if _needs_no_database(item):
            item.add_marker(pytest.mark.pure)


# Folders whose tests start no process that would use the database by itself.
APART = {"docs", "fixtures_check", "presenters", "simulator"}


def _needs_no_database(item: pytest.Item) -> bool:
    if "domain" in item.path.parts:
        return True
    asked = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    marked = item.get_closest_marker("django_db")
    return bool(APART & set(item.path.parts)) and not asked and marked is None


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        settle()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    yield
    SWEEPER.after_a_test()


@pytest.fixture
def make_user(db: None) -> Callable[..., User]:
    """Make a person: `make_user("ann", Role.REVIEWER, Role.LEAD)`."""
    from django.contrib.auth.models import Group

    from config.accounts.models import User

    def make(username: str, *roles: Role, **fields: Any) -> User:
        user = User.objects.create_user(username, password=PASSWORD, **fields)
        for role in roles:
            user.groups.add(Group.objects.get_or_create(name=role.value)[0])
        return user

    return make


@pytest.fixture
def reviewer(make_user: Callable[..., User]) -> User:
    return make_user("reviewer", Role.REVIEWER)


@pytest.fixture
def other_reviewer(make_user: Callable[..., User]) -> User:
    return make_user("other-reviewer", Role.REVIEWER)


@pytest.fixture
def adjudicator(make_user: Callable[..., User]) -> User:
    return make_user("adjudicator", Role.ADJUDICATOR)


@pytest.fixture
def lead(make_user: Callable[..., User]) -> User:
    return make_user("lead", Role.LEAD)


@pytest.fixture
def auditor(make_user: Callable[..., User]) -> User:
    return make_user("auditor", Role.AUDITOR)


@pytest.fixture
def outsider(make_user: Callable[..., User]) -> User:
    """A person who may sign in and has no role."""
    return make_user("outsider")


@pytest.fixture
def client_of() -> Callable[[User], Client]:
    """Make a signed-in browser: `client_of(lead).get("/")`."""
    from django.test import Client

    def make(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return make


@pytest.fixture
def reviewer_client(client_of: Callable[[User], Client], reviewer: User) -> Client:
    return client_of(reviewer)


@pytest.fixture
def adjudicator_client(
    client_of: Callable[[User], Client], adjudicator: User
) -> Client:
    return client_of(adjudicator)


@pytest.fixture
def lead_client(client_of: Callable[[User], Client], lead: User) -> Client:
    return client_of(lead)


@pytest.fixture
def auditor_client(client_of: Callable[[User], Client], auditor: User) -> Client:
    return client_of(auditor)
