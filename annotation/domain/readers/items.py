"""Looking into another tool's rows, each fault named by line and path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.strict_json import joined
from annotation.domain.values import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from annotation.domain.rows import Problems, Row


class Item:
    """An object somewhere in a row. Each method gives ``None`` after reporting."""

    def __init__(
        self,
        values: Mapping[str, object],
        line: int,
        problems: Problems,
        path: str = "",
    ) -> None:
        self.values = values
        self.line = line
        self._problems = problems
        self._path = path

    def where(self, name: str) -> str:
        """Path of a field from the top of the row."""
        return joined(self._path, name)

    def fail(self, name: str | None, reason: str) -> None:
        """Report why this item can't be taken."""
        path = self.where(name) if name else self._path
        self._problems.error(self.line, path or None, reason)

    def notice(self, text: str) -> None:
        """Report something that does not stop the import."""
        self._problems.notice(self.line, text)

    def has(self, *names: str) -> bool:
        """Whether all of these fields are there and not null."""
        return all(self.values.get(name) is not None for name in names)

    def need(self, name: str) -> object:
        """A value that must be there."""
        value = self.values.get(name)
        if value is None:
            self.fail(name, "missing")
        return value

    def text(self, name: str, *, required: bool = True) -> str | None:
        """A text; "" counts as missing where one is needed."""
        value = self.need(name) if required else self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            self.fail(name, f"must be text, not {kind_of(value)}")
            return None
        if required and not value.strip():
            self.fail(name, "is empty")
            return None
        return value

    def key(self, name: str) -> str | None:
        """An id, which may be a whole number."""
        value = self.need(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            self.fail(name, f"must be an id, not {shown(value)}")
            return None
        return str(value)

    def inside(self, name: str) -> Item | None:
        """An object that must be there."""
        value = self.need(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fail(name, f"must be an object, not {kind_of(value)}")
            return None
        return Item(value, self.line, self._problems, self.where(name))

    def list_of(self, name: str) -> list[object] | None:
        """A list that must be there."""
        value = self.need(name)
        if value is None:
            return None
        if not isinstance(value, list):
            self.fail(name, f"must be a list, not {kind_of(value)}")
            return None
        return value

    def items(self, name: str) -> list[Item]:
        """The objects of a list that must be there."""
        found = []
        for place, value in enumerate(self.list_of(name) or ()):
            path = f"{self.where(name)}[{place}]"
            if isinstance(value, dict):
                found.append(Item(value, self.line, self._problems, path))
            else:
                reason = f"must be an object, not {kind_of(value)}"
                self._problems.error(self.line, path, reason)
        return found


def items_of(rows: Iterable[Row], problems: Problems) -> Iterator[Item]:
    """The rows as items; what an API wrapped as ``{"data": [...]}`` comes unwrapped."""
    for row in rows:
        top = Item(row.values, row.line, problems)
        if isinstance(row.values.get("data"), list) and _is_envelope(row.values):
            yield from top.items("data")
        else:
            yield top


def _is_envelope(values: Mapping[str, object]) -> bool:
    return set(values) <= {"data", "meta"}


def message_text(value: object) -> object:
    """A chat message's content, where the value is one; otherwise the value itself."""
    if isinstance(value, dict) and isinstance(value.get("content"), str):
        return value["content"]
    return value


def one_of(item: Item, names: Sequence[str]) -> str | None:
    """The one of these fields that the item has; ``None`` for none or several."""
    found = [name for name in names if item.has(name)]
    return found[0] if len(found) == 1 else None
