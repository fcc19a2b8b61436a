"""The faults that a cluster can have, and what every part of the console says of each."""
