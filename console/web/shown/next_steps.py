"""What a person can do about each reason of the status table: one sentence, or nothing where the
console goes on by itself. Knows reasons only; what exactly is wrong stands in the verdict.
"""

from collections.abc import Mapping

from providers.contract.status import Phase

_TEMPLATE = "in a new version of the template, then launch again"

NEXT_STEPS: Mapping[str, str] = {
    # The cluster and the way to it
    "ClusterUnreachable": "The console asks again by itself. If this lasts, check the cluster's "
    "API server and the network on the way to it.",
    "CredentialsRefused": "An admin has to renew the credentials in the cluster's kubeconfig.",
    "ClusterChanged": "An admin has to confirm that this is the right cluster; until then nothing "
    "is written to it.",
    "Forbidden": "An admin of the cluster has to give the console the right that is named; then it "
    "goes on by itself.",
    "ProviderMissing": "Where it is not to be installed again, an admin can forget the record.",
    "ProviderFailed": "An admin finds the cause on the page System or in the console's log.",
    # What the cluster refuses
    "NamespaceMissing": "Create the namespace, or launch into another one.",
    "NamespaceTerminating": "Wait until the namespace is gone and created again, or launch into "
    "another one.",
    "RemovedOutside": "It is never made again by itself: apply it again, or close the record, "
    "which frees its name.",
    "ProviderNotInstalled": "An admin has to install it on the cluster; or launch with another "
    "implementation.",
    "WebhookUnavailable": "An admin has to look after the admission webhook. What it holds up is "
    "then made by itself; pods that were made without it have to be restarted.",
    "ApplyRejected": f"Correct what the cluster names {_TEMPLATE}.",
    "InvalidSpec": f"Correct what the cluster names {_TEMPLATE}.",
    "ReconcileFailed": "Look at what its controller says below; an admin finds more in the "
    "controller's log.",
    "RuntimeMissing": "An admin has to install the serving runtime, or choose another "
    "implementation.",
    "ModelFormatUnsupported": f"Name a runtime that knows the model's format {_TEMPLATE}.",
    "QuotaExceeded": "Ask for more quota in this namespace, delete what is not needed there, or "
    "launch into another one.",
    "AdmissionDenied": f"Satisfy the cluster's policy {_TEMPLATE}; its words stand below.",
    "ServiceAccountMissing": "An admin has to create the service account in this namespace.",
    "ControllerNotResponding": "An admin of the cluster has to look after that controller.",
    # Where it could run
    "InsufficientAccelerator": "It starts by itself when accelerators become free on one node. "
    "Delete what is not needed, or choose a template that needs fewer.",
    "InsufficientCpu": "It starts by itself when a node has room. A template that asks for less "
    "CPU would fit sooner.",
    "InsufficientMemory": "It starts by itself when a node has room. A template that asks for less "
    "memory would fit sooner.",
    "UntoleratedTaint": "An admin has to add the toleration to the cluster's accelerator mapping.",
    "NodeSelectorMismatch": "No node has the labels asked for: an admin has to check the cluster's "
    "accelerator mapping.",
    "VolumeUnbound": "Check the claim and its storage class; the pod starts once it is bound.",
    "Unschedulable": "The scheduler's words stand below; it starts by itself once they are met.",
    "RolloutNeedsSpareAccelerator": "The old copy holds what the new one waits for: free an "
    "accelerator, or let an old pod go before the new one comes.",
    "SchedulingGated": "Something on the cluster holds the pod back, often a queue; it starts when "
    "that lets go.",
    # Image, files and configuration
    "ImageNotFound": f"Check name and tag of the image and correct it {_TEMPLATE}.",
    "ImageUnauthorized": "An admin has to name a pull secret for that registry on the cluster.",
    "ImageInvalid": f"Name an image for these nodes {_TEMPLATE}.",
    "ImagePullFailed": "The cluster goes on trying. If this lasts, check whether its nodes reach "
    "the registry.",
    "SecretMissing": "Create the secret with the key it needs in this namespace; the pod then "
    "starts by itself.",
    "ConfigMissing": "Create the config map in this namespace; the pod then starts by itself.",
    "MountFailed": "Check that the volume and all that it names are there.",
    "ContainerCannotStart": f"Correct the command or its user {_TEMPLATE}.",
    "ModelDownloadFailed": "Check that the model exists, that the token may read it, and that the "
    "cluster reaches it.",
    # What runs and fails
    "OutOfMemory": f"Raise the memory, or let the engine use less of it, {_TEMPLATE}.",
    "KilledWhileLoading": f"Loading takes longer than is allowed: raise ready_timeout_seconds "
    f"{_TEMPLATE}.",
    "CrashLoop": f"The engine ends with an error: read the pod's log, correct its arguments "
    f"{_TEMPLATE}.",
    "ReadinessFailing": "The engine runs and does not answer its health check: read the pod's log.",
    "Evicted": "The pod is made again. If this repeats, the node lacks what the template does not "
    "ask for.",
    "Preempted": "More important pods took its place; it starts again when there is room.",
    "NodeLost": "The pod is made again elsewhere; an admin has to look after the node.",
    "RolloutPaused": "Somebody paused it on the cluster: resume it there with kubectl.",
    "RolloutTimedOut": "Look at the pods on the cluster: none of the known causes was seen.",
    # In front of it
    "ServiceMissing": "Somebody removed the Service: launch again to have it made anew.",
    "NoEndpoints": "The Service selects no ready pod: somebody changed its selector or the labels.",
    "AutoscalerMissing": "Somebody removed the autoscaler; the replicas stay as they are.",
    "AutoscalerNoMetrics": "An admin has to check the cluster's metrics; until then the replicas "
    "stay as they are.",
    "AutoscalerConflict": "Two autoscalers work on it: remove the one that is not the console's.",
    "AutoscalerDisabled": "It is scaled to zero, which turns its autoscaler off: scale it to one "
    "to have it back.",
    # Going away
    "PendingFinalizer": "Whoever the finalizer is of has to finish; until then the cluster keeps "
    "the object. If that never happens, an admin can forget the record.",
}


# What is on its way needs nobody, unless it has been for longer than is allowed.
TOO_LATE: Mapping[str, str] = {
    "Starting": "It takes longer than is allowed: look at the pods and their events on the "
    "cluster.",
    "Pulling": "The image takes longer than is allowed: check its size and whether the nodes reach "
    "the registry; the cluster goes on trying.",
    "LoadingModel": f"Loading takes longer than is allowed: raise ready_timeout_seconds "
    f"{_TEMPLATE}.",
}


def next_step_of(reason: str, phase: Phase) -> str:
    """Return what to do about a reason, empty where there is nothing to do."""
    is_fault = phase in {Phase.FAILED, Phase.DEGRADED}
    return NEXT_STEPS.get(reason) or (TOO_LATE.get(reason, "") if is_fault else "")
