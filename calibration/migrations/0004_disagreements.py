import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0011_look_plans'),
        ('calibration', '0003_sealed_looks'),
        ('judging', '0003_panel_seats'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Disposition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('finding', models.CharField(choices=[('judge_failed', 'The judge failed'), ('gold_wrong', 'The gold is wrong'), ('rubric_ambiguous', 'The rubric leaves it open'), ('case_bad', 'The case is bad')], max_length=20)),
                ('note', models.TextField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('batch', models.UUIDField(blank=True, null=True)),
                ('decided_at', models.DateTimeField()),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dispositions', to='annotation.goldversion')),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pair')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dispositions', to='judging.run')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'gold_version', 'pair', 'revision'), name='disposition_revision_once'), models.CheckConstraint(condition=models.Q(('finding__in', ['judge_failed', 'gold_wrong', 'rubric_ambiguous', 'case_bad'])), name='disposition_finding_known'), models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='disposition_has_a_note')],
            },
        ),
        migrations.CreateModel(
            name='ReportPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(blank=True, choices=[('dev', 'dev'), ('held_out', 'held_out')], max_length=10)),
                ('gold', models.CharField(blank=True, choices=[('baseline', 'baseline'), ('candidate', 'candidate'), ('tie', 'tie'), ('abstain', 'abstain')], max_length=10)),
                ('verdict', models.CharField(choices=[('baseline', 'baseline'), ('candidate', 'candidate'), ('tie', 'tie'), ('abstain', 'abstain'), ('invalid', 'invalid')], max_length=10)),
                ('consistency', models.CharField(choices=[('consistent', 'consistent'), ('flip', 'flip'), ('tie_transition', 'tie_transition'), ('abstain_transition', 'abstain_transition'), ('invalid', 'invalid')], max_length=20)),
                ('worst_slice', models.CharField(blank=True, max_length=300)),
                ('rank', models.PositiveIntegerField(blank=True, null=True)),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pair')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='calibration.report')),
            ],
            options={
                'indexes': [models.Index(fields=['report', 'gold', 'verdict'], name='report_pair_cell')],
                'constraints': [models.UniqueConstraint(fields=('report', 'pair'), name='report_pair_once'), models.UniqueConstraint(fields=('report', 'rank'), name='report_pair_rank_once')],
            },
        ),
    ]
