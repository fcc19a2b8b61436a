"""A stand-in kubelet for several pretended nodes: real API traffic, simulated containers."""
