package kube

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Scale says where a kind with a scale subresource keeps what that subresource has: paths such as .spec.replicas. The selector
// may be empty.
type Scale struct {
	SpecReplicas, StatusReplicas, Selector string
}

// fieldsOf returns the fields on the way of a path.
func fieldsOf(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// SpecReplicasOf returns the wanted replicas of an object, and whether it says how many it wants.
func (s Scale) SpecReplicasOf(obj map[string]any) (replicas int64, found bool, err error) {
	return unstructured.NestedInt64(obj, fieldsOf(s.SpecReplicas)...)
}

// SetSpecReplicas sets the wanted replicas of an object.
func (s Scale) SetSpecReplicas(obj map[string]any, replicas int64) error {
	return unstructured.SetNestedField(obj, replicas, fieldsOf(s.SpecReplicas)...)
}

// StatusReplicasOf returns the replicas that an object has.
func (s Scale) StatusReplicasOf(obj map[string]any) (int64, error) {
	replicas, _, err := unstructured.NestedInt64(obj, fieldsOf(s.StatusReplicas)...)
	return replicas, err
}

// SelectorOf returns the selector of the pods of an object.
func (s Scale) SelectorOf(obj map[string]any) (string, error) {
	if s.Selector == "" {
		return "", nil
	}
	selector, _, err := unstructured.NestedString(obj, fieldsOf(s.Selector)...)
	return selector, err
}

// validateSpec returns what is wrong with the wanted replicas of an object. A nil Scale finds nothing wrong.
func (s *Scale) validateSpec(obj map[string]any) field.ErrorList {
	if s == nil {
		return nil
	}
	replicas, _, err := s.SpecReplicasOf(obj)
	return validateReplicas(s.SpecReplicas, replicas, err)
}

// validateStatus returns what is wrong with the replicas that an object has, and with its selector.
func (s *Scale) validateStatus(obj map[string]any) field.ErrorList {
	if s == nil {
		return nil
	}
	replicas, err := s.StatusReplicasOf(obj)
	errs := validateReplicas(s.StatusReplicas, replicas, err)
	if selector, err := s.SelectorOf(obj); err != nil {
		errs = append(errs, field.Invalid(field.NewPath(s.Selector), selector, err.Error()))
	}
	return errs
}

func validateReplicas(path string, replicas int64, err error) field.ErrorList {
	var detail string
	switch {
	case err != nil:
		detail = err.Error()
	case replicas < 0:
		detail = "should be a non-negative integer"
	case replicas > math.MaxInt32:
		detail = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(path), replicas, detail)}
}
