"""Freezing under a digest, and what can't be changed from then on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, transaction

from config.errors import Conflict, InvalidInput
from judging.domain.digests import spec_digest
from judging.models import JudgeConfig, Provider
from judging.services.configuring import draft_judge, freeze_judge, frozen_with
from judging.services.drafting import default_spec, ensure_provider
from judging.services.starting import run_for, start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import ROOT, make_judge

pytestmark = pytest.mark.django_db
ADDRESS = "http://127.0.0.1:9/v1"
# Of `default_spec` at this address: changes only when what a judge is changes.
SPEC = {"provider": "local", "base_url": ADDRESS, "model": "judge-1"}


def draft(**changes):
    ensure_provider(alias="local", base_url=ADDRESS)
    spec = replace(default_spec(**SPEC), **changes)
    return draft_judge(name="judge", spec=spec, by=None, now=START)


def freeze(config):
    return freeze_judge(config=config, by=None, now=START)


def test_a_digest_is_the_same_in_every_process_and_from_the_database():
    frozen = freeze(draft())
    frozen.refresh_from_db()
    code = (
        "from judging.domain.digests import spec_digest;"
        "from judging.services.drafting import default_spec;"
        f"print(spec_digest(default_spec(**{SPEC!r})))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", "import django; django.setup();" + code],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "77")
    }
    assert seen == {frozen.digest}
    assert spec_digest(default_spec(**SPEC)) == frozen.digest


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"user_template": "{{first}} {{second}} {{menu}}"}, "prompt"),
        ({"offers_abstain": False}, "offers_abstain"),
        ({"user_template": "{{prompt"}, "user_template"),
        ({"verdict_format": "nonsense"}, "verdict_format"),
        ({"rubric": "Answer with [[A]] or [[B]]."}, "rubric"),
        ({"model": ""}, "model"),
    ],
)
def test_any_error_of_the_lint_keeps_a_draft_a_draft(changes, field):
    config = draft(**changes)
    with pytest.raises(Conflict, match=field) as refused:
        freeze(config)
    assert refused.value.detail["errors"]
    config.refresh_from_db()
    assert (config.frozen_at, config.digest) == (None, "")


def test_a_judge_that_names_a_system_can_not_be_frozen():
    make_set(1, systems=("zebra9", "v13"))
    with pytest.raises(Conflict, match="zebra9"):
        freeze(draft(rubric="Prefer what zebra9 says."))


def test_a_set_that_came_later_with_a_system_the_judge_names_is_not_judged():
    config = freeze(draft(rubric="Prefer what zebra9 says."))
    gold_set = make_set(1, systems=("zebra9", "v13"))
    with pytest.raises(Conflict, match="names a system"):
        start_run(config=config, gold_set=gold_set, concurrency=1, by=None, now=START)


def test_a_frozen_judge_can_not_be_frozen_again():
    config = freeze(draft())
    with pytest.raises(Conflict, match="frozen already"):
        freeze(config)


def test_another_model_is_another_version_and_the_old_one_stays():
    old = freeze(draft())
    new = freeze(draft(model="judge-2"))
    assert (old.version, new.version) == (1, 2)
    assert old.digest != new.digest
    old.refresh_from_db()
    assert old.spec["model"] == "judge-1"
    assert frozen_with("judge", default_spec(**SPEC)) == old


REFUSED = [
    lambda: JudgeConfig.objects.update(repeats=9),
    lambda: JudgeConfig.objects.all().delete(),
    lambda: JudgeConfig.objects.bulk_update(
        [replaced(JudgeConfig.objects.get())], ["spec"]
    ),
    lambda: raw("UPDATE judging_judgeconfig SET digest = 'x'"),
    lambda: raw("UPDATE judging_judgeconfig SET frozen_at = NULL, digest = ''"),
    lambda: raw("DELETE FROM judging_judgeconfig"),
]


def replaced(config: JudgeConfig) -> JudgeConfig:
    config.spec = {}
    return config


def raw(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("change", REFUSED)
def test_the_database_refuses_changes_to_a_frozen_judge(change):
    frozen = freeze(draft())
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        change()
    frozen.refresh_from_db()
    assert frozen.digest == spec_digest(default_spec(**SPEC))


def test_a_draft_can_be_changed_and_is_frozen_as_it_then_is():
    config = draft()
    config.spec |= {"repeats": 3}
    config.save()
    frozen = freeze(config)
    assert frozen.repeats == 3
    assert frozen.digest == spec_digest(replace(default_spec(**SPEC), repeats=3))


class TestProviders:
    def test_another_address_under_an_alias_is_refused(self):
        ensure_provider(alias="local", base_url=ADDRESS)
        with pytest.raises(Conflict, match="alias of its own"):
            ensure_provider(alias="local", base_url="http://elsewhere/v1")

    @pytest.mark.parametrize("before", ["", "OLD_KEY"])
    def test_the_key_of_a_provider_that_judges_use_stays(self, before):
        provider = ensure_provider(alias="local", base_url=ADDRESS, api_key_env=before)
        draft_judge(name="judge", spec=default_spec(**SPEC), by=None, now=START)
        with pytest.raises(Conflict, match="other judges use it"):
            ensure_provider(alias="local", base_url=ADDRESS, api_key_env="NEW_KEY")
        provider.refresh_from_db()
        assert provider.api_key_env == before
        ensure_provider(alias="local", base_url=ADDRESS, api_key_env=before)

    def test_the_key_of_a_provider_without_judges_can_change(self):
        ensure_provider(alias="local", base_url=ADDRESS, api_key_env="OLD_KEY")
        now = ensure_provider(alias="local", base_url=ADDRESS, api_key_env="NEW_KEY")
        assert now.api_key_env == "NEW_KEY"

    def test_a_judge_must_name_its_providers_address(self):
        ensure_provider(alias="local", base_url=ADDRESS)
        spec = default_spec(provider="local", base_url="http://else/v1", model="m")
        with pytest.raises(InvalidInput, match="is at"):
            draft_judge(name="judge", spec=spec, by=None, now=START)

    def test_a_judge_must_name_a_provider_that_is_there(self):
        with pytest.raises(InvalidInput, match="none called"):
            draft_judge(name="judge", spec=default_spec(**SPEC), by=None, now=START)

    @pytest.mark.parametrize("key", ["sk-proj-abcdef0123456789", "my key", "1X", "k$"])
    def test_a_key_in_place_of_a_variable_is_refused_and_not_repeated(self, key):
        with pytest.raises(InvalidInput) as refused:
            ensure_provider(alias="local", base_url=ADDRESS, api_key_env=key)
        assert key not in refused.value.message
        assert not Provider.objects.exists()

    @pytest.mark.parametrize(
        "address",
        ["", "ftp://a/v1", "http://user:pw@host/v1", "http://h/v1?key=a", "http:///v1"],
    )
    def test_an_address_with_secrets_or_without_host_is_refused(self, address):
        with pytest.raises(InvalidInput, match="base_url"):
            ensure_provider(alias="local", base_url=address)


class TestStarting:
    def test_the_same_run_for_those_who_ask_again(self):
        config, gold_set = make_judge(ADDRESS), make_set(2)
        asked = {"config": config, "gold_set": gold_set, "by": None, "now": START}
        run = run_for(**asked, concurrency=2)
        assert run_for(**asked, concurrency=9, again=True) == run
        run.status = "done"
        run.save()
        assert run_for(**asked, concurrency=9) == run
        assert run_for(**asked, concurrency=9, again=True) != run

    def test_every_pair_is_asked_in_both_orders_and_all_repeats(self):
        config, gold_set = make_judge(ADDRESS, repeats=3), make_set(2)
        run = start_run(
            config=config, gold_set=gold_set, concurrency=1, by=None, now=START
        )
        calls = run.calls.values_list("pair", "order", "repeat")
        assert len(calls) == len(set(calls)) == 12

    @pytest.mark.parametrize("concurrency", [0, -1, 257])
    def test_a_number_in_flight_that_can_not_be(self, concurrency):
        with pytest.raises(InvalidInput, match="concurrency"):
            start_run(
                config=make_judge(ADDRESS),
                gold_set=make_set(1),
                concurrency=concurrency,
                by=None,
                now=START,
            )

    def test_a_draft_does_not_run(self):
        with pytest.raises(Conflict, match="frozen"):
            start_run(
                config=draft(), gold_set=make_set(1), concurrency=1, by=None, now=START
            )
