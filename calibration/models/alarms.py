"""Alarms that sentinels raise, and every attempt to tell somebody."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from calibration.domain.sentinels import AlarmKind
from calibration.models.sentinels import SentinelCheck, SentinelPanel, SentinelSeries


class SentinelAlarm(models.Model):
    """One alarm; ``key`` says what it is about, so that it is raised once."""

    guard: ClassVar[str] = "append_only"

    panel = models.ForeignKey(
        SentinelPanel, on_delete=models.PROTECT, related_name="alarms"
    )
    series = models.ForeignKey(
        SentinelSeries, on_delete=models.PROTECT, null=True, related_name="alarms"
    )
    sentinel_check = models.ForeignKey(
        SentinelCheck, on_delete=models.PROTECT, null=True, related_name="alarms"
    )
    kind = models.CharField(
        max_length=20, choices=[(k.value, k.value) for k in AlarmKind]
    )
    key = models.CharField(max_length=120)
    detail = models.TextField()
    raised_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["panel", "key"], name="sentinel_alarm_once"
            ),
            models.CheckConstraint(
                name="sentinel_alarm_kind_known",
                condition=models.Q(kind__in=[k.value for k in AlarmKind]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} alarm {self.pk}"

    @property
    def kind_words(self) -> str:
        """The kind as people read it."""
        return self.kind.replace("_", " ")


class SentinelAcknowledgement(models.Model):
    """Somebody has taken note of an alarm, which stays on the page."""

    guard: ClassVar[str] = "append_only"

    alarm = models.OneToOneField(
        SentinelAlarm, on_delete=models.PROTECT, related_name="acknowledgement"
    )
    note = models.TextField(help_text="What it was, or what is done about it.")
    acknowledged_at = models.DateTimeField()
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="sentinel_acknowledgement_has_note",
                condition=~models.Q(note=""),
            ),
            models.CheckConstraint(
                name="sentinel_acknowledgement_has_author",
                condition=models.Q(acknowledged_by__isnull=False) | ~models.Q(actor=""),
            ),
        ]

    def __str__(self) -> str:
        return f"acknowledgement of alarm {self.alarm_id}"

    @property
    def author(self) -> str:
        """Who it was, as people read it."""
        return str(self.acknowledged_by) if self.acknowledged_by else self.actor


class NoticeChannel(models.TextChoices):
    """How somebody is told."""

    WEBHOOK = "webhook"
    EMAIL = "email"


class SentinelNotice(models.Model):
    """One attempt to send an alarm out, and how it ended."""

    guard: ClassVar[str] = "append_only"

    alarm = models.ForeignKey(
        SentinelAlarm, on_delete=models.PROTECT, related_name="notices"
    )
    channel = models.CharField(max_length=10, choices=NoticeChannel.choices)
    attempt = models.PositiveSmallIntegerField()
    sent = models.BooleanField()
    detail = models.TextField(blank=True)
    tried_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["alarm", "channel", "attempt"],
                name="sentinel_notice_attempt_once",
            ),
            models.CheckConstraint(
                name="sentinel_notice_channel_known",
                condition=models.Q(channel__in=NoticeChannel.values),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} notice {self.pk}"
