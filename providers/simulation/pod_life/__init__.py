"""The life of a simulated pod as a pure function of elapsed time, in a kubelet's own words.

The stand-in kubelet of the test clusters and the simulated cluster share it. It knows no cluster,
no network and no clock: whoever runs it brings the time, asks for the pod's status and writes it
down.
"""
