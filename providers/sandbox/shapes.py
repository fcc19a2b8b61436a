"""The shapes of objects: which fields there are, and how lists and maps are merged and owned.

A table of what the API reference publishes of the kinds that Slipway writes. A shape is a word of
the table or: `str`, `int`, `bool`, `quantity`, `intstr`, `any` (owned whole, not looked into);
`{x}` a map; `[x]` a list owned whole, `[x key key]` one whose items are told apart by keys, `[x .]`
a set; `!` before a shape: owned whole, though looked into.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

_TABLE = """
Deployment apiVersion:str kind:str metadata:ObjectMeta spec:DeploymentSpec status:any
ReplicaSet apiVersion:str kind:str metadata:ObjectMeta spec:ReplicaSetSpec status:any
Pod apiVersion:str kind:str metadata:ObjectMeta spec:PodSpec status:any
Service apiVersion:str kind:str metadata:ObjectMeta spec:ServiceSpec status:any
HorizontalPodAutoscaler apiVersion:str kind:str metadata:ObjectMeta spec:AutoscalerSpec status:any
ResourceQuota apiVersion:str kind:str metadata:ObjectMeta spec:QuotaSpec status:any
Scale apiVersion:str kind:str metadata:ObjectMeta spec:ScaleSpec status:any
ScaleSpec replicas:int
QuotaSpec hard:{quantity} scopeSelector:any scopes:[str]
ObjectMeta annotations:{str} creationTimestamp:str deletionGracePeriodSeconds:int
 deletionTimestamp:str finalizers:[str_.] generateName:str generation:int labels:{str}
 managedFields:any name:str namespace:str ownerReferences:[!OwnerReference_uid]
 resourceVersion:str selfLink:str uid:str
OwnerReference apiVersion:str blockOwnerDeletion:bool controller:bool kind:str name:str uid:str
DeploymentSpec minReadySeconds:int paused:bool progressDeadlineSeconds:int replicas:int
 revisionHistoryLimit:int selector:!LabelSelector strategy:Strategy template:PodTemplate
ReplicaSetSpec minReadySeconds:int replicas:int selector:!LabelSelector template:PodTemplate
LabelSelector matchExpressions:[any] matchLabels:{str}
Strategy type:str rollingUpdate:RollingUpdate
RollingUpdate maxSurge:intstr maxUnavailable:intstr
PodTemplate metadata:ObjectMeta spec:PodSpec
PodSpec activeDeadlineSeconds:int affinity:any automountServiceAccountToken:bool
 containers:[Container_name] dnsConfig:any dnsPolicy:str enableServiceLinks:bool
 ephemeralContainers:any hostAliases:any hostIPC:bool hostNetwork:bool hostPID:bool
 hostUsers:bool hostname:str hostnameOverride:str imagePullSecrets:[!Named_name]
 initContainers:[Container_name] nodeName:str nodeSelector:!{str} os:any overhead:{quantity}
 preemptionPolicy:str priority:int priorityClassName:str readinessGates:any resourceClaims:any
 resources:Resources restartPolicy:str runtimeClassName:str schedulerName:str schedulingGates:any
 schedulingGroup:any securityContext:PodSecurity serviceAccount:str serviceAccountName:str
 setHostnameAsFQDN:bool shareProcessNamespace:bool subdomain:str
 terminationGracePeriodSeconds:int tolerations:[Toleration] topologySpreadConstraints:any
 volumes:[Volume_name]
Container args:[str] command:[str] env:[Variable_name] envFrom:[VariableSource] image:str
 imagePullPolicy:str lifecycle:Lifecycle livenessProbe:Probe name:str
 ports:[ContainerPort_containerPort_protocol] readinessProbe:Probe resizePolicy:any
 resources:Resources restartPolicy:str restartPolicyRules:any securityContext:Security
 startupProbe:Probe stdin:bool stdinOnce:bool terminationMessagePath:str
 terminationMessagePolicy:str tty:bool volumeDevices:any volumeMounts:[Mount_mountPath]
 workingDir:str
Variable name:str value:str valueFrom:ValueFrom
ValueFrom configMapKeyRef:!KeyOf fieldRef:any fileKeyRef:any resourceFieldRef:any
 secretKeyRef:!KeyOf
KeyOf key:str name:str optional:bool
VariableSource configMapRef:Source prefix:str secretRef:Source
Source name:str optional:bool
Lifecycle postStart:any preStop:any stopSignal:str
Probe exec:any failureThreshold:int grpc:any httpGet:HttpGet initialDelaySeconds:int
 periodSeconds:int successThreshold:int tcpSocket:TcpSocket terminationGracePeriodSeconds:int
 timeoutSeconds:int
