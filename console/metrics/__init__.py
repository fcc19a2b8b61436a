"""The console's own metrics, in Prometheus' text format.

What is stored is counted when somebody scrapes; what processes do is kept by each in a file of a
shared folder, and summed. Nothing here asks a cluster.
"""
