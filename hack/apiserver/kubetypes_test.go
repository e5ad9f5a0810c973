package apiserver

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/prune-gen/prune-gen/internal/suite/suiteinit"
)

// A schema that was generated from a type of Kubernetes has the fields by which it is known, and no others where those are all.
func TestKubernetesTypesHaveTheirFields(t *testing.T) {
	known := map[string]bool{}
	for _, of := range []any{
		batchv1.JobSpec{}, corev1.PodSpec{}, corev1.Container{}, corev1.Volume{}, corev1.Probe{}, corev1.SecurityContext{}, corev1.PodSecurityContext{},
		corev1.PersistentVolumeClaimSpec{}, corev1.ServiceSpec{}, corev1.TopologySpreadConstraint{}, corev1.Affinity{}, corev1.NodeAffinity{},
		corev1.Toleration{}, corev1.EnvVar{}, corev1.EnvFromSource{}, corev1.VolumeMount{}, corev1.ResourceRequirements{}, corev1.SecretKeySelector{},
		metav1.LabelSelector{}, corev1.ObjectReference{}, metav1.Condition{},
	} {
		of := reflect.TypeOf(of)
		i := slices.IndexFunc(suiteinit.KubernetesTypes, func(k suiteinit.KubernetesType) bool { return k.Name == of.Name() })
		if i < 0 {
			t.Errorf("there is no type %s", of.Name())
			continue
		}
		k, has := suiteinit.KubernetesTypes[i], fieldsOf(of)
		known[k.Name] = true
		for _, name := range k.Has {
			if !slices.Contains(has, name) {
				t.Errorf("%s has no field %s", k.Name, name)
			}
		}
		for _, name := range has {
			if k.Only != nil && !slices.Contains(k.Has, name) && !slices.Contains(k.Only, name) {
				t.Errorf("%s has a field %s, which is not expected", k.Name, name)
			}
		}
	}
	for _, k := range suiteinit.KubernetesTypes {
		if !known[k.Name] {
			t.Errorf("%s was not compared", k.Name)
		}
	}
}

// fieldsOf returns the names of the fields of a type in JSON.
func fieldsOf(of reflect.Type) []string {
	var all []string
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			all = append(all, fieldsOf(f.Type)...)
			continue
		}
		all = append(all, name)
	}
	return all
}
