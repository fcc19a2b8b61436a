"""A provider of somebody else: carries a model as a ReplicaSet with a Service before it."""
