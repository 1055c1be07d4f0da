import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0010_uploads'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Unsealing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('unsealed_at', models.DateTimeField()),
                ('gold_set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='unsealing', to='annotation.goldset')),
                ('unsealed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LookPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sequence', models.PositiveIntegerField()),
                ('mode', models.CharField(choices=[('open', 'Open'), ('sealed', 'Sealed')], max_length=10)),
                ('budget', models.PositiveSmallIntegerField()),
                ('limits', models.JSONField(default=dict)),
                ('planned_at', models.DateTimeField()),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='look_plans', to='annotation.goldset')),
                ('planned_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('gold_set', 'sequence'), name='look_plan_number_once'), models.CheckConstraint(condition=models.Q(('mode__in', ['open', 'sealed'])), name='look_plan_mode_known'), models.CheckConstraint(condition=models.Q(('budget__gte', 1)), name='look_plan_allows_a_look')],
            },
        ),
    ]
