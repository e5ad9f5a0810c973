package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// reviewVersion is the apiVersion of the reviews that are understood.
const reviewVersion = "admission.k8s.io/v1"

// Admission is an admission webhook: an http.Handler that answers an AdmissionReview of admission.k8s.io/v1. It refuses invalid objects,
// with the causes that an API server names, and warns of unknown fields. An update may keep errors of the old object; an update of the
// status validates only the status. CEL rules are evaluated when the API server does: see prunert.Resource.ValidateRulesAfter.
//
// It is for kinds whose installed CRD is looser than their generated code, for example one that preserves unknown fields.
// Objects without linked code are let in, with a warning. Objects of an incomplete resource, which only AddPartial and Register add to a
// set, are refused.
//
// A request to scale an object has a Scale and not the object. Its number of replicas is refused if the schema of that field alone does
// not allow it. What depends on the rest of the object, such as CEL rules, is left to the API server, which validates the scaled object
// by the CRD. The API server calls a webhook for scales only if a rule of its configuration names the subresource: crontabs/scale.
//
// A body that is not a review, or has more than 8 MiB, is answered with a status of HTTP and a sentence. The API server takes requests of
// up to 3 MiB, and a review has the object and the old one. What becomes of the request is then said by the failurePolicy of the webhook.
type Admission struct {
	// Resources is the linked code; nil means all registered resources.
	Resources *prunert.Set
	// Mutate makes it a mutating webhook: the answer has a patch that normalizes the object.
	Mutate bool
}

// admissionRequest and admissionResponse are the parts of an AdmissionReview, as far as they are read and written here. Its Go type is in k8s.io/api.
type admissionRequest struct {
	UID         types.UID                   `json:"uid"`
	Name        string                      `json:"name"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	SubResource string                      `json:"subResource"`
	Object      json.RawMessage             `json:"object"`
	OldObject   json.RawMessage             `json:"oldObject"`
}

type admissionResponse struct {
	UID       types.UID      `json:"uid"`
	Allowed   bool           `json:"allowed"`
	Result    *metav1.Status `json:"status,omitempty"`
	Patch     []byte         `json:"patch,omitempty"`
	PatchType string         `json:"patchType,omitempty"`
	Warnings  []string       `json:"warnings,omitempty"`
}

// ServeHTTP answers one review.
func (a Admission) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	serveReview(w, req, "AdmissionReview", []string{reviewVersion}, a.answer)
}

// answer decides about one request.
func (a Admission) answer(req *admissionRequest) *admissionResponse {
	response := &admissionResponse{UID: req.UID, Allowed: true}
	if isAbsent(req.Object) {
		return response // a deletion
	}
	if err := a.review(req, response); err != nil {
		status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest, Message: err.Error()}
		var apiStatus apierrors.APIStatus
		if errors.As(err, &apiStatus) {
			status = apiStatus.Status()
		}
		response.Allowed, response.Patch, response.PatchType, response.Result = false, nil, "", &status
	}
	return response
}

// isAbsent reports whether a review leaves an object out, or has a null for it.
func isAbsent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// review fills in the response; an error is a refusal.
func (a Admission) review(req *admissionRequest, response *admissionResponse) error {
	if req.SubResource == "scale" {
		return a.reviewScale(req, response)
	}
	var obj, old map[string]any
	if err := utiljson.Unmarshal(req.Object, &obj); err != nil {
		return notJSON("object", err)
	}
	r, err := orLinked(a.Resources).For(obj)
	if err != nil {
		response.Warnings = append(response.Warnings, err.Error())
		return nil
	}
	if err := r.Complete(); err != nil {
		return apierrors.NewInternalError(err)
	}
	if !isAbsent(req.OldObject) {
		if err := utiljson.Unmarshal(req.OldObject, &old); err != nil {
			return notJSON("old object", err)
		}
		if _, err := r.Normalize(old, prunert.NormalizeOptions{Source: prunert.FromStorage}); err != nil {
			return err
		}
	}
	unknown, err := r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return err
	}
	for _, path := range unknown {
		response.Warnings = append(response.Warnings, fmt.Sprintf(`unknown field "%s"`, path))
	}
	errs := validate(r, obj, old, req.SubResource)
	rules, warnings := r.ValidateRulesAfter(obj, old, errs)
	errs = append(errs, rules...)
	response.Warnings = append(response.Warnings, warnings...)
	name := req.Name
	if metadata, ok := obj["metadata"].(map[string]any); ok && name == "" { // a request that creates an object may leave it out
		name, _ = metadata["name"].(string)
	}
	if err := Invalid(schema.GroupKind{Group: r.Group, Kind: r.Kind}, name, errs); err != nil {
		return err
	}
	if a.Mutate {
		return response.setPatch(req.Object, obj)
	}
	return nil
}

// validate returns the errors of an object by its schema. Its own metadata is validated by the API server.
func validate(r prunert.Resource, obj, old map[string]any, subresource string) prunert.ErrorList {
	switch {
	case old == nil:
		return r.Validate(obj)
	case subresource == "status" && r.Status:
		return r.ValidateStatus(obj, old)
	}
	return r.ValidateUpdate(obj, old)
}

// setPatch sets the patch that turns the object that was sent into obj.
func (response *admissionResponse) setPatch(raw []byte, obj map[string]any) error {
	var sent map[string]any
	if err := utiljson.Unmarshal(raw, &sent); err != nil {
		return err
	}
	ops := diff(nil, "", sent, obj)
	if len(ops) == 0 {
		return nil
	}
	patch, err := json.Marshal(ops)
	response.Patch, response.PatchType = patch, "JSONPatch"
	return err
}
