package kubenames

import (
	"slices"
	"strings"
)

// builtIn has the kinds that clients can send to Kubernetes 1.33 to 1.37, by their groups.
var builtIn = map[string]string{
	"": "Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate " +
		"ReplicationController ResourceQuota Secret Service ServiceAccount",
	"admissionregistration.k8s.io": "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
		"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
	"apiextensions.k8s.io":         "CustomResourceDefinition",
	"apiregistration.k8s.io":       "APIService",
	"apps":                         "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
	"authentication.k8s.io":        "SelfSubjectReview TokenRequest TokenReview",
	"authorization.k8s.io":         "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
	"autoscaling":                  "HorizontalPodAutoscaler Scale",
	"batch":                        "CronJob Job",
	"certificates.k8s.io":          "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest",
	"coordination.k8s.io":          "Lease LeaseCandidate",
	"discovery.k8s.io":             "EndpointSlice",
	"events.k8s.io":                "Event",
	"flowcontrol.apiserver.k8s.io": "FlowSchema PriorityLevelConfiguration",
	"internal.apiserver.k8s.io":    "StorageVersion",
	"lifecycle.k8s.io":             "Eviction EvictionRequest",
	"networking.k8s.io":            "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR",
	"node.k8s.io":                  "RuntimeClass",
	"policy":                       "Eviction PodDisruptionBudget",
	"rbac.authorization.k8s.io":    "ClusterRole ClusterRoleBinding Role RoleBinding",
	"resource.k8s.io":              "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourcePoolStatusRequest ResourceSlice",
	"scheduling.k8s.io":            "CompositePodGroup PodGroup PriorityClass Workload",
	"storage.k8s.io":               "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
	"storagemigration.k8s.io":      "StorageVersionMigration",
}

// BuiltIn returns the kinds of Kubernetes itself in a group, in any of its versions.
func BuiltIn(group string) []string { return strings.Fields(builtIn[group]) }

// IsBuiltIn reports whether a kind is one of Kubernetes itself, in any version of its group.
func IsBuiltIn(group, kind string) bool { return slices.Contains(BuiltIn(group), kind) }

// IsLocal reports whether a kind is that of files which are sent to no server: of kubeconfig files, which have a group of Kubernetes
// itself, and of the configuration of programs.
func IsLocal(group, kind string) bool {
	switch group {
	case "":
		return kind == "Config"
	case "audit.k8s.io", "kind.x-k8s.io", "kubeadm.k8s.io":
		return true
	}
	return strings.HasSuffix(group, ".config.k8s.io") // of kustomize, the kubelet and others
}
