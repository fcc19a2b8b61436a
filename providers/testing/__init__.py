"""What proves a provider: the contract suite, samples to try it with, an in-memory provider."""
