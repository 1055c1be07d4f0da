"""What `manage.py demo` does, step by step. Everything in it is simulated."""
