"""Any deployment of pods as it stands on a cluster: read, followed, looked into and cleared away.

What carries the pods is told by a provider in one value (`carrier.py`); this room knows no kind.
"""
