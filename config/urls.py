"""All addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from config.accounts.forms import SignInForm
from config.api_index import IndexView
from config.health import health
from config.home import home

LOGIN = auth.LoginView.as_view(
    authentication_form=SignInForm, redirect_authenticated_user=True
)

API: list[URLPattern | URLResolver] = [
    path("", IndexView.as_view(), name="api-index"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("", include("annotation.api.urls")),
    path("", include("judging.api.urls")),
    path("", include("calibration.api.urls")),
]

urlpatterns = [
    path("", home, name="home"),
    path("login/", LOGIN, name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("api/v1/", include(API)),
    path("", include("annotation.urls")),
    path("", include("judging.urls")),
    path("", include("calibration.urls")),
]
