"""The shapes of the API's answers and requests, one module a noun.

Answers are written with these; requests are documented with them and read by the core itself, so
that page, admin and API have one rule for each field.
"""
