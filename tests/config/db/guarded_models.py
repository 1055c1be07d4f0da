"""Models for the tests of the guards, in a registry of their own."""

from __future__ import annotations

from typing import Any, ClassVar

from django.apps.registry import Apps
from django.db import models

REGISTRY = Apps(["config.db"])


class Guarded(models.Model):
    objects: ClassVar[models.Manager[Any]] = models.Manager()

    class Meta:
        abstract = True
        app_label = "guards"
        apps = REGISTRY


class Note(Guarded):
    guard: ClassVar[str] = "append_only"
    text = models.TextField(unique=True)


class Entry(Guarded):
    guard: ClassVar[str] = "append_only_except:split"
    text = models.TextField(null=True)
    weight = models.FloatField(default=1.0)
    extra = models.JSONField(default=dict)
    split = models.TextField(default="")


class Recipe(Guarded):
    guard: ClassVar[str] = "frozen_when:frozen_at"
    text = models.TextField()
    frozen_at = models.DateTimeField(null=True)


class Draft(Guarded):
    guard: ClassVar[str] = "mutable"
    text = models.TextField()
    note = models.ForeignKey(Note, models.CASCADE, null=True)


MODELS = (Note, Entry, Recipe, Draft)
