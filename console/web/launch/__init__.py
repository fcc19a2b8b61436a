"""The launch flow: what each step offers, what may be chosen, and what the review shows.

Everything that a person has entered stands in the query string; nothing here stores anything, and
every rule about a field is that of the order which the API reads as well.
"""
