import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('calibration', '0005_audit_exports'),
    ]

    operations = [
        migrations.CreateModel(
            name='Policy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('document', models.JSONField()),
                ('created_at', models.DateTimeField()),
                ('frozen_at', models.DateTimeField(blank=True, null=True)),
                ('actor', models.CharField(blank=True, help_text='Who ran the command, where no user did.', max_length=80)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('frozen_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'policies',
            },
        ),
        migrations.CreateModel(
            name='Waiver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('case_ids', models.JSONField(help_text='The critical cases it lifts, by their ids.')),
                ('impact', models.TextField()),
                ('owner', models.CharField(max_length=200)),
                ('reason', models.TextField()),
                ('expires_at', models.DateTimeField()),
                ('asked_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='annotation.goldset')),
            ],
        ),
        migrations.CreateModel(
            name='WaiverConfirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('confirmed_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(help_text='As in the waiver, so that the database can tell the two apart.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('confirmed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('waiver', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='confirmation', to='calibration.waiver')),
            ],
        ),
        migrations.CreateModel(
            name='WaiverRevocation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('revoked_at', models.DateTimeField()),
                ('revoked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('waiver', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='revocation', to='calibration.waiver')),
            ],
        ),
        migrations.AddConstraint(
            model_name='policy',
            constraint=models.UniqueConstraint(fields=('name', 'version'), name='policy_version_once'),
        ),
        migrations.AddConstraint(
            model_name='policy',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('digest', ''), ('frozen_at__isnull', True)), models.Q(('frozen_at__isnull', False), models.Q(('digest', ''), _negated=True)), _connector='OR'), name='policy_frozen_has_digest'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('impact', ''), _negated=True), models.Q(('owner', ''), _negated=True), models.Q(('reason', ''), _negated=True)), name='waiver_says_all'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('asked_at'))), name='waiver_expires_later'),
        ),
        migrations.AddConstraint(
            model_name='waiverconfirmation',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_by', models.F('asked_by')), _negated=True), name='waiver_confirmed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='waiverrevocation',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='waiver_revoked_for_a_reason'),
        ),
    ]
