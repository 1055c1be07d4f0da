"""Our functions against the shared check values, where they are present."""

from __future__ import annotations

import json

import pytest

from annotation.domain.agreement import (
    ac1_se,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from annotation.domain.clusters import cluster_counts, clustered_se
from annotation.domain.intervals import (
    clopper_pearson,
    holm,
    lower_bound,
    sign_test,
    upper_bound,
    wilson,
)
from annotation.domain.kappa import cohen_kappa, kappa_and_se
from tests.shared import shared_data


def _ends(interval):
    return [interval.low, interval.high]


def _bounds(x, n, deff=1):
    return [lower_bound(x, n, 0.95, deff), upper_bound(x, n, 0.95, deff)]


def _cluster(y, prompt):
    return [sum(y) / len(y), clustered_se(cluster_counts(y, prompt))]


def _ac1(ratings, labels):
    return [gwet_ac1(ratings, labels).value, ac1_se(ratings, labels)]


def _sign(wins, losses):
    return sign_test(wins, losses).p_value


def _linear_kappa(**table):
    return cohen_kappa(*table.values(), linear=True).value


def _holm(p):
    return list(holm(p))


def _wilson(x, n):
    return _ends(wilson(x, n))


def _clopper_pearson(x, n):
    return _ends(clopper_pearson(x, n))


def _kappa_and_se(table):
    return list(kappa_and_se(table))


def _kappa(table):
    return cohen_kappa(table).value


def _alpha(ratings, labels):
    return krippendorff_alpha(ratings, labels).value


def _percent(ratings, labels):
    return percent_agreement(ratings, labels).value


CHECKS = {
    "wilson": _wilson,
    "cp": _clopper_pearson,
    "cp1": _bounds,
    "sign": _sign,
    "cluster/se": _cluster,
    "gate/clustered bound 2of100 deff 2": _bounds,
    "holm": _holm,
    "kappa/110": _kappa_and_se,
    "kappa/sklearn": _kappa,
    "kappa/linear": _linear_kappa,
    "ac1": _ac1,
    "alpha": _alpha,
    "percent_agreement": _percent,
}


def _entries():
    text = shared_data("golden.json").read_text("utf-8")
    return json.loads(text)["entries"]


@pytest.mark.parametrize("check", CHECKS)
def test_check_values(check):
    entries = [e for e in _entries() if e["id"] == check]
    entries += [e for e in _entries() if e["id"].startswith(check + "/")]
    assert entries
    for entry in entries:
        result = CHECKS[check](**entry["inputs"])
        tolerance = max(entry["tolerance"], 1e-12)
        assert result == pytest.approx(entry["expected"], abs=tolerance), entry["id"]
