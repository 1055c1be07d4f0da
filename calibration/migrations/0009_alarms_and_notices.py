import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('calibration', '0008_sentinels'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentinelAlarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('drift', 'drift'), ('shift', 'shift'), ('agreement', 'agreement'), ('served_model', 'served_model'), ('overdue', 'overdue')], max_length=20)),
                ('key', models.CharField(max_length=120)),
                ('detail', models.TextField()),
                ('raised_at', models.DateTimeField()),
                ('sentinel_check', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alarms', to='calibration.sentinelcheck')),
                ('panel', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='alarms', to='calibration.sentinelpanel')),
                ('series', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alarms', to='calibration.sentinelseries')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='SentinelNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('webhook', 'Webhook'), ('email', 'Email')], max_length=10)),
                ('attempt', models.PositiveSmallIntegerField()),
                ('sent', models.BooleanField()),
                ('detail', models.TextField(blank=True)),
                ('tried_at', models.DateTimeField()),
                ('alarm', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='calibration.sentinelalarm')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('alarm', 'channel', 'attempt'), name='sentinel_notice_attempt_once'), models.CheckConstraint(condition=models.Q(('channel__in', ['webhook', 'email'])), name='sentinel_notice_channel_known')],
            },
        ),
        migrations.AddConstraint(
            model_name='sentinelalarm',
            constraint=models.UniqueConstraint(fields=('panel', 'key'), name='sentinel_alarm_once'),
        ),
        migrations.AddConstraint(
            model_name='sentinelalarm',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['drift', 'shift', 'agreement', 'served_model', 'overdue'])), name='sentinel_alarm_kind_known'),
        ),
    ]
