"""The one door to Kubernetes: requests, errors, pages, server-side apply, for every provider.

Everything that knows HTTP or the `kubernetes` package is in here. This room knows objects as plain
dictionaries and as the structs of the workload room; it must not know what a deployment means, nor
the database, nor settings.
"""
