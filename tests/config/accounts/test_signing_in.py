"""Guessing a password is slow, and shuts nobody else out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from config.accounts import throttle
from config.accounts.models import FailedSignIn
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def sign_in(client, password: str, *, name: str = "reviewer", **headers: str):
    form = {"username": name, "password": password}
    return client.post("/login/", form, **headers)


@pytest.fixture
def guessed(client, reviewer):
    for _ in range(throttle.LIMIT):
        assert b"Too many attempts" not in sign_in(client, "wrong").content
    return client


def test_after_ten_wrong_passwords_the_right_one_must_wait(guessed):
    reply = sign_in(guessed, PASSWORD)
    assert reply.status_code == 200
    assert b"Too many attempts with this name. Try again in 15 min." in reply.content
    assert sign_in(guessed, PASSWORD, name="Reviewer").status_code == 200


def test_nobody_else_is_shut_out(guessed, other_reviewer):
    assert sign_in(guessed, PASSWORD, name="other-reviewer").status_code == 302
    guessed.logout()
    assert sign_in(guessed, PASSWORD, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_the_wait_ends(guessed):
    earlier = timezone.now() - throttle.WINDOW
    FailedSignIn.objects.update(at=earlier)
    assert sign_in(guessed, PASSWORD).status_code == 302
    assert not FailedSignIn.objects.exists()


def test_the_right_password_starts_from_nought(client, reviewer):
    for _ in range(throttle.LIMIT - 1):
        sign_in(client, "wrong")
    assert sign_in(client, PASSWORD).status_code == 302
    assert not FailedSignIn.objects.exists()


def test_refused_attempts_do_not_make_the_wait_longer(guessed):
    sign_in(guessed, "wrong")
    assert FailedSignIn.objects.count() == throttle.LIMIT


def test_the_oldest_failure_that_counts_ends_the_wait(db):
    now = timezone.now()
    for minutes in range(throttle.LIMIT):
        throttle.note_failure("here", now - timedelta(minutes=minutes))
    assert throttle.minutes_to_wait("here", now) == 6
    assert throttle.minutes_to_wait("there", now) == 0


def test_old_failures_are_forgotten(db):
    now = timezone.now()
    throttle.note_failure("here", now - throttle.WINDOW)
    throttle.note_failure("there", now)
    assert [row.origin for row in FailedSignIn.objects.all()] == ["there"]


def test_neither_names_nor_addresses_are_stored(client, reviewer):
    sign_in(client, "wrong")
    origin = FailedSignIn.objects.get().origin
    assert len(origin) == 64
    assert "reviewer" not in origin


class TestAddresses:
    """Only a proxy that the settings trust is believed, and only its own entry."""

    def origin(self, rf, **meta: str) -> str:
        return throttle.origin_of(rf.get("/", **meta), "reviewer")

    def test_without_a_proxy_the_header_counts_for_nothing(self, rf, settings):
        settings.SECURE_PROXY_SSL_HEADER = None
        forged = self.origin(rf, HTTP_X_FORWARDED_FOR="192.0.2.7")
        assert forged == self.origin(rf)

    def test_behind_one_its_last_entry_counts(self, rf, settings):
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        one = self.origin(rf, HTTP_X_FORWARDED_FOR="192.0.2.7")
        assert one == self.origin(rf, HTTP_X_FORWARDED_FOR="forged, 192.0.2.7")
        assert one != self.origin(rf, HTTP_X_FORWARDED_FOR="192.0.2.8")
        assert one != self.origin(rf)
