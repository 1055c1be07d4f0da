"""Django's PostgreSQL engine, a round trip cheaper for each request."""
