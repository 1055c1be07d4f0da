"""The figures of repeats, and of contradictions by the judge and by people."""

from __future__ import annotations

from calibration.presenters.cells import count, number, points, share

STABILITY = (
    "stability",
    "Stability",
    (
        "What the judge says when it is asked the same again. Of pairs with two or "
        "more calls in both orders; repeats never count as pairs."
    ),
    (
        ("Repeated pairs", "", count, "stability.pairs"),
        (
            "Most frequent answer",
            "mean share of an order's calls that gave it",
            share,
            "stability.modal_share",
        ),
        (
            "Pairs that never changed",
            "all calls of an order the same, in both orders",
            share,
            "stability.unchanged",
        ),
        (
            "Bound of instability",
            "a further pair's share of other answers stays below (conformal)",
            share,
            "stability.bound",
        ),
        (
            "Order beyond repetition",
            "two calls of different orders differ, less two of the same one",
            points,
            "stability.order_effect",
        ),
    ),
)
COHERENCE = (
    "coherence",
    "Coherence",
    (
        "Contradictions between the pairs of one case, as means over complete cases; "
        "of people where some labelled each order. People differ from each other in "
        "any order: only what goes beyond one order speaks of the order."
    ),
    (
        ("Complete cases", "", count, "coherence.cases"),
        ("Incomplete cases", "left out", count, "coherence.incomplete"),
        ("IPI", "share of pairs whose orders disagree", number, "coherence.ipi"),
        ("TOV", "answers to change for one ranking", number, "coherence.tov"),
        ("Excess", "TOV beyond order flips", number, "coherence.excess"),
        (
            "Human IPI",
            "share of two people's labels, one an order, that differ",
            number,
            "human_orders.ipi.instability",
        ),
        (
            "… in the same order",
            "the same of two labels in one order",
            number,
            "human_orders.ipi.same_order_disagreement",
        ),
        (
            "Complete cases, people",
            "a leading label in each order of every pair",
            count,
            "human_orders.coherence.cases",
        ),
        (
            "IPI, people's leading labels",
            "share of pairs whose orders disagree",
            number,
            "human_orders.coherence.ipi",
        ),
        (
            "TOV, people's leading labels",
            "labels to change for one ranking",
            number,
            "human_orders.coherence.tov",
        ),
    ),
)
