"""Stand-ins for other makers' controllers: what these do to a cluster, driven over HTTP alone.

They serve the simulated cluster and a real control plane alike, and write what the real ones were
seen to write, misleading words included. Each pass reads everything, then acts on each object.
"""
