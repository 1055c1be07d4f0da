import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0002_set_and_guideline_options'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='seat',
            name='seat_once_a_pass',
        ),
        migrations.RemoveConstraint(
            model_name='seat',
            name='seat_pair_once_a_reviewer',
        ),
        migrations.AddField(
            model_name='round',
            name='designed_rate',
            field=models.FloatField(default=0, help_text='Designed pairs mixed in, as a share of the others.'),
        ),
        migrations.AddField(
            model_name='round',
            name='disclosed_at',
            field=models.DateTimeField(blank=True, help_text='When something of it was shown to anyone.', null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='retest_share',
            field=models.FloatField(default=0, help_text='Share of pairs shown again, swapped, to one reviewer.'),
        ),
        migrations.AddField(
            model_name='round',
            name='selection',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='seat',
            name='due_after',
            field=models.PositiveIntegerField(default=0, help_text='Labels its reviewer gives before a retest is offered.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='retest_of',
            field=models.OneToOneField(blank=True, help_text='The seat whose reviewer this one is for; its label never counts.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='retest', to='annotation.seat'),
        ),
        migrations.AddField(
            model_name='seat',
            name='retest_wanted',
            field=models.BooleanField(default=False, help_text='Its reviewer sees the pair again, swapped.'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('designed_rate__range', (0, 1)), ('retest_share__range', (0, 1))), name='round_shares_0_to_1'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('retest_of__isnull', True)), fields=('round', 'pair', 'pass_no'), name='seat_once_a_pass'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('retest_of__isnull', True), ('reviewer__isnull', False)), fields=('round', 'reviewer', 'pair'), name='seat_pair_once_a_reviewer'),
        ),
    ]
