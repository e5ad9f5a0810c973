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
		r := New(seed + uint64(i))
		_, version, err := Load(s.CRD)
		if err != nil {
			panic(err)
		}
		var schema struct {
			Spec struct {
				Versions []struct {
					Schema struct{ OpenAPIV3Schema map[string]any }
				}
			}
		}
		if err := json.Unmarshal([]byte(s.CRD), &schema); err != nil {
			panic(err)
		}
		for range objects {
			obj, ok := r.Near(schema.Spec.Versions[0].Schema.OpenAPIV3Schema, 4).(map[string]any)
			if !ok {
				continue
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
				fmt.Printf("subject %d: %s\nschema %s\nobject %s\n", i, difference, text(schema.Spec.Versions[0].Schema.OpenAPIV3Schema), text(obj))
			}
			old, ok := r.Changed(obj).(map[string]any)
			if !ok {
				continue
			}
			wanted = interpret.ValidateUpdate(obj, old, version.Schema)
			counts["after update"] += len(wanted)
			if difference := compare(s.Resource.ValidateUpdate(obj, old), wanted); difference != "" {
				bad++
				fmt.Printf("subject %d: %s\nschema %s\nobject %s\nold %s\n", i, difference, text(schema.Spec.Versions[0].Schema.OpenAPIV3Schema), text(obj), text(old))
			}
			changed := maps.Clone(old)
			if changed["status"] = obj["status"]; changed["status"] == nil {
				delete(changed, "status")
			}
			wanted = interpret.ValidateStatus(changed, old, version.Schema)
			counts["after update of status"] += len(wanted)
			if difference := compare(s.Resource.ValidateStatus(changed, old), wanted); difference != "" {
				bad++
				fmt.Printf("subject %d: status: %s\nschema %s\nobject %s\nold %s\n", i, difference, text(schema.Spec.Versions[0].Schema.OpenAPIV3Schema), text(changed), text(old))
			}
			if difference := compare(s.Resource.ValidateMetadata(obj, old), interpret.ValidateMetadata(obj, old, version.Schema, true)); difference != "" {
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

func compare(have, want prunert.ErrorList) string {
	h, w := lines(have), lines(want)
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
