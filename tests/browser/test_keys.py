"""Keys on keyboards of other countries."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from annotation.models import GoldSet
from tests.browser.labeller import LOOK

if TYPE_CHECKING:
    from annotation.models import Round
    from tests.browser.labeller import Labeller

PRESSED = """
  const [key, shiftKey] = arguments;
  const said = {key, code: "Digit1", shiftKey, bubbles: true, cancelable: true};
  document.body.dispatchEvent(new KeyboardEvent("keydown", said));
  const form = document.getElementById("answer");
  return [form.elements.choice.value, form.querySelector(".much input").checked];
"""


def test_digits_go_by_their_place_where_shift_is_needed_to_write_them(
    labeller: Labeller, round_: Round
) -> None:
    """As on a French one: the key of 1 gives & alone, and 1 with Shift."""
    GoldSet.objects.filter(pk=round_.gold_set_id).update(strength_wanted=True)
    labeller.open()
    time.sleep(LOOK)
    assert labeller.js(PRESSED, "&", False) == ["first", False]
    assert labeller.js(PRESSED, "1", True) == ["first", True]
