package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Value is a value of any schema, with the one that it replaces.
type Value struct {
	Schema     *structuralschema.Structural
	IsResource bool
	Value, Old any
	// Ratchets says that failures of rules on unchanged values are only warnings.
	Ratchets bool
	Costs    prunecel.Costs
}

// Compare returns how the answer of our rules about the value at a path differs from that of Kubernetes; "" if it does not.
func (v Value) Compare(at *field.Path, errs field.ErrorList, remaining int64) string {
	schema, value, old := kube.Convert[*structural.Schema](v.Schema), kube.Decoded(v.Value), kube.Decoded(v.Old)
	// A value that is not a resource is a field of one. Fields of resources called apiVersion and kind are ratcheted like others, those
	// of an object that is validated alone are not, so that one is taken for a resource.
	isField := !v.IsResource && !(v.Ratchets && schema.Type == "object")
	if isField {
		schema = &structural.Schema{Generic: structural.Generic{Type: "object"}, Properties: map[string]*structural.Schema{at.String(): schema}}
		value = map[string]any{at.String(): value}
		if old != nil {
			old = map[string]any{at.String(): old}
		}
	}
	table := tableOf(schema)
	if table == nil {
		return "ours finds no rules"
	}
	var shape *pruneimpl.Shape
	if v.Ratchets {
		shape = resources.Shape(schema)
	}
	ours := NewAnswer(table.ValidateValue(value, old, shape, v.Costs), v.Costs)
	ours.Warnings = nil
	var relative field.ErrorList
	for _, e := range errs {
		e := *e
		e.BadValue = kube.Decoded(e.BadValue)
		if !isField {
			if e.Field = strings.TrimPrefix(strings.TrimPrefix(e.Field, at.String()), "."); e.Field == "" {
				e.Field = "<nil>"
			}
		}
		relative = append(relative, &e)
	}
	theirs := Answer{Errors: KubeTexts(relative), Remaining: remaining}
	for _, a := range []Answer{ours, theirs} {
		for i := range a.Errors {
			a.Errors[i] = selfType.ReplaceAllString(a.Errors[i], "selfType")
		}
	}
	if ours.equal(theirs) {
		return ""
	}
	return fmt.Sprintf("ours %+v, theirs %+v, value %#v, old %#v, schema %s", ours, theirs, v.Value, v.Old, compare.Show(v.Schema.ToKubeOpenAPI()))
}

// selfType is the name of the type of self, which is made up.
var selfType = regexp.MustCompile(`selfType\d+`)
