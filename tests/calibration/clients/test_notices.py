"""Sending alarms out, to a server that listens on this machine."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.core import mail

from calibration.clients.notices import mail_alarm, post_alarm, senders, signature
from calibration.domain.alarms import NoticeFailed
from calibration.models import NoticeChannel, SentinelAlarm
from tests.annotation.factory import START
from tests.calibration.sentinels import make_watched

pytestmark = pytest.mark.django_db
SECRET = "a secret of some length"


class Listener(HTTPServer):
    """Keeps what is posted and answers as told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.status = 204
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.headers: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Answering(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((dict(self.headers), body))
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def listener(settings):
    server = Listener()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.NOTICE_WEBHOOK_URL, settings.NOTICE_WEBHOOK_SECRET = server.url, SECRET
    settings.SITE_URL = "https://evenhand.example.org"
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def alarm(db):
    watched = make_watched()
    watched.check()
    (check,) = watched.panel.series.get().checks.all()
    return SentinelAlarm.objects.create(
        panel=watched.panel,
        series=check.series,
        sentinel_check=check,
        kind="served_model",
        key="served:1:x",
        detail="The provider answered with m-2.",
        raised_at=START,
    )


def test_a_webhook_is_signed_json_about_the_alarm(listener, alarm):
    post_alarm(alarm, START)
    ((headers, body),) = listener.heard
    sent = json.loads(body)
    assert sent == {
        "schema": "evenhand.alarm/1",
        "id": alarm.pk,
        "kind": "served_model",
        "sentinel": "daily",
        "judge": "judge v1",
        "judge_digest": alarm.series.judge_digest,
        "detail": "The provider answered with m-2.",
        "raised_at": START.isoformat(),
        "url": "https://evenhand.example.org/sentinels/panels/daily/",
    }
    assert headers["Content-Type"] == "application/json"
    stamp, given = headers["Evenhand-Signature"].split(",")
    assert stamp == f"t={int(START.timestamp())}"
    signed = stamp.removeprefix("t=").encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert given == f"v1={expected}"


def test_a_signature_hangs_on_time_body_and_secret():
    made = {
        signature(b"a", "k" * 16, START),
        signature(b"b", "k" * 16, START),
        signature(b"a", "l" * 16, START),
        signature(b"a", "k" * 16, START.replace(year=2031)),
    }
    assert len(made) == 4


@pytest.mark.parametrize("status", [302, 400, 500])
def test_anything_but_success_failed_and_redirects_are_not_followed(
    listener, alarm, status
):
    listener.status, listener.headers = status, {"Location": listener.url}
    with pytest.raises(NoticeFailed, match=f"answered with {status}"):
        post_alarm(alarm, START)
    assert len(listener.heard) == 1


def test_nobody_there(settings, alarm):
    settings.NOTICE_WEBHOOK_URL, settings.NOTICE_WEBHOOK_SECRET = (
        "http://127.0.0.1:9/",
        SECRET,
    )
    with pytest.raises(NoticeFailed, match="no reply: ConnectError") as failed:
        post_alarm(alarm, START)
    assert SECRET not in str(failed.value)


def test_mail_says_what_and_where(settings, alarm):
    settings.NOTICE_EMAILS = ["ann@example.org", "bob@example.org"]
    mail_alarm(alarm, START)
    (sent,) = mail.outbox
    assert sent.to == ["ann@example.org", "bob@example.org"]
    assert sent.subject == "Evenhand: served model alarm of daily"
    assert "The provider answered with m-2." in sent.body
    assert "See the page of sentinel daily." in sent.body


def test_a_mail_server_that_is_away(settings, alarm):
    settings.NOTICE_EMAILS = ["ann@example.org"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with pytest.raises(NoticeFailed, match="not mailed: ConnectionRefusedError"):
        mail_alarm(alarm, START)


def test_channels_are_those_that_are_set_up(settings):
    assert senders() == {}
    settings.NOTICE_EMAILS = ["ann@example.org"]
    settings.NOTICE_WEBHOOK_URL = "https://hooks.example.org/x"
    assert list(senders()) == [NoticeChannel.WEBHOOK, NoticeChannel.EMAIL]
