"""Records what a real control plane says of deployments, as cases of `tests/objects/recorded`.

Scenes bring deployments into every state that the status table knows; what the provider is told of
them is written down whole. What comes out is stated by the scene, not taken from the rules.
"""
