package kube

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// standardFinalizers may do without a domain.
var standardFinalizers = []string{metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents, string(corev1.FinalizerKubernetes)}

// finalizerWarnings warns of the finalizers that are not in old and whose names may clash with those of others.
func finalizerWarnings(finalizers, old []string) []string {
	var warnings []string
	warn := func(name, text string) {
		warnings = append(warnings, fmt.Sprintf("metadata.finalizers: %q: %s", name, text))
	}
	added := slices.Clone(finalizers)
	slices.Sort(added)
	for _, name := range slices.Compact(added) {
		if slices.Contains(old, name) {
			continue
		}
		for _, text := range validation.IsQualifiedName(name) {
			warn(name, text)
		}
		switch {
		case strings.Contains(name, "/") || slices.Contains(standardFinalizers, name):
		case strings.Contains(name, "."):
			warn(name, "prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers")
		default:
			warn(name, "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers")
		}
	}
	return warnings
}
