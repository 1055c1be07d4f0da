import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0003_round_options_and_retests'),
    ]

    operations = [
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField(default=dict)),
                ('active_seconds', models.FloatField(default=0)),
                ('saved_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='label',
            name='abstain_reason',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='label',
            name='active_seconds',
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='label',
            name='confidence',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='label',
            name='criteria',
            field=models.JSONField(blank=True, default=dict, help_text='Slot choices by criterion.'),
        ),
        migrations.AddField(
            model_name='label',
            name='critical',
            field=models.JSONField(blank=True, default=dict, help_text='Flags by slot, as they were shown.'),
        ),
        migrations.AddField(
            model_name='label',
            name='view',
            field=models.JSONField(blank=True, default=dict, help_text='How the texts were shown: raw, diff.'),
        ),
        migrations.AddConstraint(
            model_name='label',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), ('confidence__range', (1, 3)), _connector='OR'), name='label_confidence_1_to_3'),
        ),
        migrations.AddConstraint(
            model_name='label',
            constraint=models.CheckConstraint(condition=models.Q(('abstain_reason', ''), ('outcome', 'abstain'), _connector='OR'), name='label_reason_only_when_abstaining'),
        ),
        migrations.AddField(
            model_name='draft',
            name='assignment',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='draft', to='annotation.assignment'),
        ),
    ]
