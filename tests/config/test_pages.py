from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection
from django.template.loader import render_to_string

from config.accounts.roles import Role
from config.db import guards
from tests.conftest import PASSWORD

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.django_db
class TestSignIn:
    def test_pages_send_strangers_to_the_login_page(self, client):
        reply = client.get("/")
        assert (reply.status_code, reply["Location"]) == (302, "/login/?next=/")

    def test_the_right_password_opens_the_start_page(self, client, reviewer):
        form = {"username": "reviewer", "password": PASSWORD}
        reply = client.post("/login/", form, follow=True)
        assert reply.redirect_chain == [("/", 302)]
        assert b"Label" in reply.content

    def test_a_wrong_one_does_not(self, client, reviewer):
        reply = client.post("/login/", {"username": "reviewer", "password": "x"})
        assert reply.status_code == 200
        assert b'role="alert"' in reply.content

    def test_signing_out(self, reviewer_client):
        assert reviewer_client.get("/logout/").status_code == 405
        assert reviewer_client.post("/logout/")["Location"] == "/login/"
        assert reviewer_client.get("/").status_code == 302

    def test_the_login_page_follows_no_link_away(self, client, reviewer):
        form = {"username": "reviewer", "password": PASSWORD}
        reply = client.post("/login/?next=https://evil.example/", form)
        assert reply["Location"] == "/"


@pytest.mark.django_db
class TestStartPage:
    def test_each_role_sees_its_own_ways(self, client_of, make_user):
        seen = {}
        for role in Role:
            page = client_of(make_user(f"a-{role}", role)).get("/").content.decode()
            seen[role] = ("<h2>Label</h2>" in page, "/admin/" in page)
        assert seen == {
            Role.REVIEWER: (True, False),
            Role.ADJUDICATOR: (True, False),
            Role.LEAD: (False, True),
            Role.AUDITOR: (False, False),
        }

    def test_without_a_role(self, client_of, outsider):
        assert b"holds no role yet" in client_of(outsider).get("/").content


@pytest.mark.django_db
class TestEveryReply:
    def test_the_content_policy_is_strict(self, client):
        policy = client.get("/login/")["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy

    def test_nothing_comes_from_elsewhere(self, client):
        page = client.get("/login/").content.decode()
        assert re.findall(r'(?:src|href)="(?!/|#)[^"]*"', page) == []

    def test_the_own_files_are_served(self, client):
        page = client.get("/login/").content.decode()
        for url in re.findall(r'(?:src|href)="(/static/[^"]*)"', page):
            reply = client.get(url)
            assert reply.status_code == 200
            assert b"".join(reply.streaming_content)
            reply.close()

    def test_what_is_not_there(self, client):
        reply = client.get("/nowhere/")
        assert reply.status_code == 404
        assert b"nothing at this address" in reply.content


@pytest.mark.django_db
class TestHealth:
    def test_a_guarded_database_is_healthy(self, client):
        reply = client.get("/healthz")
        assert (reply.status_code, reply.content) == (200, b"ok")

    def test_a_missing_guard_is_not(self, client):
        guards.remove(connection)
        reply = client.get("/healthz")
        assert (reply.status_code, reply.content) == (503, b"guards missing")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_inline_style_or_script(path):
    text = path.read_text()
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|javascript:", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


def test_the_page_for_faults_needs_nothing():
    assert "Something broke" in render_to_string("500.html")


@pytest.mark.django_db
class TestRefusedPages:
    """A refusal by role is no fault of the program, and its log says so."""

    def test_it_logs_one_line_without_a_traceback(self, reviewer_client, caplog):
        reply = reviewer_client.get("/imports/")
        assert reply.status_code == 403
        assert b"does not hold the role" in reply.content
        assert [record.getMessage() for record in caplog.records] == [
            "Forbidden: /imports/"
        ]
        assert not caplog.records[0].exc_info

    def test_a_program_gets_json(self, reviewer_client):
        reply = reviewer_client.get("/imports/", headers={"Accept": "application/json"})
        assert reply.status_code == 403
        assert reply.json()["code"] == "forbidden"
