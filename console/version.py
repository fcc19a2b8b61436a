"""The version of the console, as pyproject.toml has it; a running console has no such file."""

VERSION = "0.1.0"
