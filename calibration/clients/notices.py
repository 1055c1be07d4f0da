"""Sending alarms out: a signed webhook, and e-mail."""

from __future__ import annotations

import hashlib
import hmac
import json
from smtplib import SMTPException
from typing import TYPE_CHECKING, Any

import httpx2
from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse

from calibration.domain.alarms import NoticeFailed
from calibration.models import NoticeChannel

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from calibration.models import SentinelAlarm

SCHEMA = "evenhand.alarm/1"
SIGNATURE = "Evenhand-Signature"
SECONDS = 10.0


def senders() -> dict[NoticeChannel, Callable[[SentinelAlarm, datetime], None]]:
    """The channels that the settings set up."""
    found: dict[NoticeChannel, Callable[[SentinelAlarm, datetime], None]] = {}
    if settings.NOTICE_WEBHOOK_URL:
        found[NoticeChannel.WEBHOOK] = post_alarm
    if settings.NOTICE_EMAILS:
        found[NoticeChannel.EMAIL] = mail_alarm
    return found


def alarm_json(alarm: SentinelAlarm) -> dict[str, Any]:
    """What a webhook is sent; no case, no response and no reply is in it."""
    series = alarm.series
    return {
        "schema": SCHEMA,
        "id": alarm.pk,
        "kind": alarm.kind,
        "sentinel": alarm.panel.name,
        "judge": str(series.config) if series else alarm.panel.judge,
        "judge_digest": series.judge_digest if series else None,
        "detail": alarm.detail,
        "raised_at": alarm.raised_at.isoformat(),
        "url": _page(alarm),
    }


def post_alarm(alarm: SentinelAlarm, now: datetime) -> None:
    """Post an alarm; raises ``NoticeFailed`` unless it is taken with a 2xx.

    Redirects are not followed: the address is the one that was set up, and no other.
    """
    body = json.dumps(alarm_json(alarm), allow_nan=False, sort_keys=True).encode()
    headers = {
        "Content-Type": "application/json",
        SIGNATURE: signature(body, settings.NOTICE_WEBHOOK_SECRET, now),
    }
    try:
        reply = httpx2.post(
            settings.NOTICE_WEBHOOK_URL,
            content=body,
            headers=headers,
            timeout=SECONDS,
            follow_redirects=False,
            trust_env=False,
        )
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise NoticeFailed(f"no reply: {type(error).__name__}") from error
    if not reply.is_success:
        raise NoticeFailed(f"answered with {reply.status_code}")


def signature(body: bytes, secret: str, now: datetime) -> str:
    """``t=SECONDS,v1=HEX``: HMAC-SHA-256 of the time, a full stop and the body."""
    seconds = int(now.timestamp())
    signed = b"%d." % seconds + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def mail_alarm(alarm: SentinelAlarm, now: datetime) -> None:  # noqa: ARG001 - as all senders
    """Mail an alarm; raises ``NoticeFailed``."""
    where = _page(alarm) or f"See the page of sentinel {alarm.panel.name}."
    raised = f"Raised {alarm.raised_at:%Y-%m-%d %H:%M} UTC."
    message = EmailMessage(
        subject=f"Evenhand: {alarm.kind_words} alarm of {alarm.panel.name}",
        body=f"{alarm.detail}\n\n{raised}\n{where}\n",
        to=settings.NOTICE_EMAILS,
    )
    try:
        message.send()
    except (SMTPException, OSError) as error:
        raise NoticeFailed(f"not mailed: {type(error).__name__}") from error


def _page(alarm: SentinelAlarm) -> str:
    if not settings.SITE_URL:
        return ""
    path = reverse("calibration:sentinel", args=[alarm.panel.name])
    return f"{settings.SITE_URL}{path}"
