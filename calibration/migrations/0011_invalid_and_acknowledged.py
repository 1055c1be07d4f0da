import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('calibration', '0010_swap_panels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SentinelAcknowledgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.TextField(help_text='What it was, or what is done about it.')),
                ('acknowledged_at', models.DateTimeField()),
                ('actor', models.CharField(blank=True, help_text='Who ran the command, where no user did.', max_length=80)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='sentinelalarm',
            name='sentinel_alarm_kind_known',
        ),
        migrations.AddField(
            model_name='sentinelpanel',
            name='most_invalid',
            field=models.DecimalField(blank=True, decimal_places=3, help_text='Share of invalid verdicts that the judge must not exceed.', max_digits=4, null=True),
        ),
        migrations.AlterField(
            model_name='sentinelalarm',
            name='kind',
            field=models.CharField(choices=[('drift', 'drift'), ('shift', 'shift'), ('agreement', 'agreement'), ('invalid', 'invalid'), ('served_model', 'served_model'), ('overdue', 'overdue')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='sentinelalarm',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['drift', 'shift', 'agreement', 'invalid', 'served_model', 'overdue'])), name='sentinel_alarm_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='sentinelpanel',
            constraint=models.CheckConstraint(condition=models.Q(('most_invalid__isnull', True), models.Q(('most_invalid__gte', 0), ('most_invalid__lt', 1)), _connector='OR'), name='sentinel_invalid_is_share'),
        ),
        migrations.AddField(
            model_name='sentinelacknowledgement',
            name='acknowledged_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sentinelacknowledgement',
            name='alarm',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='acknowledgement', to='calibration.sentinelalarm'),
        ),
        migrations.AddConstraint(
            model_name='sentinelacknowledgement',
            constraint=models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='sentinel_acknowledgement_has_note'),
        ),
        migrations.AddConstraint(
            model_name='sentinelacknowledgement',
            constraint=models.CheckConstraint(condition=models.Q(('acknowledged_by__isnull', False), models.Q(('actor', ''), _negated=True), _connector='OR'), name='sentinel_acknowledgement_has_author'),
        ),
    ]
