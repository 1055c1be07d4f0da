from __future__ import annotations

from django.db import migrations

from annotation.domain.same_texts import texts_digest
from annotation.services.stored_texts import read_text
from config.db import guards

BATCH = 1000
TEXTS = ("case__prompt", "baseline__text", "candidate__text")


def fill(apps, schema_editor):
    """Work the digests of all pairs out, as an import does now.

    Pairs are guarded against every change, so the guard rests meanwhile.
    """
    pair = apps.get_model("annotation", "Pair")
    table = schema_editor.quote_name(pair._meta.db_table)
    update = f"UPDATE {table} SET texts_digest = %s WHERE id = %s"
    with guards.lifted(schema_editor.connection, pair._meta.db_table):
        for rows in _batches(pair.objects.filter(texts_digest=None)):
            with schema_editor.connection.cursor() as cursor:
                cursor.executemany(update, rows)


def _batches(pairs):
    last = 0
    while found := list(
        pairs.filter(pk__gt=last).order_by("pk").values_list("pk", *TEXTS)[:BATCH]
    ):
        last = found[-1][0]
        yield [(_digest(*texts), pk) for pk, *texts in found]


def _digest(prompt, *responses):
    return texts_digest(read_text(prompt), [read_text(each) for each in responses])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_texts_digests")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
