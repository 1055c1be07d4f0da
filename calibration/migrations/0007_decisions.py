import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('calibration', '0006_policies_and_waivers'),
    ]

    operations = [
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('result', models.CharField(choices=[('ship', 'ship'), ('hold', 'hold'), ('human_review', 'human review')], max_length=20)),
                ('evidence', models.TextField(help_text='Schema evenhand.evidence/1.')),
                ('evidence_digest', models.CharField(max_length=64)),
                ('payload', models.TextField(help_text='Schema evenhand.decision/1.')),
                ('digest', models.CharField(max_length=64)),
                ('decided_at', models.DateTimeField()),
                ('actor', models.CharField(blank=True, help_text='Who ran the command, where no user did.', max_length=80)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(help_text="The judge's calibration report, if there was one.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='calibration.report')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='judging.run')),
                ('policy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='calibration.policy')),
            ],
        ),
        migrations.CreateModel(
            name='ReviewRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pairs', models.PositiveIntegerField()),
                ('opened_at', models.DateTimeField()),
                ('opened_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('policy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='review_rounds', to='calibration.policy')),
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='release_review', to='annotation.round')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='review_rounds', to='judging.run')),
            ],
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(fields=('run', 'policy', 'evidence_digest'), name='decision_once_an_evidence'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('result__in', ['ship', 'hold', 'human_review'])), name='decision_result_known'),
        ),
    ]
