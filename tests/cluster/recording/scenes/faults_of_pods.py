"""Rows 12 to 19 as the stand-in kubelet shows them: images, secrets, crashes, probes, loading."""

from providers.contract.manifest import Manifest
from providers.contract.status import Phase
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.stage import Stage

SIMULATE = "SLIPWAY_SIMULATE"
PAST_THE_DEADLINE = 700
BACK_OFF, PULL_FAILED = "CrashLoopBackOff", "ErrImagePull"
SOURCE: Manifest = {"type": "huggingface", "uri": "Qwen/Qwen3-0.6B"}


def _init(name: str, word: str) -> Manifest:
    """Return an init container that somebody adds to the template."""
    env = [{"name": SIMULATE, "value": word}]
    return {"name": name, "image": "docker.io/library/fetch:1", "env": env}


def _needs(secret: object) -> Manifest:
    return {**SOURCE, "auth_secret_ref": secret}


def an_image_is_not_found(stage: Stage) -> None:
    stage.create(word="image-not-found")
    stage.record(
        "12-image-not-found", "no such tag", Phase.FAILED, "ImageNotFound", shows=PULL_FAILED
    )
    stage.update(stage.launch.with_env(**{SIMULATE: "slow-load:20"}))
    stage.record(
        "12-old-image-missing-decides-nothing",
        "the image that is missing is that of the old revision",
        Phase.DEPLOYING,
        "LoadingModel",
    )


def a_new_image_is_not_found(stage: Stage) -> None:
    stage.create()
    stage.ready()
    first = stage.launch.request.spec.engine.env
    stage.update(stage.launch.with_env(**{SIMULATE: "image-not-found"}))
    stage.record(
        "12-new-image-missing-old-one-serves",
        "no such tag, the old revision serves",
        Phase.DEGRADED,
        "ImageNotFound",
    )
    stage.update(stage.launch.with_env(**first))
    stage.record(
        "12-back-after-rollback",
        "the old template again, whose pod never went",
        Phase.READY,
        "Available",
    )


def an_image_is_private(stage: Stage) -> None:
    stage.create(word="unauthorized")
    stage.record("12-image-unauthorized", "no right to pull", Phase.FAILED, "ImageUnauthorized")


def an_init_image_is_not_found(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    stage.patch_template(initContainers=[_init("prepare", "image-not-found")])
    stage.record(
        "12-init-image-not-found",
        "the image of an init container is missing",
        Phase.FAILED,
        "ImageNotFound",
        shows=PULL_FAILED,
    )


def a_secret_is_missing(stage: Stage) -> None:
    stage.create(model_source=_needs("hub"))
    stage.record("13-secret-missing", "the secret does not exist", Phase.FAILED, "SecretMissing")
    stage.make("secrets", {"metadata": {"name": "hub"}, "stringData": {"token": "x"}})
    stage.record(
        "13-secret-made-since",
        "the secret was made since, and the pod went on by itself",
        Phase.READY,
        "Available",
    )


def a_key_is_missing(stage: Stage) -> None:
    stage.make("secrets", {"metadata": {"name": "hub"}, "stringData": {"other": "x"}})
    stage.create(model_source=_needs({"name": "hub", "key": "token"}))
    stage.record(
        "13-secret-key-missing", "the secret has no such key", Phase.FAILED, "SecretMissing"
    )


def a_config_is_missing(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    [container] = stage.pods_template()["containers"]
    source = {"configMapKeyRef": {"name": "tuning", "key": "threads"}}
    env = [*container["env"], {"name": "THREADS", "valueFrom": source}]
    stage.patch_template(containers=[{**container, "env": env}])
    stage.record("13-config-missing", "the ConfigMap does not exist", Phase.FAILED, "ConfigMissing")


def a_volume_names_a_missing_secret(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    volumes = stage.pods_template()["volumes"]
    volume = {"name": "certificates", "secret": {"secretName": "certificates"}}
    stage.patch_template(volumes=[*volumes, volume])
    stage.record(
        "13-secret-volume-missing",
        "the secret of a volume does not exist",
        Phase.FAILED,
        "SecretMissing",
    )


def a_model_cannot_be_fetched(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    stage.patch_template(initContainers=[_init("storage-initializer", "crash")])
    stage.record(
        "13-model-download-fails",
        "the init container that fetches the model ends in error",
        Phase.FAILED,
        "ModelDownloadFailed",
        shows=BACK_OFF,
    )


def an_engine_needs_more_memory(stage: Stage) -> None:
    stage.create(word="oom")
    stage.record(
        "14-out-of-memory-in-back-off",
        "killed for its memory",
        Phase.FAILED,
        "OutOfMemory",
        shows=BACK_OFF,
    )


def an_init_container_needs_more_memory(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    stage.patch_template(initContainers=[_init("prepare", "oom")])
    stage.record(
        "14-out-of-memory-in-init",
        "an init container is killed for its memory",
        Phase.FAILED,
        "OutOfMemory",
    )


def an_engine_crashes(stage: Stage) -> None:
    stage.create(word="crash")
    stage.record(
        "15-crash-loop",
        "ends with an error again and again",
        Phase.FAILED,
        "CrashLoop",
        shows=BACK_OFF,
    )
    stage.later(
        "15-crash-loop-beats-the-deadline",
        "15-crash-loop",
        "the same past the deadline: the cause is told",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.FAILED,
        reason="CrashLoop",
    )


def an_engine_is_killed_while_loading(stage: Stage) -> None:
    stage.create(word="slow-load:600", budget=10)
    stage.record("18-loading", "loads within its budget", Phase.DEPLOYING, "LoadingModel")
    stage.record(
        "15-killed-while-loading-by-event",
        "its startup probe kills it",
        Phase.FAILED,
        "KilledWhileLoading",
        shows=BACK_OFF,
    )


def an_engine_is_never_ready(stage: Stage) -> None:
    stage.create(word="never-ready", budget=10)
    stage.pass_by(5)
    stage.record(
        "19-within-the-budget",
        "running and not ready, within the budget",
        Phase.DEPLOYING,
        "LoadingModel",
    )
    stage.record("19-never-ready", "running past the budget", Phase.FAILED, "ReadinessFailing")


SCENES = tuple(
    Scene(play=play)
    for play in (
        an_image_is_not_found,
        a_new_image_is_not_found,
        an_image_is_private,
        an_init_image_is_not_found,
        a_secret_is_missing,
        a_key_is_missing,
        a_config_is_missing,
        a_volume_names_a_missing_secret,
        a_model_cannot_be_fetched,
        an_engine_needs_more_memory,
        an_init_container_needs_more_memory,
        an_engine_crashes,
        an_engine_is_killed_while_loading,
        an_engine_is_never_ready,
    )
)
