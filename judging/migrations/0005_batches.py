import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0004_marks_and_rubrics'),
    ]

    operations = [
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('state', models.CharField(choices=[('filling', 'Filling'), ('submitting', 'Submitting'), ('submitted', 'Submitted'), ('ended', 'Ended')], default='filling', max_length=12)),
                ('provider_id', models.CharField(blank=True, max_length=200)),
                ('input_file_id', models.CharField(blank=True, max_length=200)),
                ('provider_status', models.CharField(blank=True, max_length=40)),
                ('detail', models.TextField(blank=True)),
                ('requests', models.PositiveIntegerField(default=0)),
                ('size', models.PositiveBigIntegerField(default=0, help_text='Bytes of its file.')),
                ('answered', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('unsent', models.PositiveIntegerField(default=0, help_text='Requests that the provider did not carry out.')),
                ('too_many', models.BooleanField(default=False, help_text="The provider's queue has no room for so many.")),
                ('created_at', models.DateTimeField()),
                ('submitting_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('look_after', models.DateTimeField(help_text='When somebody should look again.')),
                ('troubles', models.PositiveSmallIntegerField(default=0, help_text='Requests about it that failed, one after the other.')),
                ('driver', models.UUIDField(blank=True, null=True)),
                ('driver_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='BatchPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='price',
            name='batch_share',
            field=models.DecimalField(blank=True, decimal_places=4, help_text='What part of these prices a call in a batch costs; empty: unknown.', max_digits=5, null=True),
        ),
        migrations.AddConstraint(
            model_name='price',
            constraint=models.CheckConstraint(condition=models.Q(('batch_share__isnull', True), models.Q(('batch_share__gte', 0), ('batch_share__lte', 1)), _connector='OR'), name='price_batch_share_0_to_1'),
        ),
        migrations.AddField(
            model_name='batch',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='judging.run'),
        ),
        migrations.AddField(
            model_name='batchplan',
            name='run',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='batch_plan', to='judging.run'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('state', 'ended'), _negated=True), fields=['run', 'look_after'], name='batch_open_by_run'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['filling', 'submitting', 'submitted', 'ended'])), name='batch_state_known'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'submitted'), _negated=True), models.Q(('provider_id', ''), _negated=True), _connector='OR'), name='batch_submitted_is_named'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'filling'), ('submitting_at__isnull', False), _connector='OR'), name='batch_submitting_says_when'),
        ),
    ]
