"""The calibration app."""
