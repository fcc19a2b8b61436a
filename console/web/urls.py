"""The addresses of the pages; one view each."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
