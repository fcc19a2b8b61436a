"""Which types are taken for NVIDIA's when a cluster does not map them."""

import pytest

from providers.workload.nvidia import is_nvidia

NVIDIA = (
    *("H100", "h100", "H100-SXM", "H100_80GB", "H100NVL", "A100-80GB", "a100-sxm4-40gb", "A10G"),
    *("L4", "L40S", "T4", "V100", "GB200", "GH200", "H20", "B200", "RTX4090", "rtx-pro-6000"),
    *("nvidia-l4", "NVIDIA.H100", "Tesla-T4", "A6000", "nvidia", "GeForce-RTX-4090"),
)
OTHERS = (
    *("MI300X", "mi250", "Gaudi3", "HL-225", "Ascend910B", "910B", "TPU", "v5e", "v5litepod-8"),
    *("inf2", "trn1", "Max1550", "B60", "MLU370", "W7900", "L400", "A1000000", "H1", "gpu"),
    *("Instinct-MI300X", "nvidiax", "titanium"),
)


@pytest.mark.parametrize("name", NVIDIA)
def test_a_type_of_nvidia_is_known_by_its_name(name: str) -> None:
    assert is_nvidia(name)


@pytest.mark.parametrize("name", OTHERS)
def test_any_other_type_is_not_guessed(name: str) -> None:
    assert not is_nvidia(name)
