"""The settings of the console: one flat file, every value with its default beside it.

The environment is read here and nowhere else. Values that can be wrong are checked by
`console.checks`; docs and README list the variables.
"""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from console.environment import (
    make_folder,
    read_kubernetes,
    read_log_level,
    read_or_make_secret,
    read_switch,
)
from console.intervals import read_intervals
from console.logs import configure_structlog, json_logging
from console.metrics.environment import read_token, read_worker_port
from console.metrics.folder import CLIENTS_VARIABLE, prepare_folder
from console.prometheus.environment import read_prometheus
from console.retention import read_retention
from console.secret_files import read_secret, with_password
from providers.registry import importable

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("SLIPWAY_VAR", default=str(BASE_DIR / "var")))
# Elsewhere where the files are collected once, when an image is built.
STATIC_ROOT = Path(env.str("SLIPWAY_STATIC", default=str(VAR_DIR / "static")))
# Database, key and queue are nobody else's business on a shared machine.
make_folder(VAR_DIR, "SLIPWAY_VAR", mode=0o700)
make_folder(STATIC_ROOT, "SLIPWAY_STATIC")

DEBUG = read_switch(os.environ, "SLIPWAY_DEBUG")
HTTPS = read_switch(os.environ, "SLIPWAY_HTTPS")
SECRET_KEY = read_secret(os.environ, "SLIPWAY_SECRET_KEY")
HAS_SHARED_SECRET_KEY = bool(SECRET_KEY)
SECRET_KEY = SECRET_KEY or read_or_make_secret(VAR_DIR / "secret_key")
# What was signed with the key before this one still holds, until this is taken away.
OLD_SECRET_KEY = read_secret(os.environ, "SLIPWAY_OLD_SECRET_KEY")
SECRET_KEY_FALLBACKS = [OLD_SECRET_KEY] if OLD_SECRET_KEY else []
ALLOWED_HOSTS = env.list("SLIPWAY_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("SLIPWAY_TRUSTED_ORIGINS", default=[])

# --- Metrics --------------------------------------------------------------------------------------

METRICS_TOKEN = read_token(os.environ)
WORKER_METRICS_PORT = read_worker_port(os.environ, METRICS_TOKEN)
METRICS_FOLDER = prepare_folder(os.environ, VAR_DIR)
# The client looks once, when it is imported: by the first provider, the pages or a worker.
os.environ[CLIENTS_VARIABLE] = str(METRICS_FOLDER)
# Who has scraped the engines for hours, if anybody.
PROMETHEUS = read_prometheus(os.environ)

# --- Clusters and providers -----------------------------------------------------------------------

K8S = read_kubernetes(os.environ)
# The kubeconfig of the simulated cluster that `manage.py start` runs where there is no real one.
SANDBOX_KUBECONFIG = env.str("SLIPWAY_SANDBOX", default="")
SLIPWAY_PROVIDERS: list[str] = env.list(
    "SLIPWAY_PROVIDERS",
    default=["providers.kubernetes", "providers.stormservice", "providers.kserve"],
)
# A provider that does not import is a warning and "not available", never a console that is down.
PROVIDER_APPS, BROKEN_PROVIDERS = importable(SLIPWAY_PROVIDERS)

# --- Applications ---------------------------------------------------------------------------------

INSTALLED_APPS = [
    "console",
    "deployments",
    "templates_app",
    *PROVIDER_APPS,
    "console.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "console.middleware.bind_request_id",
    "console.api.body_limit.limit_api_bodies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "console.middleware.refuse_nul",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "console.urls"
WSGI_APPLICATION = "console.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                "catalogue": "console.web.templatetags.catalogue",
                "slipway": "console.web.templatetags.slipway",
            },
        },
    },
]

# --- Database -------------------------------------------------------------------------------------


def _database() -> dict[str, Any]:
    given = with_password(
        read_secret(os.environ, "DATABASE_URL"),
        read_secret(os.environ, "DATABASE_PASSWORD"),
        name="DATABASE_URL",
    )
    url = given or f"sqlite:///{VAR_DIR / 'slipway.sqlite3'}"
    database: dict[str, Any] = env.db_url_config(url)
    options = _DATABASE_OPTIONS.get(database.get("ENGINE", ""))
    if options is None:
        raise ImproperlyConfigured(
            "DATABASE_URL must begin with sqlite:/// or postgres://, "
            "as in postgres://slipway:PASSWORD@127.0.0.1:5432/slipway."
        )
    database["OPTIONS"] = options | database.get("OPTIONS", {})
    return database | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, "ATOMIC_REQUESTS": False}


