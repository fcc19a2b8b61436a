"""Which accelerator types are NVIDIA's, by the names that people give them.

Only for a type that the cluster does not map: NVIDIA's device plugin has one resource name
everywhere, so that guess is good; any other maker's would ask for the wrong hardware.
"""

import re

_FAMILY = re.compile(
    r"(?:nvidia|tesla|quadro|geforce|jetson|titan|dgx|hgx|rtx|gtx)(?:[^a-z].*)?", re.IGNORECASE
)
_MODEL = re.compile(
    r"(?:k80|m40|m60|p4|p40|p100|v100|t4|l4|l20|l40|a2|a10|a16|a30|a40|a100|a800|a[456][05]00"
    r"|h20|h100|h200|h800|b100|b200|b300|gh200|gb10|gb200|gb300|r100|r200)(?:\D.*)?",
    re.IGNORECASE,
)


def is_nvidia(accelerator_type: str) -> bool:
    """Tell whether a type like `H100`, `a100-80gb` or `nvidia-l4` is NVIDIA's."""
    return bool(_FAMILY.fullmatch(accelerator_type) or _MODEL.fullmatch(accelerator_type))
