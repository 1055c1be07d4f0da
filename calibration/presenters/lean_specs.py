"""The figures of marks beside verdicts, and of leanings to a form or a family."""

from __future__ import annotations

from calibration.presenters.cells import count, p_value, points, share

_SIDES = (
    ("formatted", "formatting", "only one response has a list, code or markdown"),
    ("own family", "own_family", "only one system is of the judge's family"),
)
LEANINGS = (
    "leanings",
    "Form and family",
    (
        "Whether the judge leans to a response for its form, or to a system of its own "
        "family. Compare the judge's share with gold's."
    ),
    tuple(
        (label.format(name), about or told, draw, f"{key}.{field}")
        for name, key, told in _SIDES
        for label, about, draw, field in (
            ("Pairs: {}", "", count, "pairs"),
            ("… wins, judge", "of decisive verdicts", share, "judge_wins"),
            ("… wins, gold", "of decisive gold", share, "gold_wins"),
            (
                "… wins on gold ties",
                "of decisive verdicts where gold is tie",
                share,
                "ties_wins",
            ),
            (
                "… direction of errors",
                "false wins less false losses; above 0: errors favour it",
                points,
                "difference",
            ),
            ("… test", "are the two rates equal?", p_value, "test"),
        )
    ),
)
MARKS = (
    "marks",
    "Marks and verdicts",
    (
        "Where the same model also marked single responses: does the one with the "
        "higher mark win the pair? Equal marks are a tie."
    ),
    (
        ("Pairs with both marks and a verdict", "", count, "marks.pairs"),
        ("Without both marks", "left out", count, "marks.unmarked"),
        ("Without a verdict", "left out", count, "marks.unanswered"),
        ("Marks and verdict agree", "of these pairs", share, "marks.consistency"),
        ("Marks agree with gold", "of scored pairs", share, "marks.agreement"),
    ),
)
