"""The figures of reviewers one by one, of unanimous gold, and of length."""

from __future__ import annotations

from calibration.presenters.cells import count, number, p_value, share

_PARTS = (("unanimous", "Unanimous gold"), ("split", "Split gold"))
BY_CONSENSUS = (
    "consensus",
    "Unanimous and split gold",
    (
        "Pairs with two or more labels, by whether these were all the same. Where "
        "people differ, a judge can hardly be right."
    ),
    tuple(
        (f"{name}: {label}", about, draw, f"by_consensus.{key}.{field}")
        for key, name in _PARTS
        for label, about, draw, field in (
            ("pairs", "", count, "n"),
            ("exact agreement", "of scored pairs", share, "exact_agreement"),
            (
                "false candidate wins",
                "of gold baseline",
                share,
                "false_candidate_wins",
            ),
            ("false baseline wins", "of gold candidate", share, "false_baseline_wins"),
            ("flips", "of usable pairs", share, "flip_rate"),
        )
    ),
)
LENGTH = (
    "length",
    "Length",
    (
        "Whether the judge prefers the longer response (in characters). Of pairs whose "
        "lengths are known and differ."
    ),
    (
        ("Longer wins, judge", "of decisive verdicts", share, "length.judge_longer"),
        ("Longer wins, gold", "of decisive gold", share, "length.gold_longer"),
        (
            "Longer wins on gold ties",
            "of decisive verdicts where gold is tie: the cleanest sign",
            share,
            "length.ties_longer",
        ),
        ("… test", "longer and shorter equally likely?", p_value, "length.ties_test"),
        (
            "Longer among wrong verdicts",
            "of wrong decisive verdicts",
            share,
            "length.wrong_longer",
        ),
        ("… test", "longer and shorter equally likely?", p_value, "length.wrong_test"),
        (
            "Length beyond gold",
            "logistic coefficient; above 0: prefers the longer more than reviewers do",
            number,
            "length.coefficient",
        ),
        (
            "Candidate's share at equal length",
            "mean prediction of the same model",
            share,
            "length.adjusted_share",
        ),
        (
            "Pairs of similar length",
            "differ by a fifth at most, of pairs with known lengths",
            share,
            "length.similar_pairs",
        ),
        (
            "Exact agreement on these",
            "where length can hardly tell the two apart",
            share,
            "length.similar_agreement",
        ),
    ),
)
