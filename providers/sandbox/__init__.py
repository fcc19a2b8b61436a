"""A simulated cluster: the Kubernetes API as far as Slipway asks it, with controllers that act.

It runs the demo and the fast tests. It must not know Slipway's own code beyond the contract's words
and the table of simulated failures: it stands where somebody else's cluster would stand, and a
table of requests holds its answers against a real API server's.
"""
