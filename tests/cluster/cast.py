"""The nodes that tests and trials usually have: two with eight accelerators each, one with none."""

from tests.cluster.kubelet.nodes import NodeSpec, gpu_node

GPU_PRODUCT = "NVIDIA-H100-80GB-HBM3"
USUAL_NODES = (
    gpu_node("gpu-1", product=GPU_PRODUCT),
    gpu_node("gpu-2", product=GPU_PRODUCT),
    NodeSpec(name="cpu-1"),
)
