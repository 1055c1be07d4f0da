import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes that nothing needs: each label and claim had to keep them up to date."""

    dependencies = [
        ('annotation', '0011_look_plans'),
    ]

    operations = [
        migrations.AlterField(
            model_name='seat',
            name='case',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.case'),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotation.round'),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='pair',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pair'),
        ),
        migrations.AlterField(
            model_name='label',
            name='seat',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='labels', to='annotation.seat'),
        ),
        migrations.AlterField(
            model_name='label',
            name='guideline',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.guideline'),
        ),
    ]
