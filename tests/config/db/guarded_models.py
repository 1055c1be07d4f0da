"""Models for the tests of the guards, in a registry of their own."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.test.utils import isolate_apps

with isolate_apps("config.db") as REGISTRY:

    class Note(models.Model):
        guard: ClassVar[str] = "append_only"
        text = models.TextField(unique=True)

        class Meta:
            app_label = "guards"

    class Entry(models.Model):
        guard: ClassVar[str] = "append_only_except:split"
        text = models.TextField(null=True)
        weight = models.FloatField(default=1.0)
        extra = models.JSONField(default=dict)
        split = models.TextField(default="")

        class Meta:
            app_label = "guards"

    class Recipe(models.Model):
        guard: ClassVar[str] = "frozen_when:frozen_at"
        text = models.TextField()
        frozen_at = models.DateTimeField(null=True)

        class Meta:
            app_label = "guards"

    class Draft(models.Model):
        guard: ClassVar[str] = "mutable"
        text = models.TextField()
        note = models.ForeignKey(Note, models.CASCADE, null=True)

        class Meta:
            app_label = "guards"


MODELS = (Note, Entry, Recipe, Draft)
