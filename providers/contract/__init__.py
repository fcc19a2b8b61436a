"""The words that the core and every provider share.

Frozen values, the template schema and the protocols of a provider. Pure: this room knows no
framework, no network and no clock, and imports nothing else of Slipway.
"""
