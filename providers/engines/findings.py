"""Short ways to say what an engine has to say; the words themselves stand beside each rule."""

from providers.engines.launch import Finding, Weight


def warn(path: str, message: str) -> Finding:
    """Return a warning: shown, never in the way."""
    return Finding(weight=Weight.WARN, path=path, message=message)


def refuse(path: str, message: str) -> Finding:
    """Return a refusal: such a draft may be saved, but neither activated nor launched."""
    return Finding(weight=Weight.REFUSE, path=path, message=message)
