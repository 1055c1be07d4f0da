"""Which figures a report shows, in which section, and what each is a share of."""

from __future__ import annotations

from calibration.presenters.base_rates import of_gold, of_judge
from calibration.presenters.bias_specs import BY_CONSENSUS, LENGTH
from calibration.presenters.cells import Draw, count, number, p_value, points, share
from calibration.presenters.lean_specs import LEANINGS, MARKS
from calibration.presenters.stability_specs import COHERENCE, STABILITY

# label, what it is of, how it is drawn, where it stands in a block
Spec = tuple[str, str, Draw, str]

SECTIONS: tuple[tuple[str, str, str, tuple[Spec, ...]], ...] = (
    (
        "agreement",
        "Agreement",
        (
            "A judge's abstain or invalid counts as not agreeing. Pairs without gold, "
            "and pairs that reviewers abstained on, are left out."
        ),
        (
            ("Exact agreement", "verdict = gold", share, "exact_agreement"),
            (
                "… counting stated ties only",
                "a tie counts if both orders said tie",
                share,
                "stated_agreement",
            ),
            ("Coverage", "judge gave a verdict", share, "coverage"),
            (
                "Agreement when it answers",
                "secondary: leaves out what it did not answer",
                share,
                "answered_agreement",
            ),
            ("Kappa", "agreement beyond chance, answered pairs", number, "kappa"),
            (
                "Gold by class",
                "baseline / candidate / tie, answered pairs",
                of_gold,
                "confusion",
            ),
            (
                "Verdicts by class",
                "baseline / candidate / tie, the same pairs",
                of_judge,
                "confusion",
            ),
            ("Gwet's AC1", "the same, steadier with one common label", number, "ac1"),
            (
                "Balanced accuracy",
                "mean recall of the gold classes present",
                share,
                "balanced_accuracy",
            ),
        ),
    ),
    (
        "reviewers",
        "Reviewers",
        (
            "Over pairs with two or more labels: how far people agree among themselves "
            "is the ceiling for any judge."
        ),
        (
            ("Pairs with two or more labels", "", count, "human.pairs"),
            (
                "Reviewers with each other",
                "pairwise",
                share,
                "human.pairwise_agreement",
            ),
            ("Judge with a reviewer", "mean share", share, "human.judge_agreement"),
            ("Unanimous pairs", "", share, "human.unanimous"),
            ("Krippendorff's alpha", "nominal", number, "human.alpha"),
        ),
    ),
    BY_CONSENSUS,
    (
        "errors",
        "Errors",
        "Wins that reviewers did not give.",
        (
            (
                "False candidate wins",
                "of gold baseline",
                share,
                "false_candidate_wins",
            ),
            ("False baseline wins", "of gold candidate", share, "false_baseline_wins"),
            (
                "Unearned candidate wins",
                "of gold baseline and tie",
                share,
                "unearned_candidate_wins",
            ),
            (
                "Wrong candidate verdicts",
                "of candidate verdicts",
                share,
                "wrong_candidate_verdicts",
            ),
            (
                "Direction of errors",
                "false candidate less false baseline wins; above 0: to the candidate",
                points,
                "direction.difference",
            ),
            ("… test", "are the two rates equal?", p_value, "direction.test"),
            (
                "Critical pairs: false candidate wins",
                "of gold baseline among critical pairs",
                share,
                "critical.false_candidate_wins",
            ),
        ),
    ),
    (
        "classes",
        "By gold outcome",
        "Recall is of the gold row, precision of the judge's column.",
        tuple(
            (
                f"{outcome.capitalize()}: {name}",
                "",
                share,
                f"per_class.{outcome}.{name.lower()}",
            )
            for outcome in ("baseline", "candidate", "tie")
            for name in ("recall", "precision", "F1")
        ),
    ),
    (
        "ties",
        "Ties and abstains",
        "A tie verdict is stated by both orders, or comes from orders that disagree.",
        (
            ("Missed ties", "of gold ties", share, "missed_ties"),
            ("… called candidate", "", share, "missed_ties_to_candidate"),
            ("… called baseline", "", share, "missed_ties_to_baseline"),
            (
                "Invented ties",
                "of gold baseline and candidate",
                share,
                "invented_ties",
            ),
            ("Tie verdicts: stated", "all pairs", count, "ties.stated"),
            ("… from a tie in one order", "all pairs", count, "ties.transition"),
            ("… from a flip", "all pairs", count, "ties.flip"),
            ("Missed abstains", "of gold abstains", share, "missed_abstains"),
            (
                "… judge decided",
                "of gold abstains: baseline, candidate or tie",
                share,
                "gold_abstain.decided",
            ),
            ("… judge abstained", "of gold abstains", share, "gold_abstain.abstained"),
            ("… judge invalid", "of gold abstains", share, "gold_abstain.invalid"),
            (
                "Invented abstains",
                "of gold baseline, candidate and tie",
                share,
                "invented_abstains",
            ),
        ),
    ),
    (
        "invalid",
        "Invalid by reason",
        "A reply that gave no outcome. Never a tie, never dropped.",
        (
            ("Invalid pairs", "of all pairs", share, "invalid_rate"),
            ("Invalid among scored pairs", "", share, "invalid_verdicts"),
            ("Invalid calls", "of all calls", share, "invalid_call_rate"),
        ),
    ),
    (
        "position",
        "Position",
        "Each pair was judged in both orders. Needs no gold.",
        (
            ("Consistent pairs", "same outcome in both", count, "position.consistent"),
            ("Flips", "opposite winners", count, "position.flip"),
            ("Tie transitions", "", count, "position.tie_transition"),
            ("Abstain transitions", "", count, "position.abstain_transition"),
            ("Invalid pairs", "", count, "position.invalid"),
            (
                "Flip rate",
                "of pairs usable in both orders",
                share,
                "position.flip_rate",
            ),
            (
                "Flips among decisive",
                "of pairs decisive in both orders",
                share,
                "position.decisive_flip_rate",
            ),
            ("Consistency", "of valid pairs", share, "position.consistency_rate"),
            ("First-slot flips", "", count, "position.first_slot_flips"),
            ("Second-slot flips", "", count, "position.second_slot_flips"),
            ("… test", "are the two equally likely?", p_value, "position.slot_test"),
            (
                "First slot chosen",
                "of decisive calls",
                share,
                "position.first_slot_choices",
            ),
            (
                "Agreement, baseline first",
                "that order alone",
                share,
                "position.order_accuracy.baseline_first",
            ),
            (
                "Agreement, candidate first",
                "that order alone",
                share,
                "position.order_accuracy.candidate_first",
            ),
            (
                "Pairs asked unequally often",
                "design check",
                count,
                "position.slot_balance.unequal_pairs",
            ),
            (
                "Repeat instability",
                "two calls of one order differ",
                share,
                "position.repeat_instability",
            ),
        ),
    ),
    STABILITY,
    LENGTH,
    LEANINGS,
    (
        "preference",
        "Preference",
        "Which system wins, by the judge and by gold. A tie is no sign of equality.",
        tuple(
            (label.format(who), about, draw, f"preference.{who}.{path}")
            for who in ("judge", "gold")
            for label, about, draw, path in (
                (
                    "Candidate's share of wins, {}",
                    "of decisive outcomes",
                    share,
                    "decisive_share",
                ),
                ("… test", "are wins equally likely?", p_value, "sign_test"),
                ("Net preference, {}", "(wins - losses) of all", points, "net"),
            )
        ),
    ),
    MARKS,
    COHERENCE,
)
