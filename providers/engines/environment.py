"""The variables of an engine's container: keys by reference only, the template's own words last."""

from collections.abc import Iterable, Iterator, Mapping

from providers.contract.template import SecretRef
from providers.engines.launch import EnvVar
from providers.engines.wishes import Wishes

# A folder of the pod that is writable whatever the image and the user: HOME, caches.
SCRATCH = "/cache"

_AWS_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")


def cache_folder(wishes: Wishes) -> str:
    """Return where model files are kept: on the template's claim, else on the scratch folder."""
    cache = wishes.source.cache if wishes.source else None
    return cache.mount_path if cache else f"{SCRATCH}/huggingface"


def environment(wishes: Wishes, own: Mapping[str, str]) -> tuple[EnvVar, ...]:
    """Return the engine's own variables, the keys and the template's, each name once."""
    plain = (EnvVar(name=name, value=value) for name, value in own.items())
    given = (EnvVar(name=name, value=value) for name, value in sorted(wishes.engine.env.items()))
    return _last_of_each((*plain, *_secrets(wishes), *given))


def folders(wishes: Wishes) -> Mapping[str, str]:
    """Return the variables that send every cache to a folder that can be written."""
    return {"HOME": SCRATCH, "USER": "slipway", "HF_HOME": cache_folder(wishes)}


def _secrets(wishes: Wishes) -> Iterator[EnvVar]:
    source = wishes.source
    if source is None or source.auth_secret_ref is None or wishes.by_runtime:
        return
    if source.type == "huggingface":
        yield EnvVar(name="HF_TOKEN", secret=source.auth_secret_ref)
    if source.type == "s3":
        for key in _AWS_KEYS:
            yield EnvVar(name=key, secret=SecretRef(name=source.auth_secret_ref.name, key=key))


def _last_of_each(variables: Iterable[EnvVar]) -> tuple[EnvVar, ...]:
    by_name: dict[str, EnvVar] = {}
    for variable in variables:
        by_name.pop(variable.name, None)
        by_name[variable.name] = variable
    return tuple(by_name.values())
