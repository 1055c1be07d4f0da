"""All runners of a run together keep no more calls in flight than it allows."""

from __future__ import annotations

import asyncio
import uuid
from datetime import timedelta

import pytest

from judging.models import RunnerShare, RunStatus
from judging.services.shares import LEASE, drop_share, take_share
from judging.services.throttle import Throttle
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, assert_settled, make_run
from tests.judging.talkers import Talker, runner_of

pytestmark = pytest.mark.django_db(transaction=True)
ONE, TWO, THREE = (uuid.UUID(int=n) for n in (1, 2, 3))


def take(run, owner, wanted=8, holding=0, seconds=0.0):
    now = START + timedelta(seconds=seconds)
    share = take_share(
        run_id=run.pk, owner=owner, wanted=wanted, holding=holding, now=now
    )
    whole = sum(s.places for s in RunnerShare.objects.filter(lease_until__gte=now))
    assert whole <= run.concurrency
    return share.places, share.settled


@pytest.fixture
def run():
    return make_run(ADDRESS, cases=1, concurrency=8)


class TestParts:
    def test_one_alone_has_all(self, run):
        assert take(run, ONE) == (8, True)
        assert take(run, ONE, wanted=50, holding=8) == (8, True)
        assert take(run, ONE, wanted=3, holding=8) == (3, False)

    def test_who_comes_later_waits_until_calls_in_flight_have_ended(self, run):
        take(run, ONE)
        assert take(run, TWO) == (0, False)
        assert take(run, ONE, holding=8) == (4, False)
        assert take(run, TWO) == (0, False)
        assert take(run, ONE, holding=6) == (4, False)
        assert take(run, TWO) == (2, False)
        assert take(run, ONE, holding=4) == (4, True)
        assert take(run, TWO, holding=2) == (4, True)

    def test_those_that_want_their_part_have_it_at_once(self, run):
        assert take(run, ONE, wanted=4) == (4, True)
        assert take(run, TWO, wanted=4) == (4, True)

    def test_what_does_not_divide_goes_to_the_first(self, run):
        for _ in range(3):
            held = [take(run, one, holding=0)[0] for one in (ONE, TWO, THREE)]
        assert held == [3, 3, 2]

    def test_more_runners_than_places(self, run):
        run.concurrency = 1
        run.save()
        assert take(run, ONE) == (1, True)
        assert take(run, TWO) == (0, True)
        drop_share(run_id=run.pk, owner=ONE)
        assert take(run, TWO) == (1, True)

    def test_one_that_died_keeps_its_places_for_its_lease(self, run):
        take(run, ONE)
        late = LEASE.total_seconds()
        assert take(run, TWO, seconds=late) == (0, False)
        assert take(run, TWO, seconds=late + 0.1) == (8, True)
        assert RunnerShare.objects.get().owner == TWO


class TestThrottle:
    def test_a_ceiling_that_moves(self):
        throttle = Throttle(8, clock=lambda: 0.0)
        throttle.set_ceiling(0)
        throttle.refused(1.0)
        assert throttle.limit == 0
        throttle.set_ceiling(4)
        assert throttle.limit == 4
        throttle.refused(2.0)
        assert throttle.limit == 2
        throttle.set_ceiling(3)
        assert throttle.limit == 2
        throttle.set_ceiling(5)
        assert throttle.limit == 4

    def test_who_waits_goes_on_when_there_is_room(self):
        async def main():
            throttle = Throttle(1, clock=lambda: 0.0)
            throttle.set_ceiling(0)
            waiting = asyncio.create_task(throttle.acquire())
            await asyncio.sleep(0)
            assert not waiting.done()
            throttle.set_ceiling(1)
            await asyncio.wait_for(waiting, 5)
            assert throttle.in_flight == 1

        asyncio.run(main())


class Counting(Talker):
    """Counts how many calls are in flight at once."""

    def __init__(self):
        super().__init__()
        self.now = self.most = 0

    async def ask(self, request):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.005)
        try:
            return await super().ask(request)
        finally:
            self.now -= 1


@pytest.mark.parametrize("runners", [1, 3])
def test_runners_together_stay_within_the_run(runners):
    run = make_run(ADDRESS, cases=60, concurrency=4)
    client = Counting()

    async def main():
        made = [runner_of(run, client, 4) for _ in range(runners)]
        return await asyncio.wait_for(
            asyncio.gather(*(each.run() for each in made)), 120
        )

    assert set(asyncio.run(main())) == {RunStatus.DONE}
    assert client.most == 4
    assert_settled(run)
    assert not RunnerShare.objects.exists()