_DATABASE_OPTIONS: dict[str, dict[str, Any]] = {
    "django.db.backends.sqlite3": {
        # A transaction that begins as a reader and then writes would fail at once when another
        # writes; an immediate one waits its turn, for at most the timeout in seconds.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    },
    "django.db.backends.postgresql": {
        # Seconds, but the last, in milliseconds: a server that went without a word is given up.
        "connect_timeout": 5,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 20_000,
    },
}

DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache and queue ------------------------------------------------------------------------------

REDIS_URL = with_password(
    read_secret(os.environ, "REDIS_URL"),
    read_secret(os.environ, "REDIS_PASSWORD"),
    name="REDIS_URL",
)
CACHES: dict[str, dict[str, Any]] = {
    # Files, where there is no Redis: the counters of sign-in are shared by all worker processes.
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        # A page waits for it no longer than that, and does not ask again.
        "OPTIONS": {
            "socket_connect_timeout": 1.0,
            "socket_timeout": 1.0,
            "retry": Retry(NoBackoff(), 0),
        },
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "cache",
    },
}

CELERY_BROKER_URL = REDIS_URL or "slipway-files://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        # Seconds; a message is given to another worker only when no task can still be at it.
        "visibility_timeout": 600,
        "socket_connect_timeout": 2.0,
        "socket_timeout": 5.0,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
    if REDIS_URL
    else {
        "data_folder_in": str(VAR_DIR / "queue"),
        "data_folder_out": str(VAR_DIR / "queue"),
        "control_folder": str(VAR_DIR / "queue-control"),
        "polling_interval": 0.2,
    }
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "slipway"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_TIME_LIMIT = 120
# A message is acknowledged when it is taken: one that kills its worker must not come again, and
# what is lost is asked anew at the next turn. None waits behind a long task that another could do.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# For ever: whoever starts Redis again need not start the workers as well.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TIMEZONE = "UTC"
# How often clusters are read: what is on its way, and everything.
REFRESH = read_intervals(os.environ)
# Whether `manage.py start` has clusters followed as well, so that changes are known at once.
WATCH = read_switch(os.environ, "SLIPWAY_WATCH")
# How long the history of deployments is kept.
RETENTION = read_retention(os.environ)
CELERY_BEAT_SCHEDULE = {
    # Seconds; a message that waited longer than that is as good as the next one.
    "refresh everything": {
        "task": "deployments.tasks.refresh_everything",
        "schedule": REFRESH.moving_seconds,
        "options": {"expires": REFRESH.moving_seconds},
    },
    "tidy up": {
        "task": "deployments.tasks.tidy_up",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
}
CELERY_BEAT_SCHEDULER = "console.alive:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")

# --- People ---------------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "deployments"
LOGOUT_REDIRECT_URL = "login"
# Sign-in: so many failures per name and address, then a pause of so many seconds.
SIGN_IN_FAILURES = 10
SIGN_IN_PAUSE = 300
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# --- Security -------------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = HTTPS
# Asked inside the cluster, in plain HTTP, by those who take a redirect for an answer.
SECURE_REDIRECT_EXEMPT = [r"^api/v1/health(/ready)?$", r"^health/ready$", r"^metrics$"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
# Only behind a proxy that sets or strips X-Forwarded-Proto and -For itself: else anyone could
# claim HTTPS, or another address.
TRUST_PROXY = read_switch(os.environ, "SLIPWAY_TRUST_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "console.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}
# Bytes; forms and API bodies alike (the API's own cap answers 413).
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# --- Static files ---------------------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# --- API ------------------------------------------------------------------------------------------

# Bytes that a request to the API may send.
API_BODY_LIMIT = 256 * 1024
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["console.api.parsers.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "console.api.negotiation.OneForm",
    "EXCEPTION_HANDLER": "console.api.errors.answer_error",
    # Knox first: it names the header to send, so that a missing credential is 401 and not 403.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "console.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=90),
    "TOKEN_LIMIT_PER_USER": 20,
    "AUTO_REFRESH": False,
    "AUTH_HEADER_PREFIX": "Token",
    "TOKEN_PREFIX": "slipway_",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Slipway",
    "DESCRIPTION": "Launches models onto Kubernetes and tells what becomes of them.",
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# --- Time, language, logs -------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

configure_structlog()
LOGGING = json_logging(
    read_log_level(os.environ, "SLIPWAY_LOG_LEVEL"),
    secrets=(
        SECRET_KEY,
        OLD_SECRET_KEY,
        METRICS_TOKEN,
        str(DATABASES["default"].get("PASSWORD") or ""),
        unquote(urlsplit(REDIS_URL).password or ""),
    ),
)
