"""Changing what runs, on pages: a form, a review of what would happen, and the deed.

What was entered stands in the query string, so that every page can be reached again as it was.
"""
