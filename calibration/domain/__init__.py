"""Pure statistics of judge calibration: no framework, no storage."""
