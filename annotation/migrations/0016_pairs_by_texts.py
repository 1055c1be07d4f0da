from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Every pair has the digest of its texts, by which it is found from now on."""

    dependencies = [("annotation", "0015_fill_texts_digests")]

    operations = [
        migrations.AlterField(
            model_name="pair",
            name="texts_digest",
            field=models.CharField(
                help_text="Of prompt and responses alone: the same under any name.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="pair",
            name="digest",
            field=models.CharField(max_length=64),
        ),
        migrations.AddConstraint(
            model_name="pair",
            constraint=models.CheckConstraint(
                condition=models.Q(("texts_digest", ""), _negated=True),
                name="pair_texts_have_digest",
            ),
        ),
        migrations.AddIndex(
            model_name="pair",
            index=models.Index(fields=["texts_digest"], name="pair_by_texts"),
        ),
    ]
