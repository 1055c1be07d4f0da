"""Providers hold names of secrets, never secrets; and judges are tried before runs."""

from __future__ import annotations

import pytest

from annotation.models import Case, Pair
from config.errors import Conflict, InvalidInput, NotAllowed
from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import CallFailed, FailureKind
from judging.models import Call, Provider, Run
from judging.services.diagnosing import try_connection, try_pair
from judging.services.providers import ProviderOptions, save_provider
from judging.services.working import endpoint_of
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START as NOW
from tests.annotation.factory import make_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.talkers import Talker

pytestmark = pytest.mark.django_db(transaction=True)


def save(base_url=ADDRESS, **options):
    return save_provider(
        alias="azure", base_url=base_url, options=ProviderOptions(**options), now=NOW
    )


class TestProviders:
    def test_its_settings_reach_the_endpoint(self):
        provider = save(
            headers={"X-Team": "search"},
            secret_headers={"api-key": "AZURE_KEY"},
            query={"api-version": "2024-10-21"},
            use_env_proxy=True,
            call_seconds=30.0,
        )
        endpoint = endpoint_of(provider)
        assert endpoint.headers == {"X-Team": "search"}
        assert endpoint.secret_headers == {"api-key": "AZURE_KEY"}
        assert endpoint.query == {"api-version": "2024-10-21"}
        assert endpoint.trust_env
        assert provider.call_seconds == 30.0

    def test_it_is_changed_in_place(self):
        save(headers={"X-Team": "search"})
        save(api_key_env="KEY")
        provider = Provider.objects.get()
        assert (provider.headers, provider.api_key_env) == ({}, "KEY")

    @pytest.mark.parametrize(
        "options",
        [
            {"headers": {"Authorization": "Bearer abc"}},
            {"headers": {"api-key": "abc"}},
            {"headers": {"X-Api-Key": "abc"}},
            {"headers": {"Cookie": "a=b"}},
            {"query": {"sig": "abc"}},
            {"query": {"access_token": "abc"}},
            {"query": {"key": "abc"}},
            {"secret_headers": {"api-key": "sk-in-clear-abc"}},
            {"api_key_env": "sk-in-clear-abc"},
            {"headers": {"X-Team": "a\r\nB: abc"}},
            {"headers": {"X Team": "abc"}},
            {"call_seconds": 0.0},
        ],
    )
    def test_no_secret_in_clear_and_no_nonsense(self, options):
        with pytest.raises(InvalidInput) as caught:
            save(**options)
        assert "abc" not in caught.value.message
        assert not Provider.objects.exists()

    def test_judges_hold_it_to_its_address(self):
        save()
        save(base_url="http://127.0.0.1:10/v1")
        make_judge("http://127.0.0.1:10/v1", provider="azure")
        with pytest.raises(Conflict, match="alias of its own"):
            save(base_url=ADDRESS)


class Away(Talker):
    async def ask(self, request):
        raise CallFailed(FailureKind.UNAUTHORISED, "the key is wrong")


class TestConnection:
    def test_a_judge_that_answers(self):
        client = Talker()
        found = try_connection(provider=save(), model="m", open_client=client)
        assert found.reply is not None
        assert (found.failure, client.closed) == ("", True)

    def test_one_that_refuses(self):
        found = try_connection(provider=save(), model="m", open_client=Away())
        assert found.reply is None
        assert (found.kind, found.failure) == ("unauthorised", "the key is wrong")

    def test_a_key_that_is_not_set(self):
        provider = save(api_key_env="NO_SUCH_KEY_HERE")
        found = try_connection(
            provider=provider, model="m", open_client=OpenAIChatClient
        )
        assert found.kind == "misconfigured"
        assert "NO_SUCH_KEY_HERE" in found.failure


class TestOnePair:
    def test_both_orders_are_asked_and_nothing_is_stored(self):
        with SimulatedJudge(Options()) as server:
            judge = make_judge(server.base_url, repeats=3)
            make_set(2)
            pair = Pair.objects.with_texts().first()
            trial = try_pair(config=judge, pair=pair, open_client=OpenAIChatClient)
            assert server.stats()["bought"] == 2
        first, second = (each.exchanged.messages for each in trial.orders)
        assert first != second
        assert trial.verdict.outcome in set(type(trial.verdict.outcome))
        assert not Run.objects.exists()
        assert not Call.objects.exists()

    def test_a_failure_is_shown_not_raised(self):
        judge = make_judge(ADDRESS)
        make_set(1)
        pair = Pair.objects.with_texts().get()
        trial = try_pair(config=judge, pair=pair, open_client=Away())
        assert [each.exchanged.failure for each in trial.orders] == [
            "the key is wrong"
        ] * 2
        assert trial.verdict.outcome == "invalid"

    def test_a_held_out_pair_is_refused(self):
        judge = make_judge(ADDRESS)
        make_set(1)
        Case.objects.update(split="held_out")
        client = Talker()
        with pytest.raises(NotAllowed):
            try_pair(
                config=judge,
                pair=Pair.objects.with_texts().get(),
                open_client=client,
            )
        assert client.asked == 0
