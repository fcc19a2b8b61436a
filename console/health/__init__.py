"""How the console itself is: its database, its queue, its cache, its background work.

Every question is bounded in time and asked of what is near: never of a cluster.
"""
