from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.outcomes import Order
from annotation.domain.schedule import (
    OrderCount,
    ScheduleItem,
    assign_orders,
    count_orders,
    plan_seats,
    seeded,
)

BASELINE, CANDIDATE = Order.BASELINE_FIRST, Order.CANDIDATE_FIRST

cells = st.tuples(
    st.sampled_from(["dev", "held_out", None]),
    st.sampled_from(["a", "b", "c", "d", "e", None]),
)
item_lists = st.lists(cells, max_size=60).map(
    lambda rows: [ScheduleItem(key, *row) for key, row in enumerate(rows)]
)
# Many thin cells: almost everything goes through the closed trails.
sparse_lists = st.sets(
    st.tuples(st.integers(0, 7).map(str), st.integers(0, 7).map(str)), max_size=40
).map(lambda rows: [ScheduleItem(i, *row) for i, row in enumerate(sorted(rows))])


def worst(items, orders, label):
    counts = count_orders((label(item), orders[item.key]) for item in items)
    return max((abs(count.difference) for count in counts.values()), default=0)


@given(st.one_of(item_lists, sparse_lists), st.binary(min_size=1), st.integers(1, 4))
def test_every_pass_is_balanced_in_all_four_ways(items, seed, passes):
    for orders in assign_orders(items, seed, passes):
        assert set(orders) == {item.key for item in items}
        assert worst(items, orders, lambda _: "all") <= 1
        assert worst(items, orders, lambda item: item.split) <= 1
        assert worst(items, orders, lambda item: item.slice_value) <= 1
        assert worst(items, orders, lambda item: item[1:3]) <= 1


@given(item_lists, st.text(min_size=1))
def test_successive_passes_alternate(items, seed):
    first, second, third = assign_orders(items, seed, 3)
    assert all(first[key] is second[key].opposite for key in first)
    assert first == third


@given(item_lists, st.text(min_size=1), st.randoms(use_true_random=False))
def test_the_seed_and_the_set_of_items_decide_alone(items, seed, random):
    shuffled = random.sample(items, len(items))
    assert assign_orders(items, seed, 2) == assign_orders(shuffled, seed, 2)
    assert plan_seats(items, seed, 2) == plan_seats(shuffled, seed, 2)


def test_the_schedule_is_the_same_in_every_process_and_version():
    items = [ScheduleItem(key, "dev", "ab"[key % 2]) for key in range(10)]
    (orders,) = assign_orders(items, "seed", 1)
    led = [key for key, order in orders.items() if order is BASELINE]
    assert sorted(led) == [1, 3, 4, 6, 9]


def test_different_seeds_give_different_orders():
    items = [ScheduleItem(key) for key in range(64)]
    drawn = {tuple(assign_orders(items, f"{n}", 1)[0].values()) for n in range(20)}
    assert len(drawn) == 20


def test_each_item_leads_half_of_the_time():
    # 400 seeds, five items in thin cells: a fair coin stays within 5 sd = 50 of 200.
    items = [
        ScheduleItem("p", "dev", "a"),
        ScheduleItem("q", "dev", "b"),
        ScheduleItem("r", "held_out", "a"),
        ScheduleItem("s", "held_out", "c"),
        ScheduleItem("t", "held_out", "c"),
    ]
    led = Counter()
    for n in range(400):
        (orders,) = assign_orders(items, f"seed {n}", 1)
        led.update(key for key, order in orders.items() if order is BASELINE)
    assert all(150 <= led[item.key] <= 250 for item in items)


def test_other_slices_are_nearly_balanced():
    random = seeded("items", "test")
    items = [
        ScheduleItem(
            key,
            random.choice(["dev", "held_out"]),
            random.choice("abc"),
            (f"language={random.choice('xyz')}", f"risk={random.choice('hl')}"),
        )
        for key in range(600)
    ]
    (orders,) = assign_orders(items, "s", 1)
    assert worst(items, orders, lambda item: item.others[0]) <= 4
    assert worst(items, orders, lambda item: item.others[1]) <= 4


def test_seats_cover_every_item_in_every_pass_with_unique_ranks():
    items = [ScheduleItem(f"case {n}", "dev", "a") for n in range(50)]
    seats = plan_seats(items, "s", 3)
    assert len(seats) == 150
    assert {(seat.key, seat.pass_no) for seat in seats} == {
        (item.key, number) for item in items for number in (1, 2, 3)
    }
    assert sorted(seat.rank for seat in seats) == list(range(150))
    orders = assign_orders(items, "s", 3)
    assert all(seat.order is orders[seat.pass_no - 1][seat.key] for seat in seats)
    assert [seat.rank for seat in seats] != list(range(150))


def test_counts_for_the_report():
    rows = [("dev", BASELINE), ("dev", BASELINE), ("all", CANDIDATE)]
    counts = count_orders(rows)
    assert counts == {"dev": OrderCount(2, 0), "all": OrderCount(0, 1)}
    assert (counts["dev"].difference, counts["all"].difference) == (2, -1)


def test_nothing_to_schedule():
    assert assign_orders([], "s", 2) == ({}, {})
    assert plan_seats([], "s", 2) == ()


@pytest.mark.parametrize(
    ("items", "seed", "passes"),
    [
        ([ScheduleItem(1)], "s", 0),
        ([ScheduleItem(1)], "", 1),
        ([ScheduleItem(1)], b"", 1),
        ([ScheduleItem(1), ScheduleItem(1, "dev")], "s", 1),
    ],
)
def test_nonsense_is_refused(items, seed, passes):
    with pytest.raises(ValueError):
        assign_orders(items, seed, passes)


def test_text_and_its_bytes_are_the_same_seed_and_purposes_differ():
    assert seeded("ä", "x").random() == seeded("ä".encode(), "x").random()
    assert seeded("s", "x").random() != seeded("s", "y").random()


def test_a_large_set_is_fast():
    items = [ScheduleItem(n, "dev", str(n % 7), (str(n % 3),)) for n in range(100_000)]
    start = time.process_time()
    plan_seats(items, "s", 2)
    assert time.process_time() - start < 3
