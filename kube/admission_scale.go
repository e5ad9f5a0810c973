package kube

import (
	"encoding/json"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// scale is a Scale of autoscaling/v1, as far as it is read here.
type scale struct {
	Spec struct {
		Replicas int32 `json:"replicas"`
	} `json:"spec"`
}

// reviewScale judges the replicas that a Scale asks for; an error is a refusal. The rest of the object is not in the request, so that only
// errors at the replicas themselves count.
func (a Admission) reviewScale(req *admissionRequest, response *admissionResponse) error {
	r, ok := scaledBy(orLinked(a.Resources), req.Resource)
	if !ok {
		response.Warnings = append(response.Warnings, "no code for the scale of "+req.Resource.Resource+" of "+
			prunert.Resource{Group: req.Resource.Group, Version: req.Resource.Version}.APIVersion())
		return nil
	}
	if err := r.Complete(); err != nil {
		return apierrors.NewInternalError(err)
	}
	var sent, stored scale
	if err := json.Unmarshal(req.Object, &sent); err != nil {
		return notJSON("object", err)
	}
	if !isAbsent(req.OldObject) {
		if err := json.Unmarshal(req.OldObject, &stored); err != nil {
			return notJSON("old object", err)
		}
	}
	errs := replicasErrors(r, sent.Spec.Replicas, stored.Spec.Replicas)
	return Invalid(schema.GroupKind{Group: r.Group, Kind: r.Kind}, req.Name, errs)
}

// scaledBy returns the resource that has a scale subresource and this name in the API.
func scaledBy(set *prunert.Set, of metav1.GroupVersionResource) (prunert.Resource, bool) {
	for _, r := range set.Resources() {
		if r.Group == of.Group && r.Version == of.Version && r.Plural == of.Resource && r.Scale != nil {
			return r, true
		}
	}
	return prunert.Resource{}, false
}

// replicasErrors returns the errors of an update of the replicas, in an object that has nothing else. It returns none if an object around
// them is invalid: a schema of that object, in an anyOf for example, may allow the replicas together with other fields.
func replicasErrors(r prunert.Resource, sent, stored int32) (errs prunert.ErrorList) {
	steps := strings.Split(strings.TrimPrefix(r.Scale.SpecReplicasPath, "."), ".")
	with := func(replicas int32) map[string]any {
		obj := map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind}
		_ = unstructured.SetNestedField(obj, int64(replicas), steps...) // fails only below a value that is not an object
		return obj
	}
	path := prunert.FieldPath(steps...).String()
	for _, e := range r.ValidateUpdate(with(sent), with(stored)) {
		switch at := e.Path.String(); {
		case at == path:
			errs = append(errs, e)
		case at == "" || strings.HasPrefix(path, at+"."):
			return nil
		}
	}
	return errs
}
