"""The console as a Django app: templates, commands, checks; and its way of being Django's admin."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as django_admin


class ConsoleConfig(AppConfig):
    name = "console"
    default = True  # there are two in this module; this one is what "console" means

    def ready(self) -> None:
        """Register the system checks, and how times are read."""
        import_module("console.checks")
        import_module("console.production")
        import_module("console.postgres").read_times_quickly()


class AdminConfig(django_admin.AdminConfig):
    default = False
    default_site = "console.admin_site.SlipwayAdminSite"
