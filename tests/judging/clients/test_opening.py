"""What opens a client loads the provider's package, and nothing before it does."""

from __future__ import annotations

import subprocess
import sys

from judging.clients.openai_batch import OpenAIBatchClient
from judging.clients.openai_chat import OpenAIChatClient
from judging.clients.opening import open_batches, open_chat
from judging.domain.ports import Endpoint
from tests.processes import ROOT

NOWHERE = Endpoint("http://127.0.0.1:9/v1")


def test_the_clients_are_those_of_the_openai_package() -> None:
    assert isinstance(open_chat(NOWHERE), OpenAIChatClient)
    assert isinstance(open_batches(NOWHERE), OpenAIBatchClient)


def test_no_address_or_task_loads_the_package() -> None:
    code = (
        "import os, sys, django;"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup();"
        "import config.urls, judging.tasks; sys.exit('openai' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=False, timeout=60
    )
    assert done.returncode == 0
