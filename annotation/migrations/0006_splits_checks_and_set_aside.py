import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '__first__'),
        ('annotation', '0005_ruling_requests_and_holds'),
    ]

    operations = [
        migrations.CreateModel(
            name='SetCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cases', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('splits_digest', models.CharField(max_length=64)),
                ('checked_at', models.DateTimeField()),
                ('checked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='set_checks', to='annotation.goldset')),
            ],
            options={
                'ordering': ['gold_set', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SetAside',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(help_text='The check that found it.', max_length=40)),
                ('note', models.TextField(blank=True)),
                ('set_aside_at', models.DateTimeField()),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('lifted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='set_aside', to='annotation.pair')),
                ('set_aside_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('lifted_at__isnull', True)), fields=('pair',), name='set_aside_once_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='SplitAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.CharField(max_length=64)),
                ('held_out_share', models.FloatField()),
                ('slices', models.JSONField(blank=True, default=list)),
                ('by_class', models.BooleanField(default=False)),
                ('join_near_duplicates', models.BooleanField(default=False)),
                ('reassigned', models.BooleanField(default=False)),
                ('moved', models.PositiveIntegerField(help_text='Cases whose split changed.')),
                ('dev', models.PositiveIntegerField()),
                ('held_out', models.PositiveIntegerField()),
                ('strata', models.JSONField(default=list)),
                ('digest', models.CharField(help_text="Of every case's split.", max_length=64)),
                ('assigned_at', models.DateTimeField()),
                ('assigned_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='split_assignments', to='annotation.goldset')),
            ],
            options={
                'ordering': ['gold_set', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('held_out_share__gt', 0), ('held_out_share__lt', 1)), name='split_share_between_0_and_1')],
            },
        ),
    ]
