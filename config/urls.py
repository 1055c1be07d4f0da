"""All addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config.health import health

LOGIN = auth.LoginView.as_view(redirect_authenticated_user=True)

urlpatterns = [
    path(
        "login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
]