HttpGet host:str httpHeaders:any path:str port:intstr scheme:str
TcpSocket host:str port:intstr
ContainerPort containerPort:int hostIP:str hostPort:int name:str protocol:str
Resources claims:any limits:{quantity} requests:{quantity}
Security allowPrivilegeEscalation:bool appArmorProfile:any capabilities:Capabilities
 privileged:bool procMount:str readOnlyRootFilesystem:bool runAsGroup:int runAsNonRoot:bool
 runAsUser:int seLinuxOptions:any seccompProfile:any windowsOptions:any
Capabilities add:[str] drop:[str]
Mount mountPath:str mountPropagation:str name:str readOnly:bool recursiveReadOnly:str
 subPath:str subPathExpr:str
Named name:str
PodSecurity appArmorProfile:any fsGroup:int fsGroupChangePolicy:str runAsGroup:int
 runAsNonRoot:bool runAsUser:int seLinuxChangePolicy:str seLinuxOptions:any
 seccompProfile:any supplementalGroups:[int] supplementalGroupsPolicy:str sysctls:any
 windowsOptions:any
Toleration effect:str key:str operator:str tolerationSeconds:int value:str
Volume name:str configMap:any csi:any downwardAPI:any emptyDir:EmptyDir ephemeral:any
 hostPath:any image:any iscsi:any nfs:any persistentVolumeClaim:Claim projected:any
 secret:SecretVolume
EmptyDir medium:str sizeLimit:quantity
Claim claimName:str readOnly:bool
SecretVolume defaultMode:int items:any optional:bool secretName:str
ServiceSpec allocateLoadBalancerNodePorts:bool clusterIP:str clusterIPs:[str]
 externalIPs:[str] externalName:str externalTrafficPolicy:str healthCheckNodePort:int
 internalTrafficPolicy:str ipFamilies:[str] ipFamilyPolicy:str loadBalancerClass:str
 loadBalancerIP:str loadBalancerSourceRanges:[str] ports:[ServicePort_port_protocol]
 publishNotReadyAddresses:bool selector:!{str} sessionAffinity:str sessionAffinityConfig:any
 trafficDistribution:str type:str
ServicePort appProtocol:str name:str nodePort:int port:int protocol:str targetPort:intstr
AutoscalerSpec behavior:any maxReplicas:int metrics:[Metric] minReplicas:int
 scaleTargetRef:ScaleTarget
ScaleTarget apiVersion:str kind:str name:str
Metric containerResource:any external:any object:any pods:PodsMetric resource:ResourceMetric
 type:str
PodsMetric metric:MetricName target:MetricTarget
ResourceMetric name:str target:MetricTarget
MetricName name:str selector:any
MetricTarget averageUtilization:int averageValue:quantity type:str value:quantity
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """One shape; `whole` says that it is owned and replaced as one."""

    form: str
    whole: bool = False
    keys: tuple[str, ...] = ()
    inner: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def item(self) -> "Shape":
        """Return the shape of the members of a list or map."""
        return shape_of(self.inner)


def shape_of_kind(kind: str) -> Shape:
    """Return the shape of a kind; of one that the table lacks only the metadata is looked at."""
    return shape_of(kind if kind in _STRUCTS else "any")


@cache
def shape_of(text: str) -> Shape:
    """Return what a word of the table stands for."""
    if text.startswith("!"):
        inner = shape_of(text[1:])
        return Shape(
            form=inner.form, whole=True, keys=inner.keys, inner=inner.inner, fields=inner.fields
        )
    if text.startswith("{"):
        return Shape(form="map", inner=text[1:-1])
    if text.startswith("["):
        inner_text, *keys = text[1:-1].split("_")
        if keys == ["."]:
            return Shape(form="set", inner=inner_text)
        return Shape(form="list", whole=not keys, keys=tuple(keys), inner=inner_text)
    if text in _STRUCTS:
        return Shape(form="struct", fields=_STRUCTS[text])
    return Shape(form=text, whole=True)


def _read_table() -> Mapping[str, Mapping[str, str]]:
    structs = {}
    for line in _TABLE.replace("\n ", " ").strip().splitlines():
        name, *fields = line.split()
        structs[name] = dict(entry.split(":") for entry in fields)
    return structs


_STRUCTS = _read_table()
