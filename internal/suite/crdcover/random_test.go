package crdcover

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// kindOfError returns the kind of constraint that the text of an error names, "" for none.
func kindOfError(e *prunert.Error) string {
	switch e.Type {
	case prunert.ErrorTypeRequired:
		return Required
	case prunert.ErrorTypeDuplicate:
		return ListType
	case prunert.ErrorTypeNotSupported:
		return "enum"
	case prunert.ErrorTypeTooLong:
		return "maxLength"
	case prunert.ErrorTypeTooMany:
		return "max" // maxItems or maxProperties
	}
	for _, w := range [][2]string{
		{"Minimum boundary", "minimum"}, {"Maximum boundary", "maximum"}, {"MultipleOf", "multipleOf"}, {" chars long", "minLength"}, {"should match '", "pattern"}, {"should be greater than", "minimum"}, {"should be less than", "maximum"},
		{"should be a multiple of", "multipleOf"}, {" items", "minItems"}, {" properties", "minProperties"}, {"(anyOf)", "anyOf"}, {"(oneOf)", "oneOf"}, {"(allOf)", "allOf"}, {"(not)", "not"},
		{"with format", "format"},
	} {
		if strings.Contains(e.Detail, w[0]) {
			return w[1]
		}
	}
	if e.Type == prunert.ErrorTypeTypeInvalid {
		return "type or format"
	}
	return ""
}

// isOf reports whether a constraint is of a kind that the text of an error names.
func isOf(c *constraint, kind string) bool {
	return c.Kind == kind || kind == "max" && (c.Kind == "maxItems" || c.Kind == "maxProperties") || kind == "type or format" && c.Kind == "format"
}

// isBelow reports whether a path is that of a value or leads into it.
func isBelow(p, above prunert.Path) bool {
	return len(p) >= len(above) && slices.Equal(p[:len(above)], above)
}

// checkErrors compares the constraints of the errors of an object with the texts of these errors: each constraint has an error at its
// place, and each error is of a constraint, one of those of a junctor, or none about a constraint.
func checkErrors(t *testing.T, k *Kind, obj map[string]any, errs prunert.ErrorList, rules violatedRules, seen map[string]int) {
	t.Helper()
	junctors := []prunert.Path{}
	for _, e := range errs {
		if slices.ContainsFunc(k.violated(e, rules, obj), (*constraint).isJunctor) {
			junctors = append(junctors, e.Path)
		}
	}
	for _, e := range errs {
		found := k.violated(e, rules, obj)
		if v, ok := rules[e]; ok {
			seen[Rule]++
			says := cmp.Or(v.Of.Message, v.Of.Rule)
			if len(found) != 1 || found[0].rule != v.Of || found[0].Text != v.Of.Rule || !isBelow(e.Path, v.Path) ||
				v.Of.MessageProgram == "" && e.Type != prunert.ErrorTypeDuplicate && !strings.Contains(e.Detail, says) {
				t.Errorf("%s: %v is not of %q at %v", k.crd.File, e, v.Of.Rule, v.Path)
			}
			continue
		}
		for _, c := range found {
			seen[c.Kind]++
			if !slices.ContainsFunc(errs, func(other *prunert.Error) bool {
				return slices.Equal(e.Path, other.Path) && isOf(c, kindOfError(other))
			}) {
				t.Errorf("%s: %s %s has no error of its own for %v", k.crd.File, c.Kind, c.Path, e)
			}
		}
		kind := kindOfError(e)
		switch {
		case slices.ContainsFunc(found, func(c *constraint) bool { return isOf(c, kind) }):
		case slices.ContainsFunc(junctors, func(above prunert.Path) bool { return isBelow(e.Path, above) }):
		case slices.ContainsFunc(errs, func(other *prunert.Error) bool {
			// The types of an int-or-string are in its anyOf as well.
			isType := other.Type == prunert.ErrorTypeTypeInvalid || strings.Contains(other.Detail, " value must be of type ")
			return isType && slices.Equal(e.Path, other.Path) && (kind == "anyOf" || kind == "allOf")
		}):
		case kind == "type or format" || e.RulesNotChecked() || e.Type == prunert.ErrorTypeOmitted:
		case strings.Contains(e.Detail, " value must be of type ") || strings.HasSuffix(e.Detail, "array of list-type map") || strings.HasSuffix(e.Detail, "is a forbidden property"):
		case slices.ContainsFunc(e.Path, func(s prunert.Step) bool { return structural.IsMetaField(s.Name) }):
		case k.version.Scale != nil && strings.HasPrefix(e.Field, "."):
		default:
			t.Errorf("%s: %v (%v) is of no constraint, but of %d others", k.crd.File, e, e.Path, len(found))
		}
	}
}

// Errors of random objects are of the constraints that their texts name.
func TestErrorsAreOfTheConstraintsThatTheyName(t *testing.T) {
	files, err := filepath.Glob("../../../golden/*/crd.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	testsize.NotShort(t)
	const rounds = 4
	seen := map[string]int{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, crd := range crdread.Load(name, f).CRDs {
			all, err := dynamic.Compile(crd)
			if err != nil {
				continue // it is in the golden tests for what it does not do
			}
			for i, r := range all {
				randomRequests(t, crd, crd.Structural(crd.Versions[i]), r, rounds, seen)
			}
		}
	}
	for _, k := range keywords {
		if seen[k.Name] == 0 {
			t.Errorf("no object violates %s", k.Name)
		}
	}
	if seen[Rule] == 0 || seen[Required] == 0 || seen[ListType] == 0 {
		t.Errorf("%v", seen)
	}
}

// randomRequests sends random objects, and updates of one by the other.
func randomRequests(t *testing.T, crd *structural.CRD, s *structural.Schema, r prunert.Resource, rounds uint64, seen map[string]int) {
	k, err := New(crd, r)
	if err != nil {
		t.Fatal(err)
	}
	violations := specimen.NewViolations(s)
	for seed := range rounds {
		var objects []map[string]any
		opts := specimentest.Mixed(seed)
		opts.Flaws &^= specimentest.MetadataMalformed
		opts.Name, opts.Namespace, opts.Size = "a", "default", 1000
		objects = append(objects, specimentest.Make(s, seed, opts))
		for i := range violations.Keywords() {
			objects = append(objects, violations.Make(i, seed))
		}
		var last map[string]any
		for _, obj := range objects {
			obj["apiVersion"], obj["kind"], obj["metadata"] = r.APIVersion(), r.Kind, map[string]any{"name": "a"}
			for _, old := range []map[string]any{nil, last} {
				for _, sub := range []string{"", "status"} {
					if sub == "status" && (!r.Status || old == nil) {
						continue
					}
					req := prunert.Request{Subresource: sub}
					sent := jsonvalue.Copy(obj)
					if errs, rules := k.errors(sent, old, req); k.root != nil {
						checkErrors(t, k, sent, errs, rules, seen)
					}
				}
			}
			last = obj
		}
		if t.Failed() {
			return
		}
	}
}
