"""A real Kubernetes control plane on loopback: etcd, API server, controllers, scheduler, stand-in
nodes.
"""
