"""The load of one deployment in figures: what they are called, and how readings become them.

Pure: readings come in as the contract has them, figures go out; whoever measures is a service.
"""
