"""InferenceServices, and what their controller makes of them, as far as verdicts look at them."""

from typing import ClassVar

from providers.carrying.outside import OwnedMeta
from providers.kserve.render import (
    ANNOTATION_POD_DIGEST,
    ANNOTATION_SCALER,
    ANNOTATION_STOP,
    is_to_stop,
)
from providers.kserve.storage import DOWNLOADED
from providers.workload.objects import (
    Condition,
    Deployment,
    DeploymentSpec,
    Layer,
    Part,
    ReplicaSet,
    present,
)
from providers.workload.objects.looked import DeploymentInFull, ReplicaSetInFull, ReplicaSetSpec

# KServe's mark of a model that it keeps on nodes: such a one is mounted, not downloaded.
LABEL_LOCAL = "internal.serving.kserve.io/localmodel"


class Model(Part, kw_only=True, frozen=True):
    storage_uri: str | None = None


class Predictor(Part, kw_only=True, frozen=True):
    annotations: dict[str, str | None] | None = None
    min_replicas: int | None = None
    max_replicas: int | None = None
    model: Model | None = None


class InferenceServiceSpec(Part, kw_only=True, frozen=True):
    predictor: Predictor | None = None


class Address(Part, kw_only=True, frozen=True):
    url: str | None = None


class Failure(Part, kw_only=True, frozen=True):
    reason: str | None = None
    message: str | None = None


class ModelStatus(Part, kw_only=True, frozen=True):
    """`last_failure_info` stays after recovery: it counts only beside a status that is a fault."""

    transition_status: str | None = None
    last_failure_info: Failure | None = None


class InferenceServiceStatus(Part, kw_only=True, frozen=True):
    """Without its `observedGeneration`, which is that of another object."""

    address: Address | None = None
    conditions: list[Condition | None] | None = None
    model_status: ModelStatus | None = None


class InferenceService(Layer, kw_only=True, frozen=True):
    kept_annotations: ClassVar[tuple[str, ...]] = (ANNOTATION_STOP, ANNOTATION_SCALER)
    kept_labels: ClassVar[tuple[str, ...]] = (LABEL_LOCAL,)

    metadata: OwnedMeta | None = None
    spec: InferenceServiceSpec | None = None
    status: InferenceServiceStatus | None = None

    @property
    def predictor(self) -> Predictor:
        return (self.spec.predictor if self.spec else None) or Predictor()

    @property
    def downloads(self) -> bool:
        """Tell whether an init container must fetch its model before the runtime starts."""
        model = self.predictor.model
        scheme = ((model.storage_uri if model else None) or "").partition("://")[0]
        return scheme in DOWNLOADED and LABEL_LOCAL not in self.labels

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)

    @property
    def pod_digest(self) -> str:
        """Return the digest of the pods it asks for, empty for one that is not of our making."""
        return (self.predictor.annotations or {}).get(ANNOTATION_POD_DIGEST) or ""

    @property
    def is_to_stop(self) -> bool:
        return is_to_stop(self.annotations)

    @property
    def stopped_by(self) -> str:
        return f"annotation {ANNOTATION_STOP}" if self.is_to_stop else ""

    @property
    def scaler(self) -> str:
        """Return who sets the number of replicas, empty for the usual autoscaler."""
        return self.annotations.get(ANNOTATION_SCALER) or ""

    @property
    def address(self) -> str:
        found = self.status.address if self.status else None
        return (found.url if found else None) or ""


class TemplateMeta(Part, kw_only=True, frozen=True):
    annotations: dict[str, str | None] | None = None


class Template(Part, kw_only=True, frozen=True):
    metadata: TemplateMeta | None = None


class PredictorDeploymentSpec(DeploymentSpec, kw_only=True, frozen=True):
    template: Template | None = None


class PredictorDeployment(Deployment, kw_only=True, frozen=True):
    """A Deployment with what tells which pods it makes."""

    spec: PredictorDeploymentSpec | None = None


class PredictorDeploymentInFull(DeploymentInFull, kw_only=True, frozen=True):
    spec: PredictorDeploymentSpec | None = None


class PredictorReplicaSetSpec(ReplicaSetSpec, kw_only=True, frozen=True):
    template: Template | None = None


class PredictorReplicaSet(ReplicaSet, kw_only=True, frozen=True):
    """A ReplicaSet with what tells which pods it makes."""

    spec: PredictorReplicaSetSpec | None = None


class PredictorReplicaSetInFull(ReplicaSetInFull, kw_only=True, frozen=True):
    spec: PredictorReplicaSetSpec | None = None


MakesPods = (
    PredictorDeployment
    | PredictorDeploymentInFull
    | PredictorReplicaSet
    | PredictorReplicaSetInFull
)


def digest_on(item: MakesPods) -> str:
    """Return the digest of the pods that a Deployment or ReplicaSet makes, empty for none."""
    template = item.spec.template if item.spec else None
    metadata = template.metadata if template else None
    return ((metadata.annotations if metadata else None) or {}).get(ANNOTATION_POD_DIGEST) or ""
