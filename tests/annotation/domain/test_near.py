from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.grouping import Joined, join_by
from annotation.domain.near import (
    MOST_SHINGLES,
    NearPair,
    near_duplicates,
    similarity,
    sketch,
)

WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]
REFUND = (
    "I ordered a blue kettle last week and it arrived with a broken lid. The shop "
    "says I must send photos first. How do I get my money back without a receipt?"
)


def prose(rng: random.Random, words: int = 60) -> list[str]:
    return [rng.choice(WORDS) for _ in range(words)]


def jaccard(one: str, other: str) -> float:
    """The definition, with sets of word triples."""
    sets = [
        {tuple(words[i : i + 3]) for i in range(len(words) - 2)}
        for words in (one.split(), other.split())
    ]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


class TestSimilarity:
    def test_case_and_punctuation_do_not_count(self):
        assert similarity(sketch(REFUND), sketch(REFUND.upper() + " !!")) == 1

    def test_it_is_the_share_of_common_word_triples(self):
        one = "a b c d e f"
        other = "a b c d x y"
        assert similarity(sketch(one), sketch(other)) == pytest.approx(2 / 6)

    @given(st.integers(0, 2**32))
    def test_it_equals_the_definition_for_texts_that_fit(self, seed):
        rng = random.Random(seed)
        words = prose(rng)
        changed = list(words)
        for _ in range(rng.randrange(4)):
            changed[rng.randrange(len(changed))] = "zzz"
        one, other = " ".join(words), " ".join(changed)
        assert similarity(sketch(one), sketch(other)) == pytest.approx(
            jaccard(one, other)
        )

    def test_long_texts_are_estimated(self):
        rng = random.Random(3)
        words = prose(rng, 6000)
        one = " ".join(words)
        other = " ".join([*words[:4000], *prose(rng, 2000)])
        assert len(sketch(one)) == MOST_SHINGLES
        assert similarity(sketch(one), sketch(other)) == pytest.approx(
            jaccard(one, other), abs=0.08
        )

    def test_scripts_without_spaces_are_cut_by_character(self):
        one = "我上周买的蓝色水壶盖子坏了怎么退款给我"
        assert similarity(sketch(one), sketch(one[:-1] + "他")) > 0.8
        assert similarity(sketch(one), sketch("天气很好我们去公园散步")) == 0

    @pytest.mark.parametrize("text", ["", "   ", "?!"])
    def test_no_words_are_like_nothing(self, text):
        assert similarity(sketch(text), sketch(text)) == 0

    def test_short_texts_are_one_run(self):
        assert similarity(sketch("Hello there"), sketch("hello, there!")) == 1
        assert similarity(sketch("Hello there"), sketch("hello you")) == 0


class TestNearDuplicates:
    def test_a_reworded_prompt_is_found(self):
        texts = [REFUND, "What is the capital of France?", REFUND + " Please help."]
        [pair] = near_duplicates(texts)
        assert (pair.one, pair.other) == (0, 2)
        assert 0.9 < pair.similarity < 1

    def test_exact_repeats_are_linked_to_the_first(self):
        assert near_duplicates(["a b c d", "x y z", "A b, c d.", "a b c d"]) == (
            NearPair(0, 2, 1.0),
            NearPair(0, 3, 1.0),
        )

    def test_empty_texts_repeat_nothing(self):
        assert near_duplicates(["", "", "..."]) == ()

    def test_a_common_frame_makes_no_duplicates(self):
        rng = random.Random(5)
        frame = " ".join(prose(rng, 80))
        texts = [f"{frame} {' '.join(prose(rng, 15))}" for _ in range(120)]
        assert similarity(sketch(texts[0]), sketch(texts[1])) > 0.65
        assert near_duplicates(texts, threshold=0.6) == ()
        found = near_duplicates([*texts, texts[7]], threshold=0.6)
        assert [(pair.one, pair.other) for pair in found] == [(7, 120)]

    def test_all_the_same_frame_and_nothing_else_is_still_found(self):
        found = near_duplicates(["one two three four five"] * 80)
        assert len(found) == 79

    def test_links_are_a_forest(self):
        texts = [f"{REFUND} {n}" for n in range(40)]
        found = near_duplicates(texts)
        joined = Joined(len(texts))
        for pair in found:
            assert not joined.same(pair.one, pair.other)
            joined.join(pair.one, pair.other)
        assert len(joined.sets()) == 1

    def test_few_are_missed_and_none_invented(self):
        rng = random.Random(11)
        texts, planted = [], set()
        for _ in range(400):
            words = prose(rng)
            texts.append(" ".join(words))
            if rng.random() < 0.3:
                words[rng.randrange(20, 40)] = "zzz"
                words[rng.randrange(40, 58)] = "yyy"
                planted.add((len(texts) - 1, len(texts)))
                texts.append(" ".join(words))
        found = {(p.one, p.other): p.similarity for p in near_duplicates(texts)}
        assert all(similar >= 0.7 for similar in found.values())
        assert found.keys() <= planted
        likely = {p for p in planted if jaccard(texts[p[0]], texts[p[1]]) >= 0.8}
        assert len(likely - found.keys()) <= 1

    @pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
    def test_a_bad_threshold_is_refused(self, threshold):
        with pytest.raises(ValueError, match="threshold"):
            near_duplicates(["a"], threshold=threshold)

    def test_nothing_comes_of_nothing(self):
        assert near_duplicates([]) == ()

    def test_ten_thousand_take_seconds(self):
        rng = random.Random(2)
        texts = [" ".join(prose(rng)) for _ in range(10_000)]
        texts[9000] = texts[100] + " indeed"
        begun = time.process_time()
        found = near_duplicates(texts)
        assert [(pair.one, pair.other) for pair in found] == [(100, 9000)]
        assert time.process_time() - begun < 20


class TestJoined:
    @given(
        st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20),
    )
    def test_sets_are_what_the_links_reach(self, links):
        joined = Joined(12)
        matrix = np.eye(12, dtype=bool)
        for one, other in links:
            joined.join(one, other)
            matrix[one, other] = matrix[other, one] = True
        for _ in range(4):
            matrix = matrix @ matrix
        reached = {tuple(np.flatnonzero(row).tolist()) for row in matrix}
        assert set(joined.sets()) == reached
        assert all(joined.root(number) == min(s) for s in joined.sets() for number in s)

    def test_names_join_and_none_does_not(self):
        joined = Joined(5)
        join_by(["a", None, "b", "a", None], joined)
        assert joined.sets() == ((0, 3), (1,), (2,), (4,))
