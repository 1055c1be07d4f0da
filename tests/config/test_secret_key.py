from __future__ import annotations

import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secret_key import read_secret_key


def test_a_given_key_wins(tmp_path):
    assert read_secret_key("given", tmp_path / "key", create=True) == "given"
    assert not (tmp_path / "key").exists()


def test_a_key_is_made_once_and_only_for_its_owner(tmp_path):
    path = tmp_path / "key"
    first = read_secret_key("", path, create=True)
    assert len(first) >= 50
    assert read_secret_key("", path, create=True) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_none_is_made_where_processes_must_share_it(tmp_path):
    assert read_secret_key("", tmp_path / "key", create=False) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    path = tmp_path / "absent" / "key"
    with pytest.raises(ImproperlyConfigured, match=r"absent/key .*No such file"):
        read_secret_key("", path, create=True)
