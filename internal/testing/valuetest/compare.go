// Package valuetest compares generated validation with the reference on random objects. It is called by tests, and by a program that they
// compile.
package valuetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Subject is a schema and what was generated for it.
type Subject struct {
	CRD      string
	Resource prunert.Resource
}

// CRD returns a CRD with a schema.
func CRD(schema map[string]any) string {
	data, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "things.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Thing", "plural": "things"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": schema},
				"subresources": map[string]any{"status": map[string]any{}}}},
		},
	})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Load returns the one version of a CRD.
func Load(crd string) (*structural.CRD, *structural.Version, error) {
	f := crdread.Load("crd.json", strings.NewReader(crd))
	if len(f.CRDs) != 1 {
		return nil, nil, fmt.Errorf("%d CRDs: %v", len(f.CRDs), f.Findings)
	}
	return f.CRDs[0], f.CRDs[0].Versions[0], nil
}

// Main compares, for each subject, generated validation with the reference on a number of objects, and exits with 1 after differences.
func Main(seed uint64, objects int, subjects []Subject) {
	bad := 0
	counts := map[string]int{}
	for i, s := range subjects {
		_, version, err := Load(s.CRD)
		if err != nil {
			panic(err)
		}
		schema, _ := structural.NewSchema(version.Schema, nil) // which need not be structural
		violations := specimen.NewViolations(schema)
		for n := range objects {
			seed := seed + uint64(i)<<32 + uint64(n)
			opts := specimentest.Mixed(seed)
			opts.Size = min(opts.Size, 1000)
			obj := specimentest.Make(schema, seed, opts)
			if all := violations.Keywords(); n%2 == 0 && all > 0 {
				obj = violations.Make(n/2%all, seed)
			}
			if strings.Contains(text(obj), `"":`) {
				continue // paths with empty names are those of other values too: of two errors about one, either may be kept
			}
			old := specimentest.Change{Seed: seed, OneIn: 6, Types: true}.Of(obj)
			changed := maps.Clone(old)
			if changed["status"] = obj["status"]; changed["status"] == nil {
				delete(changed, "status")
			}
			wanted := new(interpret.Work).Validate(obj, version.Schema)
			if len(wanted) == 0 {
				counts["valid"]++
			}
			for _, c := range []struct {
				name       string
				obj        map[string]any
				have, want []string
			}{
				{"create", obj, lines(s.Resource.Validate(obj)), lines(wanted)},
				{"update", obj, lines(s.Resource.ValidateUpdate(obj, old)), lines(new(interpret.Work).ValidateUpdate(obj, old, version.Schema))},
				{"status", changed, lines(s.Resource.ValidateStatus(changed, old)), lines(new(interpret.Work).ValidateStatus(changed, old, version.Schema))},
				// Both sides have the same rules, which are compared with Kubernetes elsewhere: what can differ is where resources are embedded. The
				// values of the errors have types of their own on each side.
				{"metadata", obj, texts(s.Resource.ValidateMetadata(obj, old)), texts(pruneimpl.CheckMetadataValues(obj, old, true, interpret.MetadataShape(version.Schema)))},
			} {
				counts[c.name] += len(c.want)
				if !slices.Equal(c.have, c.want) {
					bad++
					fmt.Printf("subject %d, %s: have\n  %s\nwant\n  %s\nschema %s\nobject %s\nold %s\n", i, c.name,
						strings.Join(c.have, "\n  "), strings.Join(c.want, "\n  "), text(version.Schema.Object()), text(c.obj), text(old))
				}
			}
			if bad > 5 {
				os.Exit(1)
			}
		}
	}
	fmt.Println(counts)
	if bad > 0 {
		os.Exit(1)
	}
}

func texts(list prunert.ErrorList) (all []string) {
	for _, e := range list {
		all = append(all, e.Error())
	}
	slices.Sort(all)
	return all
}

func lines(list prunert.ErrorList) []string {
	var all []string
	for _, e := range list {
		all = append(all, fmt.Sprintf("%s %q %T %v %q", e.Type, e.Field, e.BadValue, e.BadValue, e.Detail))
	}
	slices.Sort(all)
	return all
}

func text(v any) string { return strings.TrimSpace(numbers.Encode(v, "")) }
