import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '__first__'),
        ('annotation', '0004_label_details_and_drafts'),
    ]

    operations = [
        migrations.CreateModel(
            name='RulingHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('held_until', models.DateTimeField()),
                ('first_outcome', models.CharField(blank=True, choices=[('baseline', 'baseline'), ('candidate', 'candidate'), ('tie', 'tie'), ('abstain', 'abstain')], max_length=10)),
                ('first_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='RulingRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('correction', 'Correction'), ('control', 'Control')], max_length=12)),
                ('batch', models.UUIDField()),
                ('category', models.CharField(blank=True, choices=[('reviewer_slip', 'reviewer_slip'), ('rubric_gap', 'rubric_gap'), ('genuinely_close', 'genuinely_close'), ('missing_evidence', 'missing_evidence'), ('bad_case', 'bad_case'), ('gold_wrong', 'gold_wrong'), ('rubric_ambiguous', 'rubric_ambiguous'), ('label_slip', 'label_slip')], max_length=40)),
                ('note', models.TextField(blank=True)),
                ('requested_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='adjudication',
            name='first_outcome',
            field=models.CharField(blank=True, choices=[('baseline', 'baseline'), ('candidate', 'candidate'), ('tie', 'tie'), ('abstain', 'abstain')], help_text='What was ruled before the labels were shown, where the set asks.', max_length=10),
        ),
        migrations.AddField(
            model_name='rulinghold',
            name='adjudicator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='holds', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='rulinghold',
            name='pair',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='hold', to='annotation.pair'),
        ),
        migrations.AddField(
            model_name='rulingrequest',
            name='pair',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ruling_requests', to='annotation.pair'),
        ),
        migrations.AddField(
            model_name='rulingrequest',
            name='requested_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='adjudication',
            name='request',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='annotation.rulingrequest'),
        ),
        migrations.AddConstraint(
            model_name='rulingrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('pair',), name='ruling_request_one_open_a_pair'),
        ),
        migrations.AddConstraint(
            model_name='rulingrequest',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['correction', 'control'])), name='ruling_request_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='rulingrequest',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'control'), models.Q(models.Q(('category', ''), _negated=True), models.Q(('note', ''), _negated=True)), _connector='OR'), name='ruling_request_correction_has_reason'),
        ),
    ]
