"""A judge that was frozen before something became an error is told the true reason."""

from __future__ import annotations

import pytest

from config.errors import Conflict
from judging.domain.findings import Finding, Severity
from judging.services import admitting
from tests.annotation.factory import make_set
from tests.judging.factory import ADDRESS, make_judge

pytestmark = pytest.mark.django_db

WARNING = Finding("slot_unnamed", "user_template", "no name", Severity.WARNING)
ERROR = Finding("steering_field", "params.models", "could have another model")
NAME = Finding("system_name", "rubric", "names the system 'x'")


@pytest.mark.parametrize(
    ("findings", "code", "words"),
    [
        ((WARNING, ERROR), "judge_unfit", "params.models: could have another model"),
        ((ERROR, NAME), "judge_names_system", "names a system of"),
    ],
)
def test_the_reason_is_the_one_that_was_found(monkeypatch, findings, code, words):
    judge, gold_set = make_judge(ADDRESS), make_set(1)
    monkeypatch.setattr(admitting, "lint_asked", lambda *_: findings)
    with pytest.raises(Conflict) as refused:
        admitting.refuse_names(judge, gold_set)
    assert refused.value.code == code
    assert words in str(refused.value)


def test_a_warning_refuses_nothing(monkeypatch):
    judge, gold_set = make_judge(ADDRESS), make_set(1)
    monkeypatch.setattr(admitting, "lint_asked", lambda *_: (WARNING,))
    admitting.refuse_names(judge, gold_set)
