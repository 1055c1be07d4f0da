"""Reading format options strictly: nothing is converted, no key is ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.formats.base import Place
from judging.domain.formats.json_field import FIELD_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judging.domain.verdicts import Strength


class UnknownFormat(ValueError):
    """There is no verdict format of this name, or none with these options."""


class BadOptions(UnknownFormat):
    """Options that a format does not take; ``field`` is which."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


class Options:
    """One object of options, read key by key; what is left over is refused."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = dict(given)
        self._known: set[str] = set()

    def text(self, key: str, *, may_be_empty: bool = False) -> str:
        """Take a text, by default one that is not empty."""
        value = self._take(key)
        if not isinstance(value, str) or not (value.strip() or may_be_empty):
            wanted = "a text" if may_be_empty else "a text that is not empty"
            raise BadOptions(key, f"must be {wanted}")
        return value

    def mapping(self, key: str) -> dict[str, object]:
        """Take an object as it is."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise BadOptions(key, "must be an object")
        return value

    def truth(self, key: str, *, default: bool) -> bool:
        """Take true or false."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise BadOptions(key, f"must be true or false, not {value!r}")
        return value

    def one_of(self, key: str, known: Sequence[str], default: str | None = None) -> str:
        """Take one of a few words."""
        value = self._take(key, default)
        if not isinstance(value, str) or value not in known:
            raise BadOptions(key, f"must be one of {', '.join(known)}, not {value!r}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """Take a whole number from ``low`` to ``high``."""
        value = self._take(key)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not isinstance(value, int) or not is_whole or not low <= value <= high:
            raise BadOptions(key, f"must be a whole number from {low} to {high}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts, none of them empty."""
        value = self._list(key)
        texts = tuple(each for each in value if isinstance(each, str) and each.strip())
        if len(texts) != len(value):
            raise BadOptions(key, "must be a list of texts, none of them empty")
        return texts

    def objects(self, key: str) -> tuple[Options, ...]:
        """Take a list of objects."""
        value = self._list(key)
        objects = tuple(Options(each) for each in value if isinstance(each, dict))
        if len(objects) != len(value):
            raise BadOptions(key, "must be a list of objects")
        return objects

    def strength(self) -> Strength | None:
        """Take a strength of 1 or 2, if there is one."""
        if not self.has("strength"):
            return None
        value = self.whole("strength", 1, 2)
        return 1 if value == 1 else 2

    def place(
        self, *, default: Place, known: Sequence[Place] = tuple(Place)
    ) -> tuple[Place, str]:
        """Take the declared place and, for a JSON field, the field's name."""
        place = Place(self.one_of("place", known, default))
        if place is not Place.JSON_FIELD:
            return place, ""
        field = self.text("field")
        if not FIELD_NAME.fullmatch(field) or field.casefold() == "reason":
            raise BadOptions("field", "letters, digits and _ only; not reason")
        return place, field

    def has(self, key: str) -> bool:
        """Whether a key was given."""
        return key in self._given

    def refuse_others(self) -> None:
        """Refuse every key that nobody has asked for."""
        for key in sorted(self._given.keys() - self._known):
            raise BadOptions(str(key), "is not an option of this format")

    def _take(self, key: str, *default: object) -> object:
        self._known.add(key)
        if key not in self._given and not default:
            raise BadOptions(key, "is missing")
        return self._given.get(key, *default)

    def _list(self, key: str) -> list[object]:
        value = self._take(key)
        if not isinstance(value, list | tuple) or not value:
            raise BadOptions(key, "must be a list that is not empty")
        return list(value)
