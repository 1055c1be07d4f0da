import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('calibration', '0004_disagreements'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.JSONField(help_text='As it stands in the manifest.')),
                ('left_out', models.JSONField(default=list, help_text='What is not in it, in words.')),
                ('manifest_digest', models.CharField(db_index=True, max_length=64)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes of the zip.')),
                ('rows', models.PositiveBigIntegerField(help_text='Rows of all its tables.')),
                ('exported_at', models.DateTimeField()),
                ('actor', models.CharField(blank=True, help_text='Who ran the command, where no user did.', max_length=80)),
                ('door', models.CharField(max_length=20)),
                ('reason', models.TextField(blank=True)),
                ('exported_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
    ]
