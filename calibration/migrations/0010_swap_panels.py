import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('calibration', '0009_alarms_and_notices'),
        ('judging', '0005_batches'),
    ]

    operations = [
        migrations.CreateModel(
            name='SwapPanel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('share', models.FloatField()),
                ('seed', models.CharField(max_length=64)),
                ('slices', models.JSONField(help_text='Keys of slices that it is in proportion to.')),
                ('drawn', models.PositiveIntegerField(help_text='Pairs in it.')),
                ('pairs', models.PositiveIntegerField(help_text='Pairs of the set at the time.')),
                ('drawn_at', models.DateTimeField()),
                ('drawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='swap_panel', to='judging.run')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('share__gt', 0), ('share__lte', 1)), name='swap_panel_share_up_to_1'), models.CheckConstraint(condition=models.Q(('seed', ''), _negated=True), name='swap_panel_has_a_seed')],
            },
        ),
    ]
