from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.digests import canonical_json, digest_of, text_digest

plain = st.text(st.characters(exclude_categories=["Cs"]))
trees = st.recursive(
    st.none() | st.booleans() | st.integers() | plain,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(plain, inner, max_size=4)
    ),
)


def test_the_canonical_form():
    value = {"b": [1, None, True], "a": "\u00e9\n"}
    assert canonical_json(value) == b'{"a":"\xc3\xa9\\n","b":[1,null,true]}'


def test_known_digests():
    # SHA-256 of "abc" is in FIPS 180-4's examples.
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert text_digest("abc") == known
    assert digest_of({}) == hashlib.sha256(b"{}").hexdigest()


def test_texts_are_not_normalised():
    assert text_digest("\u00e9") != text_digest("e\u0301")


@given(st.dictionaries(plain, trees))
def test_key_order_does_not_matter_and_nothing_is_lost(value):
    turned = dict(reversed(value.items()))
    assert digest_of(turned) == digest_of(value)
    assert json.loads(canonical_json(value)) == value


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), [float("-inf")]])
def test_numbers_without_a_json_form_are_refused(bad):
    with pytest.raises(ValueError):
        digest_of(bad)


def test_other_objects_are_refused():
    with pytest.raises(TypeError):
        digest_of({"when": object()})
