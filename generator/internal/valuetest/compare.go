// Package valuetest holds generated validation against the reference on random objects. It is called by tests, and by a program that
// they compile.
package valuetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/specimen"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
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
	f := load.Load("crd.json", strings.NewReader(crd))
	if len(f.CRDs) != 1 {
		return nil, nil, fmt.Errorf("%d CRDs: %v", len(f.CRDs), f.Findings)
	}
	return f.CRDs[0], f.CRDs[0].Versions[0], nil
}

// Main compares, for each subject, generated validation with the reference on so many objects, and exits with 1 after differences.
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
			opts := specimen.Mixed(seed)
			opts.Size = min(opts.Size, 1000)
			obj := specimen.Make(schema, seed, opts)
			if all := violations.Keywords(); n%2 == 0 && all > 0 {
				obj = violations.Make(n/2%all, seed)
			}
			if strings.Contains(text(obj), `"":`) {
				continue // paths with empty names are those of other values too: of two errors about one, either may be kept
			}
			wanted := interpret.Validate(obj, version.Schema)
			for _, e := range wanted {
				counts[string(e.Type)]++
			}
			if len(wanted) == 0 {
				counts["valid"]++
			}
			if difference := compare(s.Resource.Validate(obj), wanted); difference != "" {
				bad++
				fmt.Printf("subject %d: %s\nschema %s\nobject %s\n", i, difference, text(version.Schema.Object()), text(obj))
			}
			old := specimen.Change{Seed: seed, OneIn: 6, Types: true}.Of(obj)
			wanted = interpret.ValidateUpdate(obj, old, version.Schema)
			counts["after update"] += len(wanted)
			if difference := compare(s.Resource.ValidateUpdate(obj, old), wanted); difference != "" {
				bad++
				fmt.Printf("subject %d: %s\nschema %s\nobject %s\nold %s\n", i, difference, text(version.Schema.Object()), text(obj), text(old))
			}
			changed := maps.Clone(old)
			if changed["status"] = obj["status"]; changed["status"] == nil {
				delete(changed, "status")
			}
			wanted = interpret.ValidateStatus(changed, old, version.Schema)
			counts["after update of status"] += len(wanted)
			if difference := compare(s.Resource.ValidateStatus(changed, old), wanted); difference != "" {
				bad++
				fmt.Printf("subject %d: status: %s\nschema %s\nobject %s\nold %s\n", i, difference, text(version.Schema.Object()), text(changed), text(old))
			}
			if difference := compareTexts(s.Resource.ValidateMetadata(obj, old), interpret.ValidateMetadata(obj, old, version.Schema, true)); difference != "" {
				bad++
				fmt.Printf("subject %d: metadata: %s\nobject %s\nold %s\n", i, difference, text(obj), text(old))
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

func compare(have, want prunert.ErrorList) string { return difference(lines(have), lines(want)) }

// compareTexts is for errors whose values have types of their own on each side.
func compareTexts(have, want prunert.ErrorList) string {
	texts := func(list prunert.ErrorList) (all []string) {
		for _, e := range list {
			all = append(all, e.Error())
		}
		return all
	}
	return difference(texts(have), texts(want))
}

func difference(h, w []string) string {
	// Leave out what they have in common.
	for i := len(h) - 1; i >= 0; i-- {
		if j := slices.Index(w, h[i]); j >= 0 {
			h, w = slices.Delete(h, i, i+1), slices.Delete(w, j, j+1)
		}
	}
	if len(h)+len(w) == 0 {
		return ""
	}
	return fmt.Sprintf("have\n  %s\nwant\n  %s", strings.Join(h, "\n  "), strings.Join(w, "\n  "))
}

func lines(list prunert.ErrorList) []string {
	var all []string
	for _, e := range list {
		all = append(all, fmt.Sprintf("%s %q %T %v %q", e.Type, e.Field, e.BadValue, e.BadValue, e.Detail))
	}
	slices.Sort(all)
	return all
}

func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
