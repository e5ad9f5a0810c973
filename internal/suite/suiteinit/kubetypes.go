package suiteinit

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// KubernetesType is a type that Kubernetes defines and CRDs include. Its constraints are not decisions of the author of a CRD. A CRD does
// not name the types of Go that it was generated from: a schema counts as such a type if it has all fields in Has and, if Only is not
// nil, no others than those and the ones in Only. A copy with fewer fields is a type of its own.
type KubernetesType struct {
	Name      string
	Has, Only []string
}

func anyWith(name, fields string) KubernetesType {
	return KubernetesType{Name: name, Has: strings.Fields(fields)}
}

func exactly(name, fields, newer string) KubernetesType {
	return KubernetesType{Name: name, Has: strings.Fields(fields), Only: append([]string{}, strings.Fields(newer)...)}
}

// KubernetesTypes are the types with constraints that CRDs include most. Fields that Kubernetes added later are not wanted: CRDs are
// generated from older versions, too.
var KubernetesTypes = []KubernetesType{
	anyWith("PodSpec", "containers initContainers volumes restartPolicy nodeSelector serviceAccountName affinity tolerations securityContext"),
	anyWith("Container", "name image command args env envFrom ports resources volumeMounts livenessProbe securityContext"),
	anyWith("Volume", "name configMap csi emptyDir hostPath persistentVolumeClaim projected secret"),
	anyWith("Probe", "failureThreshold httpGet initialDelaySeconds periodSeconds successThreshold tcpSocket timeoutSeconds"),
	anyWith("SecurityContext", "capabilities privileged readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser"),
	anyWith("PodSecurityContext", "fsGroup runAsGroup runAsNonRoot runAsUser supplementalGroups sysctls"),
	anyWith("PersistentVolumeClaimSpec", "accessModes resources selector storageClassName volumeMode volumeName"),
	anyWith("ServiceSpec", "clusterIP externalIPs ports selector sessionAffinity type"),
	anyWith("JobSpec", "activeDeadlineSeconds backoffLimit completions parallelism selector template"),
	anyWith("TopologySpreadConstraint", "labelSelector maxSkew topologyKey whenUnsatisfiable"),
	anyWith("VolumeMount", "mountPath mountPropagation name readOnly subPath subPathExpr"),
	exactly("Affinity", "nodeAffinity podAffinity podAntiAffinity", ""),
	exactly("NodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution requiredDuringSchedulingIgnoredDuringExecution", ""), // or one for pods
	exactly("Toleration", "effect key operator tolerationSeconds value", ""),
	exactly("EnvVar", "name value valueFrom", ""),
	exactly("EnvFromSource", "configMapRef prefix secretRef", ""),
	exactly("ResourceRequirements", "limits requests", "claims"),
	exactly("SecretKeySelector", "key name optional", ""), // or one for a ConfigMap
	exactly("LabelSelector", "matchExpressions matchLabels", ""),
	exactly("ObjectReference", "apiVersion fieldPath kind name namespace resourceVersion uid", ""),
	exactly("Condition", "lastTransitionTime message reason status type", "observedGeneration"),
}

// kubernetesType returns the name of the type of Kubernetes that a schema has, "" for none.
func kubernetesType(s *structural.Schema) string {
	for _, t := range KubernetesTypes {
		if t.is(s) {
			return t.Name
		}
	}
	return ""
}

func (t KubernetesType) is(s *structural.Schema) bool {
	if s == nil {
		return false
	}
	for _, name := range t.Has {
		if s.Properties[name] == nil {
			return false
		}
	}
	others := len(s.Properties) - len(t.Has)
	for _, name := range t.Only {
		if s.Properties[name] != nil {
			others--
		}
	}
	return t.Only == nil || others == 0
}

// within returns the place and the name of the type of Kubernetes that a constraint is part of, "" for none. CEL rules are never part of
// one: somebody has written them for the CRD.
func (f *finder) within(number int) (place, name string) {
	steps := f.all[number].Steps()
	if f.all[number].Kind == crdcover.Rule {
		return "", ""
	}
	s := f.schema
	for i, step := range steps {
		if name := kubernetesType(s); name != "" {
			return crdcover.PathOf(steps[:i]), name
		}
		s = specimen.At(s, prunert.FieldPath(step))
	}
	return "", ""
}
