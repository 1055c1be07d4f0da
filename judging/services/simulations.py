"""Noting that judges are simulated: once for each, and for panels that they are on.

A frozen judge keeps the note whatever becomes of its provider's mark: its replies were
made by no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.models import ConfigKind, JudgeConfig, Run, Simulation

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from judging.models import Provider


def note_frozen(config: JudgeConfig, now: datetime) -> None:
    """Note a judge that is frozen with a provider that is marked as simulated."""
    if config.provider is not None and config.provider.simulated:
        _note([config], now)


def note_panel(panel: JudgeConfig, members: Iterable[JudgeConfig]) -> None:
    """Note a panel with a simulated member; it is as new as the panel."""
    if any(member.simulated for member in members) and panel.frozen_at is not None:
        _note([panel], panel.frozen_at)


def note_provider(provider: Provider, now: datetime) -> None:
    """Note all judges that were frozen with a provider which is marked only now."""
    if provider.simulated:
        note_judges(provider.configs.frozen(), now)


def note_run(run: Run, now: datetime) -> None:
    """Note the judge of a run whose replies say that they are simulated."""
    if not Simulation.objects.filter(config=run.config_id).exists():
        note_judges([run.config], now)


def note_judges(judges: Iterable[JudgeConfig], now: datetime) -> None:
    """Note judges that are simulated, and every panel that one of them sits on."""
    noted = list(judges)
    _note(noted, now)
    digests = {judge.digest for judge in noted}
    _note(_panels_with(digests), now)


def _panels_with(digests: AbstractSet[str]) -> list[JudgeConfig]:
    panels = JudgeConfig.objects.frozen().filter(kind=ConfigKind.PANEL)
    return [one for one in panels if not digests.isdisjoint(one.spec["members"])]


def _note(judges: Iterable[JudgeConfig], now: datetime) -> None:
    for judge in judges:
        Simulation.objects.get_or_create(config=judge, defaults={"noted_at": now})
