"""The face for scripts: JSON in, JSON out, one shape of error.

Thin shells over services and selectors. Nothing here decides; it reads a request, calls, and
writes an answer.
"""
