"""Containers that really run: the pod's own command as a process, in namespaces of its own.

Of a container runtime this has network and mount namespaces, volumes, environment, logs and
signals; it has no process namespace, no limits of memory or CPU, and no users.
"""
