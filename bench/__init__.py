"""The figures: measured in one run, given as ratios, each with the command that measured it.

Real parts: gunicorn, PostgreSQL, a real control plane with stand-in nodes. Run `make bench`.
"""
