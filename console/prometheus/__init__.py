"""The last hours of a deployment's load, asked of a Prometheus that somebody else runs.

Optional: without its address nothing is asked. It scrapes by itself; this room only reads.
"""
