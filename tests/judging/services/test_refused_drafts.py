"""What not even a draft may hold, since drafts are stored and shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from config.errors import InvalidInput, NotFound
from judging.domain.digests import SpecError, spec_from_json, spec_to_json
from judging.models import JudgeConfig
from judging.services.configuring import draft_judge
from judging.services.drafting import default_spec, ensure_provider
from judging.services.editing import edit_draft
from judging.services.providers import ProviderOptions, refuse_options
from judging.services.starting import frozen_judge
from tests.annotation.factory import START

pytestmark = pytest.mark.django_db
ADDRESS = "http://127.0.0.1:9/v1"
SPEC = default_spec(provider="local", base_url=ADDRESS, model="judge-1")
KEY = "sk-live-" + "abcdef0123"


def draft(**changes):
    ensure_provider(alias="local", base_url=ADDRESS)
    return draft_judge(name="judge", spec=replace(SPEC, **changes), by=None, now=START)


def with_param(**more):
    return {"params": {"max_tokens": 9, **more}}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        (with_param(extra_headers={"Authorization": f"Bearer {KEY}"}),
         "params.extra_headers.Authorization"),
        (with_param(metadata={"api_key": "x"}), "params.metadata.api_key"),
        (with_param(a=[{"b": KEY}]), "params.a[0].b"),
        (with_param(token="x"), "params.token"),
        (with_param(user=KEY), "params.user"),
        (with_param(user="Basic dXNlcg=="), "params.user"),
        (with_param(user="9f86d081884c7d659a2feaa0c55ad015"), "params.user"),
        ({"rubric": f"Be kind. {KEY}"}, "rubric"),
        ({"system_template": f"Use {KEY}."}, "system_template"),
        ({"model": KEY}, "model"),
        ({"rubric_step": {"params": {"x": {"password": "y"}}}},
         "rubric_step.params.x.password"),
    ],
)  # fmt: skip
def test_a_credential_is_refused_at_once_and_not_repeated(changes, path):
    with pytest.raises(InvalidInput, match="looks like a credential") as error:
        draft(**changes)
    assert error.value.message.startswith(f"{path}: ")
    assert KEY not in error.value.message
    assert not JudgeConfig.objects.exists()
    kept = draft()
    with pytest.raises(InvalidInput, match="looks like a credential"):
        edit_draft(config=kept, spec=replace(SPEC, **changes), by=None, now=START)


@pytest.mark.parametrize(
    "changes",
    [
        with_param(max_completion_tokens=9, prompt_cache_key="judge-one"),
        with_param(stop_token_ids=[1], eos_token="</s>", user="team-7"),
        {"rubric": "A risk-based answer; the bearer of bad news is not to blame."},
        {"model": "Meta-Llama-3-1-70B-Instruct-AWQ-INT4-2026-01-15-long"},
    ],
)
def test_what_is_no_credential_is_kept(changes):
    assert draft(**changes).pk


@pytest.mark.parametrize("repeats", [0, 100, 10**9, 2**70])
def test_repeats_beyond_any_use_are_refused(repeats):
    with pytest.raises(InvalidInput, match="repeats: must be at least 1, at most 99"):
        draft(repeats=repeats)


@pytest.mark.parametrize(
    ("field", "text"),
    [("rubric", "a\ud800"), ("model", "a\x00"), ("user_template", "\udfff"),
     ("question", "\x00")],
)  # fmt: skip
def test_text_that_nothing_can_store_is_refused_by_its_field(field, text):
    with pytest.raises(InvalidInput, match=f"^{field}: holds"):
        draft(**{field: text})
    with pytest.raises(SpecError, match=f"^{field}: holds"):
        spec_from_json({**spec_to_json(SPEC), field: text})


@pytest.mark.parametrize("version", [2, 10**30])
def test_a_version_that_is_not_there_is_told_from_a_judge_that_is_not(version):
    config = draft()
    with pytest.raises(NotFound, match=f"Judge 'judge' has no version {version}"):
        frozen_judge(config.name, version)
    with pytest.raises(NotFound, match="There is no judge 'other'"):
        frozen_judge("other", version)


@pytest.mark.parametrize("name", ["Host", "content-length", "Transfer-Encoding"])
def test_a_header_that_every_request_sets_is_refused(name):
    for options in (
        ProviderOptions(headers={name: "x"}),
        ProviderOptions(secret_headers={name: "SOME_KEY"}),
    ):
        with pytest.raises(InvalidInput, match="is set for every request"):
            refuse_options(options)
