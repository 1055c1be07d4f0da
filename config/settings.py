"""Settings, all from the environment; docs/settings.md lists the variables."""

from __future__ import annotations

from pathlib import Path

from config.db.urls import parse_database_url
from config.env import (
    read_bool,
    read_choice,
    read_folder,
    read_int,
    read_list,
    read_private_address,
    read_secret,
    read_text,
)
from config.secret_key import read_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = read_folder("EVENHAND_VAR", BASE_DIR / "var")

# Modes. DEBUG is for developers, EVENHAND_DEMO for the local demo, and
# EVENHAND_INSECURE_HTTP for a trusted network without TLS. Otherwise the site expects
# HTTPS.
DEBUG = read_bool("DEBUG")
EVENHAND_DEMO = read_bool("EVENHAND_DEMO")
EVENHAND_INSECURE_HTTP = read_bool("EVENHAND_INSECURE_HTTP")
HTTPS_ONLY = not (DEBUG or EVENHAND_DEMO or EVENHAND_INSECURE_HTTP)

# Storage
DATABASES = {
    "default": parse_database_url(
        read_text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'evenhand.sqlite3'}"),
        base=BASE_DIR,
    )
}
EMBEDDED = DATABASES["default"]["ENGINE"].endswith("sqlite3")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The embedded site keeps a random key of its own in the var folder; a team site must
# be given one, since all its processes have to share it.
SECRET_KEY = read_secret_key(
    read_text("SECRET_KEY"),
    VAR_DIR / "secret_key",
    create=DEBUG or EVENHAND_DEMO or EMBEDDED,
)
SECRET_KEY_FALLBACKS = read_list("SECRET_KEY_FALLBACKS")

# Network
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS")
SECURE_SSL_REDIRECT = HTTPS_ONLY
# Monitors and load balancers ask on the machine itself.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = read_int("HSTS_SECONDS", 31_536_000) if HTTPS_ONLY else 0
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Only a proxy that always sets this header may be trusted with it.
if read_bool("TRUST_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
DATA_UPLOAD_MAX_MEMORY_SIZE = read_int("UPLOAD_MAX_BYTES", 10 * 1024 * 1024)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "config.accounts",
    "config.apps.EvenhandAdminConfig",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "annotation",
    "judging",
    "calibration",
    "config.apps.ProjectConfig",
    "config.db",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.DomainErrorMiddleware",
    "config.queries.KnownQueryMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.accounts.context.roles",
            ]
        },
    }
]

# Where STATIC_ROOT is set, static files come from the folder that collectstatic filled,
# compressed and under names that can be cached for ever: `serve` makes one in the var
# folder. Otherwise they come straight from the packages.
STATIC_URL = "static/"
STATIC_ROOT = read_text("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if STATIC_ROOT
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}

# People
AUTH_USER_MODEL = "accounts.User"
SESSION_ENGINE = "config.accounts.sessions"
AUTHENTICATION_BACKENDS = ["config.accounts.backends.RolesBackend"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # First, as the first one says how to sign in: a bad token is answered by 401.
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        *(["rest_framework.renderers.BrowsableAPIRenderer"] if DEBUG else []),
    ],
    "DEFAULT_PARSER_CLASSES": ["config.api.StrictJson"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "config.api.NewestFirst",
    "EXCEPTION_HANDLER": "config.api.handle_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Evenhand API",
    "DESCRIPTION": "Blinded pairwise labels, judge runs, calibration and decisions.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "AlarmKind": "calibration.api.sentinel_serializers.ALARM_KINDS",
    },
}

# Work queue: not needed by the embedded site
CELERY_BROKER_URL = read_text("CELERY_BROKER_URL")
RUNNERS_PER_RUN = read_int("RUNNERS_PER_RUN", 1, minimum=1)
WORKER_TURN_SECONDS = read_int("WORKER_TURN_SECONDS", 120, minimum=1)
PROVIDER_PATIENCE_SECONDS = read_int("PROVIDER_PATIENCE_SECONDS", 300)
WEB_WORKERS = read_int("WEB_CONCURRENCY", 1, minimum=1)

# Language and time
LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

# Notices of alarms. Without a mail host, mail is printed instead of sent.
NOTICE_WEBHOOK_URL = read_private_address("NOTICE_WEBHOOK_URL")
NOTICE_WEBHOOK_SECRET = read_secret(
    "NOTICE_WEBHOOK_SECRET", needed=bool(NOTICE_WEBHOOK_URL)
)
NOTICE_EMAILS = read_list("NOTICE_EMAILS")
SITE_URL = read_text("SITE_URL").rstrip("/")
EMAIL_HOST = read_text("EMAIL_HOST")
EMAIL_PORT = read_int("EMAIL_PORT", 587, minimum=1)
EMAIL_HOST_USER = read_text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = read_text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = read_bool("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = read_text("EMAIL_FROM", "evenhand@localhost")
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if EMAIL_HOST
    else "django.core.mail.backends.console.EmailBackend"
)

LOG_LEVEL = read_choice(
    "LOG_LEVEL", ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], "INFO"
)
LOG_FORMAT = read_choice(
    "LOG_FORMAT", ["json", "text"], "text" if DEBUG or EVENHAND_DEMO else "json"
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "config.logs.JsonFormatter"},
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # A line for each judge call says nothing, and at DEBUG the SDK prints prompts.
        "httpx2": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.db.backends": {"level": "INFO"},
    },
}
