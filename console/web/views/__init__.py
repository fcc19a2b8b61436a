"""Views of the pages: thin functions over selectors and services."""
