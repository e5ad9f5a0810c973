package prunetest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Errors of client-go, which does not send such requests.
var (
	errCreateWithoutNamespace = errors.New("an empty namespace may not be set during creation")
	errNamedWithoutNamespace  = errors.New("an empty namespace may not be set when a resource name is provided")
)

// errScale is the error of requests for scales.
var errScale = errors.New("prunetest has no scales: use the server of kube/servertest")

// errNoVersion is the error of a server about a path that it does not serve.
var errNoVersion = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
	Message: "the server could not find the requested resource",
}}

// errPatchType refuses strategic merge patches: the API server has none for custom resources.
var errPatchType = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
	Message: "the body of the request was in an unknown format - accepted media types include: " + strings.Join(
		[]string{string(types.JSONPatchType), string(types.MergePatchType), string(types.ApplyYAMLPatchType)}, ", "),
}}

// groupResource returns how errors name a resource.
func groupResource(r prunert.Resource) schema.GroupResource {
	return schema.GroupResource{Group: r.Group, Resource: r.Plural}
}

// errPatched refuses the object that a patch makes.
func errPatched(patched []byte, why string) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), string(patched), why)})
}

// sameUID refuses a patch that changes the UID. In an update it is a precondition.
func (t target) sameUID(obj, old map[string]any) error {
	is, was := (&unstructured.Unstructured{Object: obj}).GetUID(), (&unstructured.Unstructured{Object: old}).GetUID()
	if is == was || is == "" {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: t.Group, Kind: t.Kind}, t.name, field.ErrorList{field.Invalid(field.NewPath("metadata", "uid"), is, "field is immutable")})
}

// errUndeclared refuses an apply configuration with fields that the schema does not have.
func errUndeclared(r prunert.Resource, namespace, name string, unknown []string) error {
	var why strings.Builder
	if len(unknown) > 1 {
		why.WriteString("errors:")
	}
	for _, path := range unknown {
		if len(unknown) > 1 {
			why.WriteString("\n  ")
		}
		fmt.Fprintf(&why, ".%s: field not declared in schema", path)
	}
	return errInternal(fmt.Sprintf("failed to create typed patch object (%s/%s; %s, Kind=%s): %s", namespace, name, r.APIVersion(), r.Kind, why.String()))
}

// errInternal is how a server passes on errors that are not meant for clients.
func errInternal(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: message}}
}
