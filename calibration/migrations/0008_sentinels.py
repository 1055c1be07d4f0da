import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('calibration', '0007_decisions'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentinelCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('reference', 'reference'), ('part', 'part'), ('fresh', 'fresh')], max_length=10)),
                ('cycle', models.PositiveIntegerField()),
                ('part', models.PositiveSmallIntegerField(default=0)),
                ('started_at', models.DateTimeField()),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='sentinel_check', to='judging.run')),
                ('started_by', models.ForeignKey(help_text='Nobody, where it was due.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='SentinelPanel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(max_length=80, unique=True)),
                ('judge', models.SlugField(max_length=80)),
                ('pointwise_judge', models.SlugField(blank=True, max_length=80)),
                ('parts', models.PositiveSmallIntegerField(help_text='One is judged at each check.')),
                ('seed', models.PositiveIntegerField(help_text='Of the cut into parts.')),
                ('period_hours', models.PositiveIntegerField(help_text='From one check to the next.')),
                ('concurrency', models.PositiveSmallIntegerField(default=8)),
                ('least_agreement', models.DecimalField(blank=True, decimal_places=3, help_text='Agreement with gold that the judge must not fall below.', max_digits=4, null=True)),
                ('created_at', models.DateTimeField()),
                ('actor', models.CharField(blank=True, help_text='Who ran the command, where no user did.', max_length=80)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sentinels', to='annotation.goldversion')),
                ('production', models.ForeignKey(blank=True, help_text='The set whose newly adjudicated pairs are judged beside.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.goldset')),
            ],
        ),
        migrations.CreateModel(
            name='SentinelPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('part', models.PositiveSmallIntegerField()),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pair')),
                ('panel', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='calibration.sentinelpanel')),
            ],
        ),
        migrations.CreateModel(
            name='SentinelPoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField(help_text='Schema evenhand.sentinel_point/1.')),
                ('digest', models.CharField(max_length=64)),
                ('recorded_at', models.DateTimeField()),
                ('sentinel_check', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='point', to='calibration.sentinelcheck')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='SentinelSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('judge_digest', models.CharField(max_length=64)),
                ('rubric_digest', models.CharField(max_length=64)),
                ('began_at', models.DateTimeField()),
                ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judging.judgeconfig')),
                ('panel', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='series', to='calibration.sentinelpanel')),
            ],
            options={
                'verbose_name_plural': 'sentinel series',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='sentinelcheck',
            name='series',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='calibration.sentinelseries'),
        ),
        migrations.AddConstraint(
            model_name='sentinelpanel',
            constraint=models.CheckConstraint(condition=models.Q(('concurrency__gte', 1), ('parts__gte', 1), ('period_hours__gte', 1)), name='sentinel_counts_positive'),
        ),
        migrations.AddConstraint(
            model_name='sentinelpanel',
            constraint=models.CheckConstraint(condition=models.Q(('least_agreement__isnull', True), models.Q(('least_agreement__gt', 0), ('least_agreement__lte', 1)), _connector='OR'), name='sentinel_agreement_is_share'),
        ),
        migrations.AddConstraint(
            model_name='sentinelpair',
            constraint=models.UniqueConstraint(fields=('panel', 'pair'), name='sentinel_pair_once'),
        ),
        migrations.AddConstraint(
            model_name='sentinelpair',
            constraint=models.CheckConstraint(condition=models.Q(('part__gte', 1)), name='sentinel_part_from_1'),
        ),
        migrations.AddConstraint(
            model_name='sentinelseries',
            constraint=models.UniqueConstraint(fields=('panel', 'judge_digest', 'rubric_digest'), name='sentinel_series_once_an_instrument'),
        ),
        migrations.AddConstraint(
            model_name='sentinelcheck',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['reference', 'part', 'fresh'])), name='sentinel_check_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='sentinelcheck',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'part'), ('part__gte', 1)), models.Q(models.Q(('kind', 'part'), _negated=True), ('part', 0)), _connector='OR'), name='sentinel_check_part_fits_kind'),
        ),
    ]
