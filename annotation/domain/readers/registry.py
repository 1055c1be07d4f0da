"""All readers by name."""

from __future__ import annotations

from annotation.domain.readers import (
    alpaca_eval,
    argilla,
    label_studio,
    langfuse,
    langsmith,
    mtbench,
    openai_chat,
    own,
)

OWN = own.READER
READERS = {
    reader.name: reader
    for reader in (
        OWN,
        langsmith.READER,
        langfuse.READER,
        argilla.READER,
        label_studio.READER,
        mtbench.READER,
        alpaca_eval.READER,
        openai_chat.READER,
    )
}
