from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0011_look_plans'),
        ('calibration', '0002_looks_at_exports'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='look',
            name='config_digest',
            field=models.CharField(blank=True, help_text='Of the judge whose results were seen.', max_length=64),
        ),
        migrations.AddField(
            model_name='look',
            name='word',
            field=models.CharField(blank=True, choices=[('passed', 'Passed'), ('not_passed', 'Not Passed')], help_text='All that a look at a sealed set tells.', max_length=12),
        ),
        migrations.AddConstraint(
            model_name='look',
            constraint=models.CheckConstraint(condition=models.Q(('word__in', ['', 'passed', 'not_passed'])), name='look_word_known'),
        ),
    ]
