// Package objectmeta has functions with the names and the types of those in Kubernetes' package of that name, which call ours, so that
// Kubernetes' tests can be run against ours.
package objectmeta

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/hack/conformance/oddmeta"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What is not under test is Kubernetes' own.
type (
	ObjectMetaOptions = objectmeta.ObjectMetaOptions
	CoerceOptions     = objectmeta.CoerceOptions
)

// SetObjectMeta is Kubernetes' own.
func SetObjectMeta(obj map[string]any, meta *metav1.ObjectMeta) error {
	return objectmeta.SetObjectMeta(obj, meta)
}

// read and readWithOptions count the calls that tests make. Some of Kubernetes' tables are not subtests.
var read, readWithOptions atomic.Int64

// GetObjectMeta is GetObjectMetaWithOptions with one option.
func GetObjectMeta(obj map[string]any, dropMalformedFields bool) (*metav1.ObjectMeta, bool, error) {
	read.Add(1)
	meta, found, _, err := getObjectMeta(obj, ObjectMetaOptions{DropMalformedFields: dropMalformedFields})
	return meta, found, err
}

// GetObjectMetaWithOptions reads metadata with our functions.
func GetObjectMetaWithOptions(obj map[string]any, opts ObjectMetaOptions) (*metav1.ObjectMeta, bool, []string, error) {
	readWithOptions.Add(1)
	return getObjectMeta(obj, opts)
}

// subject is a resource that embeds others.
var subject = sync.OnceValues(oddmeta.Subject)

// getObjectMeta normalizes an object that embeds a resource with the metadata of obj, with the interpreter and with generated
// code, which must agree. In an embedded resource nothing else happens to metadata.
func getObjectMeta(obj map[string]any, opts ObjectMetaOptions) (*metav1.ObjectMeta, bool, []string, error) {
	v, found := obj["metadata"]
	if !found {
		return nil, false, nil, nil
	}
	subject, err := subject()
	if err != nil {
		return nil, true, nil, err
	}
	data, err := utiljson.Marshal(v)
	if err != nil {
		return nil, true, nil, err
	}
	how := normalizeOptions(opts.DropMalformedFields, opts.ReturnUnknownFieldPaths)
	metadata, unknown, err := normalized(data, func(obj map[string]any) ([]string, error) {
		return new(interpret.Work).Normalize(obj, interpret.PruneDefaults(subject.Schema), interpret.PruneOptions{}, how)
	})
	again, unknownAgain, errAgain := normalized(data, func(obj map[string]any) ([]string, error) {
		return subject.Generated.Normalize(obj, how)
	})
	switch {
	case fmt.Sprint(err) != fmt.Sprint(errAgain):
		return nil, true, nil, fmt.Errorf("the interpreter says %v, generated code %w", err, errAgain)
	case err != nil:
		return nil, true, nil, inTheirWords(data, err)
	case !reflect.DeepEqual(metadata, again) || !reflect.DeepEqual(unknown, unknownAgain):
		return nil, true, nil, fmt.Errorf("the interpreter makes %v, %q; generated code %v, %q", metadata, unknown, again, unknownAgain)
	}
	meta, err := decode(metadata)
	return meta, true, unknown, err
}

func normalizeOptions(drop, report bool) prunert.NormalizeOptions {
	opts := prunert.NormalizeOptions{ReportUnknown: report}
	if drop {
		opts.Source = prunert.FromStorage
	}
	return opts
}

// normalized returns what becomes of metadata, given as JSON, and what was unknown in it.
func normalized(data []byte, normalize func(map[string]any) ([]string, error)) (metadata any, unknown []string, err error) {
	var v any
	if err := utiljson.Unmarshal(data, &v); err != nil {
		return nil, nil, err
	}
	embedded := map[string]any{"metadata": v}
	unknown, err = normalize(map[string]any{"spec": map[string]any{"free": embedded}})
	return embedded["metadata"], without("spec.free.", unknown), err
}

// without takes a prefix from paths. Like Kubernetes' functions it returns nil for none.
func without(prefix string, paths []string) []string {
	var out []string
	for _, p := range paths {
		out = append(out, strings.TrimPrefix(p, prefix))
	}
	return out
}

// inTheirWords returns the error of the decoder, whose words differ from ours, where it refuses the metadata as we do.
func inTheirWords(data []byte, ours error) error {
	if err := utiljson.Unmarshal(data, &metav1.ObjectMeta{}); err != nil {
		return err
	}
	return fmt.Errorf("only we refuse it: %w", ours)
}

// decode returns metadata as the Go type. It must be what that type is in JSON, and nothing else.
func decode(metadata any) (*metav1.ObjectMeta, error) {
	data, err := utiljson.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	meta := &metav1.ObjectMeta{}
	if err := utiljson.Unmarshal(data, meta); err != nil {
		return nil, err
	}
	encoded := map[string]any{}
	if err := objectmeta.SetObjectMeta(encoded, meta); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(encoded["metadata"], metadata) {
		return nil, fmt.Errorf("we make %v of it, Kubernetes %v", metadata, encoded["metadata"])
	}
	return meta, nil
}

// CoerceWithOptions is interpret.Normalize where nothing is pruned and nothing has a default.
func CoerceWithOptions(at *field.Path, x any, s *structuralschema.Structural, isRoot bool, opts CoerceOptions) (*field.Error, []string) {
	ours := kube.Convert[*structural.Schema](s)
	if isRoot {
		ours = ours.Resource()
	}
	obj, root := convert.Wrap(x, ours)
	unknown, err := new(interpret.Work).Normalize(obj, interpret.PruneDefaults(root), interpret.PruneOptions{PreserveUnknownFields: true},
		normalizeOptions(opts.DropInvalidFields, opts.ReturnUnknownFieldPaths))
	var first *prunert.Error
	if errors.As(err, &first) {
		return field.Invalid(at.Child(first.Field), first.BadValue, first.Detail), nil
	}
	if err != nil {
		return field.InternalError(at, err), nil
	}
	return nil, without(convert.Value+".", unknown)
}
