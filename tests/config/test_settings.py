"""The settings as a process of its own reads them from the environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"
TEAM = {"DATABASE_URL": "postgres://db.example/gold", "ALLOWED_HOSTS": "e.example"}
SHOWN = (
    "DEBUG EVENHAND_DEMO SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT "
    "SECURE_HSTS_SECONDS ALLOWED_HOSTS LOG_FORMAT EMBEDDED"
)
SHOW = (
    "import json, config.settings as s;"
    f"print(json.dumps({{n: getattr(s, n) for n in '{SHOWN}'.split()}}))"
)


@pytest.fixture
def run(tmp_path):
    def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": os.environ["PATH"], "EVENHAND_VAR": str(tmp_path), **variables}
        return subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_embedded_site_needs_no_variable_and_is_safe(run, tmp_path):
    shown = json.loads(run("-c", SHOW).stdout)
    assert shown == {
        "DEBUG": False,
        "EVENHAND_DEMO": False,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "LOG_FORMAT": "json",
        "EMBEDDED": True,
    }
    assert (tmp_path / "secret_key").exists()


@pytest.mark.parametrize("mode", ["DEBUG", "EVENHAND_DEMO", "EVENHAND_INSECURE_HTTP"])
def test_plain_http_where_it_was_asked_for(run, mode):
    shown = json.loads(run("-c", SHOW, **{mode: "1"}).stdout)
    assert shown["SESSION_COOKIE_SECURE"] is False
    assert shown["SECURE_SSL_REDIRECT"] is False
    assert shown["SECURE_HSTS_SECONDS"] == 0


def test_a_team_site_must_be_given_its_key(run, tmp_path):
    refused = run("manage.py", "check", **TEAM)
    assert refused.returncode == 1
    assert "evenhand.E001" in refused.stderr
    assert list(tmp_path.iterdir()) == []
    assert run("manage.py", "check", **TEAM, SECRET_KEY=KEY).returncode == 0


def test_a_server_refuses_what_a_command_would(run):
    unsafe = run("-c", "import config.wsgi", **TEAM, SECRET_KEY=KEY, DEBUG="1")
    assert unsafe.returncode == 1
    assert "evenhand.E003" in unsafe.stderr
    assert run("-c", "import config.wsgi", **TEAM, SECRET_KEY=KEY).returncode == 0


def test_a_typing_mistake_is_refused(run):
    refused = run("manage.py", "check", DEBUG="ture")
    assert refused.returncode == 1
    assert "DEBUG must be one of" in refused.stderr


def test_starting_up_loads_no_heavy_package(run):
    heavy = "{'celery', 'openai', 'sklearn', 'scipy.stats', 'pandas', 'altair'}"
    code = (
        "import sys, django, os;"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings';"
        f"django.setup(); print({heavy} & set(sys.modules))"
    )
    assert run("-c", code).stdout.strip() == "set()"


def test_celery_reads_the_settings(run):
    code = "from config.celery import app; print(app.conf.broker_url)"
    env = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    assert run("-c", code, **env).stdout.strip() == "redis://127.0.0.1:1/0"


class TestDocs:
    page = (ROOT / "docs" / "settings.md").read_text()

    def test_every_variable_is_described_and_no_other(self):
        code = (ROOT / "config" / "settings.py").read_text()
        read = set(re.findall(r'read_\w+\(\s*"([A-Z_]+)"', code))
        described = set(re.findall(r"(?m)^\| `([A-Z_]+)` \|", self.page))
        assert described == read

    def test_every_check_is_described_and_no_other(self):
        code = (ROOT / "config" / "checks.py").read_text()
        raised = set(re.findall(r'id="(evenhand\.\w+)"', code))
        described = set(re.findall(r"(?m)^\| `(evenhand\.\w+)` \|", self.page))
        assert described == raised
