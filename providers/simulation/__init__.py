"""What simulated clusters have in common: the table of failures, and how a pod then lives.

Pure, and shared by the simulated cluster of the demo and by the stand-in kubelet of the tests, so
that a word means the same everywhere. It must not know any cluster, nor who asks.
"""
