"""How `serve` speaks to browsers, what it refuses, and what its files weigh."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from config.management import readiness
from tests.config.commands.site import Site, ask, get
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from pathlib import Path

# JavaScript and styles of the labelling page together, as they are sent.
PAGE_LIMIT = 60_000
FOR_EVER = "max-age=315360000, public, immutable"
KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"


@pytest.fixture
def team(settings):
    """A site that wants HTTPS, as its settings say."""
    settings.HTTPS_ONLY = True
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.SECURE_PROXY_SSL_HEADER = None
    return settings


def test_on_this_machine_it_needs_no_https(sites: list[Site], tmp_path: Path) -> None:
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    assert get(f"{site.url}login/") == 200
    assert get(f"{site.url}healthz") == 200
    assert "Warning" not in site.said


def test_a_site_for_others_wants_https_but_tells_monitors(
    sites: list[Site], tmp_path: Path
) -> None:
    hosts = "127.0.0.1,evenhand.example.org"
    site = Site(tmp_path, "--port", "0", ALLOWED_HOSTS=hosts)
    sites.append(site)
    assert readiness.NEEDS_PROXY in site.said
    with pytest.raises(OSError, match="301"):
        get(f"{site.url}login/")
    assert get(f"{site.url}healthz") == 200


def test_the_labelling_page_is_light(
    sites: list[Site], tmp_path: Path, client_of, reviewer
) -> None:
    from django.utils import timezone

    from tests.annotation.factory import make_round, make_set

    round_ = make_round(make_set(cases=2), reviewer, now=timezone.now())
    session = client_of(reviewer).cookies["sessionid"].value
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    with ask(f"{site.url}label/{round_.pk}/", Cookie=f"sessionid={session}") as reply:
        page = reply.read().decode()
    urls = sorted(set(re.findall(r'"/(static/[^"]+\.(?:js|css))"', page)))
    assert len(urls) >= 5
    sent = 0
    for url in urls:
        with ask(site.url + url, Accept_Encoding="gzip, deflate, br") as reply:
            assert reply.headers["Content-Encoding"] in {"gzip", "br"}, url
            assert reply.headers["Cache-Control"] == FOR_EVER, url
            sent += len(reply.read())
    assert 10_000 < sent < PAGE_LIMIT


def test_another_start_finds_its_files_again(tmp_path: Path, settings) -> None:
    settings.VAR_DIR = tmp_path
    assert readiness.collected_files() == {"STATIC_ROOT": str(tmp_path / "static")}
    before = sorted(tmp_path.rglob("*.css"))
    assert any(re.search(r"app\.[0-9a-f]{12}\.css$", str(path)) for path in before)
    readiness.collected_files()
    assert sorted(tmp_path.rglob("*.css")) == before


def test_files_that_cannot_be_collected(tmp_path: Path, settings) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "static").write_text("a file where the folder should be")
    with pytest.raises(CommandError, match="Static files cannot be collected in"):
        readiness.collected_files()


def test_a_folder_of_static_files_is_taken_as_it_is(settings) -> None:
    settings.STATIC_ROOT = "/srv/static"
    assert readiness.collected_files() == {}


class TestPlainHttp:
    def test_where_nobody_else_can_reach_it(self, team) -> None:
        assert readiness.plain_http("127.0.0.1", {}) == {"EVENHAND_INSECURE_HTTP": "1"}
        assert readiness.caution("127.0.0.1") == ""

    @pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::"])
    def test_never_beyond_this_machine(self, team, host: str) -> None:
        assert readiness.plain_http(host, {}) == {}
        assert readiness.caution(host) == readiness.NEEDS_PROXY

    def test_not_where_it_was_ruled_out(self, team) -> None:
        environ = {"EVENHAND_INSECURE_HTTP": "0"}
        assert readiness.plain_http("127.0.0.1", environ) == {}

    def test_not_behind_a_proxy(self, team) -> None:
        team.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        assert readiness.plain_http("127.0.0.1", {}) == {}
        assert readiness.caution("0.0.0.0") == ""

    def test_not_under_a_name_that_others_use(self, team) -> None:
        team.ALLOWED_HOSTS = ["evenhand.example.org"]
        assert readiness.plain_http("127.0.0.1", {}) == {}

    def test_beyond_this_machine_it_warns(self, team) -> None:
        team.HTTPS_ONLY = False
        assert "unencrypted to and from 0.0.0.0" in readiness.caution("0.0.0.0")
        assert readiness.caution("localhost") == ""


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::"])
def test_the_demo_stays_on_this_machine(settings, host: str) -> None:
    settings.EVENHAND_DEMO = True
    with pytest.raises(CommandError, match="serves this machine"):
        call_command("serve", host=host)


def test_a_database_without_tables_ends_it_at_once(tmp_path: Path) -> None:
    new = {"DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3", "SECRET_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment(tmp_path, **new),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "set it up with: python manage.py migrate" in done.stderr
    assert not done.stdout
