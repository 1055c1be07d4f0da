"""A report as a page: everything that a template shows, and the page as one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from calibration.presenters.charts import slice_forests, with_charts
from calibration.presenters.columns import columns_of, roles_text
from calibration.presenters.figures import count_text, served_text
from calibration.presenters.forest import Forest, forest_of
from calibration.presenters.headline import Headline, headline_of
from calibration.presenters.heat import HeatTable, heat_tables, order_tables
from calibration.presenters.notices import Notice, report_notices
from calibration.presenters.parts import Group, groups_of
from calibration.presenters.reviewers import reviewer_sections
from calibration.presenters.reviews import review_facts
from calibration.presenters.sections import gap_section, sections_of
from calibration.presenters.slices import SliceTable, slice_tables

if TYPE_CHECKING:
    from calibration.presenters.columns import Payload

STYLES = ("evenhand/app.css", "evenhand/report.css")


@dataclass(frozen=True, slots=True)
class ReportPage:
    """What the report templates read."""

    title: str
    notices: tuple[Notice, ...]
    headline: Headline
    roles: str
    names: tuple[str, ...]
    forest: Forest
    heat: tuple[HeatTable, ...]
    orders: tuple[HeatTable, ...]
    groups: tuple[Group, ...]
    slice_forests: tuple[Forest, ...]
    slices: tuple[SliceTable, ...]
    facts: tuple[tuple[str, str], ...]
    digests: tuple[tuple[str, str], ...]


def report_page(payload: Payload) -> ReportPage:
    """Put a disclosed report (DESIGN 7, with ``looks`` and ``digest``) on a page."""
    columns = columns_of(payload)
    orders = order_tables(columns)
    sections = (
        *sections_of(columns),
        *gap_section(payload),
        *reviewer_sections(columns),
    )
    judge, gold = payload["judge"], payload["gold"]
    return ReportPage(
        title=(
            f"{judge['name']} v{judge['version']} on {gold['set']} v{gold['version']}"
        ),
        notices=report_notices(payload, columns),
        headline=headline_of(payload, columns),
        roles=roles_text(payload),
        names=tuple(column.name for column in columns),
        forest=forest_of(columns),
        heat=heat_tables(columns),
        orders=orders,
        groups=groups_of(
            with_charts(sections, columns, payload), columns, orders=bool(orders)
        ),
        slice_forests=slice_forests(columns),
        slices=slice_tables(columns),
        facts=_facts(payload),
        digests=_digests(payload),
    )


def standalone_html(payload: Payload) -> str:
    """The report as one HTML file that needs no other file and no network."""
    context = {"page": report_page(payload), "style": _style()}
    return render_to_string("calibration/standalone.html", context)


def _style() -> SafeString:
    """Our own style sheets, as an element: templates themselves hold no style."""
    sheets = [Path(str(finders.find(name))).read_text("utf-8") for name in STYLES]
    return mark_safe(f"<style>\n{''.join(sheets)}</style>")  # noqa: S308 - our own files


def _facts(payload: Payload) -> tuple[tuple[str, str], ...]:
    gold, judge, run = payload["gold"], payload["judge"], payload["run"]
    changed = gold["corrections"]
    return (
        ("Gold", f"{gold['set']}, version {gold['version']}, rule {gold['rule']}"),
        ("Systems, baseline first", ", ".join(gold.get("systems", []))),
        *_families(gold),
        ("Pairs in gold", f"{gold['pairs']:,}, of them {gold['left_open']:,} open"),
        (
            "Corrections of gold",
            (
                f"{changed['total']:,}; {changed['after_judge']:,} after the first "
                f"judge run, {changed['towards_judge']:,} of these towards the judge"
            ),
        ),
        ("Judge", f"{judge['name']}, version {judge['version']}"),
        (
            "Verdict of two orders",
            (
                f"{judge['combining_rule'].replace('_', ' ')}, "
                f"{count_text(judge['repeats'], 'repeat')} an order"
            ),
        ),
        ("Run", f"{run['id']}, {count_text(run['calls'], 'call')}"),
        ("Served by", served_text(run["served_models"])),
        ("Held-out looks", _looks(payload.get("looks"))),
        *review_facts(payload),
    )


def _families(gold: Payload) -> tuple[tuple[str, str], ...]:
    """Whose model each system is; older reports do not say."""
    named = zip(gold.get("systems", []), gold.get("families") or [], strict=False)
    text = ", ".join(f"{system}: {family}" for system, family in named if family)
    return (("Families of their models", text),) if text else ()


def _looks(looks: Payload | None) -> str:
    if not looks:
        return "not logged"
    this = f"; this report is look {looks['this']}" if looks["this"] else ""
    return f"{looks['n']} of {looks['budget']} used{this}"


def _digests(payload: Payload) -> tuple[tuple[str, str], ...]:
    found = (
        ("Report", payload.get("digest")),
        ("Gold version", payload["gold"]["digest"]),
        ("Judge", payload["judge"]["digest"]),
    )
    return tuple((name, digest) for name, digest in found if digest)
