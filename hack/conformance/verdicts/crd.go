// Package verdicts compares what the project reads and says about CRDs and schemas with what Kubernetes reads and says:
// every field, every reason, every text. Nothing here looks at objects.
package verdicts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Difference is one point on which the project and Kubernetes disagree.
type Difference struct {
	// About is what was compared: reading, conversion, rules, trees, lint.
	About string
	// Version is the version of the CRD, "" for the CRD as a whole.
	Version string
	Text    string
	// Known names the difference where it is a known and wanted one.
	Known known.Name
}

func (d Difference) String() string {
	if d.Version == "" {
		return d.About + ": " + d.Text
	}
	return d.About + ": version " + d.Version + ": " + d.Text
}

// CRD compares everything about a CRD.
func CRD(c *corpus.CRD) []Difference {
	k, err := kube.DecodeCRD(c.Raw)
	if err != nil {
		return []Difference{{About: "reading", Text: fmt.Sprintf("Kubernetes refuses it: %v", err)}}
	}
	diffs := reading(c, k)
	for _, v := range c.Versions {
		props, err := k.Schema(v.Name)
		if err != nil {
			diffs = append(diffs, Difference{About: "reading", Version: v.Name, Text: err.Error()})
			continue
		}
		if d := read(v.Schema, props); d != "" {
			diffs = append(diffs, Difference{About: "reading", Version: v.Name, Text: d})
		}
		at := schemaPath(c.Raw, v.Name)
		if got := v.SchemaPath.String(); v.Schema != nil && got != at {
			diffs = append(diffs, Difference{About: "reading", Version: v.Name, Text: fmt.Sprintf("schema at %s, not %s", got, at)})
		}
		_, trees := Trees(v.Schema, props)
		for _, d := range append(schema(v.Schema, props, at), trees...) {
			d.Version = v.Name
			diffs = append(diffs, d)
		}
	}
	return append(diffs, lintDifferences(c.Raw, c.CRD, append(slices.Clone(c.Findings), lint.CRD(c.CRD)...), k.Create())...)
}

// reading compares what is not in a schema.
func reading(c *corpus.CRD, k *kube.CRD) []Difference {
	v1, err := k.V1()
	if err != nil {
		return []Difference{{About: "reading", Text: err.Error()}}
	}
	type version struct {
		Name                                                     string
		Served, Storage, Deprecated, HasStatus, HasScale, Pruned bool
	}
	type crd struct {
		Name, Group, Scope    string
		PreserveUnknownFields bool
		Names                 structural.Names
		Versions              []version
	}
	ours, theirs := kube.Convert[crd](c.CRD), kube.Convert[crd](v1.Spec)
	for i, v := range c.Versions {
		ours.Versions[i].HasScale = v.Scale != nil
	}
	theirs.Name = v1.Name
	for i, v := range v1.Spec.Versions {
		t, sub := &theirs.Versions[i], v.Subresources
		t.HasStatus, t.HasScale, t.Pruned = sub != nil && sub.Status != nil, sub != nil && sub.Scale != nil, !v1.Spec.PreserveUnknownFields
	}
	var diffs []Difference
	if d := compare.First(ours, theirs, cmpopts.EquateEmpty()); d != nil {
		diffs = append(diffs, Difference{About: "reading", Text: fmt.Sprintf("%s: %s, not %s", d.At, d.Ours, d.Theirs)})
	}
	return append(diffs, unknownFields(c, k)...)
}

// unknownFields compares the warnings about unknown fields with what strict decoding says: they are the same, except for two differences
// that are wanted.
func unknownFields(c *corpus.CRD, k *kube.CRD) []Difference {
	ours := map[string]bool{}
	for _, f := range c.Findings {
		if strings.HasPrefix(f.Message, "unknown field ") {
			ours[f.Message] = true
		}
	}
	var diffs []Difference
	for _, text := range k.Unknown {
		switch {
		case ours[text]:
			delete(ours, text)
		case strings.Contains(text, ".x-kubernetes-unions") || strings.Contains(text, ".x-kubernetes-no-prun") || strings.Contains(text, ".x-no-pruning"):
			diffs = append(diffs, Difference{About: "reading", Known: known.KEPKeywords})
		default:
			diffs = append(diffs, Difference{About: "reading", Text: "missing: " + text})
		}
	}
	if len(k.Unknown) >= 100 {
		return diffs // the decoder remembers no more of them
	}
	for _, text := range slices.Sorted(maps.Keys(ours)) {
		below := slices.ContainsFunc(lenient, func(keyword string) bool { return strings.Contains(text, "."+keyword+".") })
		if below || strings.Contains(text, ".items[") {
			diffs = append(diffs, Difference{About: "reading", Known: known.UnknownFieldsBelow})
			continue
		}
		diffs = append(diffs, Difference{About: "reading", Text: "Kubernetes does not say: " + text})
	}
	return diffs
}

// lenient are the keywords whose values Kubernetes decodes by hand, and thereby forgets that it was asked to be strict.
var lenient = []string{"items", "additionalProperties", "additionalItems", "dependencies"}

// schemaPath returns where the CRD has the schema of a version.
func schemaPath(raw json.RawMessage, version string) string {
	var doc struct {
		Spec struct {
			Versions []struct {
				Name   string    `json:"name"`
				Schema *struct{} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := utiljson.Unmarshal(raw, &doc); err == nil {
		for i, v := range doc.Spec.Versions {
			if v.Name == version && v.Schema != nil {
				return fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
			}
		}
	}
	return "spec.validation.openAPIV3Schema"
}

func fieldPath(at string) *field.Path { return field.NewPath(at) }
