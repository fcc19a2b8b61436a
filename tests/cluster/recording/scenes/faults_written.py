"""Rows 12, 13 and 18 on a node that nobody tends: what the stand-in kubelet never shows.

The words are those of a kubelet 1.36 and of containerd 2.1.
"""

from providers.contract.status import Phase
from tests.cluster.recording.pen import ended, running, waiting
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.scenes.written import launched
from tests.cluster.recording.stage import Stage

PAST_THE_BUDGET, PAST_THE_DEADLINE = 65, 700
MOUNT = 'MountVolume.SetUp failed for volume "models" : mount failed: exit status 32'


def an_image_name_is_invalid(stage: Stage) -> None:
    pen, pod = launched(stage)
    words = (
        'Failed to apply default image tag "docker.io/VLLM:": couldn\'t parse image name '
        '"docker.io/VLLM:": invalid reference format'
    )
    pen.write(pod, waiting("InvalidImageName", words))
    stage.record(
        "12-image-name-invalid", "the image's name cannot be read", Phase.FAILED, "ImageInvalid"
    )


def an_image_is_for_another_processor(stage: Stage) -> None:
    pen, pod = launched(stage)
    words = (
        'failed to pull and unpack image "docker.io/x/y:1": no match for platform in manifest: '
        "not found"
    )
    pen.write(pod, waiting("ErrImagePull", words))
    stage.record(
        "12-image-for-another-processor",
        "the image has no build for this node",
        Phase.FAILED,
        "ImageInvalid",
    )


def a_registry_is_not_reached(stage: Stage) -> None:
    pen, pod = launched(stage)
    words = (
        'failed to pull image: failed to do request: Head "https://registry.example/v2/x/manifests'
        '/1": dial tcp: lookup registry.example: no such host'
    )
    pen.write(pod, waiting("ErrImagePull", words))
    stage.record(
        "12-registry-not-reached", "no way to the registry", Phase.FAILED, "ImagePullFailed"
    )
    pen.write(pod, waiting("ImagePullBackOff", 'Back-off pulling image "docker.io/x/y:1"'))
    stage.record(
        "12-image-back-off-cause-remembered",
        "the back-off names no cause, which was seen before",
        Phase.FAILED,
        "ImagePullFailed",
    )
    pen.write(pod, running(since=1))
    stage.record(
        "12-image-pulled-at-last", "the next try succeeded", Phase.DEPLOYING, "LoadingModel"
    )


def a_pull_goes_on(stage: Stage) -> None:
    pen, pod = launched(stage)
    stage.record(
        "18-pod-without-status",
        "bound to a node, whose kubelet has said nothing",
        Phase.DEPLOYING,
        "Starting",
    )
    pen.write(pod, waiting("ContainerCreating"))
    stage.record("18-starting", "its container is being made", Phase.DEPLOYING, "Starting")
    pen.tell(pod, "Pulling", 'Pulling image "docker.io/x/y:1"', kind="Normal")
    stage.record("18-pulling", "the image is being pulled", Phase.DEPLOYING, "Pulling")
    stage.later(
        "18-pulling-past-the-deadline",
        "18-pulling",
        "pulling still, past the progress deadline",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.FAILED,
        reason="Pulling",
    )
    stage.pass_by(1.1)  # events tell their times in whole seconds
    pen.tell(pod, "Pulled", 'Successfully pulled image "docker.io/x/y:1" in 4m2s', kind="Normal")
    stage.record("18-pulled-in-the-meantime", "the image is there now", Phase.DEPLOYING, "Starting")


def a_mount_fails(stage: Stage) -> None:
    pen, pod = launched(stage)
    pen.write(pod, waiting("ContainerCreating"), sandbox=False)
    pen.tell(pod, "FailedMount", MOUNT)
    stage.record(
        "13-mount-failed-once-so-far",
        "a mount failed a moment ago, and may succeed at the next try",
        Phase.DEPLOYING,
        "Starting",
    )
    stage.later(
        "13-mount-fails",
        "13-mount-failed-once-so-far",
        "the mount has failed for more than half a minute",
        seconds=PAST_THE_BUDGET,
        phase=Phase.FAILED,
        reason="MountFailed",
    )
    pen.write(pod, running(since=1))
    stage.record(
        "13-mount-has-healed", "the mount succeeded at last", Phase.DEPLOYING, "LoadingModel"
    )


def root_is_not_allowed(stage: Stage) -> None:
    pen, pod = launched(stage)
    words = "container has runAsNonRoot and image will run as root"
    pen.write(pod, waiting("CreateContainerConfigError", words))
    stage.record(
        "13-root-not-allowed",
        "the image runs as root, which the pod forbids",
        Phase.FAILED,
        "ContainerCannotStart",
    )


def a_command_is_not_found(stage: Stage) -> None:
    pen, pod = launched(stage)
    words = (
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: "
        'exec: "python3": executable file not found in $PATH'
    )
    last = ended(128, "StartError", message=words, restarts=1)
    back_off = waiting("CrashLoopBackOff", "back-off 20s restarting", last=last, restarts=2)
    pen.write(pod, back_off)
    stage.record(
        "13-command-not-found",
        "the image has no such program",
        Phase.FAILED,
        "ContainerCannotStart",
    )


SCENES = tuple(
    Scene(play=play)
    for play in (
        an_image_name_is_invalid,
        an_image_is_for_another_processor,
        a_registry_is_not_reached,
        a_pull_goes_on,
        a_mount_fails,
        root_is_not_allowed,
        a_command_is_not_found,
    )
)
