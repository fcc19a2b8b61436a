"""What proves a provider: the contract suite, an in-memory provider and the table of simulated failures."""
