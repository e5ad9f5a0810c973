package kube

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// maxReview bounds the body of a review: two objects of the size that an API server lets in, and what is around them.
const maxReview = 8 << 20

// Admission is an admission webhook: an http.Handler that answers an AdmissionReview of admission.k8s.io/v1. It refuses objects
// that are not valid, with the causes that an API server names, and warns of unknown fields. An update may keep what was wrong
// before. CEL rules are not evaluated.
//
// It is for kinds whose installed CRD is looser than their generated code, for example one that preserves unknown fields.
// Objects without linked code are let in, with a warning.
type Admission struct {
	// Resources is the linked code; nil means all that is registered.
	Resources *prunert.Set
	// Mutate makes it a mutating webhook: the answer has a patch that normalizes the object.
	Mutate bool
}

// ServeHTTP answers one review.
func (a Admission) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxReview))
	if err != nil {
		http.Error(w, "read the review: "+err.Error(), http.StatusBadRequest)
		return
	}
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(data, review); err != nil || review.Request == nil ||
		review.APIVersion != admissionv1.SchemeGroupVersion.String() || review.Kind != "AdmissionReview" {
		http.Error(w, "the body is not an AdmissionReview of "+admissionv1.SchemeGroupVersion.String()+" with a request", http.StatusBadRequest)
		return
	}
	response := a.Review(review.Request)
	out, err := json.Marshal(&admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}

// Review decides about one request.
func (a Admission) Review(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	response := &admissionv1.AdmissionResponse{UID: req.UID, Allowed: true}
	if len(req.Object.Raw) == 0 {
		return response // a deletion
	}
	if err := a.review(req, response); err != nil {
		status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest, Message: err.Error()}
		if s, ok := err.(apierrors.APIStatus); ok {
			status = s.Status()
		}
		response.Allowed, response.Patch, response.PatchType, response.Result = false, nil, nil, &status
	}
	return response
}

// review fills in the response; an error is a refusal.
func (a Admission) review(req *admissionv1.AdmissionRequest, response *admissionv1.AdmissionResponse) error {
	set := a.Resources
	if set == nil {
		set = prunert.Linked()
	}
	var sent, obj, old map[string]any
	if err := utiljson.Unmarshal(req.Object.Raw, &obj); err != nil {
		return fmt.Errorf("the object is not JSON: %w", err)
	}
	r, err := set.For(obj)
	if err != nil {
		response.Warnings = append(response.Warnings, err.Error())
		return nil
	}
	if len(req.OldObject.Raw) > 0 {
		if err := utiljson.Unmarshal(req.OldObject.Raw, &old); err != nil {
			return fmt.Errorf("the old object is not JSON: %w", err)
		}
		if _, err := r.Normalize(old, prunert.NormalizeOptions{Source: prunert.FromStorage}); err != nil {
			return err
		}
	}
	if err := utiljson.Unmarshal(req.Object.Raw, &sent); err != nil {
		return err
	}
	unknown, err := r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return err
	}
	for _, path := range unknown {
		response.Warnings = append(response.Warnings, fmt.Sprintf(`unknown field "%s"`, path))
	}
	if err := validate(r, obj, old, req.Name); err != nil {
		return err
	}
	if !a.Mutate {
		return nil
	}
	if patch := diff(nil, "", sent, obj); len(patch) > 0 {
		response.Patch, err = json.Marshal(patch)
		kind := admissionv1.PatchTypeJSONPatch
		response.PatchType = &kind
	}
	return err
}

// validate returns what is wrong with an object as the error that an API server answers with.
func validate(r prunert.Resource, obj, old map[string]any, name string) error {
	if r.Validate == nil || r.ValidateUpdate == nil {
		return nil
	}
	// The metadata of the object itself is the API server's business.
	errs := r.Validate(obj)
	if old != nil && len(errs) > 0 {
		errs = r.ValidateUpdate(obj, old)
	}
	if err := Invalid(schema.GroupKind{Group: r.Group, Kind: r.Kind}, name, errs); err != nil {
		return err
	}
	return nil
}

// patchOperation is one of a JSON patch.
type patchOperation map[string]any

// diff appends the operations that make b of a. Lists of the same length are gone into, others replaced.
func diff(ops []patchOperation, path string, a, b any) []patchOperation {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(a)) {
			below := path + "/" + pointer.Replace(k)
			if v, ok := b[k]; ok {
				ops = diff(ops, below, a[k], v)
			} else {
				ops = append(ops, patchOperation{"op": "remove", "path": below})
			}
		}
		for _, k := range slices.Sorted(maps.Keys(b)) {
			if _, ok := a[k]; !ok {
				ops = append(ops, patchOperation{"op": "add", "path": path + "/" + pointer.Replace(k), "value": b[k]})
			}
		}
		return ops
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			break
		}
		for i := range a {
			ops = diff(ops, fmt.Sprintf("%s/%d", path, i), a[i], b[i])
		}
		return ops
	}
	if !reflect.DeepEqual(a, b) {
		ops = append(ops, patchOperation{"op": "replace", "path": path, "value": b})
	}
	return ops
}

// pointer escapes the keys of a JSON pointer.
var pointer = strings.NewReplacer("~", "~0", "/", "~1")
