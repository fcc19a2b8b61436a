"""The controllers of the simulated cluster: each brings one kind of object to what it asks for.

They see the store and write through the desk, one object at a time, called by one queue. None of
them knows requests, nor threads, nor real time.
"""
