"""What all Kubernetes providers share: names, labels, pods, Services, autoscalers, status.

Pure: values in, values out; no network, no clock, no framework.
"""
