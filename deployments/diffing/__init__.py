"""What is different between two revisions: in words, and line by line in the objects' YAML.

Pure: manifests and facts come in, differences go out, secrets masked. Knows no row, no page and no
cluster; what a change does to pods is told by providers.
"""
