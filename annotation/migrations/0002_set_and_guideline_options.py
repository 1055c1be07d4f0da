import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '__first__'),
        ('annotation', '0001_sets_cases_rounds_and_labels'),
    ]

    operations = [
        migrations.CreateModel(
            name='GuidelineSeen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seen_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='goldset',
            name='blind_first_ruling',
            field=models.BooleanField(default=False, help_text='Adjudicators rule once before they see the labels.'),
        ),
        migrations.AddField(
            model_name='goldset',
            name='critical_errors',
            field=models.JSONField(blank=True, default=list, help_text='Flags for a response: [{"code": "...", "label": "..."}].'),
        ),
        migrations.AddField(
            model_name='goldset',
            name='held_out_seen_at',
            field=models.DateTimeField(blank=True, help_text='Splits are locked from then on.', null=True),
        ),
        migrations.AddField(
            model_name='goldset',
            name='ruling_categories',
            field=models.JSONField(blank=True, default=list, help_text="Categories of this set's own for rulings."),
        ),
        migrations.AddField(
            model_name='goldset',
            name='strength_wanted',
            field=models.BooleanField(default=False, help_text='Ask how much better the better response is.'),
        ),
        migrations.AddField(
            model_name='guideline',
            name='criteria',
            field=models.JSONField(blank=True, default=list, help_text='Asked one by one: [{"code": "...", "label": "..."}].'),
        ),
        migrations.AddField(
            model_name='guidelineseen',
            name='guideline',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seen_by', to='annotation.guideline'),
        ),
        migrations.AddField(
            model_name='guidelineseen',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='guidelineseen',
            constraint=models.UniqueConstraint(fields=('user', 'guideline'), name='guideline_seen_once'),
        ),
    ]
