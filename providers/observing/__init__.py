"""What can be looked at of a deployment on any cluster: objects, events, logs, metrics.

The same for every provider whose deployments are pods; each brings the kinds above its pods.
"""
