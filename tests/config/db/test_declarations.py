from __future__ import annotations

import pytest
from django.db import models
from django.test.utils import isolate_apps

from config.db.declarations import (
    BadDeclaration,
    Guard,
    GuardKind,
    guard_of,
    own_models,
)


def model(declaration):
    with isolate_apps("config.db"):

        class Thing(models.Model):
            guard = declaration
            text = models.TextField()
            owner = models.ForeignKey("guards.Thing", models.PROTECT)
            peers = models.ManyToManyField("guards.Thing")

            class Meta:
                app_label = "guards"

    return Thing


@pytest.mark.parametrize(
    ("declaration", "guard"),
    [
        ("mutable", Guard(GuardKind.MUTABLE)),
        ("append_only", Guard(GuardKind.APPEND_ONLY)),
        (
            "append_only_except: text, owner",
            Guard(GuardKind.APPEND_ONLY_EXCEPT, ("text", "owner_id")),
        ),
        ("frozen_when:text", Guard(GuardKind.FROZEN_WHEN, ("text",))),
    ],
)
def test_declarations(declaration, guard):
    assert guard_of(model(declaration)) == guard


@pytest.mark.parametrize(
    "declaration",
    [
        None,
        "",
        "appendonly",
        "append_only:text",
        "append_only_except",
        "append_only_except:",
        "frozen_when",
        "frozen_when:text,owner",
        "frozen_when:nothing",
        "frozen_when:peers",
    ],
)
def test_declarations_that_say_nothing(declaration):
    with pytest.raises(BadDeclaration, match=r"guards\.Thing"):
        guard_of(model(declaration))


def test_a_table_between_models_takes_the_guard_of_its_owner():
    between = model("append_only")._meta.get_field("peers").remote_field.through
    assert guard_of(between) == Guard(GuardKind.APPEND_ONLY)
    between = model("frozen_when:text")._meta.get_field("peers").remote_field.through
    with pytest.raises(BadDeclaration, match="through model"):
        guard_of(between)


def test_every_model_of_the_site_declares_its_guard():
    labels = {m._meta.label for m in own_models() if guard_of(m)}
    assert "accounts.User" in labels
    assert {name.split(".")[0] for name in labels} >= {"annotation", "judging"}
    assert not any(name.startswith(("auth.", "admin.")) for name in labels)
