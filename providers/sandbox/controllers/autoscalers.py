"""HorizontalPodAutoscalers: minimum and maximum always, the metric where the cluster has one."""

from collections.abc import Iterable
from copy import deepcopy
from math import ceil

from providers.contract.manifest import Manifest
from providers.sandbox.controllers.conditions import condition, condition_of
from providers.sandbox.desk import CONTROLLERS, Desk
from providers.sandbox.journal import Journal
from providers.sandbox.kinds import BY_PLURAL
from providers.sandbox.managers import holders_of, note_update
from providers.sandbox.shapes import shape_of_kind
from providers.sandbox.store import Change, Key, is_ending
from providers.simulation.pod_life.conditions import timestamp

EVERY_SECONDS = 15.0
COMPONENT = "horizontal-pod-autoscaler"
_UNREADABLE = (
    "the HPA was unable to compute the replica count: failed to get {name} utilization: unable to "
    "get metrics for resource {name}: unable to fetch metrics from resource metrics API: the "
    "server could not find the requested resource (get pods.metrics.k8s.io)"
)
# Replicas that are wanted, those that the status names, conditions, and why.
Verdict = tuple[int, int, list[Manifest], str]


class Autoscalers:
    """Scales Deployments. `usage` is what every pod uses in percent, None without metrics."""

    def __init__(self, desk: Desk, journal: Journal, usage: int | None) -> None:
        self._desk, self._journal, self._usage = desk, journal, usage

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural != "horizontalpodautoscalers" or change.new is None:
            return ()
        new = (change.old or {}).get("spec") != change.new.get("spec")
        return [change.key] if new else ()

    def reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None or is_ending(item):
            return None
        ref = item["spec"]["scaleTargetRef"]
        target = self._desk.store.get("deployments", ref["name"], key.namespace)
        if target is None:
            words = ("AbleToScale", "False", "FailedGetScale")
            text = "the HPA controller was unable to get the target's current scale: "
            text += f'deployments.apps "{ref["name"]}" not found'
            self._report(item, 0, 0, [self._told(item, *words, text)])
            return EVERY_SECONDS
        present = target["spec"]["replicas"]
        wanted, desired, conditions, why = self._judge(item, target)
        if wanted != present:
            self._scale(target, wanted)
            message = f"New size: {wanted}; reason: {why}"
            self._journal.tell(item, "SuccessfulRescale", message, by=COMPONENT)
        self._report(item, target["status"].get("replicas", 0), desired, conditions)
        return EVERY_SECONDS

    def _judge(self, item: Manifest, target: Manifest) -> Verdict:
        spec, present = item["spec"], target["spec"]["replicas"]
        able = self._told(item, "AbleToScale", "True", "SucceededGetScale", _ABLE)
        before, rivals = item["status"].get("desiredReplicas", 0), self._rivals(item)
        if len(rivals) > 1:
            labels = target["spec"]["selector"]["matchLabels"]
            selector = ",".join(f"{name}={value}" for name, value in sorted(labels.items()))
            text = f"pods by selector {selector} are controlled by multiple HPAs: "
            words = ("ScalingActive", "False", "AmbiguousSelector")
            told = self._told(item, *words, f"{text}[{' '.join(rivals)}]")
            return present, before, [able, told], ""
        if present == 0:
            text = "scaling is disabled since the replica count of the target is zero"
            words = ("ScalingActive", "False", "ScalingDisabled")
            return 0, 0, [able, self._told(item, *words, text)], ""
        for bound, is_out, why in (
            (spec["maxReplicas"], present > spec["maxReplicas"], "above Spec.MaxReplicas"),
            (spec["minReplicas"], present < spec["minReplicas"], "below Spec.MinReplicas"),
        ):
            if is_out:
                text = f"the HPA controller was able to update the target scale to {bound}"
                done = self._told(item, "AbleToScale", "True", "SucceededRescale", text)
                kept = condition_of(item, "ScalingActive")
                conditions = [done, kept] if kept else [done]
                return bound, bound, conditions, f"Current number of replicas {why}"
        return self._measure(item, target, able)

    def _measure(self, item: Manifest, target: Manifest, able: Manifest) -> Verdict:
        spec, present = item["spec"], target["spec"]["replicas"]
        metric = (spec.get("metrics") or [{}])[0].get("resource") or {"name": "cpu", "target": {}}
        if self._usage is None:
            text = _UNREADABLE.format(name=metric["name"])
            words = ("ScalingActive", "False", "FailedGetResourceMetric")
            before = item["status"].get("desiredReplicas", 0)
            return present, before, [able, self._told(item, *words, text)], ""
        share = self._usage / (metric["target"].get("averageUtilization") or 80)
        ready = target["status"].get("readyReplicas", 0)
        asked = ceil(ready * share) if ready else present
        wanted = min(max(asked, spec["minReplicas"]), spec["maxReplicas"])
        text = f"the HPA was able to successfully calculate a replica count from {metric['name']}"
        active = self._told(
            item, "ScalingActive", "True", "ValidMetricFound", f"{text} resource utilization"
        )
        return wanted, wanted, [able, active], "All metrics below target"

    def _rivals(self, item: Manifest) -> list[str]:
        namespace = item["metadata"]["namespace"]
        every = self._desk.store.items("horizontalpodautoscalers", namespace)
        mine = item["spec"]["scaleTargetRef"]["name"]
        rivals = [each for each in every if each["spec"]["scaleTargetRef"]["name"] == mine]
        return [f"{namespace}/{each['metadata']['name']}" for each in rivals]

    def _scale(self, target: Manifest, replicas: int) -> None:
        kind, changed = BY_PLURAL["deployments"], deepcopy(target)
        changed["spec"]["replicas"] = replicas
        if any(("f:spec", "f:replicas") in holder.fields for holder in holders_of(target)):
            who = self._desk.holder(kind, CONTROLLERS, "Update", "scale")
            note_update(target, changed, shape_of_kind(kind.name), who)
        self._desk.write("deployments", changed)

    def _told(self, item: Manifest, *words: str) -> Manifest:
        kind, status, reason, message = words
        return condition(item, kind, status, reason, message, now=self._desk.clock.now())

    def _report(
        self, item: Manifest, current: int, wanted: int, conditions: list[Manifest]
    ) -> None:
        status = {**item["status"], "conditions": conditions, "desiredReplicas": wanted}
        status |= {"currentReplicas": current, "currentMetrics": None}
        if wanted != current:
            status["lastScaleTime"] = timestamp(self._desk.clock.now())
        self._desk.set_status("horizontalpodautoscalers", item, status)


_ABLE = "the HPA controller was able to get the target's current scale"
