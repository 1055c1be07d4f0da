"""Results of the gold services as plain data for the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.estimates import Figure, Undefined

if TYPE_CHECKING:
    from annotation.domain.hygiene import LengthBalance
    from annotation.domain.intervals import SignTest
    from annotation.domain.quality import ReviewerQuality
    from annotation.domain.team import Between, HumanIpi, TeamQuality
    from annotation.services.freezing import FreezePreview, Standing
    from annotation.services.hygiene import SetFindings
    from annotation.services.quality import SetQuality

FIELDS = ("value", "numerator", "denominator", "low", "high", "level", "method")


def figure_data(figure: Figure) -> dict[str, Any]:
    """A figure with its reason where it is undefined, and null for the rest."""
    if isinstance(figure, Undefined):
        nothing: dict[str, Any] = dict.fromkeys(FIELDS)
        counts = {
            "numerator": figure.numerator,
            "denominator": figure.denominator,
        }
        return nothing | counts | {"undefined": figure.reason}
    return {name: getattr(figure, name) for name in FIELDS} | {"undefined": None}


def sign_test_data(test: SignTest | Undefined) -> dict[str, Any]:
    """An exact test; nothing decisive gives no p value."""
    if isinstance(test, Undefined):
        return {"wins": 0, "losses": 0, "p_value": None}
    return {"wins": test.wins, "losses": test.losses, "p_value": test.p_value}


def gold_state_data(preview: FreezePreview) -> dict[str, Any]:
    """What freezing would come to."""
    same = preview.unchanged_from
    return {
        "rule": preview.rule.value,
        "pairs": preview.pairs,
        "by_consensus": preview.by_consensus,
        "by_ruling": preview.by_ruling,
        "open": [_open_data(standing) for standing in preview.still_open],
        "sealed_open": preview.sealed_open,
        "surplus_labels": preview.surplus,
        "unchanged_from": same.number if same else None,
    }


def _open_data(standing: Standing) -> dict[str, Any]:
    pair = standing.pair
    return {
        "case_id": pair.case.external_id,
        "systems": [pair.baseline.system.name, pair.candidate.system.name],
        "split": pair.case.split,
        "reason": standing.open_reason,
    }


def quality_data(found: SetQuality, *, times: bool) -> dict[str, Any]:
    """Figures on reviewers; their times only where asked for."""
    return {
        "split": found.split,
        "reviewers": [_reviewer(one, times=times) for one in found.reviewers],
        "team": _team(found.team),
    }


def _reviewer(one: ReviewerQuality, *, times: bool) -> dict[str, Any]:
    names = ("consensus", "designed", "retest", "left", "ties", "abstains")
    return {
        "reviewer": one.reviewer,
        "labels": one.labels,
        "without_reference": one.without_reference,
        "retest_flips": one.retest_flips,
        "left_test": sign_test_data(one.left_test),
        "active": figure_data(one.active) if times else None,
        "elapsed": figure_data(one.elapsed) if times else None,
        **{name: figure_data(getattr(one, name)) for name in names},
    }


def _team(team: TeamQuality) -> dict[str, Any]:
    return {
        "pairs": team.pairs,
        "labels": team.labels,
        "agreement": figure_data(team.agreement),
        "unanimous": figure_data(team.unanimous),
        "alpha": figure_data(team.alpha),
        "ac1": figure_data(team.ac1),
        "between": [_between(one) for one in team.between],
        "ipi": _ipi(team.ipi),
    }


def _between(one: Between) -> dict[str, Any]:
    return {
        "one": one.one,
        "other": one.other,
        "agreement": figure_data(one.agreement),
        "kappa": figure_data(one.kappa),
    }


def _ipi(ipi: HumanIpi) -> dict[str, Any]:
    return {
        "pairs": ipi.pairs,
        "abstains": ipi.abstains,
        "instability": figure_data(ipi.instability),
        "flips": figure_data(ipi.flips),
        "differing": ipi.differing,
        "comparisons": ipi.comparisons,
        "same_order_disagreement": figure_data(ipi.same_order_disagreement),
        "same_order_differing": ipi.same_order_differing,
        "same_order_comparisons": ipi.same_order_comparisons,
    }


def checks_data(found: SetFindings) -> dict[str, Any]:
    """What the checks found, without the findings that were only counted."""
    return {
        "cases": found.cases,
        "pairs": found.pairs,
        "set_aside": found.set_aside,
        "checked_at": found.checked_at,
        "stale": found.stale,
        "checks": [
            {
                "check": result.check.value,
                "severity": result.severity.value,
                "count": result.count,
                "findings": [
                    {
                        "cases": list(finding.cases),
                        "pairs": list(finding.pairs),
                        "detail": finding.detail,
                    }
                    for finding in result.findings
                ],
            }
            for result in found.results
        ],
        "lengths": [_length(one) for one in found.lengths],
    }


def _length(one: LengthBalance) -> dict[str, Any]:
    return {
        "baseline": one.baseline,
        "candidate": one.candidate,
        "pairs": one.pairs,
        "candidate_longer": one.candidate_longer,
        "baseline_longer": one.baseline_longer,
        "equal": one.equal,
        "longer_share": figure_data(one.longer_share),
        "test": sign_test_data(one.test),
        "ratio": one.ratio,
        "unbalanced": one.is_unbalanced,
    }
