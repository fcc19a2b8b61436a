"""An in-memory provider: a whole runtime in a few dictionaries, with failures on request."""
