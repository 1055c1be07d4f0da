"""Sentinels: defining panels, running what is due, points, alarms and notices."""
