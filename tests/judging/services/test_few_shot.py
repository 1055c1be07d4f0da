"""Held-out cases that a judge's texts quote are named before it is frozen."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from judging.domain.digests import spec_to_json
from judging.domain.findings import Severity
from judging.domain.lint import may_freeze
from judging.presenters.previews import sorted_findings
from judging.services.configuring import findings_for, freeze_judge
from judging.services.few_shot import NAMED, held_out_findings
from tests.annotation.factory import START, add_case, make_set
from tests.judging.views.test_judges import a_draft, spec_at

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db
HELD = "How long may the customer wait before sending the goods back to the shop?"
DEV = "Which of the two tariffs is cheaper for somebody who calls abroad every day?"


@pytest.fixture(autouse=True)
def cases() -> None:
    gold_set = make_set(0, name="support")
    systems = list(gold_set.systems.all())
    add_case(gold_set, systems, "held-1", prompt=HELD, split="held_out")
    add_case(gold_set, systems, "dev-1", prompt=DEV, split="dev")


def quoting(text: str) -> dict[str, str]:
    """Changes to a judge that make it quote a text."""
    return {"system_template": f"{spec_at().system_template}\nFor example: {text}"}


def told(text: str) -> dict[str, Any]:
    return spec_to_json(spec_at(**quoting(text)))


def test_a_held_out_case_is_named_and_a_dev_case_is_not() -> None:
    (found,) = held_out_findings(told(HELD.upper()))
    assert (found.code, found.severity) == ("held_out_exact", Severity.WARNING)
    assert "1 held-out case word for word: held-1 of support." in found.message
    assert held_out_findings(told(DEV)) == ()


def test_with_a_word_changed_it_is_nearly_quoted() -> None:
    (found,) = held_out_findings(told(HELD.replace("shop", "seller")))
    assert found.code == "held_out_near"


def test_of_many_cases_a_few_are_named() -> None:
    gold_set = make_set(0, name="many")
    for number in range(NAMED + 2):
        add_case(
            gold_set,
            list(gold_set.systems.all()),
            f"m-{number}",
            prompt=HELD,
            split="held_out",
        )
    (found,) = held_out_findings(told(HELD))
    assert "quotes 8 held-out cases" in found.message
    assert "and 3 more" in found.message


def test_it_warns_a_draft_and_keeps_none_from_being_frozen() -> None:
    draft = a_draft(**quoting(HELD))
    assert "held_out_exact" in {found.code for found in findings_for(draft)}
    assert may_freeze(findings_for(draft))
    assert [one.code for one in sorted_findings(draft).warnings] == ["held_out_exact"]
    assert freeze_judge(config=draft, by=None, now=START).frozen_at == START


def test_page_and_api_say_so(lead_client: Client) -> None:
    draft = a_draft(**quoting(HELD))
    page = lead_client.get(f"/judges/{draft.name}/{draft.version}/").content.decode()
    assert "held-1 of support" in page
    lint = lead_client.get(f"/api/v1/judges/{draft.name}/{draft.version}/lint/").json()
    assert lint["may_freeze"]
    assert [one["code"] for one in lint["findings"]] == ["held_out_exact"]


def test_the_command_warns(tmp_path: Path) -> None:
    path, said = tmp_path / "judge.json", StringIO()
    path.write_text(json.dumps(told(HELD)))
    call_command("freeze_judge", "strict", spec=str(path), stderr=said)
    assert "Warning: spec: quotes 1 held-out case word for word" in said.getvalue()
