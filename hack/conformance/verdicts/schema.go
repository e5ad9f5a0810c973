package verdicts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// root is where a bare schema is said to stand.
const root = "spec.validation.openAPIV3Schema"

// Outcome is what Kubernetes says about a schema.
type Outcome uint8

const (
	Undecodable   Outcome = iota // it is not even a schema
	Unconvertible                // it has what the conversion refuses
	NonStructural                // it breaks a rule
	Structural
)

func (o Outcome) String() string {
	return [...]string{"not decodable", "not convertible", "not structural", "structural"}[o]
}

// Schema compares the two sides on a bare schema: reading, conversion and rules.
func Schema(raw []byte) (Outcome, []Difference) {
	ours, findings := crdread.ParseSchema("schema", raw)
	props, err := kube.DecodeSchema(raw)
	if err != nil {
		if ours != nil {
			return Undecodable, []Difference{{About: "reading", Text: fmt.Sprintf("loaded, but Kubernetes says: %v", err)}}
		}
		return Undecodable, nil
	}
	if ours == nil {
		return Structural, []Difference{{About: "reading", Text: fmt.Sprintf("Kubernetes decodes it, but ours says: %v", findings)}}
	}
	var diffs []Difference
	if d := read(ours, props); d != "" {
		diffs = append(diffs, Difference{About: "reading", Text: d})
	}
	outcome := Structural
	if s, err := kube.NewStructural(props); err != nil {
		outcome = Unconvertible
	} else if len(kube.ValidateStructural(s, fieldPath(root))) > 0 {
		outcome = NonStructural
	}
	return outcome, append(diffs, schema(ours, props, root)...)
}

// read says how a schema differs from what Kubernetes reads, "" if it does not.
func read(ours *structural.JSONSchema, theirs *apiextensions.JSONSchemaProps) string {
	d := compare.First(kube.Convert[*apiextensions.JSONSchemaProps](ours), theirs, cmp.FilterPath(isAlike, cmpopts.EquateEmpty()))
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s, not %s", d.At, d.Ours, d.Theirs)
}

// isAlike reports whether a path leads to one of those lists that no code of Kubernetes tells from absent ones where they are
// empty. An empty list elsewhere, such as required: [], does make a difference.
func isAlike(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && slices.Contains([]string{"Enum", "AllOf", "AnyOf", "OneOf", "JSONSchemas"}, f.Name())
}

// schema compares conversion and rules.
func schema(ours *structural.JSONSchema, theirs *apiextensions.JSONSchemaProps, at string) []Difference {
	path := structural.NewPath(at)
	s, convErrs := structural.NewSchema(ours, path)
	k, err := kube.NewStructural(theirs)
	if d := conversion(convErrs, err); d != "" {
		return []Difference{{About: "conversion", Text: d}}
	}
	if err != nil {
		// Kubernetes has no more to say.
		if len(convErrs) > 1 {
			return []Difference{{About: "conversion", Known: known.ConversionReasons}}
		}
		return nil
	}
	got, want := compare.Texts(structural.Validate(s, path)), kube.ValidateStructural(k, fieldPath(at))
	if !slices.Equal(got, want) {
		e := known.Evidence{Ours: compare.Only(got, want), Theirs: compare.Only(want, got)}
		if raw, err := json.Marshal(ours.Object()); err == nil {
			e.Schema = string(raw)
		}
		return named([]Difference{{About: "rules", Text: listDifference(got, want)}}, e)
	}
	return nil
}

// conversion compares what converting refuses. Kubernetes stops at the first reason it meets, in random order: it is
// among ours, and ours has some if and only if it does.
func conversion(ours []*structural.Error, theirs error) string {
	if theirs == nil {
		if len(ours) == 0 {
			return ""
		}
		return fmt.Sprintf("refused, but Kubernetes converts it: %q", compare.Texts(ours))
	}
	for _, e := range ours {
		if strings.HasSuffix(e.Error(), ": "+theirs.Error()) {
			return ""
		}
	}
	return fmt.Sprintf("%q does not have %q", compare.Texts(ours), theirs)
}

// listDifference says what is in one list and not in the other.
func listDifference(got, want []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d texts, not %d", len(got), len(want))
	for _, t := range compare.Only(got, want) {
		fmt.Fprintf(&b, "\n  only ours:   %s", t)
	}
	for _, t := range compare.Only(want, got) {
		fmt.Fprintf(&b, "\n  only theirs: %s", t)
	}
	return b.String()
}
