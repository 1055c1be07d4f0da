"""Dated prices, what runs cost, and what they would cost."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from config.errors import InvalidInput
from judging.domain import costs
from judging.domain.ports import CallFailed, FailureKind, RawReply, Usage
from judging.models import Attempt, Price
from judging.services.estimating import estimate_run
from judging.services.pricing import (
    Money,
    Pricing,
    add_price,
    cost_json,
    cost_of_run,
    price_now,
    usage_of,
)
from judging.services.starting import start_run
from judging.services.watching import progress_of
from tests.annotation.factory import START, add_case, make_set
from tests.judging.answers import answered_run
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = "simulated-judge"


def price(prompt="2", completion="8", valid_from=date(2020, 1, 1), **terms):
    terms = {"provider": "local", "model": MODEL, **terms}
    return add_price(
        price=costs.Price(
            prompt=Decimal(prompt),
            completion=Decimal(completion),
            valid_from=valid_from,
            **terms,
        ),
        by=None,
        now=START,
    )


class Counting(Talker):
    """Says what it took, as ``usage``; fails first when told how."""

    def __init__(self, usage, fails=()):
        super().__init__()
        self.usage, self.fails = usage, list(fails)

    async def ask(self, request):
        await super().ask(request)
        if self.fails:
            raise CallFailed(self.fails.pop(), "no")
        return RawReply(
            text="[[A>B]]", body="{}", finish_reason="stop", usage=self.usage
        )


USED = Usage(prompt=1000, completion=100, reasoning=60, cached=400)


def judged(usage=USED, cases=2, fails=()):
    run = make_run(ADDRESS, cases=cases)
    work(run, Counting(usage, fails))
    run.refresh_from_db()
    return run


class TestPrices:
    def test_of_one_day_the_last_entered_counts(self):
        judge = make_judge(ADDRESS)
        price("2")
        price("3")
        price("9", valid_from=date(2019, 1, 1))
        price("7", valid_from=date(2999, 1, 1))
        found = price_now(judge.provider, MODEL, date(2026, 1, 1))
        assert found.prompt == 3

    def test_prices_are_never_changed(self):
        make_judge(ADDRESS)
        price()
        with pytest.raises(DatabaseError), transaction.atomic():
            Price.objects.update(prompt=1)

    @pytest.mark.parametrize(
        "terms",
        [
            {"provider": "nobody"},
            {"model": " "},
            {"currency": "dollars"},
            {"prompt": "1000000"},
            {"completion": "Infinity"},
        ],
    )
    def test_what_is_no_price(self, terms):
        make_judge(ADDRESS)
        with pytest.raises(InvalidInput):
            price(**terms)
        assert not Price.objects.exists()


class TestCost:
    def test_by_price_and_tokens(self):
        run = judged()
        price(cached=Decimal("0.5"))
        cost = cost_of_run(run)
        # 600 x 2 + 400 x 0.5 + 100 x 8 per million, four times
        assert cost.known == (Money(Decimal("0.0088"), "USD"),)
        assert cost.complete
        assert cost.tokens == {
            "prompt": 4000, "completion": 400, "reasoning": 240, "cached": 1600,
        }  # fmt: skip
        assert cost_json(cost)["known"] == [{"amount": "0.008800", "currency": "USD"}]

    def test_an_unknown_price_is_an_unknown_cost(self):
        cost = cost_of_run(judged())
        assert cost.known == ()
        assert cost.unknown_calls == 4
        assert not cost.complete

    def test_so_is_an_unknown_number_of_tokens(self):
        run = judged(Usage(prompt=1000))
        price()
        assert cost_of_run(run).unknown_calls == 4

    def test_a_price_from_tomorrow_on_tells_nothing_about_today(self):
        run = judged()
        price(valid_from=date(2999, 1, 1))
        assert cost_of_run(run).unknown_calls == 4

    def test_requests_without_a_reply_may_have_been_charged(self):
        run = judged(fails=[FailureKind.TIMEOUT, FailureKind.RATE_LIMITED])
        price()
        cost = cost_of_run(run)
        assert (cost.requests, cost.priced_calls, cost.maybe_billed) == (6, 4, 1)
        assert not cost.complete


class TestEstimate:
    def estimate(self, run=None, **more):
        config = run.config if run else make_judge(ADDRESS)
        gold_set = run.gold_set if run else make_set(6)
        return estimate_run(
            config=config, gold_set=gold_set, now=timezone.now(), **more
        )

    def test_before_anything_was_asked(self):
        found = self.estimate()
        assert (found.pairs, found.calls, found.to_ask, found.reused) == (6, 12, 12, 0)
        assert found.prompt_tokens > 12 * 50
        assert found.completion_tokens == 12 * 1024
        assert found.cost is None

    def test_the_cost_follows_the_price(self):
        make_judge(ADDRESS, name="other")
        price(prompt="1", completion="1")
        found = self.estimate()
        tokens = found.prompt_tokens + found.completion_tokens
        assert found.cost == Money(Decimal(tokens) / 1_000_000, "USD")

    def test_answers_of_earlier_runs_tell_their_usual_length(self):
        run = judged(cases=6)
        fresh = self.estimate(run, reuse=False)
        assert (fresh.seen, fresh.completion_tokens) == (12, 12 * 100)

    def test_what_would_be_copied_costs_nothing(self):
        run = judged(cases=6)
        price()
        found = self.estimate(run)
        assert (found.reused, found.to_ask, found.prompt_tokens) == (12, 0, 0)
        assert found.cost == Money(Decimal(0), "USD")

    def test_too_long_pairs_are_not_sent(self):
        gold_set = make_set(1)
        systems = list(gold_set.systems.all())
        add_case(gold_set, systems, "long-0001", ["word " * 9000, "Two."])
        found = estimate_run(
            config=make_judge(ADDRESS, input_limit=20_000),
            gold_set=gold_set,
            now=timezone.now(),
        )
        assert (found.calls, found.too_long, found.to_ask) == (4, 2, 2)

    def test_it_agrees_with_the_run_that_follows(self):
        run = judged(cases=6)
        systems = list(run.gold_set.systems.all())
        add_case(run.gold_set, systems, "new-0001", ["One.", "Two."])
        found, client = self.estimate(run), Talker()
        following = start_run(
            config=run.config,
            gold_set=run.gold_set,
            concurrency=2,
            by=None,
            now=timezone.now(),
        )
        work(following, client)
        assert client.asked == found.to_ask == 2


class TestProgress:
    def test_a_run_that_waits(self):
        found = progress_of(make_run(ADDRESS, cases=3), now=timezone.now())
        assert (found.total, found.done, found.waiting) == (6, 0, 6)
        assert found.rate is found.seconds_left is None

    def test_a_finished_run(self):
        class Mumbler(Counting):
            async def ask(self, request):
                await super().ask(request)
                return RawReply(text="?", body="{}", finish_reason="stop")

        run = make_run(ADDRESS, cases=3)
        work(run, Mumbler(USED))
        found = progress_of(run, now=timezone.now())
        assert (found.done, found.in_hand, found.requests) == (6, 0, 6)
        assert found.invalid == {"unparsed": 6}
        assert found.invalid_total == 6


def test_sums_in_the_database_are_the_sums_of_each_request():
    """Over days with other prices, uncounted tokens, caches and failures."""
    run = answered_run()
    price(valid_from=date(2030, 1, 1), prompt="3", completion="7", cached=Decimal(1))
    price(valid_from=date(2030, 5, 7), prompt="5.5", completion="11")
    usages = [
        {"prompt": 100, "completion": 20},
        {"prompt": 100, "completion": 20, "cached": 30},
        {"prompt": 100, "completion": 20, "cached": 300, "reasoning": 4},
        {"prompt": 7},
        {"completion": 9, "cached": 2},
        {},
    ]
    call = run.calls.first()
    for number, usage in enumerate(usages * 4):
        sent_at = START + timedelta(hours=9 * number)
        error = "timeout" if number % 5 == 4 else ""
        Attempt.objects.create(
            call=call, sent_at=sent_at, order=call.order, usage=usage, error=error
        )
    found, pricing = cost_of_run(run), Pricing(run)
    attempts = Attempt.objects.filter(call__run=run)
    good = [a for a in attempts if not a.error]
    each = [pricing.cost(usage_of(a.usage), a.sent_at.date()) for a in good]
    known = [money for money in each if money is not None]
    assert [money.amount for money in found.known] == [sum(m.amount for m in known)]
    assert found.priced_calls == len(known) > 0
    assert found.unknown_calls == len(each) - len(known) > 0
    assert found.requests == len(attempts)
    assert found.maybe_billed == len(attempts) - len(good) > 0
    for name in ("prompt", "completion", "cached", "reasoning"):
        assert found.tokens[name] == sum(a.usage.get(name, 0) for a in good)
