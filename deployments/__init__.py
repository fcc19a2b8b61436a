"""What is deployed, and where: records, history, and the verbs that change them.

Knows the catalogue and, of the providers, only registry, engines and contract. Nothing here knows
HTTP, pages or Kubernetes.
"""
