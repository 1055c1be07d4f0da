import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '__first__'),
        ('calibration', '0001_reports_and_looks'),
    ]

    operations = [
        migrations.AddField(
            model_name='look',
            name='subject',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='look',
            name='what',
            field=models.CharField(blank=True, help_text='What was seen, where it is no report.', max_length=120),
        ),
        migrations.AlterField(
            model_name='look',
            name='report',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='looks', to='calibration.report'),
        ),
        migrations.AddConstraint(
            model_name='look',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('report__isnull', False), ('what', '')), models.Q(('report__isnull', True), models.Q(('what', ''), _negated=True)), _connector='OR'), name='look_at_a_report_or_something_else'),
        ),
    ]
